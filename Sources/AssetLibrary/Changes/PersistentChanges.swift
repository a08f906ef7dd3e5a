public import SystemPackage

/// One difference between two moments in the history of a library.
///
/// An asset that was moved and edited has two of them, `moved` first.
public struct PersistentChange: Hashable, Sendable {
  /// What happened.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The asset or album was not in the library before.
    case inserted
    /// Its file, what is known of it, its marks, or the album's title or assets differ.
    case updated
    /// Its primary file has another path, and is the same asset.
    case moved
    /// It is no longer in the library.
    case deleted
  }

  /// What happened.
  public var kind: Kind
  /// The asset, or the album that the user made (`UserAlbum.isIdentifier`).
  public var identifier: LocalIdentifier
  /// The path of the asset's primary file now, or the last one of a deleted asset; nil for an album.
  public var path: FilePath?
  /// The path before; for `moved` only.
  public var previousPath: FilePath?

  /// Creates a difference.
  public init(
    _ kind: Kind, _ identifier: LocalIdentifier, path: FilePath? = nil, previousPath: FilePath? = nil
  ) {
    self.kind = kind
    self.identifier = identifier
    self.path = path
    self.previousPath = previousPath
  }
}

/// A moment in the history of a library, as PhotoKit's `PHPersistentChangeToken`.
///
/// A token can be stored as text and outlives the process. It is valid for one library: the same sources, on the same
/// machine.
public struct PersistentChangeToken: Hashable, Sendable, CustomStringConvertible {
  /// Names the history that the token belongs to: hexadecimal digits.
  package var history: String
  /// The number of the comparison that the token was returned by.
  ///
  /// Not a number of differences: that would tell a client with limited access how much there is that it may not see.
  package var position: Int64

  package init(history: String, position: Int64) {
    self.history = history
    self.position = position
  }

  /// Reads a token from its text; nil when the text is not a token.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 16,
      parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
      parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let position = Int64(parts[1])
    else { return nil }
    self.init(history: String(parts[0]), position: position)
  }

  /// The text of the token: 16 hexadecimal digits, a hyphen and a decimal number.
  public var description: String { "\(history)-\(position)" }
}

/// The differences since a token, and the token to ask with next time.
public struct PersistentChanges: Hashable, Sendable {
  /// At most one difference for each asset or album, except a move with an update; sorted by identifier.
  public var changes: [PersistentChange]
  /// The moment that `changes` lead to.
  public var token: PersistentChangeToken

  /// Creates an answer.
  public init(_ changes: [PersistentChange], token: PersistentChangeToken) {
    self.changes = changes
    self.token = token
  }
}

/// Why the differences since a token can't be returned.
public enum PersistentChangeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The history no longer reaches back to the token, or was lost: fetch everything anew.
  case tokenExpired
  /// The token belongs to a library of other sources.
  case otherLibrary
  /// A source can't be read at present, so missing files can't be distinguished from deleted ones.
  case incomplete(AssetError)
  /// The history can't be read or written.
  case storage(AssetError)
  /// The client has no access to the library.
  case accessDenied
  /// The store keeps no history.
  case unsupported

  /// The error as words for the user.
  public var description: String {
    switch self {
    case .tokenExpired: "the token is too old: its history is no longer kept"
    case .otherLibrary: "the token belongs to a library of other folders"
    case .incomplete(let error): "can't tell what changed while a source can't be read: \(error)"
    case .storage(let error): "\(error)"
    case .accessDenied: "no access to the photos"
    case .unsupported: "this library keeps no history"
    }
  }
}

/// What a history remembers of an asset or album at one moment.
package struct HistoryEntry: Hashable, Sendable {
  /// The path of the primary file; nil for an album.
  package var path: FilePath?
  /// Differs when anything else does that `updated` reports.
  package var fingerprint: UInt64

  package init(path: FilePath?, fingerprint: UInt64) {
    self.path = path
    self.fingerprint = fingerprint
  }

  /// Returns the entries of everything that a store knows, hidden assets and all pictures of bursts included.
  /// - Parameters:
  ///   - path: the path of an asset that is compared; nil = the asset's own.
  ///   - stamps: further numbers of an asset that differ when one of its files does.
  package static func entries(
    of store: some AssetFetching & LibraryWatching, path: ((Asset) -> FilePath?)? = nil,
    stamps: (Asset) -> [Int64] = { _ in [] }
  ) -> [LocalIdentifier: Self] {
    var options = FetchOptions()
    options.sortDescriptors = []
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    var entries: [LocalIdentifier: Self] = [:]
    for asset in store.assets(in: nil, options: options) {
      entries[asset.id] = Self(
        path: path.map { $0(asset) } ?? asset.primaryResource?.path, fingerprint: fingerprint(of: asset, stamps(asset)))
    }
    for album in store.userAlbums.all {
      var hash = Fingerprint()
      hash.add(album.title.utf8)
      for asset in album.assets { hash.add(asset.rawValue.utf8) }
      entries[album.id] = Self(path: nil, fingerprint: hash.value)
    }
    return entries
  }

  private static func fingerprint(of asset: Asset, _ stamps: [Int64]) -> UInt64 {
    var hash = Fingerprint()
    // A date that only the file's own time gives is written in this machine's time zone, which may change.
    hash.add(asset.creationDate, isInUTC: asset.creationDateZone == .system || asset.creationDateSource == .file)
    hash.add(asset.modificationDate, isInUTC: true)
    hash.add(asset.mediaType.rawValue.utf8)
    hash.add(Int64(truncatingIfNeeded: asset.mediaSubtypes.rawValue))
    hash.add(Int64(asset.pixelSize.width))
    hash.add(Int64(asset.pixelSize.height))
    hash.add(Int64(bitPattern: asset.duration.bitPattern))
    hash.add((asset.isFavorite ? 1 : 0) + (asset.isHidden ? 2 : 0) + (asset.isBroken ? 4 : 0))
    hash.add(Int64(asset.rating))
    // No coordinate is infinite.
    hash.add(Int64(bitPattern: (asset.location?.latitude ?? .infinity).bitPattern))
    hash.add(Int64(bitPattern: (asset.location?.longitude ?? .infinity).bitPattern))
    for resource in asset.resources {
      // Only the name: an asset in another folder is moved, and not updated by that alone.
      hash.add(resource.filename)
      hash.add(resource.byteCount)
    }
    for stamp in stamps { hash.add(stamp) }
    return hash.value
  }

  /// FNV-1a over 64-bit words and bytes: the same in every process, other than Swift's `Hasher`.
  private struct Fingerprint {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ number: Int64) {
      value = (value ^ UInt64(bitPattern: number)) &* 0x100_0000_01b3
      value ^= value >> 29
    }

    mutating func add(_ date: AssetDate, isInUTC: Bool) {
      add(date.wallSeconds - (isInUTC ? Int64(date.utcOffset ?? 0) : 0))
      add(Int64(date.nanoseconds))
    }

    mutating func add(_ bytes: some Sequence<UInt8>) {
      for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
      add(-1)
    }
  }
}

/// How one asset or album differs between two moments: the entry before and after, nil where it was not there.
package struct HistoryDifference: Hashable, Sendable {
  package var before: HistoryEntry?
  package var after: HistoryEntry?

  package init(before: HistoryEntry?, after: HistoryEntry?) {
    self.before = before
    self.after = after
  }

  /// What differs between two moments.
  package static func between(
    _ before: [LocalIdentifier: HistoryEntry], _ after: [LocalIdentifier: HistoryEntry]
  ) -> [LocalIdentifier: Self] {
    var differences: [LocalIdentifier: Self] = [:]
    for (identifier, entry) in after where before[identifier] != entry {
      differences[identifier] = Self(before: before[identifier], after: entry)
    }
    for (identifier, entry) in before where after[identifier] == nil {
      differences[identifier] = Self(before: entry, after: nil)
    }
    return differences
  }

  /// The difference over two spans of time, of which `later` directly follows this one.
  package mutating func extend(by later: Self) { after = later.after }

  /// The differences as clients get them; none where the asset is as it was.
  package func changes(of identifier: LocalIdentifier) -> [PersistentChange] {
    switch (before, after) {
    case (nil, nil): []
    case (nil, let after?): [PersistentChange(.inserted, identifier, path: after.path)]
    case (let before?, nil): [PersistentChange(.deleted, identifier, path: before.path)]
    case (let before?, let after?):
      (before.path == after.path
        ? []
        : [PersistentChange(.moved, identifier, path: after.path, previousPath: before.path)])
        + (before.fingerprint == after.fingerprint
          ? [] : [PersistentChange(.updated, identifier, path: after.path)])
    }
  }
}

/// The history of a library in memory: each call compares the library with the call before, and keeps what differs.
package struct ChangeHistory: Sendable {
  /// The most differences that a history keeps; older ones are dropped, and tokens from before them expire.
  package static let capacity = 200_000

  private let identifier: String
  private var entries: [LocalIdentifier: HistoryEntry] = [:]
  private var differences: [(comparison: Int64, identifier: LocalIdentifier, difference: HistoryDifference)] = []
  /// The number of the last comparison.
  private var last: Int64 = 0
  /// The oldest comparison of which all later differences are kept.
  private var oldest: Int64 = 1

  package init() { identifier = Self.newIdentifier() }

  /// 16 random hexadecimal digits.
  package static func newIdentifier() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Records the library as it is now, and returns what differs since a token.
  /// - Parameter token: nil = since before the first asset.
  package mutating func changes(
    since token: PersistentChangeToken?, now current: [LocalIdentifier: HistoryEntry]
  ) throws(PersistentChangeError) -> PersistentChanges {
    last += 1
    // No token is older than the first comparison, so its differences are never asked for.
    if last > 1 {
      for (identifier, difference) in HistoryDifference.between(entries, current) {
        differences.append((last, identifier, difference))
      }
    }
    entries = current
    if differences.count > Self.capacity {
      oldest = differences[differences.count - Self.capacity - 1].comparison
      let kept = differences.firstIndex { $0.comparison > oldest } ?? differences.count
      differences.removeFirst(kept)
    }
    guard let token else { return Self.answer(HistoryDifference.between([:], current), identifier, last) }
    guard token.history == identifier, (oldest..<last).contains(token.position) else { throw .tokenExpired }
    let since = differences.lazy.filter { $0.comparison > token.position }.map { ($0.identifier, $0.difference) }
    return Self.answer(Self.merged(since), identifier, last)
  }

  /// One difference for each asset or album, of several that follow each other.
  package static func merged(
    _ differences: some Sequence<(LocalIdentifier, HistoryDifference)>
  ) -> [LocalIdentifier: HistoryDifference] {
    var merged: [LocalIdentifier: HistoryDifference] = [:]
    for (identifier, difference) in differences {
      merged[identifier, default: difference].extend(by: difference)
    }
    return merged
  }

  /// The answer to a client: the differences sorted by identifier, and the token of a comparison.
  package static func answer(
    _ differences: [LocalIdentifier: HistoryDifference], _ history: String, _ comparison: Int64
  ) -> PersistentChanges {
    PersistentChanges(
      differences.sorted { $0.key < $1.key }.flatMap { $0.value.changes(of: $0.key) },
      token: PersistentChangeToken(history: history, position: comparison))
  }
}

public import SystemPackage

/// A difference between two moments in the history of a library.
///
/// An asset that was both moved and updated has two, `moved` first.
public struct PersistentChange: Hashable, Sendable {
  /// What happened.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The asset or album is new in the library.
    case inserted
    /// The asset's files, metadata or marks differ, or the album's title or assets.
    case updated
    /// The asset is the same, but its primary file has another path.
    case moved
    /// The asset or album is no longer in the library.
    case deleted
  }

  /// What happened.
  public var kind: Kind
  /// The identifier of the asset, or of the user's album (`UserAlbum.isIdentifier`).
  public var identifier: LocalIdentifier
  /// The current path of the asset's primary file, for a deleted asset the last known one; nil for an album.
  public var path: FilePath?
  /// The previous path; only for `moved`.
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
/// Can be stored as text and used by later processes. Valid for one library: the same sources on the same
/// machine.
public struct PersistentChangeToken: Hashable, Sendable, CustomStringConvertible {
  /// The identifier of the token's history: 16 hexadecimal digits.
  package var history: String
  /// The number of the comparison that returned the token.
  ///
  /// Not a count of differences, which would tell a client with limited access how many changes it may not
  /// see.
  package var position: Int64

  package init(history: String, position: Int64) {
    self.history = history
    self.position = position
  }

  /// Parses the text of a token; nil if it is not a token.
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

/// The differences since a token, and the token for the next request.
public struct PersistentChanges: Hashable, Sendable {
  /// The differences, sorted by identifier; at most one per asset or album, except a move with an update.
  public var changes: [PersistentChange]
  /// The moment after `changes`.
  public var token: PersistentChangeToken

  /// Creates an answer.
  public init(_ changes: [PersistentChange], token: PersistentChangeToken) {
    self.changes = changes
    self.token = token
  }
}

/// Why the differences since a token can't be returned.
public enum PersistentChangeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The history no longer reaches back to the token, or was lost: fetch everything again.
  case tokenExpired
  /// The token belongs to a library with other sources.
  case otherLibrary
  /// A source can't be read now, so missing files can't be distinguished from deleted ones.
  case incomplete(AssetError)
  /// The history can't be read or written.
  case storage(AssetError)
  /// The client has no access to the library.
  case accessDenied
  /// The store keeps no history.
  case unsupported

  /// The error as text for the user.
  public var description: String {
    switch self {
    case .tokenExpired: "the token has expired: its history is no longer stored"
    case .otherLibrary: "the token belongs to other sources"
    case .incomplete(let error): "can't tell what changed while a source can't be read: \(error)"
    case .storage(let error): "\(error)"
    case .accessDenied: "no access to the photos"
    case .unsupported: "this library keeps no history"
    }
  }
}

/// The state of an asset or album that a history stores.
package struct HistoryEntry: Hashable, Sendable {
  /// The path of the primary file; nil for an album.
  package var path: FilePath?
  /// A hash of everything that `updated` reports.
  package var fingerprint: UInt64

  package init(path: FilePath?, fingerprint: UInt64) {
    self.path = path
    self.fingerprint = fingerprint
  }

  /// Returns the entries of a store's albums and assets, including hidden assets and all frames of bursts.
  /// - Parameters:
  ///   - path: returns the path to compare for an asset; nil = the path of its primary file.
  ///   - stamps: returns further numbers that differ if one of the asset's files does.
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
        path: path.map { $0(asset) } ?? asset.primaryResource?.path,
        fingerprint: fingerprint(of: asset, stamps(asset)))
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
    // A date from the file system is in this machine's time zone, which may change.
    hash.add(
      asset.creationDate, isInUTC: asset.creationDateZone == .system || asset.creationDateSource == .file)
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
      // Only the name: another folder alone makes the asset moved, but not updated.
      hash.add(resource.filename)
      hash.add(resource.byteCount)
    }
    for stamp in stamps { hash.add(stamp) }
    return hash.value
  }

  /// FNV-1a over 64-bit words and bytes.
  ///
  /// Unlike Swift's `Hasher`, it gives the same value in every process.
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

/// The entries of an asset or album at two moments; nil if it did not exist.
package struct HistoryDifference: Hashable, Sendable {
  package var before: HistoryEntry?
  package var after: HistoryEntry?

  package init(before: HistoryEntry?, after: HistoryEntry?) {
    self.before = before
    self.after = after
  }

  /// Returns the differences between two moments.
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

  /// Extends the difference by the directly following one.
  package mutating func extend(by later: Self) { after = later.after }

  /// Returns the changes for clients; empty if the entries are equal.
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

/// A history of a library in memory.
///
/// Each call compares the library with the previous call and stores the differences.
package struct ChangeHistory: Sendable {
  /// The maximum number of stored differences; older ones are dropped, and the tokens that need them expire.
  package static let capacity = 200_000

  private let identifier: String
  private var entries: [LocalIdentifier: HistoryEntry] = [:]
  private var differences: [(comparison: Int64, identifier: LocalIdentifier, difference: HistoryDifference)] =
    []
  /// The number of the last comparison.
  private var last: Int64 = 0
  /// The oldest comparison since which all differences are stored.
  private var oldest: Int64 = 1

  package init() { identifier = Self.newIdentifier() }

  /// Returns 16 random hexadecimal digits.
  package static func newIdentifier() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Records the library's current entries, and returns the differences since a token.
  /// - Parameter token: nil = everything counts as inserted.
  /// - Throws: `PersistentChangeError.tokenExpired` if the token's differences are not stored.
  package mutating func changes(
    since token: PersistentChangeToken?, now current: [LocalIdentifier: HistoryEntry]
  ) throws(PersistentChangeError) -> PersistentChanges {
    last += 1
    // No token is older than the first comparison, so its differences are never needed.
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
    let since = differences.lazy.filter { $0.comparison > token.position }.map {
      ($0.identifier, $0.difference)
    }
    return Self.answer(Self.merged(since), identifier, last)
  }

  /// Combines consecutive differences to one for each asset or album.
  package static func merged(
    _ differences: some Sequence<(LocalIdentifier, HistoryDifference)>
  ) -> [LocalIdentifier: HistoryDifference] {
    var merged: [LocalIdentifier: HistoryDifference] = [:]
    for (identifier, difference) in differences {
      merged[identifier, default: difference].extend(by: difference)
    }
    return merged
  }

  /// Returns the answer to a client: the differences sorted by identifier, and the token of a comparison.
  package static func answer(
    _ differences: [LocalIdentifier: HistoryDifference], _ history: String, _ comparison: Int64
  ) -> PersistentChanges {
    PersistentChanges(
      differences.sorted { $0.key < $1.key }.flatMap { $0.value.changes(of: $0.key) },
      token: PersistentChangeToken(history: history, position: comparison))
  }
}

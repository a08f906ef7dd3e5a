/// An album made by the user: assets from any folders, in a user-defined order.
public struct UserAlbum: Identifiable, Hashable, Sendable {
  /// The identifier: "userAlbum." and a random number.
  public let id: LocalIdentifier
  /// The title, unique among the user's albums.
  public internal(set) var title: String
  /// The identifiers in the album's order, without duplicates.
  ///
  /// Assets that left the library are kept, because they may return.
  public internal(set) var assets: [LocalIdentifier]

  package init(id: LocalIdentifier, title: String, assets: [LocalIdentifier] = []) {
    self.id = id
    self.title = title
    self.assets = assets
  }

  private static let prefix = "userAlbum."
  /// The maximum length of a title in bytes of UTF-8.
  public static let longestTitle = 255

  /// Returns a new identifier: "userAlbum." and a random number.
  public static func newIdentifier() -> LocalIdentifier {
    LocalIdentifier(prefix + String(UInt64.random(in: 0 ... .max), radix: 36))
  }

  /// Whether an identifier belongs to an album made by the user.
  public static func isIdentifier(_ identifier: LocalIdentifier) -> Bool {
    identifier.rawValue.hasPrefix(prefix)
  }

  /// Returns a title with surrounding whitespace removed.
  /// - Throws: `AssetError` if the title is empty, too long, or contains control characters.
  static func title(_ text: String) throws(AssetError) -> String {
    let title = text.trimmingBlanks
    if title.isEmpty { throw AssetError("album", "the title is empty") }
    if title.utf8.count > longestTitle {
      throw AssetError("album", "the title is longer than \(longestTitle) bytes")
    }
    let isPlain = title.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    if !isPlain { throw AssetError(title, "the title contains line breaks or other control characters") }
    return title
  }
}

/// The user's albums in the user's order, and the changes to them.
public struct UserAlbums: Hashable, Sendable {
  /// The albums in the user's order.
  public private(set) var all: [UserAlbum]

  package init(_ all: [UserAlbum] = []) {
    self.all = all
  }

  /// Returns the album with an identifier; nil if there is none.
  public subscript(identifier: LocalIdentifier) -> UserAlbum? { all.first { $0.id == identifier } }

  /// Returns the album with a title, ignoring case and surrounding whitespace; nil if there is none.
  public func album(titled title: String) -> UserAlbum? {
    let title = title.trimmingBlanks.lowercased()
    return all.first { $0.title.lowercased() == title }
  }

  /// Applies a change to an album; changes to assets are ignored.
  /// - Returns: the changes that undo it, in order; empty if nothing changed.
  /// - Throws: `AssetError` if the album does not exist, or its title is invalid or taken. Nothing has
  ///   changed then.
  package mutating func apply(_ change: AssetChange) throws(AssetError) -> [AssetChange] {
    switch change {
    case .setFavorite, .setHidden, .setCreationDate, .setLocation, .createAsset, .revertToOriginal,
      .restoreEdits, .delete, .restore, .deletePermanently:
      return []
    case .createAlbum(let identifier, let title, let index):
      return [try create(identifier, title, at: index)]
    case .renameAlbum(let identifier, let title):
      let place = try place(of: identifier)
      let before = all[place].title
      let title = try freeTitle(title, for: identifier)
      all[place].title = title
      return title == before ? [] : [.renameAlbum(identifier, title: before)]
    case .moveAlbum(let identifier, let index):
      let place = try place(of: identifier)
      let album = all.remove(at: place)
      let target = max(0, min(index, all.count))
      all.insert(album, at: target)
      return target == place ? [] : [.moveAlbum(identifier, to: place)]
    case .deleteAlbum(let identifier):
      let place = try place(of: identifier)
      let album = all.remove(at: place)
      return [.createAlbum(identifier, title: album.title, index: place)]
        + (album.assets.isEmpty
          ? [] : [.insertAssets(album.assets, at: Array(album.assets.indices), in: identifier)])
    case .addAssets(let assets, let identifier):
      let place = try place(of: identifier)
      let new = all[place].missing(of: assets)
      all[place].assets += new
      return new.isEmpty ? [] : [.removeAssets(new, from: identifier)]
    case .insertAssets(let assets, let indexes, let identifier):
      let place = try place(of: identifier)
      let new = all[place].insert(assets, at: indexes)
      return new.isEmpty ? [] : [.removeAssets(new, from: identifier)]
    case .removeAssets(let assets, let identifier):
      let place = try place(of: identifier)
      let (removed, indexes) = all[place].remove(assets)
      return removed.isEmpty ? [] : [.insertAssets(removed, at: indexes, in: identifier)]
    case .moveAssets(let assets, let index, let identifier):
      let place = try place(of: identifier)
      return all[place].move(assets, to: index)
    }
  }

  private mutating func create(
    _ identifier: LocalIdentifier, _ title: String, at index: Int?
  ) throws(AssetError) -> AssetChange {
    guard UserAlbum.isIdentifier(identifier), self[identifier] == nil else {
      throw AssetError(identifier.rawValue, "not a new album's identifier")
    }
    let title = try freeTitle(title, for: identifier)
    let place = max(0, min(index ?? all.count, all.count))
    all.insert(UserAlbum(id: identifier, title: title), at: place)
    return .deleteAlbum(identifier)
  }

  private func place(of identifier: LocalIdentifier) throws(AssetError) -> Int {
    guard let place = all.firstIndex(where: { $0.id == identifier }) else {
      throw AssetError(identifier.rawValue, "no such album", code: .notFound)
    }
    return place
  }

  /// Returns a valid title that no other album has: titles must be unique because users name albums by their
  /// titles.
  private func freeTitle(_ text: String, for identifier: LocalIdentifier) throws(AssetError) -> String {
    let title = try UserAlbum.title(text)
    if let other = album(titled: title), other.id != identifier {
      throw AssetError(other.title, "an album has this title already")
    }
    return title
  }
}

extension UserAlbum {
  /// Returns those of `assets` that the album does not contain, without duplicates.
  fileprivate func missing(of assets: [LocalIdentifier]) -> [LocalIdentifier] {
    var known = Set(self.assets)
    return assets.filter { known.insert($0).inserted }
  }

  /// Inserts assets that are not in the album yet.
  /// - Returns: the inserted assets.
  fileprivate mutating func insert(_ assets: [LocalIdentifier], at indexes: [Int]) -> [LocalIdentifier] {
    var known = Set(self.assets)
    var new: [LocalIdentifier] = []
    var merged: [LocalIdentifier] = []
    merged.reserveCapacity(self.assets.count + assets.count)
    var rest = self.assets[...]
    for (number, asset) in assets.enumerated() where known.insert(asset).inserted {
      let index = number < indexes.count ? max(0, indexes[number]) : .max
      let count = max(0, min(index - merged.count, rest.count))
      merged += rest.prefix(count)
      rest = rest.dropFirst(count)
      merged.append(asset)
      new.append(asset)
    }
    self.assets = merged + rest
    return new
  }

  /// Removes assets.
  /// - Returns: the assets that were in the album, in its order, and their indexes.
  fileprivate mutating func remove(
    _ assets: [LocalIdentifier]
  ) -> (removed: [LocalIdentifier], indexes: [Int]) {
    let gone = Set(assets)
    let indexes = self.assets.indices.filter { gone.contains(self.assets[$0]) }
    let removed = indexes.map { self.assets[$0] }
    if !removed.isEmpty { self.assets.removeAll(where: gone.contains) }
    return (removed, indexes)
  }

  /// Moves assets to a position.
  /// - Returns: the changes that undo the move.
  fileprivate mutating func move(_ assets: [LocalIdentifier], to index: Int) -> [AssetChange] {
    let before = self.assets
    let (removed, indexes) = remove(assets)
    let present = Set(removed)
    var known: Set<LocalIdentifier> = []
    let moved = assets.filter { present.contains($0) && known.insert($0).inserted }
    self.assets.insert(contentsOf: moved, at: max(0, min(index, self.assets.count)))
    if self.assets == before { return [] }
    return [.removeAssets(moved, from: id), .insertAssets(removed, at: indexes, in: id)]
  }
}

extension String {
  /// The string without leading and trailing whitespace.
  fileprivate var trimmingBlanks: String {
    let start = firstIndex { !$0.isWhitespace } ?? endIndex
    let end = lastIndex { !$0.isWhitespace }.map(index(after:)) ?? startIndex
    return start < end ? String(self[start..<end]) : ""
  }
}

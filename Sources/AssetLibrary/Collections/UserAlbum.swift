/// An album that the user made: assets of any folders, in an order of their own.
public struct UserAlbum: Identifiable, Hashable, Sendable {
  public let id: LocalIdentifier
  public internal(set) var title: String
  /// In the album's order, each once; those that left the library are kept, as they may come back.
  public internal(set) var assets: [LocalIdentifier]

  package init(id: LocalIdentifier, title: String, assets: [LocalIdentifier] = []) {
    self.id = id
    self.title = title
    self.assets = assets
  }

  private static let prefix = "userAlbum."
  /// The most bytes of UTF-8 that a title has.
  public static let longestTitle = 255

  /// An identifier that no album has: "userAlbum." and a random number.
  public static func newIdentifier() -> LocalIdentifier {
    LocalIdentifier(prefix + String(UInt64.random(in: 0 ... .max), radix: 36))
  }

  /// Whether an identifier is that of an album that the user made.
  public static func isIdentifier(_ identifier: LocalIdentifier) -> Bool {
    identifier.rawValue.hasPrefix(prefix)
  }

  /// A title without blanks around it.
  /// - Throws: `AssetError` when nothing is left of it, when it is too long or holds control characters.
  static func title(_ text: String) throws(AssetError) -> String {
    let title = text.trimmingBlanks
    if title.isEmpty { throw AssetError("album", "a title is needed") }
    if title.utf8.count > longestTitle {
      throw AssetError("album", "the title is longer than \(longestTitle) bytes")
    }
    let isPlain = title.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    if !isPlain { throw AssetError(title, "a title holds no line breaks or other control characters") }
    return title
  }
}

/// The albums that the user made, in the user's order, and the changes of them.
public struct UserAlbums: Hashable, Sendable {
  public private(set) var all: [UserAlbum]

  package init(_ all: [UserAlbum] = []) {
    self.all = all
  }

  /// The album with an identifier; nil if there is none.
  public subscript(identifier: LocalIdentifier) -> UserAlbum? { all.first { $0.id == identifier } }

  /// The album with a title, whatever the case of its letters; nil if there is none.
  public func album(titled title: String) -> UserAlbum? {
    let title = title.trimmingBlanks.lowercased()
    return all.first { $0.title.lowercased() == title }
  }

  /// Makes a change of an album; a mark of an asset is ignored.
  /// - Returns: the changes that take it back, in their order; empty where nothing changed.
  /// - Throws: `AssetError` when there is no such album, or its title can't be used; nothing changed then.
  package mutating func apply(_ change: AssetChange) throws(AssetError) -> [AssetChange] {
    switch change {
    case .setFavorite, .setHidden, .delete, .restore: return []
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
      throw AssetError(identifier.rawValue, "no such album")
    }
    return place
  }

  /// A title that no other album has: they are chosen by their titles.
  private func freeTitle(_ text: String, for identifier: LocalIdentifier) throws(AssetError) -> String {
    let title = try UserAlbum.title(text)
    if let other = album(titled: title), other.id != identifier {
      throw AssetError(other.title, "an album has this title already")
    }
    return title
  }
}

extension UserAlbum {
  /// Those of some assets that the album does not have, each once.
  fileprivate func missing(of assets: [LocalIdentifier]) -> [LocalIdentifier] {
    var known = Set(self.assets)
    return assets.filter { known.insert($0).inserted }
  }

  /// - Returns: the assets that are new.
  fileprivate mutating func insert(_ assets: [LocalIdentifier], at indexes: [Int]) -> [LocalIdentifier] {
    var known = Set(self.assets)
    var new: [LocalIdentifier] = []
    var merged: [LocalIdentifier] = []
    merged.reserveCapacity(self.assets.count + assets.count)
    var rest = self.assets[...]
    for (number, asset) in assets.enumerated() where known.insert(asset).inserted {
      let index = number < indexes.count ? indexes[number] : .max
      let count = max(0, min(index - merged.count, rest.count))
      merged += rest.prefix(count)
      rest = rest.dropFirst(count)
      merged.append(asset)
      new.append(asset)
    }
    self.assets = merged + rest
    return new
  }

  /// - Returns: the assets that were there, in the album's order, and their indexes.
  fileprivate mutating func remove(
    _ assets: [LocalIdentifier]
  ) -> (removed: [LocalIdentifier], indexes: [Int]) {
    let gone = Set(assets)
    let indexes = self.assets.indices.filter { gone.contains(self.assets[$0]) }
    let removed = indexes.map { self.assets[$0] }
    if !removed.isEmpty { self.assets.removeAll(where: gone.contains) }
    return (removed, indexes)
  }

  /// - Returns: the changes that take it back.
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
  /// Without blanks and line breaks at its ends.
  fileprivate var trimmingBlanks: String {
    let start = firstIndex { !$0.isWhitespace } ?? endIndex
    let end = lastIndex { !$0.isWhitespace }.map(index(after:)) ?? startIndex
    return start < end ? String(self[start..<end]) : ""
  }
}

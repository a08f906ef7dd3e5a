import SystemPackage

/// What a library in memory holds at one moment: a value that fetches read.
struct MemoryLibrary: Sendable {
  private(set) var assets: [Asset] = []
  /// The members of the albums by the albums' paths.
  private var albums: [String: Set<LocalIdentifier>] = [:]
  var bytes: [FilePath: [UInt8]] = [:]
  /// Files whose bytes are elsewhere.
  var remote: Set<FilePath> = []
  private(set) var details: [LocalIdentifier: AssetDetails] = [:]
  var isComplete = true

  mutating func add(_ asset: Asset, bytes: [UInt8], album: String?, details: AssetDetails?) {
    if let index = assets.firstIndex(where: { $0.id == asset.id }) {
      assets[index] = asset
    } else {
      assets.append(asset)
    }
    if let path = asset.primaryResource?.path { self.bytes[path] = bytes }
    if let album { albums[album, default: []].insert(asset.id) }
    self.details[asset.id] = details
  }

  mutating func remove(_ identifier: LocalIdentifier) {
    assets.removeAll { $0.id == identifier }
    for album in albums.keys { albums[album]?.remove(identifier) }
  }

  /// Makes all changes, or none of them where an asset is not there.
  /// - Returns: the asset that is not there.
  mutating func perform(_ changes: [AssetChange]) -> LocalIdentifier? {
    let known = Set(assets.map(\.id))
    if let unknown = changes.first(where: { !known.contains($0.identifier) }) { return unknown.identifier }
    for change in changes {
      guard let index = assets.firstIndex(where: { $0.id == change.identifier }) else { continue }
      change.apply(to: &assets[index])
    }
    return nil
  }

  // MARK: Assets

  private func admits(_ asset: Asset, _ options: FetchOptions) -> Bool {
    guard options.admits(asset) else { return false }
    return options.search?.matches(asset) { texts(of: asset, in: $0) } ?? true
  }

  /// The assets with these identifiers in their order, each once.
  func assets(_ identifiers: [LocalIdentifier], options: FetchOptions) -> [Asset] {
    var known: [LocalIdentifier: Asset] = [:]
    for asset in assets where admits(asset, options) { known[asset.id] = asset }
    return identifiers.compactMap { known.removeValue(forKey: $0) }
  }

  /// The assets of a collection that the options admit, in no order.
  func members(of collection: LocalIdentifier?, options: FetchOptions, now: AssetDate) -> [Asset] {
    let admitted = assets.filter { admits($0, options) }
    guard let collection else { return admitted }
    if let album = SmartAlbum(collection) { return admitted.filter { album.contains($0, now: now) } }
    if albumPaths.contains(collection.rawValue) {
      let below = collection.rawValue + "/"
      let members = albums.filter { $0.key == collection.rawValue || $0.key.hasPrefix(below) }.values
      return admitted.filter { asset in members.contains { $0.contains(asset.id) } }
    }
    guard let moment = moments.first(where: { $0.moment.localIdentifier == collection }) else { return [] }
    return admitted.filter { moment.members.contains($0.id) }
  }

  private func texts(of asset: Asset, in fields: SearchFields) -> [String] {
    let details = details[asset.id]
    var texts: [String?] = []
    if fields.contains(.fileName) { texts.append(String(decoding: asset.nameBytes, as: UTF8.self)) }
    if fields.contains(.path) { texts.append(String(decoding: asset.pathBytes, as: UTF8.self)) }
    if fields.contains(.fileExtension) {
      texts.append(
        asset.nameBytes[...].fileExtension.map { String(decoding: $0, as: UTF8.self).lowercased() })
    }
    if fields.contains(.album) {
      let paths = albums.filter { $0.value.contains(asset.id) }.map(\.key)
      texts += paths.flatMap { [$0] + Self.parents(of: $0) }.map(Self.title)
    }
    if fields.contains(.camera) { texts.append(details?.camera) }
    if fields.contains(.lens) { texts.append(details?.lens) }
    if fields.contains(.keywords) { texts += details?.keywords ?? [] }
    if fields.contains(.title) { texts += [details?.title, details?.caption] }
    if fields.contains(.people) { texts += details?.people ?? [] }
    return texts.compactMap { $0 }
  }

  /// What a search in some fields can be completed with, among the members of a collection.
  func searchTexts(
    in fields: SearchFields, beginningWith prefix: [UInt8], collection: LocalIdentifier?,
    options: FetchOptions,
    now: AssetDate
  ) -> [SearchText] {
    let members = members(of: collection, options: options, now: now)
    return [.album, .camera, .lens, .people, .keywords, .fileExtension].filter(fields.contains).flatMap {
      field in
      var counts: [String: Int] = [:]
      for asset in members { for text in Set(texts(of: asset, in: field)) { counts[text, default: 0] += 1 } }
      return SearchText.commonest(of: counts, in: field, beginningWith: prefix)
    }
  }

  // MARK: Collections

  func collections(of types: CollectionTypes, options: FetchOptions, now: AssetDate) -> [AssetCollection] {
    var collections: [AssetCollection] = []
    let members = { (collection: LocalIdentifier) in
      self.members(of: collection, options: options, now: now)
    }
    if types.contains(.smartAlbum) {
      for album in SmartAlbum.allCases {
        let dates = members(album.localIdentifier).map(\.creationDate)
        guard !dates.isEmpty else { continue }
        collections.append(
          AssetCollection(
            album, estimatedAssetCount: dates.count, startDate: dates.min(), endDate: dates.max()))
      }
    }
    if types.contains(.album) {
      for path in albumPaths.sorted(by: Self.stands) {
        let dates = members(LocalIdentifier(path)).map(\.creationDate)
        guard !dates.isEmpty else { continue }
        let parents = Self.parents(of: path)
        collections.append(
          AssetCollection(
            localIdentifier: LocalIdentifier(path), title: Self.title(of: path),
            estimatedAssetCount: dates.count, startDate: dates.min(), endDate: dates.max(),
            depth: parents.count, parent: parents.last.map(Self.listIdentifier)))
      }
    }
    if types.contains(.moment) {
      let moments = moments.reversed().map { ($0.moment, members($0.moment.localIdentifier).count) }
      collections += moments.filter { $0.1 > 0 }.map { AssetCollection($0.0, estimatedAssetCount: $0.1) }
    }
    return collections
  }

  func collectionLists(options: FetchOptions, now: AssetDate) -> [CollectionList] {
    let full = albums.keys.filter {
      !members(of: LocalIdentifier($0), options: options, now: now).isEmpty
    }
    return Set(full.flatMap(Self.parents)).sorted(by: Self.stands).map { path in
      let parents = Self.parents(of: path)
      return CollectionList(
        localIdentifier: Self.listIdentifier(path), title: Self.title(of: path),
        parent: parents.last.map(Self.listIdentifier), depth: parents.count)
    }
  }

  /// The moments of all that is not hidden, whatever the options: a filter makes no other moments.
  private var moments: [(moment: Moment, members: Set<LocalIdentifier>)] {
    let dated = assets.filter { !$0.isHidden }.sorted(by: AssetSort.oldest.areInIncreasingOrder)
    return Moments.split(dated.lazy.map { ($0.creationDate, $0.location) }).map { moment in
      (moment, Set(dated[moment.range].map(\.id)))
    }
  }

  /// The albums, and the folders that hold albums.
  private var albumPaths: Set<String> { Set(albums.keys.flatMap { [$0] + Self.parents(of: $0) }) }

  private static func title(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// "a/b/c" lies in "a" and "a/b".
  private static func parents(of path: String) -> [String] {
    let names = path.split(separator: "/")
    return names.indices.dropFirst().map { names[..<$0].joined(separator: "/") }
  }

  private static func listIdentifier(_ path: String) -> LocalIdentifier { LocalIdentifier("list." + path) }

  /// Whether one path stands before another: directly before what is below it.
  private static func stands(_ a: String, before b: String) -> Bool {
    a.utf8.lazy.map { $0 == UInt8(ascii: "/") ? 0 : $0 }.lexicographicallyPrecedes(
      b.utf8.lazy.map { $0 == UInt8(ascii: "/") ? 0 : $0 })
  }
}

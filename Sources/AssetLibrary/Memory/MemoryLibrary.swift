import Synchronization
import SystemPackage

/// The contents of an in-memory library at one moment.
struct MemoryLibrary: Sendable {
  private(set) var assets: [Asset] = []
  /// The albums that the user made.
  private(set) var userAlbums = UserAlbums()
  /// Deleted assets that can be restored.
  private var deleted: [Asset] = []
  /// An asset that was prepared but not created yet.
  private struct Prepared {
    var asset: Asset
    /// The bytes of its files.
    var bytes: [FilePath: [UInt8]]
    /// How often it was prepared: each call may be discarded on its own.
    var uses = 1
  }

  private var prepared: [LocalIdentifier: Prepared] = [:]
  /// Assets that were reverted to their originals, as they were before.
  private var edited: [LocalIdentifier: Asset] = [:]
  /// The user's corrections of dates and locations.
  private var corrections: [LocalIdentifier: AssetCorrection] = [:]
  /// The corrected assets with the dates and locations of their files.
  private var uncorrected: [LocalIdentifier: Asset] = [:]
  /// The identifiers in each folder album, by the album's path.
  private var albums: [String: Set<LocalIdentifier>] = [:]
  var bytes: [FilePath: [UInt8]] = [:]
  /// The paths of files that are remote.
  var remote: Set<FilePath> = []
  private(set) var details: [LocalIdentifier: AssetDetails] = [:]
  var isComplete = true

  mutating func add(_ added: Asset, bytes: [UInt8], album: String?, details: AssetDetails?) {
    var asset = added
    if let correction = corrections[asset.id] {
      uncorrected[asset.id] = added
      asset.correct(by: correction)
    }
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

  /// Applies all changes, or none if one of them fails.
  /// - Parameter now: the current time, which becomes the date of deletions.
  /// - Returns: the changes that undo them.
  mutating func perform(_ changes: [AssetChange], now: AssetDate) throws(AssetError) -> [AssetChange] {
    try AssetChange.check(changes)
    var changed = self
    var places = changed.places
    var created: Set<LocalIdentifier> = []
    for case .createAsset(let asset) in changes where places[asset] == nil {
      guard let new = changed.prepared.removeValue(forKey: asset) else {
        throw AssetError(asset.rawValue, "is not prepared", code: .notFound)
      }
      changed.assets.append(new.asset)
      changed.bytes.merge(new.bytes) { $1 }
      created.insert(asset)
      places[asset] = changed.assets.count - 1
    }
    if let unknown = changes.lazy.flatMap(\.requiredAssets).first(where: { places[$0] == nil }) {
      throw AssetError(unknown.rawValue, "no such asset", code: .notFound)
    }
    var inverse: [[AssetChange]] = []
    var deletions: [AssetChange] = []
    for change in changes {
      let count = inverse.count
      // Undoing the creation of an asset undoes what was done to it in the same call.
      defer { if change.isOfAsset(in: created) { inverse.removeSubrange(count...) } }
      switch change {
      case .createAsset(let asset):
        let deletion = AssetChange.delete([asset])
        if created.contains(asset), !deletions.contains(deletion) { deletions.append(deletion) }
      case .revertToOriginal(let identifiers):
        for identifier in identifiers {
          guard let place = places[identifier] else { continue }
          let asset = changed.assets[place]
          guard let original = asset.reverted else { throw AssetError(asset.subject, "has no edit") }
          changed.edited[identifier] = asset
          changed.assets[place] = original
        }
        if !identifiers.isEmpty { inverse.append([.restoreEdits(identifiers)]) }
      case .restoreEdits(let identifiers):
        for identifier in identifiers {
          guard let place = places[identifier] else { continue }
          guard let before = changed.edited.removeValue(forKey: identifier) else {
            throw AssetError(identifier.rawValue, "its edit is not in the trash any more", code: .notFound)
          }
          changed.assets[place].takeFiles(of: before)
        }
        if !identifiers.isEmpty { inverse.append([.revertToOriginal(identifiers)]) }
      case .setFavorite(let asset, let isFavorite):
        guard let place = places[asset] else { continue }
        inverse.append([.setFavorite(asset, changed.assets[place].isFavorite)])
        changed.assets[place].isFavorite = isFavorite
      case .setHidden(let asset, let isHidden):
        guard let place = places[asset] else { continue }
        inverse.append([.setHidden(asset, changed.assets[place].isHidden)])
        changed.assets[place].isHidden = isHidden
      case .setCreationDate(let asset, _), .setLocation(let asset, _):
        guard let place = places[asset] else { continue }
        inverse.append([changed.correct(at: place, by: change)].compactMap(\.self))
      case .delete(let identifiers):
        let gone = Set(identifiers)
        for var asset in changed.assets where gone.contains(asset.id) {
          asset.deletion = DeletionRecord(date: now, originalPath: asset.primaryResource?.path ?? "")
          changed.deleted.append(asset)
        }
        changed.assets.removeAll { gone.contains($0.id) }
        places = changed.places
        if !identifiers.isEmpty { inverse.append([.restore(identifiers)]) }
      case .restore(let identifiers):
        for identifier in identifiers {
          var asset = try changed.takeDeleted(identifier)
          asset.deletion = nil
          changed.assets.append(asset)
        }
        places = changed.places
        if !identifiers.isEmpty { inverse.append([.delete(identifiers)]) }
      case .deletePermanently(let identifiers):
        for identifier in identifiers {
          for resource in try changed.takeDeleted(identifier).resources
          where !changed.hasAsset(withFileAt: resource.path) { changed.bytes[resource.path] = nil }
          (changed.corrections[identifier], changed.uncorrected[identifier]) = (nil, nil)
          if let edit = changed.edited.removeValue(forKey: identifier)?.edit(deleted: now) {
            changed.deleted.append(edit)
          }
        }
      default: inverse.append(try changed.userAlbums.apply(change))
      }
    }
    self = changed
    return Array(inverse.reversed().joined()) + deletions.reversed()
  }

  /// Prepares a new asset.
  /// - Returns: its identifier, or that of an identical asset among those that the options admit.
  mutating func prepare(
    _ creation: AssetCreation, comparedWith options: FetchOptions?, now: AssetDate
  ) throws(AssetError) -> LocalIdentifier {
    try creation.check()
    var files: [AssetResource] = []
    var contents: [FilePath: [UInt8]] = [:]
    let number = String(UInt64.random(in: 0 ... .max), radix: 36)
    let stem = String(decoding: creation.stem(for: now), as: UTF8.self)
    for resource in creation.resources {
      guard case .data(let bytes) = resource.content else {
        throw AssetError("library", "is in memory and copies no files; use their bytes", code: .unsupported)
      }
      let isVideo = resource.type == .video || resource.type == .pairedVideo
      let path = FilePath("/\(number)/\(stem).\(resource.type.rawValue)")
      contents[path] = bytes
      files.append(
        AssetResource(
          type: resource.type, path: path,
          uniformTypeIdentifier: isVideo ? "public.movie" : "public.image", byteCount: Int64(bytes.count)))
    }
    if let options {
      for asset in assets where admits(asset, options) && asset.resources.count >= files.count {
        let isSame = files.allSatisfy { file in
          asset.resources.contains { self.bytes[$0.path] == contents[file.path] }
        }
        if isSame { return asset.id }
      }
      for (identifier, other) in prepared where other.asset.resources.count == files.count {
        let isSame = zip(files, other.asset.resources).allSatisfy {
          contents[$0.path] == other.bytes[$1.path]
        }
        if isSame {
          prepared[identifier]?.uses += 1
          return identifier
        }
      }
    }
    let isVideo = files[0].type == .video
    let identifier = LocalIdentifier("created.\(number)")
    var asset = Asset(
      localIdentifier: identifier, mediaType: isVideo ? .video : .image, pixelSize: .zero, creationDate: now,
      resources: files)
    if files.contains(where: { $0.type == .pairedVideo }) {
      asset.mediaSubtypes.insert(.livePhoto)
      asset.playbackStyle = .livePhoto
    }
    prepared[identifier] = Prepared(asset: asset, bytes: contents)
    return identifier
  }

  /// Discards a prepared asset.
  mutating func discard(_ asset: LocalIdentifier) {
    prepared[asset]?.uses -= 1
    if prepared[asset]?.uses == 0 { prepared[asset] = nil }
  }

  /// Whether an asset of the library or in the trash consists of this file, too.
  private func hasAsset(withFileAt path: FilePath) -> Bool {
    [assets, deleted].joined().contains { $0.resources.contains { $0.path == path } }
  }

  /// Removes an asset from the trash and returns it.
  private mutating func takeDeleted(_ identifier: LocalIdentifier) throws(AssetError) -> Asset {
    guard let index = deleted.firstIndex(where: { $0.id == identifier }) else {
      throw AssetError(identifier.rawValue, "is not in the trash any more", code: .notFound)
    }
    return deleted.remove(at: index)
  }

  /// Corrects the date or location of an asset.
  /// - Returns: the change that undoes it.
  private mutating func correct(at place: Int, by change: AssetChange) -> AssetChange? {
    let asset = assets[place]
    let original = uncorrected[asset.id] ?? asset
    var correction = corrections[asset.id] ?? AssetCorrection()
    let inverse = correction.apply(change)
    assets[place] = asset.withDateAndLocation(of: original)
    assets[place].correct(by: correction)
    corrections[asset.id] = correction.isEmpty ? nil : correction
    uncorrected[asset.id] = correction.isEmpty ? nil : original
    return inverse
  }

  /// The index of each asset.
  private var places: [LocalIdentifier: Int] {
    Dictionary(assets.indices.map { (assets[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Assets

  private func admits(_ asset: Asset, _ options: FetchOptions) -> Bool {
    guard options.admits(asset) else { return false }
    return options.search?.matches(asset) { texts(of: asset, in: $0) } ?? true
  }

  /// Returns the assets with these identifiers, in the order of the identifiers and without duplicates.
  func assets(_ identifiers: [LocalIdentifier], options: FetchOptions) -> [Asset] {
    var known: [LocalIdentifier: Asset] = [:]
    for asset in assets where admits(asset, options) { known[asset.id] = asset }
    return identifiers.compactMap { known.removeValue(forKey: $0) }
  }

  /// Returns the assets of a collection that the options admit: in the album's order for a user's album and
  /// Recently Deleted, otherwise unordered.
  func members(of collection: LocalIdentifier?, options: FetchOptions, now: AssetDate) -> [Asset] {
    if collection == SmartAlbum.recentlyDeleted.localIdentifier {
      var options = options
      // Each photo of a burst was deleted, and is restored, on its own.
      options.includeAllBurstAssets = true
      return deleted.filter { admits($0, options) }.sorted { $0.wasDeletedAfter($1) }
    }
    let admitted = assets.filter { admits($0, options) }
    guard let collection else { return admitted }
    if let album = SmartAlbum(collection) { return admitted.filter { album.contains($0, now: now) } }
    if let album = userAlbums[collection] {
      let known = Dictionary(admitted.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      return album.assets.compactMap { known[$0] }
    }
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
      texts += userAlbums.all.filter { $0.assets.contains(asset.id) }.map(\.title)
    }
    if fields.contains(.camera) { texts.append(details?.camera) }
    if fields.contains(.lens) { texts.append(details?.lens) }
    if fields.contains(.keywords) { texts += details?.keywords ?? [] }
    if fields.contains(.title) { texts += [details?.title, details?.caption] }
    if fields.contains(.people) { texts += details?.people ?? [] }
    return texts.compactMap { $0 }
  }

  /// Returns completions for a search in the given fields, from the members of a collection.
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
      for album in SmartAlbum.allCases where album != .recentlyDeleted {
        let dates = members(album.localIdentifier).map(\.creationDate)
        guard !dates.isEmpty else { continue }
        collections.append(
          AssetCollection(
            album, estimatedAssetCount: dates.count, startDate: dates.min(), endDate: dates.max()))
      }
    }
    if types.contains(.recentlyDeleted) {
      collections +=
        AssetCollection(recentlyDeleted: members(SmartAlbum.recentlyDeleted.localIdentifier))
        .map { [$0] } ?? []
    }
    if types.contains(.album) {
      for album in userAlbums.all {
        let dates = members(album.id).map(\.creationDate)
        guard !dates.isEmpty || album.assets.isEmpty && options.excludesOnlyHidden else { continue }
        collections.append(
          AssetCollection(
            localIdentifier: album.id, title: album.title, estimatedAssetCount: dates.count,
            startDate: dates.min(), endDate: dates.max()))
      }
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

  /// The moments of all assets that are not hidden.
  ///
  /// They don't depend on fetch options, so a filter does not split them differently.
  private var moments: [(moment: Moment, members: Set<LocalIdentifier>)] {
    let dated = assets.filter { !$0.isHidden }.sorted(by: AssetSort.oldest.areInIncreasingOrder)
    return Moments.split(dated.lazy.map { ($0.creationDate, $0.location) }).map { moment in
      (moment, Set(dated[moment.range].map(\.id)))
    }
  }

  /// The paths of albums, and of the folders that contain albums.
  private var albumPaths: Set<String> { Set(albums.keys.flatMap { [$0] + Self.parents(of: $0) }) }

  private static func title(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns the parents of a path, outermost first: "a" and "a/b" for "a/b/c".
  private static func parents(of path: String) -> [String] {
    let names = path.split(separator: "/")
    return names.indices.dropFirst().map { names[..<$0].joined(separator: "/") }
  }

  private static func listIdentifier(_ path: String) -> LocalIdentifier { LocalIdentifier("list." + path) }

  /// Orders paths so that a folder is directly followed by its contents.
  private static func stands(_ a: String, before b: String) -> Bool {
    a.utf8.lazy.map { $0 == UInt8(ascii: "/") ? 0 : $0 }.lexicographicallyPrecedes(
      b.utf8.lazy.map { $0 == UInt8(ascii: "/") ? 0 : $0 })
  }
}

/// An in-memory library, for tests and for programs that supply their own images.
///
/// Methods add and remove assets and the bytes of their resources, and notify observers.
///
///     let store = MemoryAssetStore()
///     store.add(asset, bytes: jpeg, album: "Trips/Lisbon")
public final class MemoryAssetStore: AssetStore {
  private let library = Mutex(MemoryLibrary())
  private let history = Mutex(ChangeHistory())
  private let observers = ChangeObservers()
  private let now: @Sendable () -> AssetDate

  /// Creates an empty library.
  /// - Parameter now: returns the current time, for Recently Added.
  public init(now: @escaping @Sendable () -> AssetDate = { .now }) {
    self.now = now
  }

  /// Adds an asset, or replaces the asset with the same identifier, and notifies observers.
  /// - Parameters:
  ///   - asset: the asset.
  ///   - bytes: the content of its primary resource.
  ///   - album: the path of an album to add it to; "Trips/Lisbon" is in the list "Trips".
  ///   - details: its camera settings, descriptions and keywords; nil = none.
  public func add(_ asset: Asset, bytes: [UInt8] = [], album: String? = nil, details: AssetDetails? = nil) {
    library.withLock { $0.add(asset, bytes: bytes, album: album, details: details) }
    observers.notify([.contents, .status])
  }

  /// Removes an asset if it exists, and notifies observers.
  public func remove(_ identifier: LocalIdentifier) {
    library.withLock { $0.remove(identifier) }
    observers.notify([.contents, .status])
  }

  /// Sets the bytes of an asset's resource.
  public func setBytes(_ bytes: [UInt8], of resource: AssetResource) {
    library.withLock { $0.bytes[resource.path] = bytes }
  }

  /// Simulates a remote original: its bytes can't be read until they are downloaded.
  public func setRemote(_ resource: AssetResource) {
    library.withLock { _ = $0.remote.insert(resource.path) }
  }

  /// Simulates a library that is still being scanned, or one that is complete, and notifies observers.
  public func setComplete(_ isComplete: Bool) {
    library.withLock { $0.isComplete = isComplete }
    observers.notify(.status)
  }

  // MARK: Fetching

  /// Returns the assets of a collection (nil = all), filtered and sorted.
  public func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    let library = library.withLock { $0 }
    var assets = library.members(of: collection, options: options, now: now())
    switch options.albumOrder(of: collection) {
    case .own: break
    case .ownReversed: assets.reverse()
    case nil: assets.sort(by: options.areInIncreasingOrder)
    }
    return FetchResult(options.limited(assets))
  }

  /// Returns the assets with these identifiers that the options admit, in the order of the identifiers.
  public func assets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset> {
    var options = options
    options.includeAllBurstAssets = true
    let assets = library.withLock { $0 }.assets(identifiers, options: options)
    return FetchResult(options.limited(assets))
  }

  /// Returns the collections that are not empty under the options.
  public func collections(
    of types: CollectionTypes, options: FetchOptions
  ) -> FetchResult<AssetCollection> {
    FetchResult(library.withLock { $0 }.collections(of: types, options: options, now: now()))
  }

  /// Returns the lists that contain albums that are not empty under the options.
  public func collectionLists(options: FetchOptions) -> FetchResult<CollectionList> {
    FetchResult(library.withLock { $0 }.collectionLists(options: options, now: now()))
  }

  /// Returns completions for a search; scans all assets.
  public func searchTexts(
    in fields: SearchFields, beginningWith prefix: String, collection: LocalIdentifier?, options: FetchOptions
  ) -> [SearchText] {
    library.withLock { $0 }.searchTexts(
      in: fields, beginningWith: TextPattern.fold(prefix), collection: collection, options: options,
      now: now())
  }

  /// The user's albums with their contents.
  public var userAlbums: UserAlbums { library.withLock { $0.userAlbums } }

  /// Applies changes, either all or none, and notifies observers.
  @discardableResult
  public func perform(_ changes: [AssetChange]) throws(AssetError) -> [AssetChange] {
    let now = now()
    let inverse = try library.withLock { library throws(AssetError) in try library.perform(changes, now: now)
    }
    observers.notify(.contents)
    return inverse
  }

  /// Prepares a new asset of bytes in memory; its date is the current time.
  /// - Throws: `AssetError` for contents that are files.
  public func prepareAsset(
    _ creation: AssetCreation, comparedWith options: FetchOptions?
  ) throws(AssetError) -> LocalIdentifier {
    let now = now()
    return try library.withLock { library throws(AssetError) in
      try library.prepare(creation, comparedWith: options, now: now)
    }
  }

  /// Discards an asset that was prepared and will not be created.
  public func discardPreparedAsset(_ asset: LocalIdentifier) { library.withLock { $0.discard(asset) } }

  /// Compares the library with the last comparison, which is kept in memory.
  public func persistentChanges(
    since token: PersistentChangeToken?
  ) throws(PersistentChangeError) -> PersistentChanges {
    try history.withLock { history throws(PersistentChangeError) in
      try history.changes(since: token, now: HistoryEntry.entries(of: self))
    }
  }

  /// Whether the library is complete, and the number of its assets; there are no issues.
  public var status: LibraryStatus {
    library.withLock { LibraryStatus(isComplete: $0.isComplete, assetCount: $0.assets.count) }
  }

  /// Calls `handler` after each change, on the thread that made it.
  @discardableResult
  public func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID {
    observers.add(handler)
  }

  /// Removes an observer.
  public func stopObserving(_ observer: ObserverID) { observers.remove(observer) }

  // MARK: Contents

  /// Opens the bytes of a resource.
  /// - Throws: `AssetError` if the resource has no bytes, or is remote.
  public func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    guard let bytes = library.withLock({ $0.remote.contains(resource.path) ? nil : $0.bytes[resource.path] })
    else {
      throw AssetError(resource.path.string, "no such resource", code: .notFound)
    }
    let whole = MemoryResourceReader(bytes: bytes)
    guard let range = resource.byteRange else { return whole }
    return ResourcePart(of: whole, range)
  }

  /// Returns whether the resource is not marked as remote.
  public func isLocal(_ resource: AssetResource) -> Bool {
    library.withLock { !$0.remote.contains(resource.path) }
  }

  /// Simulates a download in four steps, then marks the resource as local.
  public func download(
    _ resource: AssetResource, progress: (Double) -> DownloadDecision
  ) throws(AssetError) {
    for part in 0...4 where progress(Double(part) / 4) == .stop {
      throw AssetError(resource.path.string, "the download was stopped", code: .cancelled)
    }
    library.withLock { _ = $0.remote.remove(resource.path) }
  }

  /// Returns the details that were added with the asset; empty if there are none.
  public func details(of asset: Asset) throws(AssetError) -> AssetDetails {
    library.withLock { $0.details[asset.id] } ?? AssetDetails()
  }
}

extension AssetResource {
  /// Whether the file belongs to a user's edit.
  fileprivate var isEdit: Bool {
    switch type {
    case .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo: true
    case .adjustmentData: filename[...].hasFileExtension("aae")
    default: false
    }
  }
}

extension Asset {
  /// The asset without its edit; nil if it has none.
  fileprivate var reverted: Asset? {
    let kept = resources.filter { !$0.isEdit }
    guard hasAdjustments, kept.count < resources.count, let first = kept.first else { return nil }
    var asset = self
    asset.resources = kept
    asset.hasAdjustments = false
    if first.storedSize != .zero { asset.pixelSize = first.orientation.upright(first.storedSize) }
    return asset
  }

  /// The asset's edit as a deleted photo of its own, which is left when the original is deleted for good; nil without
  /// a file to show.
  fileprivate func edit(deleted date: AssetDate) -> Asset? {
    var asset = self
    asset.localIdentifier = LocalIdentifier("\(id.rawValue).edit")
    asset.resources = resources.filter(\.isEdit)
    guard let first = asset.resources.first, first.type != .adjustmentData else { return nil }
    asset.deletion = DeletionRecord(date: date, originalPath: first.path)
    return asset
  }

  /// Takes on the files of an earlier version of the asset.
  fileprivate mutating func takeFiles(of other: Asset) {
    (resources, pixelSize, hasAdjustments) = (other.resources, other.pixelSize, other.hasAdjustments)
  }
}

/// A reader of bytes in memory.
private struct MemoryResourceReader: ResourceReader {
  let bytes: [UInt8]

  var count: Int { bytes.count }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    guard offset < bytes.count else { return 0 }
    let end = min(bytes.count, offset + buffer.count)
    buffer.copyBytes(from: bytes[offset..<end])
    return end - offset
  }
}

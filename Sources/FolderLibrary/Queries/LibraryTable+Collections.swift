import AssetLibrary
import Synchronization
import SystemPackage

extension LibraryTable {
  /// Returns the non-empty collections of the given types: smart albums in their order, the user's albums in
  /// the user's order, folders by path, and moments with the newest first.
  func collections(of types: CollectionTypes, options: FetchOptions) -> FetchResult<AssetCollection> {
    var collections: [AssetCollection] = []
    if types.contains(.smartAlbum) { collections += smartAlbums(options) }
    if types.contains(.album) { collections += userAlbums(options) + folderAlbums(options) }
    if types.contains(.moment) { collections += momentCollections(options) }
    return FetchResult(collections)
  }

  /// Counts and dates of a collection, gathered in a pass over the assets.
  private struct Tally {
    var count = 0
    var start: AssetDate?
    var end: AssetDate?

    /// Adds the next asset, which must not be newer than the previous one.
    mutating func add(_ date: AssetDate) {
      count += 1
      if end == nil { end = date }
      start = date
    }

    /// Adds the tally of a subfolder.
    mutating func add(_ other: Tally) {
      count += other.count
      start = [start, other.start].compactMap { $0 }.min()
      end = [end, other.end].compactMap { $0 }.max()
    }
  }

  private func smartAlbums(_ options: FetchOptions) -> [AssetCollection] {
    let now = AssetDate.nowInUTC
    let albums = SmartAlbum.allCases
    var tallies = [Tally](repeating: Tally(), count: albums.count)
    var unhidden = options
    unhidden.includeHiddenAssets = true
    let isFound = matcher(for: unhidden)
    for handle in state.order {
      let view = view(of: handle)
      guard isFound(view) else { continue }
      let isShown = !view.isHidden || options.showsHidden
      for (index, album) in albums.enumerated() where isShown || album == .hidden {
        if album == .recents || album.contains(view, now: now) { tallies[index].add(view.creationDate) }
      }
    }
    return zip(albums, tallies).filter { $1.count > 0 }.map { album, tally in
      AssetCollection(
        album, estimatedAssetCount: tally.count, startDate: tally.start, endDate: tally.end)
    }
  }

  /// The user's albums.
  ///
  /// Empty ones are included if the options have no filter, so that they can be filled.
  private func userAlbums(_ options: FetchOptions) -> [AssetCollection] {
    if marks.albums.all.isEmpty { return [] }
    let isFound = matcher(for: options)
    return marks.albums.all.compactMap { album in
      var count = 0
      var dates: (start: AssetDate, end: AssetDate)?
      for asset in album.assets {
        guard let handle = handle(of: asset) else { continue }
        let view = view(of: handle)
        guard isFound(view) else { continue }
        count += 1
        let date = view.creationDate
        dates = dates.map { (min($0.start, date), max($0.end, date)) } ?? (date, date)
      }
      guard count > 0 || album.assets.isEmpty && options.excludesOnlyHidden else { return nil }
      return AssetCollection(
        localIdentifier: album.id, title: album.title, estimatedAssetCount: count, startDate: dates?.start,
        endDate: dates?.end)
    }
  }

  private func folderAlbums(_ options: FetchOptions) -> [AssetCollection] {
    var own = [Tally](repeating: Tally(), count: state.folders.all.count)
    let isFound = matcher(for: options)
    for handle in state.order {
      let view = view(of: handle)
      if isFound(view) { own[view.segment.folder].add(view.creationDate) }
    }
    // A folder's assets also count for all its ancestors.
    let folders = albumFolders
    var tallies = [Tally](repeating: Tally(), count: own.count)
    for index in state.folders.present where own[index].count > 0 {
      for folder in folders.chain(from: index) { tallies[folder].add(own[index]) }
    }
    return foldersInOrder.filter { tallies[$0].count > 0 }.map { index in
      let folder = state.folders[index]
      var album = AssetCollection(
        localIdentifier: folder.albumIdentifier, title: folder.title,
        estimatedAssetCount: tallies[index].count, startDate: tallies[index].start,
        endDate: tallies[index].end, depth: folder.depth,
        parent: folder.parent.map { state.folders[$0].listIdentifier })
      album.path = folder.path.isEmpty ? FilePath(".") : folder.path
      return album
    }
  }

  /// Folders by path, each directly before its descendants.
  private var foldersInOrder: [Int] {
    let living = state.folders.present.map { ($0, state.folders[$0].hierarchicalOrder) }
    return living.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
  }

  /// Returns the folders that contain folders with assets.
  func collectionLists(options: FetchOptions) -> FetchResult<CollectionList> {
    var holds: Set<Int> = []
    for handle in state.order {
      let view = view(of: handle)
      if options.admits(view) { holds.insert(view.segment.folder) }
    }
    var lists: Set<Int> = []
    while !holds.isEmpty {
      holds = Set(holds.compactMap { state.folders[$0].parent })
      lists.formUnion(holds)
    }
    return FetchResult(
      foldersInOrder.filter(lists.contains).map { index in
        let folder = state.folders[index]
        return CollectionList(
          localIdentifier: folder.listIdentifier, title: folder.title,
          parent: folder.parent.map { state.folders[$0].listIdentifier }, depth: folder.depth)
      })
  }

  // MARK: Moments

  /// The library's moments, the earliest first.
  var moments: [Moment] {
    momentCache.withLock { cache in
      if let cache { return cache }
      let moments = Moments.split(
        state.order.reversed().lazy.map { handle in
          let view = self.view(of: handle)
          return (date: view.creationDate, location: view.location)
        })
      cache = moments
      return moments
    }
  }

  /// The handles of a moment's assets, the newest first.
  func momentHandles(_ range: Range<Int>) -> ArraySlice<FetchHandle> {
    state.order[state.order.count - range.upperBound..<state.order.count - range.lowerBound]
  }

  private func momentCollections(_ options: FetchOptions) -> [AssetCollection] {
    let isFound = matcher(for: options)
    return moments.reversed().compactMap { moment in
      let count = momentHandles(moment.range).count { isFound(view(of: $0)) }
      return count > 0 ? AssetCollection(moment, estimatedAssetCount: count) : nil
    }
  }
}

import AssetLibrary

extension LibraryTable {
  /// Returns the assets of a collection (nil = all), filtered and sorted.
  func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    guard let scope = scope(of: collection) else { return FetchResult() }
    // If the requested order is the library's own, the search can stop at the limit.
    let isInOrder = options.sortDescriptors == AssetSort.newest.descriptors
    let albumOrder = options.albumOrder(of: collection)
    let most =
      (isInOrder && !scope.isAlbum || albumOrder == .own) && options.fetchLimit > 0
      ? options.fetchLimit : Int.max
    let handles = select(scope, options, most: most)
    switch albumOrder {
    case .own: return FetchResult(handles: options.limited(handles), in: self)
    case .ownReversed: return FetchResult(handles: options.limited(handles.reversed()), in: self)
    case nil where scope.isAlbum:
      return FetchResult(handles: options.limited(sorted(handles, by: options.sortDescriptors)), in: self)
    case nil: return result(handles, options)
    }
  }

  func assets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset> {
    var options = options
    // An asset that is named explicitly is included even if another one represents its burst.
    options.includeAllBurstAssets = true
    let isFound = matcher(for: options)
    let found = identifiers.compactMap(handle(of:)).filter { isFound(view(of: $0)) }
    return FetchResult(handles: options.limited(found), in: self)
  }

  func assets(ofBurst identifier: String, options: FetchOptions) -> FetchResult<Asset> {
    var options = options
    options.includeAllBurstAssets = true
    guard let number = texts.number(of: identifier) else { return FetchResult() }
    return result(select(.burst(number), options), options)
  }

  func assetCount(in collection: LocalIdentifier?, options: FetchOptions) -> Int {
    handles(in: collection, options: options).count
  }

  /// Returns the handles of a collection's assets (nil = all): in the user's order for a user's album, else
  /// the newest first.
  func handles(in collection: LocalIdentifier?, options: FetchOptions) -> [FetchHandle] {
    scope(of: collection).map { select($0, options) } ?? []
  }

  /// The assets that a fetch examines.
  private enum Scope {
    case all
    /// For each folder, whether it is included: a folder with its descendants and their individually named
    /// files.
    case folders([Bool])
    case smartAlbum(SmartAlbum)
    /// The assets of a user's album, in its order.
    case album([FetchHandle])
    case moment(Range<Int>)
    case burst(UInt32)

    var isAlbum: Bool { if case .album = self { true } else { false } }
  }

  /// Returns nil if the collection does not exist.
  private func scope(of collection: LocalIdentifier?) -> Scope? {
    guard let collection else { return .all }
    if let album = SmartAlbum(collection) { return album == .recents ? .all : .smartAlbum(album) }
    if UserAlbum.isIdentifier(collection) {
      return marks.albums[collection].map { .album($0.assets.compactMap(handle(of:))) }
    }
    let folders = state.folders.present.filter { index in
      let folder = state.folders[index]
      return folder.albumIdentifier == collection || folder.listIdentifier == collection
    }
    if !folders.isEmpty { return .folders(albumFolders.withDescendants(Set(folders).contains)) }
    return moments.first { $0.localIdentifier == collection }.map { .moment($0.range) }
  }

  /// Returns the handles of matching assets, the newest first, or in the order of a user's album.
  /// - Parameter most: the maximum number of handles.
  private func select(_ scope: Scope, _ options: FetchOptions, most: Int = .max) -> [FetchHandle] {
    func first(_ handles: some Sequence<FetchHandle>, where isWanted: (FetchHandle) -> Bool) -> [FetchHandle]
    {
      var found: [FetchHandle] = []
      for handle in handles where isWanted(handle) {
        found.append(handle)
        if found.count >= most { break }
      }
      return found
    }
    let isFound = matcher(for: options)
    let now = AssetDate.nowInUTC
    switch scope {
    case .all: return first(state.order) { isFound(view(of: $0)) }
    case .folders(let isWanted):
      return first(state.order) { isWanted[state.segment(of: $0).folder] && isFound(view(of: $0)) }
    case .smartAlbum(let album):
      var options = options
      if album == .hidden { options.includeHiddenAssets = true }
      let isFound = matcher(for: options)
      return first(state.order) {
        let view = view(of: $0)
        return album.contains(view, now: now) && isFound(view)
      }
    case .album(let members): return first(members) { isFound(view(of: $0)) }
    case .moment(let places):
      return first(momentHandles(places)) { isFound(view(of: $0)) }
    case .burst(let number):
      return first(state.order) { burst(of: state.row(of: $0)) == number && isFound(view(of: $0)) }
    }
  }

  /// Returns a predicate for the options and their search.
  func matcher(for options: FetchOptions) -> (AssetRowView) -> Bool {
    guard let search = options.search else { return { options.admits($0) } }
    let texts = TextSearch(search, in: self)
    return { options.admits($0) && texts.matches($0) }
  }

  /// Sorts and limits the selected handles.
  private func result(_ handles: [FetchHandle], _ options: FetchOptions) -> FetchResult<Asset> {
    var handles = handles
    if options.sortDescriptors != AssetSort.newest.descriptors {
      handles = sorted(handles, by: options.sortDescriptors)
    }
    return FetchResult(handles: options.limited(handles), in: self)
  }

  /// The values that are compared first, which suffice for most orders.
  private struct SortItem: BitwiseCopyable {
    var key: UInt64
    var path: PathOrder.Key
    var handle: FetchHandle
  }

  /// Sorts by a number derived from the first descriptor; only ties need further comparisons.
  private func sorted(_ handles: [FetchHandle], by descriptors: [AssetSortDescriptor]) -> [FetchHandle] {
    guard let first = descriptors.first else { return handles }
    if first.key == .filename, descriptors.count == 1 {
      return NameSorting(self, handles).sorted(ascending: first.ascending)
    }
    let paths = PathOrder(state)
    let flip: UInt64 = first.ascending ? 0 : .max
    let items = handles.map { handle in
      SortItem(key: sortKey(of: handle, first.key) ^ flip, path: paths.key(of: handle), handle: handle)
    }
    // If the number represents the key exactly, ties are broken by path.
    let isExact = descriptors.count == 1 && first.key.fitsNumber
    return items.sorted { a, b in
      if a.key != b.key { return a.key < b.key }
      if !isExact, !hasSameKey(a.handle, b.handle, first.key) || descriptors.count > 1 {
        return descriptors.areInIncreasingOrder(view(of: a.handle), view(of: b.handle))
      }
      return paths.precedes(a.handle, a.path, b.handle, b.path)
    }.map(\.handle)
  }

  /// Whether two assets with equal numbers also have equal values of the key.
  private func hasSameKey(_ a: FetchHandle, _ b: FetchHandle, _ key: AssetSortKey) -> Bool {
    AssetSortDescriptor(key: key, ascending: true).compare(view(of: a), view(of: b)) == 0
  }

  /// Returns a number that orders assets by a key, as far as 64 bits allow.
  private func sortKey(of handle: FetchHandle, _ key: AssetSortKey) -> UInt64 {
    let segment = state.segment(of: handle)
    let row = segment.assets[handle.row]
    func ordered(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ (1 << 63) }
    switch key {
    case .creationDate: return ordered(state.corrected(row).dateSeconds)
    case .addedDate: return ordered(row.added)
    case .modificationDate: return ordered(segment.currentFile(of: row).modified)
    case .byteCount: return ordered(segment.currentFile(of: row).byteCount)
    // Never negative, so the bit patterns have the order of the numbers.
    case .duration: return UInt64(row.duration.bitPattern)
    case .pixelWidth: return UInt64(row.width)
    case .pixelHeight: return UInt64(row.height)
    case .filename: return PathOrder.number(of: NaturalOrder.key(of: segment.name(of: row)).prefix(8))
    case .given: return ordered(Int64(view(of: handle).sourcePosition))
    }
  }
}

extension AssetSortKey {
  /// Whether 64 bits represent the value exactly: not names, and not dates with fractions of a second.
  fileprivate var fitsNumber: Bool { self != .filename && self != .creationDate }
}

/// Sorts assets by name in natural order; computes each sort key once.
private struct NameSorting {
  private struct Item: BitwiseCopyable {
    /// The first sixteen bytes of the key, which distinguish most names.
    var head: UInt64
    var tail: UInt64
    /// The range of the whole key in `keys`.
    var start: UInt32
    var end: UInt32
    var path: PathOrder.Key
    var handle: FetchHandle
  }

  private let table: LibraryTable
  private let paths: PathOrder
  private var items: [Item] = []
  private var keys: [UInt8] = []

  init(_ table: LibraryTable, _ handles: [FetchHandle]) {
    self.table = table
    paths = PathOrder(table.state)
    items.reserveCapacity(handles.count)
    for handle in handles {
      let segment = table.state.segment(of: handle)
      let key = NaturalOrder.key(of: segment.name(of: segment.assets[handle.row]))
      items.append(
        Item(
          head: PathOrder.number(of: key.prefix(8)), tail: PathOrder.number(of: key.dropFirst(8).prefix(8)),
          start: UInt32(keys.count), end: UInt32(keys.count + key.count), path: paths.key(of: handle),
          handle: handle))
      keys += key
    }
  }

  func sorted(ascending: Bool) -> [FetchHandle] {
    keys.withUnsafeBufferPointer { keys in
      items.sorted { a, b in
        if a.head != b.head { return (a.head < b.head) == ascending }
        if a.tail != b.tail { return (a.tail < b.tail) == ascending }
        let (first, second) = (keys[Int(a.start)..<Int(a.end)], keys[Int(b.start)..<Int(b.end)])
        if !first.elementsEqual(second) { return first.lexicographicallyPrecedes(second) == ascending }
        let (one, other) = (table.view(of: a.handle), table.view(of: b.handle))
        let order = one.compareName(to: other)
        return order != 0 ? (order < 0) == ascending : paths.precedes(a.handle, a.path, b.handle, b.path)
      }.map(\.handle)
    }
  }
}

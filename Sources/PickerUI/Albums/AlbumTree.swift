package import AssetLibrary

/// The lines of the sidebar: smart albums, the tree of folders, and years and months.
struct AlbumTree: Hashable, Sendable {
  private(set) var collections: [AssetCollection] = []
  private var lists: [CollectionList] = []
  private var moments: [AssetCollection] = []
  /// The targets whose expansion differs from the default.
  private var toggled: Set<AlbumTarget> = []
  /// Only albums whose titles contain this text are listed; empty = all.
  private(set) var filter = ""
  /// The targets that match the filter, without the parents listed for them.
  private(set) var found: [AlbumTarget] = []
  private var months: [String] = []
  private(set) var lines: [AlbumLine] = []
  /// The widths in cells that show all lines listed so far in full, without and with posters.
  private var columns = [0, 0]
  /// The same for the lines that were last listed as a run begins: nothing expanded, collapsed or filtered.
  private var openingColumns = [0, 0]
  /// Whether the albums have been listed.
  private var isListed = false
  /// The least width to assume until all albums are listed.
  private var expectedColumns: Int

  /// - Parameters:
  ///   - months: the names of the months.
  ///   - expectedColumns: the width in cells that an earlier run needed; assumed until all albums are listed.
  init(months: [String] = [], expectedColumns: Int = 0) {
    self.months = months
    self.expectedColumns = expectedColumns
  }

  /// - Parameter isWhole: whether all albums are listed, because the library has been read.
  mutating func replace(with answer: AlbumsAnswer, isWhole: Bool) {
    if isWhole { expectedColumns = 0 }
    collections = Array(answer.collections)
    lists = Array(answer.lists)
    moments = Array(answer.moments)
    isListed = true
    rebuild()
  }

  mutating func filter(by text: String) {
    filter = text
    rebuild()
  }

  mutating func toggle(_ target: AlbumTarget) {
    if toggled.remove(target) == nil { toggled.insert(target) }
    rebuild()
  }

  var userAlbums: [AssetCollection] { collections.filter(\.isUserAlbum) }

  /// The collection with an identifier, moments included.
  func collection(_ identifier: LocalIdentifier) -> AssetCollection? {
    collections.first { $0.id == identifier } ?? moments.first { $0.id == identifier }
  }

  func index(of target: AlbumTarget) -> Int? { lines.firstIndex { $0.target == target } }

  /// The nearest less indented line above.
  func parent(of index: Int) -> Int? {
    guard lines.indices.contains(index) else { return nil }
    return lines[..<index].lastIndex { $0.target != nil && $0.depth < lines[index].depth }
  }

  // MARK: Lines

  private mutating func rebuild() {
    found = []
    var all: [AlbumLine] = []
    func append(_ heading: String, _ new: [AlbumLine]) {
      guard !new.isEmpty else { return }
      if !all.isEmpty { all.append(AlbumLine(kind: .blank)) }
      all.append(AlbumLine(kind: .heading, title: heading))
      all += new
    }
    let smart = collections.filter { $0.type == .smartAlbum }.map { collection in
      AlbumLine(
        kind: .item(.collection(collection.id)), title: collection.title,
        count: collection.estimatedAssetCount, smartAlbum: SmartAlbum(collection.id), poster: collection.id)
    }
    append("Library", filtered(smart))
    let own = userAlbums.map { collection in
      AlbumLine(
        kind: .item(.collection(collection.id)), title: collection.title,
        count: collection.estimatedAssetCount, poster: collection.id)
    }
    append("Albums", filtered(own))
    append(own.isEmpty ? "Albums" : "Folders", filtered(folderLines()))
    append("Dates", filtered(dateLines()))
    lines = all
    // The width never shrinks: the photos beside the albums stay in place when an album is collapsed.
    let needed = [false, true].map { SidebarWindow.columns(of: lines, hasPosters: $0) }
    columns = zip(columns, needed).map(max)
    if isListed, toggled.isEmpty, filter.isEmpty { openingColumns = needed }
  }

  /// The width in cells that shows all lines listed so far in full; until all albums are listed, at least that of an
  /// earlier run, so that the photos beside them stay in place.
  func columns(withPosters hasPosters: Bool) -> Int {
    max(isListed ? columns[hasPosters ? 1 : 0] : 0, expectedColumns)
  }

  /// The width in cells that the next run will probably need when it lists the albums; nil if they have not been
  /// listed.
  func openingColumns(withPosters hasPosters: Bool) -> Int? {
    isListed ? openingColumns[hasPosters ? 1 : 0] : nil
  }

  /// The lines that match the filter, with their parents.
  private mutating func filtered(_ lines: [AlbumLine]) -> [AlbumLine] {
    guard !filter.isEmpty else { return lines }
    let pattern = TextPattern(filter)
    var kept: [AlbumLine] = []
    var matches: [AlbumTarget] = []
    var depth = -1
    for line in lines.reversed() {
      let isFound = line.target?.isShowable ?? false && pattern.matches(folded: TextPattern.fold(line.title))
      if isFound, let target = line.target { matches.append(target) }
      if isFound || line.depth < depth {
        kept.append(line)
        depth = line.depth
      }
    }
    found += matches.reversed()
    return kept.reversed()
  }

  private func isExpanded(_ target: AlbumTarget, byDefault: Bool) -> Bool {
    !filter.isEmpty || toggled.contains(target) != byDefault
  }

  /// A folder of photos, of folders or of both, shown as one line.
  private struct Folder {
    var list: CollectionList?
    var album: AssetCollection?
    var children: [Int] = []

    var title: String { list?.title ?? album?.title ?? "" }
  }

  private func folderLines() -> [AlbumLine] {
    var folders: [Folder] = []
    var places: [LocalIdentifier: Int] = [:]
    var roots: [Int] = []
    let albums = collections.filter { $0.type == .album && !$0.isUserAlbum }
    struct Name: Hashable { var title: String, parent: LocalIdentifier?, depth: Int }
    var named: [Name: Int] = [:]
    // Lists come before their children.
    for list in lists {
      let index = folders.count
      folders.append(Folder(list: list))
      places[list.id] = index
      named[Name(title: list.title, parent: list.parent, depth: list.depth)] = index
    }
    for album in albums {
      if let index = named[Name(title: album.title, parent: album.parent, depth: album.depth)] {
        folders[index].album = album
      } else {
        folders.append(Folder(album: album))
      }
    }
    for index in folders.indices {
      let parent = folders[index].list?.parent ?? folders[index].album?.parent
      if let parent, let place = places[parent], place != index {
        folders[place].children.append(index)
      } else {
        roots.append(index)
      }
    }
    // A single root folder without photos of its own is left out.
    if roots.count == 1, let root = roots.first, !hasOwnPhotos(folders[root], folders) {
      roots = folders[root].children
    }
    var lines: [AlbumLine] = []
    for root in sorted(roots, folders) { append(root, depth: 0, folders, to: &lines) }
    return lines
  }

  private func sorted(_ indexes: [Int], _ folders: [Folder]) -> [Int] {
    indexes.sorted { a, b in
      let (first, second) = (folders[a].title, folders[b].title)
      return first != second ? first.utf8.lexicographicallyPrecedes(second.utf8) : a < b
    }
  }

  private func append(_ index: Int, depth: Int, _ folders: [Folder], to lines: inout [AlbumLine]) {
    // Bounds the recursion; deeper folders would not be visible anyway.
    guard depth < 64 else { return }
    let folder = folders[index]
    let target: AlbumTarget =
      folder.album.map { .collection($0.id) } ?? folder.list.map { .list($0.id) } ?? .days
    let hasChildren = !folder.children.isEmpty
    let isOpen = isExpanded(target, byDefault: depth == 0 || folders.count <= 40)
    lines.append(
      AlbumLine(
        kind: .item(target), title: folder.title, count: count(index, folders, 0), depth: depth,
        isExpanded: hasChildren ? isOpen : nil, poster: poster(index, folders, 0)))
    guard hasChildren, isOpen else { return }
    for child in sorted(folder.children, folders) { append(child, depth: depth + 1, folders, to: &lines) }
  }

  /// The album whose poster represents a folder: its own, else the first one found below it.
  private func poster(_ index: Int, _ folders: [Folder], _ depth: Int) -> LocalIdentifier? {
    if let album = folders[index].album { return album.id }
    guard depth < 64 else { return nil }
    for child in sorted(folders[index].children, folders) {
      if let poster = poster(child, folders, depth + 1) { return poster }
    }
    return nil
  }

  /// The count of an album includes the albums below it.
  private func count(_ index: Int, _ folders: [Folder], _ depth: Int) -> Int {
    if let count = folders[index].album?.estimatedAssetCount { return count }
    guard depth < 64 else { return 0 }
    return folders[index].children.reduce(0) { $0 + count($1, folders, depth + 1) }
  }

  private func hasOwnPhotos(_ folder: Folder, _ folders: [Folder]) -> Bool {
    guard let count = folder.album?.estimatedAssetCount else { return false }
    return count > folder.children.reduce(0) { $0 + self.count($1, folders, 1) }
  }

  // MARK: Dates

  private func dateLines() -> [AlbumLine] {
    var lines: [AlbumLine] = []
    var (year, month): (Int?, Int?) = (nil, nil)
    var (yearLine, monthLine) = (0, 0)
    for moment in moments {
      guard let start = moment.startDate else { continue }
      let day = CalendarDay(start)
      let count = moment.estimatedAssetCount ?? 0
      if day.year != year {
        (year, month) = (day.year, nil)
        yearLine = lines.count
        lines.append(line(of: CalendarPeriod(year: day.year), title: String(day.year), depth: 0))
      }
      lines[yearLine].count = (lines[yearLine].count ?? 0) + count
      guard lines[yearLine].isExpanded ?? false else { continue }
      if day.month != month {
        month = day.month
        monthLine = lines.count
        let title = months.indices.contains(day.month - 1) ? months[day.month - 1] : String(day.month)
        lines.append(
          line(of: CalendarPeriod(year: day.year, month: day.month), title: title, depth: 1))
      }
      lines[monthLine].count = (lines[monthLine].count ?? 0) + count
      guard lines[monthLine].isExpanded ?? false else { continue }
      // Only the day and the times of "2024-05-02, 10:12–11:40"; the lines above give the month.
      let times = moment.title.split(separator: ",", maxSplits: 1).last.map(String.init) ?? ""
      lines.append(
        AlbumLine(
          kind: .item(.collection(moment.id)), title: "\(day.day),\(times)", count: count, depth: 2,
          day: day))
    }
    return lines
  }

  private func line(of period: CalendarPeriod, title: String, depth: Int) -> AlbumLine {
    let target = AlbumTarget.period(period)
    // A filter does not expand dates.
    return AlbumLine(
      kind: .item(target), title: title, depth: depth, isExpanded: toggled.contains(target))
  }
}

/// What a line of the sidebar refers to.
enum AlbumTarget: Hashable, Sendable {
  case collection(LocalIdentifier)
  /// A folder that contains only folders: can be expanded but not shown in the grid.
  case list(LocalIdentifier)
  /// The photos of a year or a month.
  case period(CalendarPeriod)
  /// The root of the dates: can be expanded but not shown in the grid.
  case days

  static let recents = AlbumTarget.collection(AssetCollection.recents)

  /// Whether the grid can show it.
  var isShowable: Bool {
    switch self {
    case .collection, .period: true
    case .list, .days: false
    }
  }
}

/// A line of the sidebar.
struct AlbumLine: Hashable, Sendable {
  /// The kind of line.
  enum Kind: Hashable, Sendable {
    case heading, blank
    case item(AlbumTarget)
  }

  var kind: Kind
  var title = ""
  var count: Int?
  /// The indentation level.
  var depth = 0
  var smartAlbum: SmartAlbum?
  /// Whether its children are listed; nil if it has none.
  var isExpanded: Bool?
  /// The collection whose poster is shown; nil for dates, which have none.
  var poster: LocalIdentifier?

  /// The day of a moment.
  var day: CalendarDay?

  var target: AlbumTarget? { if case .item(let target) = kind { target } else { nil } }

  /// The title out of context: months include their year.
  var longTitle: String {
    guard case .period(let period) = target, period.month != nil else { return title }
    return "\(title) \(period.year)"
  }

  /// The title out of its context, with the date: months have their year, moments their day.
  func fullTitle(_ locale: LocaleFormat) -> String {
    guard let day else { return longTitle }
    return locale.day(day) + title.drop { $0 != "," }
  }
}

/// The collections, counted as a query asked.
package struct AlbumsAnswer: Sendable {
  package var collections: FetchResult<AssetCollection>
  /// The folders that contain folders.
  package var lists: FetchResult<CollectionList>
  /// The moments, newest first.
  package var moments: FetchResult<AssetCollection>

  package init(
    collections: FetchResult<AssetCollection>,
    lists: FetchResult<CollectionList> = FetchResult(),
    moments: FetchResult<AssetCollection> = FetchResult()
  ) {
    self.collections = collections
    self.lists = lists
    self.moments = moments
  }
}

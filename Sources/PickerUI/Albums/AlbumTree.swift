import AssetLibrary

/// The albums as a list of lines: smart albums, folders in folders, what was taken in a year or a month.
struct AlbumTree: Hashable, Sendable {
  private(set) var collections: [AssetCollection] = []
  private var lists: [CollectionList] = []
  private var moments: [AssetCollection] = []
  /// What stands the other way round than it would by itself, folded or unfolded.
  private var toggled: Set<AlbumTarget> = []
  /// Only albums whose titles hold this; empty = all.
  private(set) var filter = ""
  /// What the filter itself admits, not only what that lies in.
  private(set) var found: [AlbumTarget] = []
  private var months: [String] = []
  private(set) var lines: [AlbumLine] = []

  init(months: [String] = []) {
    self.months = months
  }

  mutating func replace(with answer: AlbumsAnswer) {
    collections = Array(answer.collections)
    lists = Array(answer.lists)
    moments = Array(answer.moments)
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

  /// The collection with an identifier, moments included.
  func collection(_ identifier: LocalIdentifier) -> AssetCollection? {
    collections.first { $0.id == identifier } ?? moments.first { $0.id == identifier }
  }

  func index(of target: AlbumTarget) -> Int? { lines.firstIndex { $0.target == target } }

  /// The nearest line above that is less indented.
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
    append("Albums", filtered(folderLines()))
    append("Dates", filtered(dateLines()))
    lines = all
  }

  /// What the filter admits, with what it lies in.
  private mutating func filtered(_ lines: [AlbumLine]) -> [AlbumLine] {
    guard !filter.isEmpty else { return lines }
    let pattern = TextPattern(filter)
    var kept: [AlbumLine] = []
    var matches: [AlbumTarget] = []
    var depth = -1
    for line in lines.reversed() {
      let isFound = line.target?.isShown ?? false && pattern.matches(folded: TextPattern.fold(line.title))
      if isFound, let target = line.target { matches.append(target) }
      if isFound || line.depth < depth {
        kept.append(line)
        depth = line.depth
      }
    }
    found += matches.reversed()
    return kept.reversed()
  }

  private func isUnfolded(_ target: AlbumTarget, byItself: Bool) -> Bool {
    !filter.isEmpty || toggled.contains(target) != byItself
  }

  /// A folder is one line, whether it holds photos, folders or both.
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
    let albums = collections.filter { $0.type == .album }
    struct Name: Hashable { var title: String, parent: LocalIdentifier?, depth: Int }
    var named: [Name: Int] = [:]
    // Lists stand before what they hold.
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
    // The one folder that everything lies in says nothing.
    if roots.count == 1, let root = roots.first, folders[root].album == nil { roots = folders[root].children }
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
    // Deeper folders than anybody can see.
    guard depth < 64 else { return }
    let folder = folders[index]
    let target: AlbumTarget =
      folder.album.map { .collection($0.id) } ?? folder.list.map { .list($0.id) } ?? .days
    let hasChildren = !folder.children.isEmpty
    let isOpen = isUnfolded(target, byItself: depth == 0 || folders.count <= 40)
    lines.append(
      AlbumLine(
        kind: .item(target), title: folder.title, count: count(index, folders, 0), depth: depth,
        isUnfolded: hasChildren ? isOpen : nil, poster: poster(index, folders, 0)))
    guard hasChildren, isOpen else { return }
    for child in sorted(folder.children, folders) { append(child, depth: depth + 1, folders, to: &lines) }
  }

  /// The album whose poster stands for a folder: its own, else that of the first folder in it that has one.
  private func poster(_ index: Int, _ folders: [Folder], _ depth: Int) -> LocalIdentifier? {
    if let album = folders[index].album { return album.id }
    guard depth < 64 else { return nil }
    for child in sorted(folders[index].children, folders) {
      if let poster = poster(child, folders, depth + 1) { return poster }
    }
    return nil
  }

  private func count(_ index: Int, _ folders: [Folder], _ depth: Int) -> Int {
    guard depth < 64 else { return 0 }
    return folders[index].children.reduce(folders[index].album?.estimatedAssetCount ?? 0) {
      $0 + count($1, folders, depth + 1)
    }
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
      guard lines[yearLine].isUnfolded ?? false else { continue }
      if day.month != month {
        month = day.month
        monthLine = lines.count
        let title = months.indices.contains(day.month - 1) ? months[day.month - 1] : String(day.month)
        lines.append(
          line(of: CalendarPeriod(year: day.year, month: day.month), title: title, depth: 1))
      }
      lines[monthLine].count = (lines[monthLine].count ?? 0) + count
      guard lines[monthLine].isUnfolded ?? false else { continue }
      // "2024-05-02, 10:12–11:40": what the lines above don't say.
      let times = moment.title.split(separator: ",", maxSplits: 1).last.map(String.init) ?? ""
      lines.append(
        AlbumLine(
          kind: .item(.collection(moment.id)), title: "\(day.day),\(times)", count: count, depth: 2))
    }
    return lines
  }

  private func line(of period: CalendarPeriod, title: String, depth: Int) -> AlbumLine {
    let target = AlbumTarget.period(period)
    // A search for an album's name does not unfold the days.
    return AlbumLine(
      kind: .item(target), title: title, depth: depth, isUnfolded: toggled.contains(target))
  }
}

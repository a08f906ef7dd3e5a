import AssetLibrary

extension PickerState {
  /// Shows another album, where the user was in it before or from its beginning.
  mutating func open(_ target: AlbumTarget, remembers: Bool = true) -> [PickerEffect] {
    guard target.isShown else { return [] }
    positions[place] = Position(anchor: anchor, topRow: topRow)
    if !remembers { positions = [:] }
    place = target
    if let line = albums.lines.first(where: { $0.target == target }) {
      placeTitle = title(of: line)
    } else if case .collection(let identifier) = target {
      placeTitle =
        albums.collection(identifier)?.title ?? SmartAlbum(identifier)?.title ?? identifier.rawValue
    }
    let position = positions[target] ?? Position()
    // The cursor finds its place by its anchor when the answer comes.
    (cursor, anchor, restoredRow) = (0, position.anchor, position.topRow)
    home = nil
    column = nil
    range = nil
    assets = FetchResult()
    days = nil
    areRowsStale = true
    return fetch()
  }

  /// A month needs its year to be understood.
  func title(of line: AlbumLine) -> String {
    guard case .period(let period) = line.target, period.month != nil else { return line.title }
    return "\(line.title) \(period.year)"
  }

  /// What a command means among the albums; nil = what it means everywhere.
  mutating func performInSidebar(_ command: Command) -> [PickerEffect]? {
    let items = albums.lines.indices.filter { albums.lines[$0].target != nil }
    let line = albums.index(of: sidebarTarget)
    let at = items.firstIndex { $0 == line } ?? 0
    let last = items.count - 1
    switch command {
    case .up: return moveInSidebar(to: at - 1, items)
    case .down: return moveInSidebar(to: line == nil ? 0 : at + 1, items)
    case .pageUp: return moveInSidebar(to: at - 10, items)
    case .pageDown: return moveInSidebar(to: at + 10, items)
    case .first: return moveInSidebar(to: 0, items)
    case .last: return moveInSidebar(to: last, items)
    case .right:
      if let line, albums.lines[line].isUnfolded == false {
        albums.toggle(sidebarTarget)
      } else {
        setFocus(.grid)
      }
      return []
    case .left:
      guard let line else { return [] }
      if albums.lines[line].isUnfolded == true {
        albums.toggle(sidebarTarget)
      } else if let parent = albums.parent(of: line), let index = items.firstIndex(of: parent) {
        return moveInSidebar(to: index, items)
      }
      return []
    case .toggle, .confirm:
      if !sidebarTarget.isShown, line != nil {
        albums.toggle(sidebarTarget)
      } else {
        setFocus(.grid)
      }
      return []
    case .search: return openPrompt(.album)
    case .removeFilter:
      albums.filter(by: "")
      return []
    case .selectAll, .unselectAll, .range, .openFullScreen, .jump, .moveEarlier, .moveLater: return []
    default: return nil
    }
  }

  /// The grid follows the album under the cursor.
  private mutating func moveInSidebar(to index: Int, _ items: [Int]) -> [PickerEffect] {
    guard !items.isEmpty else { return [] }
    return enter(albums.lines[items[max(0, min(index, items.count - 1))]].target ?? place)
  }

  /// Puts the cursor of the albums at one of them, and shows it.
  mutating func enter(_ target: AlbumTarget) -> [PickerEffect] {
    guard target != sidebarTarget else { return [] }
    sidebarTarget = target
    return target != place ? open(target) : []
  }
}

import AssetLibrary

extension PickerState {
  /// Shows an album, at the user's previous position in it if there is one.
  mutating func open(_ target: AlbumTarget, remembers: Bool = true) -> [PickerEffect] {
    guard target.isShowable else { return [] }
    let position = library.open(target, leaving: grid.position, remembers: remembers)
    if let line = sidebar.albums.lines.first(where: { $0.target == target }) {
      library.title = longTitle(of: line)
    } else if case .collection(let identifier) = target {
      library.title =
        sidebar.albums.collection(identifier)?.title ?? SmartAlbum(identifier)?.title ?? identifier.rawValue
    }
    grid.reset(to: position)
    picks.range = nil
    return fetch()
  }

  /// The title of a line out of its context: months have their year, moments their date.
  func longTitle(of line: AlbumLine) -> String {
    guard let day = line.day else { return line.longTitle }
    return options.locale.day(day) + line.title.drop { $0 != "," }
  }

  /// Performs a command in the sidebar; nil if it is handled as usual.
  mutating func performInSidebar(_ command: Command) -> [PickerEffect]? {
    switch command {
    case .up, .down, .pageUp, .pageDown, .first, .last: return enter(after: command)
    case .right:
      if sidebar.isExpanded == false { sidebar.albums.toggle(sidebar.target) } else { setFocus(.grid) }
      return []
    case .left:
      if sidebar.isExpanded == true {
        sidebar.albums.toggle(sidebar.target)
        return []
      }
      return enter(after: .left)
    case .toggle, .confirm:
      if !sidebar.target.isShowable, sidebar.albums.index(of: sidebar.target) != nil {
        sidebar.albums.toggle(sidebar.target)
      } else {
        setFocus(.grid)
      }
      return []
    case .search: return openPrompt(.album)
    case .removeFilter:
      sidebar.albums.filter(by: "")
      return []
    case .selectAll, .unselectAll, .range, .openFullScreen, .jump, .moveEarlier, .moveLater: return []
    default: return nil
    }
  }

  /// Moves the sidebar's cursor and shows the album there.
  private mutating func enter(after command: Command) -> [PickerEffect] {
    sidebar.target(after: command).map { enter($0) } ?? []
  }

  /// Moves the sidebar's cursor to an album and shows it.
  mutating func enter(_ target: AlbumTarget) -> [PickerEffect] {
    guard target != sidebar.target else { return [] }
    sidebar.target = target
    return target != library.album ? open(target) : []
  }
}

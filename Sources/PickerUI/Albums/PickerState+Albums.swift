import AssetLibrary

extension PickerState {
  /// Shows another album, where the user was in it before or from its beginning.
  mutating func open(_ target: AlbumTarget, remembers: Bool = true) -> [PickerEffect] {
    guard target.isShown else { return [] }
    let here = LibraryView.Position(anchor: grid.anchor, topRow: grid.topRow)
    let position = library.leave(at: here, for: target, remembers: remembers)
    if let line = sidebar.albums.lines.first(where: { $0.target == target }) {
      library.title = line.longTitle
    } else if case .collection(let identifier) = target {
      library.title =
        sidebar.albums.collection(identifier)?.title ?? SmartAlbum(identifier)?.title ?? identifier.rawValue
    }
    grid.leave(for: position)
    picks.range = nil
    return fetch()
  }

  /// What a command means among the albums; nil = what it means everywhere.
  mutating func performInSidebar(_ command: Command) -> [PickerEffect]? {
    switch command {
    case .up, .down, .pageUp, .pageDown, .first, .last: return enter(after: command)
    case .right:
      if sidebar.isUnfolded == false { sidebar.albums.toggle(sidebar.target) } else { setFocus(.grid) }
      return []
    case .left:
      if sidebar.isUnfolded == true {
        sidebar.albums.toggle(sidebar.target)
        return []
      }
      return enter(after: .left)
    case .toggle, .confirm:
      if !sidebar.target.isShown, sidebar.albums.index(of: sidebar.target) != nil {
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

  /// The grid follows the album under the cursor.
  private mutating func enter(after command: Command) -> [PickerEffect] {
    sidebar.target(after: command).map { enter($0) } ?? []
  }

  /// Puts the cursor of the albums at one of them, and shows it.
  mutating func enter(_ target: AlbumTarget) -> [PickerEffect] {
    guard target != sidebar.target else { return [] }
    sidebar.target = target
    return target != library.place ? open(target) : []
  }
}

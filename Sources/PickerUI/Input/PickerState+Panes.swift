import AssetLibrary
import Pixels

extension PickerState {
  /// From one pane to the next.
  mutating func nextPane(_ step: Int) -> [PickerEffect] {
    var panes: [InputState.Pane] = [.grid]
    if allows(.collectionNavigation) { panes.insert(.sidebar, at: 0) }
    if picks.showsStrip { panes.append(.strip) }
    let index = panes.firstIndex(of: input.focus) ?? 0
    setFocus(panes[(index + step + panes.count) % panes.count])
    if input.focus == .sidebar { sidebar.target = library.place }
    return []
  }

  /// Puts the focus into a pane; a range is kept when it leaves the grid, where it is drawn.
  mutating func setFocus(_ pane: InputState.Pane) {
    if pane != .grid {
      endRange()
      _ = release()
    }
    input.focus = pane
  }

  /// Closes what was opened last; leaves where nothing is open.
  mutating func close() -> [PickerEffect] {
    switch closable {
    case .work(let work), .reading(let work): return status.stop(work)
    case .fullScreen: preview.isFullScreen = false
    case .range: dropRange()
    case .strip: closeStrip()
    case .albums:
      setFocus(.grid)
      if !sidebar.albums.filter.isEmpty { sidebar.albums.filter(by: "") }
    case .info: preview.showsInfo = false
    case .search:
      library.userFilter.look(for: "")
      return narrow()
    case .access: return endManaging(keeping: false)
    case .picker: return [.finish(.cancelled)]
    }
    return []
  }

  /// What Esc closes or stops.
  enum Closable: Hashable {
    case work(Work)
    case fullScreen, range, strip, albums, info, search, access
    case reading(Work)
    case picker
  }

  var closable: Closable {
    if let work = status.stoppableWork { return .work(work) }
    if preview.isFullScreen { return .fullScreen }
    if picks.range != nil { return .range }
    if picks.showsStrip { return .strip }
    if input.focus == .sidebar { return .albums }
    if preview.showsInfo { return .info }
    if !library.userFilter.text.isEmpty, library.userFilter.text != options.searchText { return .search }
    if authorization.mode == .managing { return .access }
    // The library is read under everything else; q leaves all the same.
    return stoppableReading.map(Closable.reading) ?? .picker
  }

  /// Fills the screen with the photo that is looked at, which has the focus then: its album can't be seen.
  mutating func openFullScreen() {
    preview.isFullScreen = true
    if input.focus == .sidebar { setFocus(.grid) }
    updateLayout()
  }

  mutating func toggleInfo() {
    preview.infoScroll = 0
    let layout = layout
    // A pane has to be high enough, the full screen wide enough.
    if let preview = layout.preview,
      self.preview.isFullScreen ? metrics.size.columns >= 80 : preview.rows >= 16
    {
      self.preview.showsInfo.toggle()
    } else if current != nil {
      input.overlay = .info
    }
  }
}

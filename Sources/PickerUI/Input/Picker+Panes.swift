import AssetLibrary
import Pixels

extension PickerState {
  /// From one pane to the next.
  mutating func nextPane(_ step: Int) -> [PickerEffect] {
    var panes: [Pane] = [.grid]
    if allows(.collectionNavigation) { panes.insert(.sidebar, at: 0) }
    if showsStrip { panes.append(.strip) }
    let index = panes.firstIndex(of: focus) ?? 0
    setFocus(panes[(index + step + panes.count) % panes.count])
    if focus == .sidebar { sidebarTarget = place }
    return []
  }

  /// Puts the focus into a pane; a range is kept when it leaves the grid, where it is drawn.
  mutating func setFocus(_ pane: Pane) {
    if pane != .grid {
      endRange()
      _ = release()
    }
    focus = pane
  }

  /// Closes what was opened last; leaves where nothing is open.
  mutating func close() -> [PickerEffect] {
    switch closable {
    case .work(let work), .reading(let work): return stop(work)
    case .fullScreen: isFullScreen = false
    case .range: dropRange()
    case .strip: closeStrip()
    case .albums:
      setFocus(.grid)
      if !albums.filter.isEmpty { albums.filter(by: "") }
    case .info: showsInfo = false
    case .search:
      userFilter.look(for: "")
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
    if let work = stoppableWork { return .work(work) }
    if isFullScreen { return .fullScreen }
    if range != nil { return .range }
    if showsStrip { return .strip }
    if focus == .sidebar { return .albums }
    if showsInfo { return .info }
    if !userFilter.text.isEmpty, userFilter.text != options.searchText { return .search }
    if mode == .managing { return .access }
    // The library is read under everything else; q leaves all the same.
    return stoppableReading.map(Closable.reading) ?? .picker
  }

  /// Fills the screen with the photo that is looked at, which has the focus then: its album can't be seen.
  mutating func openFullScreen() {
    isFullScreen = true
    if focus == .sidebar { setFocus(.grid) }
  }

  mutating func toggleInfo() {
    infoScroll = 0
    let layout = layout
    // A pane has to be high enough, the full screen wide enough.
    if let preview = layout.preview, isFullScreen ? metrics.size.columns >= 80 : preview.rows >= 16 {
      showsInfo.toggle()
    } else if current != nil {
      overlay = .info
    }
  }
}

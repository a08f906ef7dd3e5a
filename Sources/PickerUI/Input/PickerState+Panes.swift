import AssetLibrary
import Pixels

extension PickerState {
  /// Moves the focus to the next or previous pane.
  mutating func nextPane(_ step: Int) -> [PickerEffect] {
    var panes: [InputState.Pane] = [.grid]
    if allows(.collectionNavigation) { panes.insert(.sidebar, at: 0) }
    if picks.strip.isOpen { panes.append(.strip) }
    let index = panes.firstIndex(of: input.focus) ?? 0
    setFocus(panes[(index + step + panes.count) % panes.count])
    if input.focus == .sidebar { sidebar.target = library.album }
    return []
  }

  /// Focuses a pane; leaving the grid ends an active range and keeps what it selected.
  mutating func setFocus(_ pane: InputState.Pane) {
    if pane != .grid {
      endRange()
      _ = release()
    }
    input.focus = pane
  }

  /// Closes what was opened last; cancels the picker if nothing is open.
  mutating func close() -> [PickerEffect] {
    switch closable {
    case .work(let work), .reading(let work): return status.stop(work)
    case .fullScreen: preview.isFullScreen = false
    case .range: cancelRange()
    case .strip: closeStrip()
    case .albums:
      setFocus(.grid)
      if !sidebar.albums.filter.isEmpty { sidebar.albums.filter(by: "") }
    case .info: preview.showsInfo = false
    case .search:
      library.userFilter.setSearchText("")
      return filterChanged()
    case .access: return endManaging(keeping: false)
    case .picker: return leave(by: keyLabel(.close))
    }
    return []
  }

  /// Something that Esc closes or stops.
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
    if picks.strip.isOpen { return .strip }
    if input.focus == .sidebar { return .albums }
    if preview.showsInfo { return .info }
    if !library.userFilter.text.isEmpty, library.userFilter.text != options.search.text { return .search }
    if authorization.mode == .managing { return .access }
    // The library scan comes last; q cancels the picker at any time.
    return stoppableReading.map(Closable.reading) ?? .picker
  }

  /// Opens the current photo in full screen; a focused sidebar loses the focus, because it is hidden.
  mutating func openFullScreen() {
    preview.isFullScreen = true
    if input.focus == .sidebar { setFocus(.grid) }
    updateLayout()
  }

  mutating func toggleInfo() {
    preview.infoScroll = 0
    let layout = layout
    // Without enough room in the pane or in full screen, the info opens as an overlay.
    if let preview = layout.preview,
      self.preview.isFullScreen ? metrics.size.columns >= 80 : preview.rows >= 16
    {
      self.preview.showsInfo.toggle()
    } else if current != nil {
      layers.open(InfoBox())
    }
  }

  // MARK: Widths

  /// How much one key makes the sidebar wider, in cells, and the preview, in percent of the window.
  private static let (sidebarStep, previewStep) = (2, 3)

  /// Makes a pane wider or narrower: the sidebar where it has the focus or nothing else can be, else the preview.
  mutating func changeWidth(by step: Int) -> [PickerEffect] {
    if let area = layout.sidebar, input.focus == .sidebar || !layout.hasPreviewBesideGrid {
      setSidebar(columns: area.columns + step * Self.sidebarStep)
    } else if layout.hasPreviewBesideGrid {
      setPreview(share: layout.shownPreviewShare + step * Self.previewStep)
    } else {
      return showNotice("no pane stands beside the photos here", .dim)
    }
    return []
  }

  private mutating func setSidebar(columns: Int) {
    let range = ScreenPreferences.albumColumnRange
    sidebar.columns = max(range.lowerBound, min(columns, range.upperBound, layout.screen.columns / 2))
  }

  private mutating func setPreview(share: Int) {
    let range = ScreenPreferences.previewShareRange
    preview.share = max(range.lowerBound, min(share, range.upperBound))
  }

  /// Moves the edge of a pane to the mouse.
  mutating func move(_ edge: ScreenLayout.Edge, to event: MouseEvent) {
    guard let body = layout.body else { return }
    switch edge {
    case .sidebar: setSidebar(columns: event.column + (layout.sidebarFloats ? 1 : 0))
    case .preview where layout.dividerRow != nil:
      setPreview(share: (100 * (body.endRow - event.row - 1) + body.rows / 2) / body.rows)
    case .preview:
      setPreview(share: (100 * (body.endColumn - event.column) + body.columns / 2) / body.columns)
    }
  }
}

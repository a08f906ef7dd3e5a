import AssetLibrary
import Pixels

extension PickerState {
  var filterBox: OverlayBox {
    let rows = PickerFilter.Name.menu.count
    return OverlayBox(
      title: "Filter",
      footer: keyLabel(
        [.toggle: "with, without, either", .showEverything: "clear", .close: "done"], separator: "   "),
      width: 40, height: rows, screen: metrics.size)
  }

  var sortBox: OverlayBox {
    OverlayBox(
      title: "Sort", footer: keyLabel([.confirm: "sort", .close: "back"], separator: "   "), width: 30,
      height: AssetSort.allCases.count, screen: metrics.size)
  }

  func drawFilterMenu(_ cursor: Int, on frame: inout ScreenFrame) {
    let box = filterBox
    frame.draw(box)
    let names = PickerFilter.Name.menu
    let first = box.first(showing: cursor, of: names.count)
    for row in 0..<box.inner.rows where first + row < names.count {
      let name = names[first + row]
      let condition = library.userFilter.condition(name)
      let mark =
        condition.map { $0.isExcluded ? symbols.menus.excluded : symbols.menus.checked } ?? " "
      frame.drawLine(
        mark: mark, (condition?.isExcluded ?? false ? "not " : "") + name.words,
        detail: filterDetail(name), row: box.inner.row + row, in: box.inner,
        isCurrent: first + row == cursor, isChosen: condition != nil)
    }
  }

  /// The number of matching photos if a smart album counts them, else an empty string.
  private func filterDetail(_ name: PickerFilter.Name) -> String {
    let album: SmartAlbum? =
      switch name {
      case .videos: .videos
      case .livePhotos: .livePhotos
      case .bursts: .bursts
      case .panoramas: .panoramas
      case .screenshots: .screenshots
      case .screenRecordings: .screenRecordings
      case .depthEffectPhotos: .portrait
      case .slomoVideos: .slomo
      case .timelapseVideos: .timelapse
      case .animated: .animated
      case .raw: .raw
      case .selfies: .selfies
      case .favorites: .favorites
      case .hidden: .hidden
      default: nil
      }
    guard let album else { return "" }
    let count = sidebar.albums.collection(album.localIdentifier)?.estimatedAssetCount ?? 0
    return options.locale.number(count)
  }

  func drawSortMenu(_ cursor: Int, on frame: inout ScreenFrame) {
    let box = sortBox
    frame.draw(box)
    let first = box.first(showing: cursor, of: AssetSort.allCases.count)
    for row in 0..<box.inner.rows where first + row < AssetSort.allCases.count {
      let sort = AssetSort.allCases[first + row]
      frame.drawLine(
        mark: sort == library.userFilter.sort ? symbols.menus.checked : " ", sort.title,
        row: box.inner.row + row,
        in: box.inner, isCurrent: first + row == cursor, isChosen: sort == library.userFilter.sort)
    }
  }

  func drawHelp(_ scroll: Int, on frame: inout ScreenFrame) {
    let help = helpLayout
    frame.draw(help.box)
    let inner = help.box.inner
    var column = inner.column
    for (index, lines) in help.columns.enumerated() {
      for (row, line) in lines.dropFirst(min(scroll, help.maximumScroll)).prefix(inner.rows).enumerated() {
        let at = inner.row + row
        if let heading = line.heading {
          frame.put(heading, row: at, column: column, limit: max(0, inner.endColumn - column), style: .title)
          continue
        }
        frame.put(
          line.keys, row: at, column: column, limit: max(0, inner.endColumn - column), style: .hintKey)
        let textColumn = column + help.keyWidths[index] + 2
        frame.put(line.text, row: at, column: textColumn, limit: max(0, inner.endColumn - textColumn))
      }
      column += help.widths[index] + HelpLayout.gap
    }
  }
}

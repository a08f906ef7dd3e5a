import AssetLibrary
import Pixels

extension PickerState {
  func drawGrid(on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    guard let area = layout.grid, !preview.isFullScreen else { return }
    if let banner = layout.banner { drawBanner(on: &frame, banner) }
    guard !library.assets.isEmpty else {
      frame.putMessage(emptyMessage, in: messageArea(in: layout, area), inMiddleOf: metrics.size.columns)
      return
    }
    drawTiles(on: &frame, layout)
    drawScrollBar(on: &frame, area, layout)
  }

  private func drawBanner(on frame: inout ScreenFrame, _ area: CellRect) {
    let parts: [String]
    if authorization.mode == .managing {
      // The last line has the keys as well.
      let (words, keys) = (
        "Choose the photos that \(options.client.name) may see", keyLabel([.confirm: "done", .close: "back"])
      )
      parts = DisplayText("\(words) · \(keys)").width <= area.columns - 2 ? [words, keys] : [words]
    } else {
      let total = options.locale.count(library.photoCount ?? library.status.assetCount, "photo", "photos")
      parts = [
        "Limited access", "\(options.locale.number(authorization.allowed.count)) of \(total)",
        keyLabel([.manageAccess: "to choose others"]),
      ]
    }
    let width = area.columns - 2
    let text = Self.bannerText(parts.filter { !$0.isEmpty }, width: width)
    frame.put(text, row: area.row, column: area.column + 1, limit: width, style: .banner)
  }

  /// The parts of a banner side by side, as many as fit: the last one, which names the key, before all others.
  static func bannerText(_ parts: [String], width: Int) -> String {
    var parts = parts
    let joined = { (parts: [String]) in parts.joined(separator: " · ") }
    while parts.count > 1, DisplayText(joined(parts)).width > width { parts.remove(at: parts.count - 2) }
    return joined(parts)
  }

  /// Which keys help where the user's own search or filters find nothing; none that is typed where one types.
  private var waysOut: [String] {
    if input.prompt?.purpose == .search { return ["\(Key.escape.label(symbols)) clears it"] }
    switch input.overlay {
    case .filters:
      let label = Key.backspace.label(symbols)
      return library.userFilter.conditions.isEmpty ? [] : ["\(label) removes all filters"]
    case .sorts, .options, .downloads: return []
    case .help, .info, nil: break
    }
    let clearing =
      isNarrowedByUser
      ? keyLabel([.showEverything: "clears it", .search: "searches for something else"])
      : keyLabel([.showEverything: "shows everything here"])
    // Where the search finds something in all photos, the key leads there.
    return countInAllPhotos == nil ? [clearing, keyLabel([.nextPane: "for other albums"])] : [clearing]
  }

  /// Of more folders only the number is told.
  private static let mostFoldersShown = 3

  /// Where the photos come from, in words; nil where that is no folder.
  var folderWords: String? {
    let folders = options.opening.folders
    guard let first = folders.first else { return nil }
    if folders.count > Self.mostFoldersShown {
      return "\(shownPath(first)) and \(options.locale.number(folders.count - 1)) others"
    }
    let names = folders.map(shownPath)
    return names.count == 1
      ? names[0] : names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }

  /// Where nothing is to be seen, a message has the preview's place as well.
  private func messageArea(in layout: ScreenLayout, _ grid: CellRect) -> CellRect {
    guard let preview = layout.preview, current == nil, layout.menu == nil else { return grid }
    return preview.row == grid.row
      ? CellRect(
        column: grid.column, row: grid.row, columns: preview.endColumn - grid.column,
        rows: max(grid.rows, preview.rows))
      : CellRect(column: grid.column, row: grid.row, columns: grid.columns, rows: preview.endRow - grid.row)
  }

  /// "Nothing in May 2022": what an album has of what is searched for.
  var nothingHere: String { "Nothing in \(DisplayText(library.title).truncated(to: 24).string)" }

  /// Of more sources that can't be read, the others are told on standard error.
  private static let mostUnreadableShown = 4

  /// The message in an empty grid: why it is empty and which key helps.
  private var emptyMessage: [(text: String, style: TextStyle)] {
    if library.isFetchingNewQuery && library.userFilter.isEmpty || !library.status.isComplete {
      return [("Reading the library…", .dim)]
    }
    if library.isFetchingNewQuery { return [("Searching…", .dim)] }
    if authorization.status == .limited, authorization.mode == .picking, authorization.allowed.isEmpty {
      return [("No photos allowed yet", .bold), (keyLabel([.manageAccess: "to select"]), .dim)]
    }
    if library.status.isStopped, library.status.assetCount == 0 {
      return [("No photos here yet", .bold), (stoppedMessage, .dim)]
    }
    if library.status.assetCount > 0, !library.userFilter.isEmpty {
      let filter =
        library.userFilter.text.isEmpty
        ? library.userFilter.conditions.map { ($0.isExcluded ? "not " : "") + $0.name.words }.joined(
          separator: ", ")
        : library.userFilter.text
      if let count = countInAllPhotos {
        let key = input.prompt?.purpose == .search ? Key.tab.label(symbols) : keyLabel(.nextPane)
        let way = key.map { ": \($0)" } ?? ""
        return [
          ("\(nothingHere) · \(options.locale.number(count)) in all photos\(way)", .bold)
        ] + waysOut.map { ($0, .dim) }
      }
      let place =
        library.album == .recents
        ? "" : " in \(library.title)" + (library.countEverywhere == 0 ? " or in all photos" : "")
      var lines: [(String, TextStyle)] = [("Nothing found for “\(filter)”\(place)", .bold)]
      if let index = correction {
        let key = input.prompt == nil ? keyLabel(.nextPane) : Key.tab.label(symbols)
        let question = input.suggestions.suggestions[index].title
        let sentence = question.prefix(1).uppercased() + question.dropFirst()
        lines.append((sentence + (key.map { " \($0)" } ?? ""), .plain))
      }
      return lines + waysOut.map { ($0, .dim) }
    }
    if let filter = options.configuration.filter, library.status.assetCount > 0 {
      return [
        ("Nothing here matches “\(filter)”", .bold),
        (keyLabel([.nextPane: "for other albums", .cancel: "to leave"]), .dim),
      ]
    }
    if !library.status.unreadableSources.isEmpty, library.status.assetCount == 0 {
      // A folder that was read and has nothing in it is no reason to look for an error elsewhere.
      let title = library.status.isUnreadable ? "Nothing could be read" : "No photos here"
      return [(title, .bold)]
        + library.status.unreadableSources.prefix(Self.mostUnreadableShown).map { ($0.description, .plain) }
        + [(keyLabel([.redraw: "tries again", .cancel: "to leave"]), .dim)]
    }
    return [
      ("No photos here", .bold),
      ("There is no picture or video in \(folderWords ?? "this folder") or below it.", .dim),
      (keyLabel([.cancel: "to leave"]), .dim),
    ]
  }

  /// Draws a thumbnail, or a placeholder: still loading, failed, or no pictures on this terminal.
  func drawThumbnail(of asset: Asset, key: PictureKey?, in box: CellRect, on frame: inout ScreenFrame) {
    guard !box.isEmpty else { return }
    if let defect = asset.defect {
      drawDefect(defect, in: box, on: &frame)
      return
    }
    if let shown = key.flatMap(pictures.ready) {
      frame.place(PictureSlot(key: shown, rect: box, alignment: .center))
      return
    }
    if let key, case .failed(let reason) = pictures[key] {
      drawDefect(reason, in: box, on: &frame)
      return
    }
    frame.fill(box, FrameCell(style: .placeholder))
    let isInCloud = key.map { pictures[$0] == .inCloud } ?? false
    let symbol =
      isInCloud ? symbols.badges.cloud : key == nil ? symbols.grid.noPicture : symbols.grid.loading
    let mark = DisplayText(symbol).truncated(to: box.columns)
    frame.put(
      mark, row: box.row + box.rows / 2, column: box.column + (box.columns - mark.width) / 2,
      style: .placeholder)
  }

  /// Draws the placeholder of a picture that can't be shown.
  private func drawDefect(_ reason: String, in box: CellRect, on frame: inout ScreenFrame) {
    frame.fill(box, FrameCell(style: .placeholder))
    let lines = DisplayText(reason).wrapped(to: box.columns).prefix(max(0, box.rows - 1))
    var row = box.row + max(0, (box.rows - lines.count - 1) / 2)
    frame.put(
      symbols.grid.broken, row: row, column: box.column + box.columns / 2, style: .placeholder(.error))
    for line in lines {
      row += 1
      frame.put(
        line, row: row, column: box.column + (box.columns - line.width) / 2, style: .placeholder(.plain))
    }
  }
}

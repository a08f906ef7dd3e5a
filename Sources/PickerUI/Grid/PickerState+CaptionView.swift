import AssetLibrary
import Pixels

extension PickerState {
  /// Draws the line below a picture: the cursor, the number, the name and the badges.
  ///
  /// Text never goes over a picture.
  func drawCaption(
    of asset: Asset, isCurrent: Bool, hasFocus: Bool, under box: CellRect, on frame: inout ScreenFrame
  ) {
    let row = box.endRow
    let number = picks.selection.number(of: asset.id)
    let isDimmed =
      number == nil && (picks.selection.isFull && !isSingleChoice || reasonNotSelectable(asset) != nil)
    let style = TextStyle.caption(isCurrent: isCurrent, isPicked: number != nil, isDimmed: isDimmed)
    if isCurrent {
      let bar = hasFocus ? TextStyle.cursor : .rule
      frame.put(symbols.grid.cursorLeft, row: row, column: box.column - 1, style: bar)
      frame.put(symbols.grid.cursorRight, row: row, column: box.endColumn, style: bar)
    }
    if number != nil {
      frame.fill(
        CellRect(column: box.column, row: row, columns: box.columns, rows: 1), FrameCell(style: style))
    }
    var column = box.column
    if let number {
      let mark = isSingleChoice ? symbols.grid.picked : symbols.mark(number)
      column += frame.put(mark + " ", row: row, column: column, limit: box.columns, style: style)
    } else {
      if isCurrent, !isDimmed { frame.put(symbols.grid.unpicked, row: row, column: column, style: .dim) }
      column += 2
    }
    let badge = badges(of: asset, in: box.columns - 9)
    let width = max(0, box.endColumn - column - (badge.width > 0 ? badge.width + 1 : 0))
    let name = name(of: asset).middleTruncated(to: width)
    frame.put(name, row: row, column: column, limit: width, style: style)
    highlight(searchPatterns, row: row, column: column, width: name.width, on: &frame)
    if badge.width > 0, badge.width < box.columns {
      let badgeStyle: TextStyle = number != nil ? style : asset.isBroken ? .defect : .badge
      frame.put(badge, row: row, column: box.endColumn - badge.width, style: badgeStyle)
    }
  }

  /// As many of an asset's badges as fit, the most important first.
  func badges(of asset: Asset, in width: Int) -> DisplayText {
    let all = badges(of: asset)
    guard let first = all.first else { return DisplayText("") }
    var text = DisplayText(first)
    for badge in all.dropFirst() {
      let longer = DisplayText("\(text.string) \(badge)")
      guard longer.width <= width else { break }
      text = longer
    }
    return text
  }

  func badges(of asset: Asset) -> [String] {
    var badges: [String] = []
    if asset.isBroken { return [symbols.grid.broken] }
    if hasForbiddenLineBreak(asset) { badges.append(symbols.badges.lineBreak) }
    let isRemote =
      asset.sourceType.contains(.cloudShared) || asset.resources.contains { $0.type == .photoProxy }
    if isRemote { badges.append(symbols.badges.cloud) }
    if asset.mediaType == .video {
      let length = asset.duration > 0 ? " " + options.locale.duration(asset.duration) : ""
      badges.append(symbols.badges.video + length)
    }
    if asset.mediaSubtypes.contains(.livePhoto) { badges.append(symbols.badges.livePhoto) }
    if asset.mediaSubtypes.contains(.animated) { badges.append(symbols.badges.animation) }
    if let burst = asset.burstIdentifier {
      badges.append(
        symbols.badges.burst + (grid.burstCounts[burst].map { $0 > 1 ? options.locale.number($0) : "" } ?? "")
      )
    }
    if asset.mediaSubtypes.contains(.raw) { badges.append(symbols.badges.raw) }
    if asset.mediaSubtypes.contains(.panorama) { badges.append(symbols.badges.panorama) }
    if asset.mediaSubtypes.contains(.hdr) { badges.append(symbols.badges.hdr) }
    if asset.hasAdjustments { badges.append(symbols.badges.edited) }
    if asset.isFavorite { badges.append(symbols.badges.favorite) }
    return badges
  }
}

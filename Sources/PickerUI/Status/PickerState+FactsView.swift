import AssetLibrary
import Pixels

extension PickerState {
  /// Draws the line of facts where no preview has them.
  func drawFactsLine(on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    guard let area = layout.facts, !preview.isFullScreen, let asset = current else { return }
    drawFactsLine(of: asset, in: area, on: &frame)
  }

  /// Draws the name of a photo, and as many facts as there is room for, in one line.
  func drawFactsLine(of asset: Asset, in area: CellRect, on frame: inout ScreenFrame) {
    let limit = area.columns - 2
    // The name comes before facts: a long one leaves room for one of them.
    let name = name(of: presented(asset)).middleTruncated(to: max(12, limit * 3 / 4))
    var column = area.column + 1
    column += frame.put(name, row: area.row, column: column, limit: limit, style: .title)
    highlight(searchPatterns, row: area.row, column: area.column + 1, width: name.width, on: &frame)
    if let defect = asset.defect {
      frame.put(
        " · \(defect)", row: area.row, column: column, limit: area.endColumn - 1 - column, style: .defect)
      return
    }
    var facts = [date(of: asset), technicalFacts(of: presented(asset))]
    if let details = preview.details[asset.id] { facts += cameraFacts(details) }
    // Whole facts only: the last ones go first.
    var text = DisplayText("")
    for fact in facts where !fact.isEmpty {
      let longer = DisplayText(text.string + " · " + fact)
      guard column + longer.width < area.endColumn else { break }
      text = longer
    }
    frame.put(text, row: area.row, column: column, style: .dim)
  }
}

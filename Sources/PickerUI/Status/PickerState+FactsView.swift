import AssetLibrary
import Pixels

extension PickerState {
  /// Draws the name and what is known of the photo at the cursor in one line.
  func drawFactsLine(on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    guard let area = layout.facts, !preview.isFullScreen, let asset = current else { return }
    let limit = area.columns - 2
    let name = name(of: presented(asset)).middleTruncated(to: max(12, limit / 2))
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

import AssetLibrary
import Pixels

extension PickerState {
  /// The widest that the lines below the prompt become.
  private static let widest = 72

  /// What stands below the prompt, or above it where it is in the last line.
  struct PromptLines: Hashable {
    var area: CellRect
    /// Why the search can't be understood, where the prompt's own line has no room for it.
    var fault: [DisplayText]
    /// The row of the first suggestion.
    var firstRow: Int
  }

  /// The lines below the prompt; nil if there are none.
  var promptLines: PromptLines? {
    guard let prompt = input.prompt, prompt.purpose == .search, !layout.isTooSmall else { return nil }
    let screen = metrics.size
    let columns = min(Self.widest, screen.columns)
    var fault: [DisplayText] = []
    if let error = self.fault, !fitsInPrompt(error, prompt) {
      fault = DisplayText(error).wrapped(to: max(1, columns - 2))
    }
    let suggestions = input.suggestions.suggestions
    let row = layout.title?.row ?? layout.status.row
    let isBelow = layout.title != nil
    let room = isBelow ? layout.status.row - row - 1 : row
    let rows = min(room, fault.count + suggestions.count)
    guard rows > 0 else { return nil }
    fault = Array(fault.prefix(rows))
    let texts = suggestions.map { DisplayText($0.title).width + DisplayText(detail(of: $0)).width + 8 }
    let width = min(columns, max(fault.isEmpty ? 28 : columns, texts.max() ?? 0))
    let area = CellRect(column: 0, row: isBelow ? row + 1 : row - rows, columns: width, rows: rows)
    return PromptLines(area: area, fault: fault, firstRow: area.row + fault.count)
  }

  /// Whether the prompt's own line has room for a sentence after what is typed.
  func fitsInPrompt(_ sentence: String, _ prompt: Prompt) -> Bool {
    let columns = layout.title?.columns ?? layout.status.columns
    let label = library.album == .recents ? 0 : min(DisplayText(library.title).width, max(8, columns / 5)) + 4
    return DisplayText(sentence).width + DisplayText(prompt.editor.text).width + label + 14 <= columns
  }

  private func detail(of suggestion: SearchSuggestion) -> String {
    let count = suggestion.count.map { options.locale.number($0) } ?? ""
    switch suggestion.subject {
    case .kind, .date, .measure, .term, .meant: return count
    case .search: return "recent  \(count)"
    case .album, .person, .camera, .lens, .keyword, .fileExtension:
      return "\(suggestion.subject.rawValue)  \(count)"
    }
  }

  func drawPromptLines(on frame: inout ScreenFrame) {
    guard let lines = promptLines else { return }
    drawEdge(of: lines.area, on: &frame)
    for (index, text) in lines.fault.enumerated() {
      frame.put(text, row: lines.area.row + index, column: 1, limit: lines.area.columns - 1, style: .fault)
    }
    for (index, suggestion) in input.suggestions.suggestions.enumerated() {
      let row = lines.firstRow + index
      guard row < lines.area.endRow else { break }
      frame.drawLine(
        mark: " ", suggestion.title, detail: detail(of: suggestion), row: row, in: lines.area,
        isCurrent: index == input.suggestions.selected, isChosen: false)
    }
  }

  /// Clears the lines and draws their edge towards the photos and albums, as far as there is room for it.
  private func drawEdge(of area: CellRect, on frame: inout ScreenFrame) {
    // A blank column keeps pictures from touching the edge.
    var cleared = area
    cleared.columns += 2
    let isBelow = layout.title != nil
    let edge = isBelow ? area.endRow : area.row - 1
    // A single line stands in the gap above the photos: the row below it would hide the first of them.
    let hasEdge = area.rows > 1 && (isBelow ? edge < layout.status.row : edge >= 0)
    if hasEdge {
      cleared.rows += 1
      cleared.row = min(cleared.row, edge)
    }
    frame.clear(cleared)
    for row in area.row..<area.endRow {
      frame.put(symbols.lines.vertical, row: row, column: area.endColumn, style: .rule)
    }
    guard hasEdge else { return }
    let corner = isBelow ? symbols.lines.bottomRight : symbols.lines.topRight
    let line = String(repeating: symbols.lines.horizontal, count: area.columns)
    frame.put(line + corner, row: edge, column: 0, style: .rule)
  }

  /// The suggestion in a cell of the screen; nil if there is none.
  func suggestion(row: Int, column: Int) -> Int? {
    guard let lines = promptLines, lines.area.contains(row: row, column: column) else { return nil }
    let index = row - lines.firstRow
    return input.suggestions.suggestions.indices.contains(index) ? index : nil
  }
}

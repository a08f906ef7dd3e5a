import AssetLibrary
import Pixels

extension ScreenFrame {
  /// Highlights the matches of patterns in text that is already on the frame.
  mutating func highlight(_ patterns: [TextPattern], row: Int, column: Int, width: Int) {
    guard !patterns.isEmpty, width > 0, (0..<size.rows).contains(row) else { return }
    let cells = Array(self.row(row).dropFirst(column).prefix(width))
    // The case-folded text, and the cell that each of its bytes comes from.
    var bytes: [UInt8] = []
    var places: [Int] = []
    for (place, cell) in cells.enumerated() {
      guard case .text(let text) = cell.content else { continue }
      let folded = TextPattern.fold(text)
      bytes += folded
      places += Array(repeating: place, count: folded.count)
    }
    for pattern in patterns {
      for place in pattern.matchedOffsets(folded: bytes).map({ places[$0] }) {
        let isWide = place + 1 < cells.count && cells[place + 1].content == .continuation
        var style = TextStyle.match
        style.isReversed = cells[place].style.isReversed
        restyle(
          CellRect(column: column + place, row: row, columns: isWide ? 2 : 1, rows: 1), style)
      }
    }
  }
}

import TestTerminal

extension VirtualTerminal {
  /// The overwritten cells of a picture, except the marks in its corners.
  ///
  /// A mark has a background of its own and is in the first or last row, at one of its ends.
  func damagedCells(of picture: TerminalPicture) -> [TerminalPosition] {
    picture.destroyedCells.filter { !isMark($0, of: picture) }.sorted()
  }

  /// The marks over a picture, one text per row.
  func marks(over picture: TerminalPicture) -> [String] {
    [picture.area.row, picture.area.row + picture.area.rows - 1].map { row in
      picture.destroyedCells.filter { $0.row == row && isMark($0, of: picture) }.sorted()
        .map { cell(row: $0.row, column: $0.column).text }.joined()
    }
  }

  private func isMark(_ position: TerminalPosition, of picture: TerminalPicture) -> Bool {
    let area = picture.area
    let (first, last) = (area.column, area.column + area.columns - 1)
    guard position.row == area.row || position.row == area.row + area.rows - 1 else { return false }
    let isDrawnOver = { (columns: ClosedRange<Int>) in
      columns.allSatisfy { picture.destroyedCells.contains(TerminalPosition(row: position.row, column: $0)) }
    }
    guard isDrawnOver(first...position.column) || isDrawnOver(position.column...last) else { return false }
    let cell = cell(row: position.row, column: position.column)
    return cell.isPrinted && (cell.reverse || cell.background != .default)
  }
}

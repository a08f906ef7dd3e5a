/// Where the cursor is on the screen; both count from 0 at the top left.
package struct CursorPlace: Hashable, Sendable {
  package var row: Int
  package var column: Int

  /// The question (DSR 6 of ECMA-48), answered with `CSI row ; column R`.
  package static let question: [UInt8] = Array("\u{1B}[6n".utf8)

  package init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }

  /// - Parameter answer: the numbers of the answer; nil where they are none.
  package init?(answer: [Int]) {
    guard answer.count == 2, answer.allSatisfy({ (1...Self.most).contains($0) }) else { return nil }
    self.init(row: answer[0] - 1, column: answer[1] - 1)
  }

  /// No screen has more rows or columns.
  private static let most = 1 << 16
}

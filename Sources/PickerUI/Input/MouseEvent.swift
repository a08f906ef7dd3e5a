/// What the mouse did over a cell of the screen.
package struct MouseEvent: Hashable, Sendable {
  /// What happened.
  package enum Action: Hashable, Sendable {
    case press, rightPress
    /// Moved while the left button is down.
    case drag
    case release
    case wheelUp, wheelDown
  }

  package var action: Action
  /// Both count from 0 at the top left.
  package var row: Int
  package var column: Int
  /// Whether Control was held.
  package var isControl: Bool

  package init(_ action: Action, row: Int, column: Int, isControl: Bool = false) {
    self.action = action
    self.row = row
    self.column = column
    self.isControl = isControl
  }
}

/// A mouse event at a cell of the screen.
package struct MouseEvent: Hashable, Sendable {
  /// The kind of event.
  package enum Action: Hashable, Sendable {
    case press, rightPress
    /// The mouse moved with the left button down.
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

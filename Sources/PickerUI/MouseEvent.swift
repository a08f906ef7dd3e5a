/// What the mouse did over a cell of the screen.
public struct MouseEvent: Hashable, Sendable {
  /// What happened.
  public enum Action: Hashable, Sendable {
    case press, rightPress
    /// Moved while the left button is down.
    case drag
    case release
    case wheelUp, wheelDown
  }

  public var action: Action
  /// Both count from 0 at the top left.
  public var row: Int
  public var column: Int
  /// Whether Control was held.
  public var isControl: Bool

  public init(_ action: Action, row: Int, column: Int, isControl: Bool = false) {
    self.action = action
    self.row = row
    self.column = column
    self.isControl = isControl
  }
}

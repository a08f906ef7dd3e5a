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
  /// Both count from 0 at the top left, and are no larger than a screen can be.
  package var row: Int
  package var column: Int
  /// Whether Control was held.
  package var isControl: Bool

  /// No screen has more rows or columns: the terminal's own numbers have 16 bits.
  private static let places = 0...65_535

  /// - Parameters:
  ///   - row: what is no row of a screen counts as the nearest one.
  ///   - column: likewise.
  package init(_ action: Action, row: Int, column: Int, isControl: Bool = false) {
    self.action = action
    self.row = min(max(row, Self.places.lowerBound), Self.places.upperBound)
    self.column = min(max(column, Self.places.lowerBound), Self.places.upperBound)
    self.isControl = isControl
  }
}

/// Where keys and the mouse go to.
struct InputState: Sendable {
  /// A part of the screen that can have the focus.
  enum Pane: Hashable, Sendable {
    case sidebar, grid
    /// The selection in its order.
    case strip
  }

  var focus = Pane.grid
  var overlay: Overlay?
  var prompt: Prompt?
  var mouse = MouseState()
}

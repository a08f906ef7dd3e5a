import AssetLibrary

/// What has to be remembered between two events of the mouse.
struct MouseState: Hashable, Sendable {
  /// The photo that was clicked a moment ago.
  var clicked: LocalIdentifier?
  /// Where the left button went down in the grid; nil while it is up.
  var pressed: LocalIdentifier?
  var clickGeneration = 0
  /// -1 and 1 while the mouse is held above and below the grid.
  var scrollDirection = 0
  var scrollGeneration = 0
  /// The column that scrolling by the mouse keeps to.
  var scrollColumn = 0
  /// Where the mouse holds a picture in full screen; nil while it holds none.
  var grip: Grip?

  struct Grip: Hashable, Sendable {
    var row: Int
    var column: Int
  }
}

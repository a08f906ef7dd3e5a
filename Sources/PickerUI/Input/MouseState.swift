import AssetLibrary

/// The state kept between mouse events.
struct MouseState: Hashable, Sendable {
  /// The photo clicked within the double-click interval.
  var clicked: LocalIdentifier?
  /// The photo on which the left button was pressed in the grid; nil while the button is up.
  var pressed: LocalIdentifier?
  /// Whether the photo there was the current one already: the release selects or unselects it.
  var togglesOnRelease = false
  /// The pick on which the left button was pressed in the strip; nil while the button is up.
  var draggedPick: LocalIdentifier?
  var clickGeneration = 0
  /// The direction of autoscroll: -1 or 1 while the mouse is dragged beyond the grid, else 0.
  var scrollDirection = 0
  var scrollGeneration = 0
  /// The column that autoscroll keeps.
  var scrollColumn = 0
  /// The pane whose edge is dragged; nil if none is.
  var draggedEdge: ScreenLayout.Edge?
  /// The last mouse position while a picture is dragged in full screen; nil if none is.
  var dragAnchor: DragAnchor?

  struct DragAnchor: Hashable, Sendable {
    var row: Int
    var column: Int
  }
}

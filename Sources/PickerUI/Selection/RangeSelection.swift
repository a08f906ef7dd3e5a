import AssetLibrary

/// A range of photos from its start to the cursor.
struct RangeSelection: Sendable {
  /// The photo that it starts at.
  var start: LocalIdentifier
  /// The number of picks before the range; all later ones belong to it.
  var countBefore: Int
  /// The picks removed by a range that unselects.
  var removed = Selection.Removed()
  /// The index of the last photo added to the selection; nil = the range has to be selected again from its
  /// start.
  var endIndex: Int?
  /// Whether the range unselects.
  var isRemoving = false
  /// Whether it is being dragged with the mouse.
  var isDragged = false
}

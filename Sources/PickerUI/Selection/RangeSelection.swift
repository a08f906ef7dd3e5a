import AssetLibrary

/// A range of photos that follows the cursor.
struct RangeSelection: Sendable {
  /// Where it starts.
  var start: LocalIdentifier
  /// How many were picked before; what comes after them is the range's.
  var keeps: Int
  /// What a range that unselects has taken out.
  var removed = Selection.Removed()
  /// The index of the photo up to which the selection has it; nil = it has to be selected from its start.
  var reached: Int?
  /// Whether the range is taken out of the selection.
  var isRemoving = false
  /// Whether the mouse draws it.
  var isDragged = false
}

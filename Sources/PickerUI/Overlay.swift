import AssetLibrary

/// What lies over the screen; one at a time.
enum Overlay: Hashable, Sendable {
  case help(scroll: Int)
  /// `cursor` counts `PickerFilter.Name.menu`.
  case filters(cursor: Int)
  /// `cursor` counts `AssetSort.allCases`.
  case sorts(cursor: Int)
  /// What is known of the asset, where no pane has room for it.
  case info
}

/// A line that is being typed, and what it is for.
struct Prompt: Hashable, Sendable {
  /// What becomes of the text.
  enum Purpose: Hashable, Sendable {
    case search
    /// Finds an album by its title.
    case album
    /// A number or a date, in digits.
    case jump
  }

  var purpose: Purpose
  var editor: LineEditor
}

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

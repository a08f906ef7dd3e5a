/// The styles that a theme defines: the tones of text and the named parts of the screen.
///
/// A part without a style of its own looks like its tone, and a tone like plain text.
package enum StyleName: String, CaseIterable, Hashable, Sendable {
  // Tones.
  case plain, dim, accent, warning, error

  // Parts.
  /// Lines between panes, and borders.
  case rule
  /// Titles of the grid, of boxes and of pictures.
  case title
  /// A heading above a group of lines.
  case heading
  /// The date above a group of photos.
  case dayHeader = "day-header"
  /// The line above the grid under limited access.
  case banner
  case scrollBar = "scroll-bar"
  /// The completed part of a progress bar.
  case progress
  /// The bars beside the name under the cursor.
  case cursor
  /// The name below a thumbnail.
  case caption
  /// The number of a picked photo, and its name where that is shown.
  case picked
  /// The frame of a picked photo.
  case pickFrame = "pick-frame"
  /// The place of a picture that has not come, or can't be shown.
  case placeholder
  /// What is said of a photo over its picture.
  case mark
  case badge
  /// The part of a name that matches the search.
  case match
  /// The line of a list or a menu at the cursor.
  case currentLine = "current-line"
  /// The active line of a list or a menu.
  case chosenLine = "chosen-line"
  /// A filter of the user, which can be removed.
  case chip
  /// A filter of the caller, which stays.
  case fixedFilter = "fixed-filter"
  /// The label of a prompt.
  case prompt
  /// The error message of a prompt.
  case fault
  case hintKey = "hint-key"
  case hintWords = "hint-words"
  case fact
  case factLabel = "fact-label"
  // The histograms of the colors.
  case histogramRed = "histogram-red"
  case histogramGreen = "histogram-green"
  case histogramBlue = "histogram-blue"
  /// The reason why a picture can't be shown.
  case defect
}

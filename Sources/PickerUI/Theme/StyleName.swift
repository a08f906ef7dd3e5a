/// What a theme can give a look to: the tones of text, and the parts of the screen that have a name.
///
/// A part that a theme says nothing of looks like its tone, a tone like plain text.
package enum StyleName: String, CaseIterable, Hashable, Sendable {
  // Tones.
  case plain, dim, accent, warning, error

  // Parts.
  /// Lines between parts, borders.
  case rule
  /// The name of what is shown.
  case title
  /// Words over a group of lines.
  case heading
  /// The date over a group of photos.
  case dayHeader = "day-header"
  /// What is said over the grid under limited access.
  case banner
  case scrollBar = "scroll-bar"
  /// The part of a bar that is done.
  case progress
  /// The bars beside the name under the cursor.
  case cursor
  /// The name under a thumbnail.
  case caption
  /// The name under a thumbnail that is picked.
  case picked
  case badge
  /// The part of a name that a search found.
  case match
  /// The line of a list or a menu that the keys act on.
  case currentLine = "current-line"
  /// The line of a list or a menu that counts.
  case chosenLine = "chosen-line"
  /// A condition of the user's that can be removed.
  case chip
  /// A condition of the caller's, which stays.
  case fixedFilter = "fixed-filter"
  /// What stands in front of a line being typed.
  case prompt
  /// Words for what a line being typed lacks.
  case fault
  case hintKey = "hint-key"
  case hintWords = "hint-words"
  case fact
  case factLabel = "fact-label"
  /// Words for something that went wrong.
  case defect
}

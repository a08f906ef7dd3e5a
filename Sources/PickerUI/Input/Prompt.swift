/// A line of input and its purpose.
struct Prompt: Hashable, Sendable {
  /// What the text is used for.
  enum Purpose: Hashable, Sendable {
    case search
    /// Finds an album by its title.
    case album
    /// Jumps to the number of a photo or to a date.
    case jump
  }

  var purpose: Purpose
  var editor: LineEditor
  /// Whether nothing is said of what is wrong with a search, since the term is still being typed.
  var hidesFault = false
}

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

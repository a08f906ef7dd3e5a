/// The state of input: the focus, the overlay, the prompt and the mouse.
struct InputState: Sendable {
  /// A pane that can have the focus.
  enum Pane: Hashable, Sendable {
    case sidebar, grid
    /// The strip with the selection.
    case strip
  }

  var focus = Pane.grid
  var overlay: Overlay?
  var prompt: Prompt?
  var suggestions = SuggestionState()
  /// What was searched for in this picker, the latest first.
  var recentSearches: [String] = []
  var mouse = MouseState()
  /// Keys that wait for the photos on which they act, in their order.
  var typedAhead: [Key] = []
}

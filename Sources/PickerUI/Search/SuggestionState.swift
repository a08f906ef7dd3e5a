/// The suggestions under the prompt.
struct SuggestionState: Hashable, Sendable {
  /// The latest question; nil if there is none.
  var asked: SuggestionQuery?
  /// The answer to it, or the one before while it is on its way.
  var suggestions: [SearchSuggestion] = []
  /// The index of the chosen one; nil = none yet.
  var selected: Int?
}

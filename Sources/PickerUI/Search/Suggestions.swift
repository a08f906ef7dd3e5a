import AssetLibrary
import Pixels

/// The suggestions for the search: completions or a correction.
struct SuggestionState: Hashable, Sendable {
  /// The latest request; nil if there is none.
  private(set) var asked: SuggestionQuery?
  /// The suggestions, which are those of the previous request until the latest one is answered.
  private(set) var list: [SearchSuggestion] = []
  /// The index of the selected suggestion; nil = none.
  var selected: Int?

  static func completion(of editor: LineEditor) -> SearchCompletion? {
    editor.isEmpty ? .nothing : SearchCompletion(editor)
  }

  /// - Returns: whether the request is new.
  mutating func ask(_ query: SuggestionQuery) -> Bool {
    guard query != asked else { return false }
    if query.completion != asked?.completion { selected = nil }
    asked = query
    return true
  }

  mutating func add(_ answer: SuggestionAnswer) {
    guard answer.query == asked else { return }
    let chosen = selected.map { list[$0] }
    list = answer.suggestions
    selected = answer.suggestions.firstIndex { $0.title == chosen?.title }
  }

}

extension LibraryView {
  /// The index of the correction of a search that finds nothing.
  var correction: Int? {
    guard assets.isEmpty, userFilter.search != nil, countInAllPhotos == nil else { return nil }
    return suggestions.list.firstIndex { $0.subject == .meant }
  }

  /// Applies the correction of the search.
  /// - Returns: whether there was one.
  mutating func applyCorrection() -> Bool {
    guard let correction, let completion = SearchCompletion(LineEditor(userFilter.text)) else { return false }
    let term = suggestions.list[correction].term
    suggestions = SuggestionState()
    userFilter.setSearchText(completion.replaced(by: term).text)
    userFilter.trimText()
    return true
  }

  /// Whether Tab in the search prompt searches all photos rather than completing a suggestion.
  var tabSearchesAllPhotos: Bool {
    guard countInAllPhotos != nil, suggestions.selected == nil, userFilter.parseError == nil else {
      return false
    }
    let found = suggestions.list.filter { $0.subject != .term && $0.subject != .meant }
    return assets.isEmpty ? found.isEmpty : suggestions.list.isEmpty
  }
}

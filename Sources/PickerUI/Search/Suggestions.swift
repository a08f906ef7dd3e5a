import AssetLibrary
import Pixels

/// What a search may go on with, or was probably meant to be.
struct SuggestionState: Hashable, Sendable {
  /// The latest question; nil if there is none.
  private(set) var asked: SuggestionQuery?
  /// The answer to it, or the one before while it is on its way.
  private(set) var list: [SearchSuggestion] = []
  /// The index of the chosen one; nil = none yet.
  var selected: Int?

  static func completion(of editor: LineEditor) -> SearchCompletion? {
    editor.isEmpty ? .nothing : SearchCompletion(editor)
  }

  /// - Returns: whether the question is new.
  fileprivate mutating func ask(_ query: SuggestionQuery) -> Bool {
    guard query != asked else { return false }
    if query.completion != asked?.completion { selected = nil }
    asked = query
    return true
  }

  mutating func take(_ answer: SuggestionAnswer) {
    guard answer.query == asked else { return }
    let chosen = selected.map { list[$0] }
    list = answer.suggestions
    selected = answer.suggestions.firstIndex { $0.title == chosen?.title }
  }
}

extension PickerState {
  /// Asks for suggestions where what is typed or the library has changed.
  mutating func requestSuggestions() -> [PickerEffect] {
    guard let query = suggestionQuery else {
      suggestions = SuggestionState()
      return []
    }
    return suggestions.ask(query) ? [.suggest(query)] : []
  }

  /// The question for what is typed; nil if nothing is to be suggested.
  private var suggestionQuery: SuggestionQuery? {
    guard showsLibrary, let answered = library.answeredQuery, let editor = completedLine,
      let completion = SuggestionState.completion(of: editor)
    else { return nil }
    var options = answered.options
    options.search = nil
    options.sortDescriptors = AssetSort.newest.descriptors
    return SuggestionQuery(
      completion: completion, collection: answered.collection, options: options, mode: answered.mode,
      vocabulary: self.options.search.vocabulary, assetCount: library.status.assetCount,
      recentSearches: editor.isEmpty ? recentSearches : [])
  }

  /// The line that suggestions are for: the prompt's, or a search that found nothing and may be mistyped.
  private var completedLine: LineEditor? {
    if let prompt = layers[Prompt.self] { return prompt.purpose == .search ? prompt.editor : nil }
    let filter = library.userFilter
    guard library.assets.isEmpty, library.status.isComplete, !library.isFetchingNewQuery,
      filter.search != nil,
      filter.text != options.search.text
    else { return nil }
    return LineEditor(filter.text)
  }

  /// The index of what was probably meant by a search that finds nothing.
  var correction: Int? {
    guard library.assets.isEmpty, library.userFilter.search != nil, countInAllPhotos == nil else {
      return nil
    }
    return suggestions.list.firstIndex { $0.subject == .meant }
  }

  /// Searches for what was probably meant.
  mutating func takeCorrection() -> [PickerEffect] {
    guard let index = correction, let completion = SearchCompletion(LineEditor(library.userFilter.text))
    else { return [] }
    let term = suggestions.list[index].term
    suggestions = SuggestionState()
    library.userFilter.setSearchText(completion.replaced(by: term).text)
    library.userFilter.trimText()
    return filterChanged()
  }

  /// Whether Tab in the prompt of a search searches in all photos rather than taking a suggestion.
  var tabSearchesAllPhotos: Bool {
    guard countInAllPhotos != nil, suggestions.selected == nil, library.userFilter.parseError == nil
    else { return false }
    let found = suggestions.list.filter { $0.subject != .term && $0.subject != .meant }
    return library.assets.isEmpty ? found.isEmpty : suggestions.list.isEmpty
  }

  /// The most searches that are remembered.
  private static let mostRecentSearches = 5

  /// Remembers the search, to be suggested again.
  mutating func noteSearch() {
    let text = library.userFilter.text
    guard library.userFilter.search != nil, text.contains(where: { !$0.isWhitespace }) else { return }
    recentSearches.removeAll { $0 == text }
    recentSearches.insert(text, at: 0)
    recentSearches = Array(recentSearches.prefix(Self.mostRecentSearches))
  }
}

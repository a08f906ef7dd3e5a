import AssetLibrary

extension PickerState {
  /// The question for what is typed; nil if nothing is to be suggested.
  private var suggestionQuery: SuggestionQuery? {
    guard page == .library, let answered = library.answeredQuery, let editor = completedLine,
      let completion = Self.completion(of: editor)
    else { return nil }
    var options = answered.options
    options.search = nil
    options.sortDescriptors = AssetSort.newest.descriptors
    return SuggestionQuery(
      completion: completion, collection: answered.collection, options: options, mode: answered.mode,
      vocabulary: self.options.search.vocabulary, assetCount: library.status.assetCount,
      recentSearches: editor.isEmpty ? input.recentSearches : [])
  }

  /// The line that suggestions are for: the prompt's, or a search that found nothing and may be mistyped.
  private var completedLine: LineEditor? {
    if let prompt = input.prompt { return prompt.purpose == .search ? prompt.editor : nil }
    let filter = library.userFilter
    guard library.assets.isEmpty, library.status.isComplete, !library.isFetchingNewQuery,
      filter.search != nil,
      filter.text != options.search.text
    else { return nil }
    return LineEditor(filter.text)
  }

  private static func completion(of editor: LineEditor) -> SearchCompletion? {
    editor.isEmpty ? .nothing : SearchCompletion(editor)
  }

  /// The index of what was probably meant by a search that finds nothing.
  var correction: Int? {
    guard library.assets.isEmpty, library.userFilter.search != nil, countInAllPhotos == nil else {
      return nil
    }
    return input.suggestions.suggestions.firstIndex { $0.subject == .meant }
  }

  /// Searches for what was probably meant.
  mutating func takeCorrection() -> [PickerEffect] {
    guard let index = correction else { return [] }
    if input.prompt != nil { return take(index) }
    let term = input.suggestions.suggestions[index].term
    guard let completion = SearchCompletion(LineEditor(library.userFilter.text)) else { return [] }
    input.suggestions = SuggestionState()
    library.userFilter.setSearchText(completion.replaced(by: term).text)
    library.userFilter.trimText()
    return filterChanged()
  }

  /// Whether Tab in the prompt of a search searches in all photos rather than taking a suggestion.
  var tabSearchesAllPhotos: Bool {
    guard countInAllPhotos != nil, input.suggestions.selected == nil, library.userFilter.parseError == nil
    else { return false }
    let found = input.suggestions.suggestions.filter { $0.subject != .term && $0.subject != .meant }
    return library.assets.isEmpty ? found.isEmpty : input.suggestions.suggestions.isEmpty
  }

  /// Asks for suggestions where what is typed or the library has changed.
  mutating func requestSuggestions() -> [PickerEffect] {
    guard let query = suggestionQuery else {
      input.suggestions = SuggestionState()
      return []
    }
    guard query != input.suggestions.asked else { return [] }
    if query.completion != input.suggestions.asked?.completion { input.suggestions.selected = nil }
    input.suggestions.asked = query
    return [.suggest(query)]
  }

  mutating func show(_ answer: SuggestionAnswer) {
    guard answer.query == input.suggestions.asked else { return }
    let chosen = input.suggestions.selected.map { input.suggestions.suggestions[$0] }
    input.suggestions.suggestions = answer.suggestions
    input.suggestions.selected = answer.suggestions.firstIndex { $0.title == chosen?.title }
  }

  /// Handles a key that is meant for the suggestions; nil if it is not.
  mutating func choose(_ key: Key) -> [PickerEffect]? {
    let count = input.suggestions.suggestions.count
    guard input.prompt?.purpose == .search, count > 0 else { return nil }
    switch (key, input.suggestions.selected) {
    case (.tab, nil) where correction != nil: return takeCorrection()
    case (.tab, let selected): return take(selected ?? 0)
    case (.enter, let selected?): return take(selected)
    case (.down, let selected): input.suggestions.selected = min(count - 1, (selected ?? -1) + 1)
    case (.up, let selected?): input.suggestions.selected = selected > 0 ? selected - 1 : nil
    default: return nil
    }
    return []
  }

  /// Writes a suggestion into the search in place of what was typed.
  mutating func take(_ index: Int) -> [PickerEffect] {
    let suggestions = input.suggestions.suggestions
    guard var prompt = input.prompt, suggestions.indices.contains(index),
      let completion = Self.completion(of: prompt.editor)
    else { return [] }
    prompt.editor = completion.replaced(by: suggestions[index].term)
    input.prompt = prompt
    input.suggestions = SuggestionState()
    return edited(prompt)
  }
}

import AssetLibrary

extension PickerState {
  /// The question for what is typed; nil if nothing is to be suggested.
  private var suggestionQuery: SuggestionQuery? {
    guard page == .library, let prompt = input.prompt, prompt.purpose == .search,
      let answered = library.answeredQuery, let completion = SearchCompletion(prompt.editor)
    else { return nil }
    var options = answered.options
    options.search = nil
    options.sortDescriptors = AssetSort.newest.descriptors
    return SuggestionQuery(
      completion: completion, collection: answered.collection, options: options, mode: answered.mode,
      vocabulary: self.options.search.vocabulary, assetCount: library.status.assetCount)
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
      let completion = SearchCompletion(prompt.editor)
    else { return [] }
    prompt.editor = completion.replaced(by: suggestions[index].term)
    input.prompt = prompt
    input.suggestions = SuggestionState()
    return edited(prompt)
  }
}

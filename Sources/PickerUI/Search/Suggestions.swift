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
  mutating func ask(_ query: SuggestionQuery) -> Bool {
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

  /// The index of what was probably meant by a search that finds nothing.
  func correction(of library: LibraryView) -> Int? {
    guard library.assets.isEmpty, library.userFilter.search != nil, library.countInAllPhotos == nil else {
      return nil
    }
    return list.firstIndex { $0.subject == .meant }
  }

  /// Whether Tab in the prompt of a search searches in all photos rather than taking a suggestion.
  func tabSearchesAllPhotos(of library: LibraryView) -> Bool {
    guard library.countInAllPhotos != nil, selected == nil, library.userFilter.parseError == nil
    else { return false }
    let found = list.filter { $0.subject != .term && $0.subject != .meant }
    return library.assets.isEmpty ? found.isEmpty : list.isEmpty
  }
}

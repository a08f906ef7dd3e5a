import AssetLibrary
import Pixels

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

/// The suggestions under the prompt.
struct SuggestionState: Hashable, Sendable {
  /// The latest question; nil if there is none.
  var asked: SuggestionQuery?
  /// The answer to it, or the one before while it is on its way.
  var suggestions: [SearchSuggestion] = []
  /// The index of the chosen one; nil = none yet.
  var selected: Int?
}

extension PickerState {
  /// The widest that the lines below the prompt become.
  private static let widest = 72

  /// What stands below the prompt, or above it where it is in the last line.
  struct PromptLines: Hashable {
    var area: CellRect
    /// Why the search can't be understood, where the prompt's own line has no room for it.
    var fault: [DisplayText]
    /// The row of the first suggestion.
    var firstRow: Int
  }

  /// The lines below the prompt; nil if there are none.
  var promptLines: PromptLines? {
    guard let prompt = input.prompt, prompt.purpose == .search, !layout.isTooSmall else { return nil }
    let screen = metrics.size
    let columns = min(Self.widest, screen.columns)
    var fault: [DisplayText] = []
    if let error = self.fault, !fitsInPrompt(error, prompt) {
      fault = DisplayText(error).wrapped(to: max(1, columns - 2))
    }
    let suggestions = input.suggestions.suggestions
    let row = layout.title?.row ?? layout.status.row
    let isBelow = layout.title != nil
    let room = isBelow ? layout.status.row - row - 1 : row
    let rows = min(room, fault.count + suggestions.count)
    guard rows > 0 else { return nil }
    fault = Array(fault.prefix(rows))
    let texts = suggestions.map { DisplayText($0.title).width + DisplayText(detail(of: $0)).width + 8 }
    // As wide as the albums that it covers, whose counts would stand alone behind it.
    let least = max(28, layout.sidebar?.columns ?? 0)
    let width = min(screen.columns, max(fault.isEmpty ? least : max(columns, least), texts.max() ?? 0))
    let area = CellRect(column: 0, row: isBelow ? row + 1 : row - rows, columns: width, rows: rows)
    return PromptLines(area: area, fault: fault, firstRow: area.row + fault.count)
  }

  /// Whether the prompt's own line has room for a sentence after what is typed.
  func fitsInPrompt(_ sentence: String, _ prompt: Prompt) -> Bool {
    let columns = layout.title?.columns ?? layout.status.columns
    let label = library.album == .recents ? 0 : min(DisplayText(library.title).width, max(8, columns / 5)) + 4
    return DisplayText(sentence).width + DisplayText(prompt.editor.text).width + label + 14 <= columns
  }

  private func detail(of suggestion: SearchSuggestion) -> String {
    let count = suggestion.count.map { options.locale.number($0) } ?? ""
    switch suggestion.subject {
    case .kind, .date, .measure, .term, .meant: return count
    case .search: return "recent  \(count)"
    case .album, .person, .camera, .lens, .keyword, .fileExtension:
      return "\(suggestion.subject.rawValue)  \(count)"
    }
  }

  func drawPromptLines(on frame: inout ScreenFrame) {
    guard let lines = promptLines else { return }
    drawEdge(of: lines.area, on: &frame)
    for (index, text) in lines.fault.enumerated() {
      frame.put(text, row: lines.area.row + index, column: 1, limit: lines.area.columns - 1, style: .fault)
    }
    for (index, suggestion) in input.suggestions.suggestions.enumerated() {
      let row = lines.firstRow + index
      guard row < lines.area.endRow else { break }
      frame.drawLine(
        mark: " ", suggestion.title, detail: detail(of: suggestion), row: row, in: lines.area,
        isCurrent: index == input.suggestions.selected, isChosen: false)
    }
  }

  /// What the lines below the prompt cover, and the row of their edge; nil if there are none.
  var promptBox: (rect: CellRect, edge: Int?)? {
    guard let area = promptLines?.area else { return nil }
    // A blank column keeps pictures from touching the edge.
    var rect = area
    rect.columns += 2
    let isBelow = layout.title != nil
    let edge = isBelow ? area.endRow : area.row - 1
    // A single line stands in the gap above the photos: the row below it would hide the first of them.
    guard area.rows > 1, isBelow ? edge < layout.status.row : edge >= 0 else { return (rect, nil) }
    rect.rows += 1
    rect.row = min(rect.row, edge)
    return (rect, edge)
  }

  /// Clears the lines and draws their edge towards the photos and albums, as far as there is room for it.
  private func drawEdge(of area: CellRect, on frame: inout ScreenFrame) {
    guard let (rect, edge) = promptBox else { return }
    frame.clear(rect)
    for row in area.row..<area.endRow {
      frame.put(symbols.lines.vertical, row: row, column: area.endColumn, style: .rule)
    }
    guard let edge else { return }
    let corner = layout.title != nil ? symbols.lines.bottomRight : symbols.lines.topRight
    let line = String(repeating: symbols.lines.horizontal, count: area.columns)
    frame.put(line + corner, row: edge, column: 0, style: .rule)
  }

  /// The suggestion in a cell of the screen; nil if there is none.
  func suggestion(row: Int, column: Int) -> Int? {
    guard let lines = promptLines, lines.area.contains(row: row, column: column) else { return nil }
    let index = row - lines.firstRow
    return input.suggestions.suggestions.indices.contains(index) ? index : nil
  }
}

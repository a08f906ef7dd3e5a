import AssetLibrary
import Pixels

/// A line for text input: a search with suggestions below it, a part of an album's title, or the target of a
/// jump.
struct Prompt: Layer {
  /// What the text is used for.
  enum Purpose: Hashable, Sendable {
    case search
    /// Finds an album by its title.
    case album
    /// Jumps to the number of a photo or to a date.
    case jump
  }

  let kind = LayerKind.prompt
  let purpose: Purpose
  private(set) var editor: LineEditor
  /// Whether the error of the search is hidden because the term is still being typed.
  private var hidesFault = false

  /// The text starts with the current search, or the current filter of the albums.
  init(_ purpose: Purpose, in picker: PickerState) {
    self.purpose = purpose
    let text =
      switch purpose {
      case .search: picker.library.userFilter.text
      case .album: picker.sidebar.albums.filter
      case .jump: ""
      }
    editor = LineEditor(text)
  }

  // MARK: Input

  mutating func handle(_ input: LayerInput, in picker: inout PickerState) -> Handled {
    switch input {
    case .key(let key, let command): return press(key, command, in: &picker)
    case .paste(let text):
      editor.insert(purpose == .jump ? text.filter { ("0"..."9").contains($0) } : text)
      return .handled(edited(in: &picker))
    case .mouse(let event):
      guard event.action == .press else { return .passed }
      if let index = suggestion(row: event.row, column: event.column, in: picker) {
        return .handled(accept(index, in: &picker))
      }
      // A click beside the prompt leaves it, as Enter does.
      return leaves(in: picker) ? .closedAndPassed : .passed
    }
  }

  private mutating func press(_ key: Key, _ command: Command?, in picker: inout PickerState) -> Handled {
    // While a search is typed, the cursor is on the first result, rather than on the photo of an anchor.
    if purpose != .search { picker.grid.settleCursor(on: picker.current?.id) }
    if key == .tab, purpose == .search, picker.library.tabSearchesAllPhotos {
      return .closed(picker.searchAllPhotos())
    }
    if let effects = choose(key, in: &picker) { return .handled(effects) }
    if Self.leavesForResults(key), !leaves(in: picker) { return .handled([]) }
    switch key {
    case .escape: return .closed(abandoned(in: &picker))
    case .enter: return .closed(confirmed(in: &picker))
    // Without text there are no results to go to, so the prompt stays open.
    case .up where editor.isEmpty, .down where editor.isEmpty: return .handled([])
    case .pageUp where editor.isEmpty, .pageDown where editor.isEmpty: return .handled([])
    case .up, .down, .pageUp, .pageDown, .tab, .backTab:
      // Leaves the prompt for the results.
      if purpose == .search { picker.library.noteSearch() }
      let stays = purpose == .jump || key == .tab || key == .backTab || command == nil
      return stays ? .closed([]) : .closedAndPassed
    case .backspace where editor.isEmpty: return .closed(abandoned(in: &picker))
    default: break
    }
    if purpose == .jump, !Self.isDigitOrEdit(key) {
      return .handled(
        picker.status.showNotice("Digits only: a photo number or a date (2024, 202405, 20240531)", .dim))
    }
    let before = editor.text
    guard editor.press(key) else { return .handled([]) }
    return .handled(editor.text == before ? [] : edited(in: &picker))
  }

  /// Whether a key leaves a prompt and keeps its text.
  private static func leavesForResults(_ key: Key) -> Bool {
    switch key {
    case .enter, .up, .down, .pageUp, .pageDown, .tab, .backTab: true
    default: false
    }
  }

  private static func isDigitOrEdit(_ key: Key) -> Bool {
    switch key {
    case .character(let character): ("0"..."9").contains(character)
    case .space: false
    default: true
    }
  }

  /// Whether the prompt can be left with its text; an invalid search shows its error and stays until Esc.
  mutating func leaves(in picker: PickerState) -> Bool {
    guard purpose == .search, picker.library.userFilter.parseError != nil else { return true }
    hidesFault = false
    return false
  }

  // MARK: Typed text

  /// Handles a change of the text.
  private mutating func edited(in picker: inout PickerState) -> [PickerEffect] {
    switch purpose {
    case .search:
      let before = picker.library.userFilter.search
      picker.library.userFilter.setSearchText(editor.text)
      hidesFault = isFaultBeingTyped(in: picker)
      return picker.library.userFilter.search == before ? [] : picker.filterChanged()
    case .album:
      picker.sidebar.albums.filter(by: editor.text)
      // Opens the first match, if the current album does not match.
      guard !picker.sidebar.albums.found.contains(picker.sidebar.target),
        let first = picker.sidebar.albums.found.first
      else { return [] }
      return picker.enter(first)
    case .jump: return []
    }
  }

  /// Applies the typed text to the albums that are listed now.
  mutating func albumsListed(in picker: inout PickerState) -> [PickerEffect] {
    purpose == .album && !editor.isEmpty ? edited(in: &picker) : []
  }

  private func confirmed(in picker: inout PickerState) -> [PickerEffect] {
    switch purpose {
    case .search:
      picker.library.userFilter.trimText()
      picker.library.noteSearch()
      return []
    case .album:
      // The album is chosen: list all albums again.
      picker.sidebar.albums.filter(by: "")
      return []
    case .jump:
      switch picker.library.jumpTarget(editor.text) {
      case .period(let period, let index, let nearest):
        picker.grid.forgetColumn()
        let effects = picker.moveCursor(to: index)
        guard let nearest else { return effects }
        let words =
          "\(Self.noPhotos(of: period, in: picker)); nearest: \(picker.options.locale.day(nearest))"
        return effects + picker.status.showNotice(words, .dim)
      case .number(let index):
        picker.grid.forgetColumn()
        return picker.moveCursor(to: index)
      case nil:
        if editor.isEmpty { return [] }
        let count = picker.options.locale.number(picker.library.assets.count)
        return picker.status.showNotice("No photo \(editor.text): there are \(count)")
      }
    }
  }

  private func abandoned(in picker: inout PickerState) -> [PickerEffect] {
    switch purpose {
    case .search:
      guard !picker.library.userFilter.text.isEmpty else { return [] }
      let before = picker.library.userFilter.search
      picker.library.userFilter.setSearchText("")
      return before == nil ? [] : picker.filterChanged()
    case .album: picker.sidebar.albums.filter(by: "")
    case .jump: break
    }
    return []
  }

  /// The error of the search, unless the term is still being typed.
  private func fault(in picker: PickerState) -> String? {
    hidesFault ? nil : picker.library.userFilter.parseError
  }

  /// Whether the error is in the incomplete term at the cursor.
  private func isFaultBeingTyped(in picker: PickerState) -> Bool {
    guard picker.library.userFilter.parseError != nil else { return false }
    let before = editor.characters[..<editor.cursor]
    let isAtEnd = editor.cursor == editor.characters.count
    // A minus sign or a quote alone also begins a term.
    let rest =
      SearchCompletion(editor)?.rest
      ?? (isAtEnd && before.last?.isWhitespace == false
        ? String(before[..<(before.lastIndex(where: \.isWhitespace) ?? 0)]) : nil)
    return rest.map {
      (try? SearchQuery(parsing: $0, in: picker.options.search.vocabulary, isComplete: false)) != nil
    } ?? false
  }

  // MARK: Suggestions

  /// Handles a key for the suggestions; nil if it has no meaning for them.
  private mutating func choose(_ key: Key, in picker: inout PickerState) -> [PickerEffect]? {
    let count = picker.library.suggestions.list.count
    guard purpose == .search, count > 0 else { return nil }
    switch (key, picker.library.suggestions.selected) {
    case (.tab, let selected):
      return accept(selected ?? picker.library.correction ?? 0, in: &picker)
    case (.enter, let selected?): return accept(selected, in: &picker)
    case (.down, let selected): picker.library.suggestions.selected = min(count - 1, (selected ?? -1) + 1)
    case (.up, let selected?): picker.library.suggestions.selected = selected > 0 ? selected - 1 : nil
    default: return nil
    }
    return []
  }

  /// Replaces the typed term with a suggestion.
  private mutating func accept(_ index: Int, in picker: inout PickerState) -> [PickerEffect] {
    guard picker.library.suggestions.list.indices.contains(index),
      let completion = SuggestionState.completion(of: editor)
    else { return [] }
    editor = completion.replaced(by: picker.library.suggestions.list[index].term)
    picker.library.suggestions = SuggestionState()
    return edited(in: &picker)
  }

  /// The suggestion in a cell of the screen; nil if there is none.
  private func suggestion(row: Int, column: Int, in picker: PickerState) -> Int? {
    guard let lines = lines(in: picker), lines.area.contains(row: row, column: column) else { return nil }
    let index = row - lines.firstRow
    return picker.library.suggestions.list.indices.contains(index) ? index : nil
  }

  // MARK: The last line

  func hints(in picker: PickerState) -> [StatusLine.Hint]? {
    let hints: [(String, Key)] =
      switch purpose {
      case .search where picker.library.tabSearchesAllPhotos:
        [("all photos", .tab), ("done", .enter), ("cancel", .escape)]
      case .search where editor.isEmpty || !picker.library.suggestions.list.isEmpty:
        (picker.library.suggestions.list.isEmpty ? [] : [("complete", .tab)])
          + [("done", .enter), ("cancel", .escape)]
      case .search: [("done", .enter), ("cancel", .escape), ("photos", .down)]
      case .album: [("open", .enter), ("all albums", .escape)]
      case .jump: [("go", .enter), ("cancel", .escape)]
      }
    return hints.map { StatusLine.Hint($1, $0, picker.options.symbols) }
  }

  func helpfulKeys(in picker: PickerState) -> [String]? {
    purpose == .search ? ["\(Key.escape.label(picker.options.symbols)) cancel search"] : nil
  }

  // MARK: Drawing

  /// The line of the prompt: that of the title, or the last one if there is no title.
  private static func line(in picker: PickerState) -> CellRect {
    picker.layout.title ?? picker.layout.status
  }

  func draw(on frame: inout ScreenFrame, in picker: PickerState) {
    // The last line may be occupied by the question whether to leave.
    if picker.layout.title != nil || !picker.status.asksToLeave { drawLine(on: &frame, in: picker) }
    drawLines(on: &frame, in: picker)
  }

  /// Draws the typed text and the number of results.
  private func drawLine(on frame: inout ScreenFrame, in picker: PickerState) {
    let area = Self.line(in: picker)
    let label =
      switch purpose {
      case .search where picker.library.album != .recents:
        // The prompt replaces the name of the album.
        "Search in \(DisplayText(picker.library.title).truncated(to: max(8, area.columns / 5)).string)"
      case .search: "Search"
      case .album: "Album"
      case .jump: "Go to"
      }
    let feedback = feedback(in: picker)
    let isSentence = purpose != .album && feedback.style != .dim && fits(feedback.text, in: picker)
    let answer = DisplayText(feedback.text).truncated(
      to: isSentence ? area.columns : max(0, area.columns / 2))
    var column = area.column + 1
    column += frame.put(label, row: area.row, column: column, style: .prompt) + 2
    let width = max(2, area.endColumn - column - answer.width - 4)
    let window = editor.window(width: width)
    frame.put(window.text, row: area.row, column: column, limit: width, style: .plain)
    if column + window.caret < area.endColumn {
      // The caret has no cell of its own: the character at its position is drawn reversed, or the blank after
      // the text.
      let caret = CellRect(column: column + window.caret, row: area.row, columns: 1, rows: 1)
      let cells = frame.row(area.row)
      let isWide =
        caret.column + 1 < frame.size.columns
        && cells[cells.startIndex + caret.column + 1].content == .continuation
      frame.restyle(
        CellRect(column: caret.column, row: area.row, columns: isWide ? 2 : 1, rows: 1),
        TextStyle(.accent, reversed: true))
    }
    frame.put(
      answer, row: area.row, column: max(column, area.endColumn - 1 - answer.width), style: feedback.style)
  }

  /// "No photos from March 2024", for a jump that ends on another day.
  private static func noPhotos(of period: CalendarPeriod, in picker: PickerState) -> String {
    "No photos from \(picker.options.locale.period(period))"
  }

  /// The longest of some examples that fits into half of the line.
  private static func example(_ texts: String..., in picker: PickerState) -> String {
    texts.first { DisplayText($0).width <= line(in: picker).columns / 2 } ?? ""
  }

  /// Whether a sentence fits after the typed text.
  private func fits(_ sentence: String, in picker: PickerState) -> Bool {
    let columns = Self.line(in: picker).columns
    let label =
      picker.library.album == .recents
      ? 0 : min(DisplayText(picker.library.title).width, max(8, columns / 5)) + 4
    return DisplayText(sentence).width + DisplayText(editor.text).width + label + 14 <= columns
  }

  private func feedback(in picker: PickerState) -> (text: String, style: TextStyle) {
    let (locale, library) = (picker.options.locale, picker.library)
    switch purpose {
    case .search:
      if let error = fault(in: picker) { return fits(error, in: picker) ? (error, .fault) : ("", .fault) }
      if library.isFetchingNewQuery { return ("…", .dim) }
      if library.userFilter.search == nil {
        return (
          Self.example(
            "may 2022, videos, lisbon… or after:2024-05", "may 2022, videos, lisbon", "may 2022", in: picker),
          .dim
        )
      }
      let here = "\(locale.number(library.assets.count)) found"
      let style: TextStyle = library.assets.isEmpty ? .fault : .accent
      guard let count = picker.library.countInAllPhotos else { return (here, style) }
      let way =
        "\(locale.number(count)) in all photos"
        + (picker.library.tabSearchesAllPhotos ? ": Tab" : "")
      // Chooses the longest text that fits.
      let texts = [
        library.assets.isEmpty ? "\(picker.library.nothingHere) · \(way)" : "\(here) here · \(way)",
        "\(here) · \(way)", way,
      ]
      return (texts.first { fits($0, in: picker) } ?? here, style)
    case .album:
      if picker.sidebar.albums.filter.isEmpty { return ("part of the title", .dim) }
      let count = picker.sidebar.albums.found.count
      return ("\(locale.number(count)) found", count == 0 ? .fault : .dim)
    case .jump:
      switch library.jumpTarget(editor.text) {
      case .number(let index):
        return ("photo \(locale.number(index + 1)) of \(locale.number(library.assets.count))", .accent)
      case .period(let period, _, nil): return (locale.period(period), .accent)
      case .period(let period, _, let nearest?):
        let long = "\(Self.noPhotos(of: period, in: picker)) · nearest: \(locale.day(nearest))"
        return fits(long, in: picker) ? (long, .fault) : ("nearest: \(locale.day(nearest))", .fault)
      case nil:
        let count = locale.number(library.assets.count)
        return (
          Self.example(
            "a number up to \(count), or 2024, 202405, 20240531", "up to \(count), or 2024, 202405", "2024",
            in: picker),
          .dim
        )
      }
    }
  }

  // MARK: The lines below

  /// The maximum width of the lines below the prompt.
  private static let widest = 72

  /// The lines below the prompt, or above it if it is the last line.
  private struct Lines {
    var area: CellRect
    /// The error of the search, if the prompt's own line has no room for it.
    var fault: [DisplayText]
    /// The row of the first suggestion.
    var firstRow: Int
  }

  /// The lines below the prompt; nil if there are none.
  private func lines(in picker: PickerState) -> Lines? {
    let layout = picker.layout
    guard purpose == .search, !layout.isTooSmall else { return nil }
    let screen = picker.layout.metrics.size
    let columns = min(Self.widest, screen.columns)
    var fault: [DisplayText] = []
    if let error = self.fault(in: picker), !fits(error, in: picker) {
      fault = DisplayText(error).wrapped(to: max(1, columns - 2))
    }
    let suggestions = picker.library.suggestions.list
    let row = Self.line(in: picker).row
    let isBelow = layout.title != nil
    let room = isBelow ? layout.status.row - row - 1 : row
    let rows = min(room, fault.count + suggestions.count)
    guard rows > 0 else { return nil }
    fault = Array(fault.prefix(rows))
    let texts = suggestions.map {
      DisplayText($0.title).width + DisplayText(Self.detail(of: $0, in: picker)).width + 8
    }
    // At least as wide as the albums that it covers, so that their counts are not left alone beside it.
    let least = max(28, layout.sidebar?.columns ?? 0)
    let width = min(screen.columns, max(fault.isEmpty ? least : max(columns, least), texts.max() ?? 0))
    let area = CellRect(column: 0, row: isBelow ? row + 1 : row - rows, columns: width, rows: rows)
    return Lines(area: area, fault: fault, firstRow: area.row + fault.count)
  }

  private static func detail(of suggestion: SearchSuggestion, in picker: PickerState) -> String {
    let count = suggestion.count.map { picker.options.locale.number($0) } ?? ""
    switch suggestion.subject {
    case .kind, .date, .measure, .term, .meant: return count
    case .search: return "recent  \(count)"
    case .album, .person, .camera, .lens, .keyword, .fileExtension:
      return "\(suggestion.subject.rawValue)  \(count)"
    }
  }

  func cover(in picker: PickerState) -> CellRect? { lines(in: picker).map { Self.box($0, in: picker).rect } }

  /// The covered area, and the row of its edge.
  private static func box(_ lines: Lines, in picker: PickerState) -> (rect: CellRect, edge: Int?) {
    let area = lines.area
    var rect = area
    // A single line takes the whole gap above the photos: an edge below it would hide the first row of
    // photos, and days beside it would seem to belong to it.
    if area.rows == 1 {
      rect.columns = picker.layout.metrics.size.columns
      return (rect, nil)
    }
    // A blank column keeps pictures from touching the edge.
    rect.columns += 2
    let isBelow = picker.layout.title != nil
    let edge = isBelow ? area.endRow : area.row - 1
    guard isBelow ? edge < picker.layout.status.row : edge >= 0 else { return (rect, nil) }
    rect.rows += 1
    rect.row = min(rect.row, edge)
    return (rect, edge)
  }

  private func drawLines(on frame: inout ScreenFrame, in picker: PickerState) {
    guard let lines = lines(in: picker) else { return }
    let area = lines.area
    let (rect, edge) = Self.box(lines, in: picker)
    frame.clear(rect)
    let symbols = picker.options.symbols.lines
    for row in area.row..<area.endRow where area.rows > 1 {
      frame.put(symbols.vertical, row: row, column: area.endColumn, style: .rule)
    }
    if let edge {
      // The edge is on the side of the photos and albums.
      let corner = picker.layout.title != nil ? symbols.bottomRight : symbols.topRight
      let line = String(repeating: symbols.horizontal, count: area.columns)
      frame.put(line + corner, row: edge, column: 0, style: .rule)
    }
    for (index, text) in lines.fault.enumerated() {
      frame.put(text, row: area.row + index, column: 1, limit: area.columns - 1, style: .fault)
    }
    for (index, suggestion) in picker.library.suggestions.list.enumerated() {
      let row = lines.firstRow + index
      guard row < area.endRow else { break }
      frame.drawLine(
        mark: " ", suggestion.title, detail: Self.detail(of: suggestion, in: picker), row: row, in: area,
        isCurrent: index == picker.library.suggestions.selected, isChosen: false)
    }
  }
}

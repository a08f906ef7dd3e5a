import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// Suggestions below the prompt, with their keys and display.
@Suite struct SuggestionTests {
  private static let suggestions = [
    SearchSuggestion(subject: .kind, title: "live photos", term: "live photos", count: 3),
    SearchSuggestion(subject: .album, title: "Lisbon", term: "album:Lisbon", count: 1204),
    SearchSuggestion(subject: .term, title: "lens:", term: "lens:", count: nil),
  ]

  private func typing(_ text: String, size: CellSize = CellSize(columns: 120, rows: 40)) -> TestPicker {
    var picker = TestPicker.open(size: size)
    picker.press(.character("/"))
    for character in text { picker.press(character == " " ? .space : .character(character)) }
    picker.answerFetches()
    return picker
  }

  private func questions(_ picker: TestPicker) -> [SuggestionQuery] {
    picker.effects.compactMap { if case .suggest(let query) = $0 { query } else { nil } }
  }

  private func suggested(
    _ text: String, size: CellSize = CellSize(columns: 120, rows: 40)
  ) throws -> TestPicker {
    var picker = typing(text, size: size)
    let query = try #require(questions(picker).last)
    picker.send(.suggestions(SuggestionAnswer(query: query, suggestions: Self.suggestions)))
    return picker
  }

  /// The cells below the prompt up to the line on their right.
  private func suggestedArea(of picker: TestPicker) -> CellRect? {
    let rows = (1..<picker.frame.size.rows - 1).map { Array(picker.frame.row($0)) }
    let edge = FrameCell(content: .text(picker.options.symbols.lines.vertical), style: .rule)
    guard let column = rows[0].firstIndex(of: edge) else { return nil }
    return CellRect(column: 0, row: 1, columns: column, rows: rows.prefix { $0[column] == edge }.count)
  }

  @Test func `Suggestions are requested once, for the current view without the search`() throws {
    let picker = typing("li")
    #expect(questions(picker).map(\.completion.value) == ["", "l", "li"])
    let query = try #require(questions(picker).last)
    #expect(query.options.search == nil && query.mode == .picking && query.collection == nil)
    #expect(questions(typing("li ")).map(\.completion.value) == ["", "l", "li"])
  }

  @Test func `Filter and album matter, the sort order does not`() throws {
    var picker = TestPicker.open()
    picker.press(.character("f"), .space, .escape)
    picker.answerFetches()
    picker.press(.tab, .down, .tab)
    picker.answerFetches()
    picker.press(.character("/"), .character("l"))
    picker.answerFetches()
    let query = try #require(questions(picker).last)
    #expect(query.options.filter == .matching(.images))
    #expect(query.collection == LocalIdentifier("album"))
    #expect(query.options.sortDescriptors == AssetSort.newest.descriptors)
  }

  @Test(arguments: [
    CellSize(columns: 120, rows: 40), .init(columns: 60, rows: 20), .init(columns: 30, rows: 8),
  ])
  func `They are shown beside the prompt with their counts`(size: CellSize) throws {
    let picker = try suggested("li", size: size)
    let prompt = try #require(picker.lines.firstIndex { $0.contains("Search  li") })
    let first = try #require(picker.lines.firstIndex { $0.contains("live photos") })
    #expect(first == (prompt == 0 ? 1 : prompt - 3))
    #expect(picker.lines[first].contains("3"))
    #expect(picker.lines[first + 1].contains("Lisbon") && picker.lines[first + 1].contains("album  1,204"))
    #expect(picker.lines[first + 2].contains("lens:"))
  }

  @Test func `Pictures below them are removed and restored`() throws {
    var picker = typing("1", size: CellSize(columns: 80, rows: 24))
    picker.makeDemanded()
    let before = picker.frame.slots.count
    let query = try #require(questions(picker).last)
    picker.send(.suggestions(SuggestionAnswer(query: query, suggestions: Self.suggestions)))
    let area = try #require(suggestedArea(of: picker))
    #expect(picker.frame.slots.allSatisfy { !$0.rect.intersects(area) })
    #expect(picker.frame.slots.count < before)
    picker.press(.escape)
    picker.answerFetches()
    picker.makeDemanded()
    #expect(picker.frame.slots.count >= before)
  }

  @Test(arguments: [(120, 40), (100, 30), (80, 24), (60, 18)], [1, 3])
  func `They leave no partial label or frame beside them`(
    size: (columns: Int, rows: Int), count: Int
  ) throws {
    var picker = typing("", size: CellSize(columns: size.columns, rows: size.rows))
    picker.makeDemanded()
    let parts = { (line: String) in
      // Labels have one blank between words, and a gap of two or a line of the box beside them.
      line.split { "│╭╮╰╯─".contains($0) }.map(String.init)
        .flatMap { $0.split(separator: "  ").map(\.trimmed) }.filter { !$0.isEmpty }
    }
    picker.press(.escape)
    let before = picker.lines.map(parts)
    #expect(picker.frame.cells.contains { $0.style == .cursor })
    picker.press(.character("/"))
    let query = try #require(questions(picker).last)
    let suggestions = Array(Self.suggestions.prefix(count))
    picker.send(.suggestions(SuggestionAnswer(query: query, suggestions: suggestions)))
    // A single one has the whole line.
    let line = CellRect(column: 0, row: 1, columns: size.columns, rows: 1)
    let area = try #require(count == 1 ? line : suggestedArea(of: picker))
    if count == 1 { #expect(parts(picker.lines[1]) == ["live photos", "3"]) }
    for row in area.row...area.endRow {
      let rest = String(picker.lines[row].dropFirst(area.endColumn + 1))
      #expect(parts(rest).allSatisfy(before[row].contains), "\(picker.lines[row])")
    }
    // The cursor's photo lies below the box.
    #expect(!picker.frame.cells.contains { $0.style == .cursor })
    picker.press(.escape)
    #expect(picker.lines.map(parts) == before)
  }

  @Test(arguments: 40...120)
  func `An example in an empty prompt is shown in full`(columns: Int) {
    var picker = TestPicker.open(size: CellSize(columns: columns, rows: 24))
    for key in [Key.character("/"), .character("1")] {
      picker.press(key)
      if key == .character("1") { picker.press(.backspace) }
      #expect(!picker.lines[0].hasSuffix("… "), "\(picker.lines[0])")
      picker.press(.escape)
    }
  }

  @Test func `Tab accepts the first, and the search follows`() throws {
    var picker = try suggested("may li")
    picker.press(.tab)
    #expect(picker.prompt == "may live photos ")
    picker.answerFetches()
    #expect(picker.query?.options.search == (try SearchQuery(parsing: "may live photos")))
    #expect(!picker.shows("album  1,204"))
  }

  @Test func `Up and Down choose, Tab and Enter accept`() throws {
    for key in [Key.tab, .enter] {
      var picker = try suggested("li")
      picker.press(.down, .down, .down, .down, .up)
      let row = try #require(picker.lines.firstIndex { $0.contains("album  1,204") })
      #expect(picker.frame.row(row).dropFirst(4).first?.style.part == .currentLine)
      picker.press(key)
      #expect(picker.prompt == "album:Lisbon ")
    }
  }

  @Test func `Up from the first chooses none, and Enter then keeps the search`() throws {
    var picker = try suggested("li")
    picker.press(.down, .up, .enter)
    #expect(picker.prompt == nil && picker.title.contains("“li” ✕"))
    #expect(!picker.shows("live photos"))
  }

  @Test func `Without suggestions the keys move to the photos as usual`() {
    var picker = typing("li")
    picker.press(.down)
    #expect(picker.prompt == nil)
  }

  @Test func `A click accepts one`() throws {
    var picker = try suggested("li")
    let place = try #require(picker.place(of: "Lisbon  "))
    picker.send(.mouse(MouseEvent(.press, row: place.row, column: 5)))
    #expect(picker.prompt == "album:Lisbon ")
  }

  @Test func `Answers for earlier text are ignored`() throws {
    var picker = typing("l")
    let query = try #require(questions(picker).last)
    picker.press(.character("i"))
    picker.send(.suggestions(SuggestionAnswer(query: query, suggestions: Self.suggestions)))
    #expect(picker.suggestions.isEmpty)
    picker.press(.escape)
    picker.send(.suggestions(SuggestionAnswer(query: query, suggestions: Self.suggestions)))
    #expect(picker.suggestions.isEmpty && !picker.shows("live photos"))
    picker.press(.character("/"))
    #expect(picker.suggestions.isEmpty)
  }

  @Test func `A growing library is counted again, and the choice stays`() throws {
    var picker = try suggested("li")
    picker.press(.down)
    let before = questions(picker).count
    picker.library.append(.photo("new"))
    picker.send(.libraryChanged)
    picker.answerFetches()
    #expect(questions(picker).count == before + 1)
    let query = try #require(questions(picker).last)
    picker.send(.suggestions(SuggestionAnswer(query: query, suggestions: Self.suggestions.reversed())))
    // The first is the last now.
    picker.press(.tab)
    #expect(picker.prompt == "live photos ")
  }

  @Test func `Other prompts have none`() {
    var picker = TestPicker.open()
    picker.press(.character("2"), .escape, .tab, .character("/"), .character("l"))
    #expect(questions(picker).isEmpty)
  }

  private static let meant = SearchSuggestion(
    subject: .meant, title: "did you mean Lisbon?", term: "Lisbon", count: 8)

  @Test(arguments: [false, true], [120, 60])
  func `A mistyped word suggests its correction, and Tab accepts it`(isKept: Bool, columns: Int) throws {
    var picker = typing("may lixbon", size: CellSize(columns: columns, rows: 30))
    // Enter may precede the answer.
    if isKept { picker.press(.enter) }
    let query = try #require(questions(picker).last)
    #expect(query.completion.value == "lixbon")
    picker.send(.suggestions(SuggestionAnswer(query: query, suggestions: [Self.meant])))
    #expect(picker.shows("Did you mean Lisbon? Tab"))
    picker.press(.tab)
    #expect(picker.prompt == (isKept ? nil : "may Lisbon "))
    picker.answerFetches()
    #expect(picker.query?.options.search == (try SearchQuery(parsing: "may Lisbon")))
  }

  @Test func `Searches are remembered for the next run`() throws {
    var picker = TestPicker.open { $0.screen.recentSearches = ["3", "25"] }
    #expect(picker.screenChanges.recentSearches == nil)
    picker.press(.character("/"))
    #expect(questions(picker).last?.recentSearches == ["3", "25"])
    picker.press(.character("2"), .character("5"))
    picker.answerFetches()
    picker.press(.enter)
    #expect(picker.screenChanges.recentSearches == ["25", "3"])
  }

  @Test func `A search of the caller is not remembered for the next run`() throws {
    let query = try SearchQuery(parsing: "25")
    for earlier in [[], ["25"]] {
      var picker = TestPicker.open {
        $0.search.text = "25"
        $0.search.query = query
        $0.screen.recentSearches = earlier
      }
      picker.press(.character("/"), .enter)
      #expect(picker.screenChanges.recentSearches == nil)
    }
  }

  @Test func `An empty prompt suggests earlier searches`() throws {
    var picker = typing("1")
    picker.press(.enter, .character("/"), .control("u"))
    for character in "25" { picker.press(.character(character)) }
    picker.answerFetches()
    picker.press(.enter, .escape)
    picker.answerFetches()
    picker.press(.character("/"))
    let query = try #require(questions(picker).last)
    #expect(query.completion == .nothing && query.recentSearches == ["25", "1"])
    let recent = SearchSuggestion(subject: .search, title: "25", term: "25", count: 1)
    picker.send(.suggestions(SuggestionAnswer(query: query, suggestions: [recent])))
    #expect(picker.shows("recent  1"))
    picker.press(.up, .down, .enter)
    #expect(picker.prompt == "25 ")
    picker.answerFetches()
    #expect(picker.query?.options.search == (try SearchQuery(parsing: "25")))
  }
}

import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct UserFilterTests {
  private static let names = ["lisbon-1.jpg", "lisbon-2.jpg", "porto-1.jpg", "Zürich.jpg"]
  private static let library: [Asset] = names.enumerated().map { .photo($1, day: 20 - $0) }

  private func typed(_ text: String, in picker: inout TestPicker) {
    for character in text { picker.press(character == " " ? .space : .character(character)) }
  }

  @Test func `A search narrows with every letter and shows the number of matches`() {
    var picker = TestPicker.open(Self.library)
    picker.press(.character("/"))
    typed("lis", in: &picker)
    #expect(picker.shows("Search  lis"))
    picker.answerFetches()
    #expect(picker.tiles.map(\.name) == ["lisbon-1.jpg", "lisbon-2.jpg"])
    #expect(picker.shows("2 found"))
    picker.press(.enter)
    #expect(picker.prompt == nil)
    #expect(picker.lines[0].contains("“lis” ✕"))
    #expect(picker.outcome == nil)
  }

  @Test func `"No matches" is shown only once the library has answered the last fetch`() {
    var picker = TestPicker.open(Self.library)
    picker.send(.libraryChanged)
    picker.press(.character("/"))
    typed("lis", in: &picker)
    #expect(!picker.shows("found") && picker.shows("…"))
    picker.answerFetch()
    #expect(!picker.shows("found"))
    picker.answerFetches()
    #expect(picker.shows("2 found"))
    // After typing back to the displayed search nothing is pending.
    picker.send(.libraryChanged)
    typed("b", in: &picker)
    picker.press(.backspace)
    #expect(picker.shows("2 found"))
  }

  @Test func `However fast the typing, one fetch is pending`() {
    var picker = TestPicker.open(Self.library)
    let before = picker.effects.compactMap(\.fetchQuery).count
    picker.press(.character("/"))
    typed("lisbon", in: &picker)
    #expect(picker.effects.compactMap(\.fetchQuery).count == before + 1)
    picker.answerFetch()
    #expect(picker.effects.compactMap(\.fetchQuery).count == before + 2)
    picker.answerFetch()
    #expect(picker.effects.compactMap(\.fetchQuery).count == before + 2)
    #expect(picker.tiles.count == 2)
  }

  @Test(arguments: ["zurich", "zruich", "zurrich"])
  func `Matches are highlighted in the names, also those of a mistyped word`(word: String) throws {
    var picker = TestPicker.open(Self.library)
    picker.press(.character("/"))
    typed(word, in: &picker)
    picker.answerFetches()
    picker.press(.enter)
    let row = try #require(picker.lines.lastIndex { $0.contains("Zürich") })
    let marked = picker.frame.row(row).filter { $0.style == .match }.map { cell -> String in
      if case .text(let text) = cell.content { text } else { "" }
    }
    #expect(marked.joined() == "Zürich")
  }

  @Test func `An invalid term keeps the results and explains what is expected`() {
    var picker = TestPicker.open(Self.library)
    picker.press(.character("/"))
    typed("lis", in: &picker)
    picker.answerFetches()
    typed(" after:20", in: &picker)
    picker.answerFetches()
    #expect(picker.tiles.count == 2)
    // Not while it is being typed.
    #expect(!picker.shows("is not a date"))
    typed(" ", in: &picker)
    #expect(picker.lines[0].contains("“after:20” is not a date: write after:2024-05 or after:7d"))
  }

  @Test(arguments: [
    "rating:", "rating:>", "lis rating:x", "foo:", "\"two wo", "(rating:", "-date:20", "near:38,",
  ])
  func `An invalid term is reported as soon as the cursor leaves it, not while typing`(text: String) {
    for key in [Key.enter, .tab, .down, .space] where key != .space || !text.contains("\"") {
      var picker = TestPicker.open(Self.library)
      picker.press(.character("/"))
      for character in text {
        picker.press(character == " " ? .space : .character(character))
        picker.answerFetches()
        #expect(!picker.shows("write"), "\(text) \(character)")
      }
      let isWrong = (try? SearchQuery(parsing: text, isComplete: false)) == nil
      picker.press(key)
      #expect(picker.shows("write") == isWrong, "\(text) \(key)")
    }
  }

  @Test(arguments: [Key.up, .down, .pageUp, .pageDown])
  func `Up and Down stay in an empty prompt`(key: Key) {
    for opening in [[Key.character("/")], [.tab, .character("/")], [.character("2"), .backspace]] {
      var picker = TestPicker.open(Self.library)
      for opening in opening { picker.press(opening) }
      let isOpen = picker.prompt != nil
      picker.press(key)
      #expect((picker.prompt != nil) == isOpen)
      for character in "lis" where isOpen { picker.press(.character(character)) }
      picker.answerFetches()
      #expect(picker.menu == nil && picker.box == nil)
      if opening.count == 1 { #expect(picker.prompt == "lis" && picker.shows("2 found")) }
    }
  }

  @Test func `An error stays on the screen in full until it is corrected or dropped`() {
    for size in [CellSize(columns: 120, rows: 40), .init(columns: 50, rows: 20), .init(columns: 30, rows: 8)]
    {
      var picker = TestPicker.open(Self.library, size: size)
      picker.press(.character("/"))
      typed("lis after:foo", in: &picker)
      picker.answerFetches()
      let sentence = "“after:foo” is not a date: write after:2024-05 or after:7d"
      for key in [Key.enter, .up, .down, .pageDown, .tab] {
        picker.press(key)
        #expect(picker.prompt != nil)
        let text = picker.lines.map { $0.split(separator: " ").joined(separator: " ") }
        #expect(text.joined(separator: " ").contains(sentence), "\(size)")
      }
      picker.send(.mouse(MouseEvent(.press, row: size.rows - 3, column: 20)))
      #expect(picker.prompt != nil)
      picker.press(.backspace, .backspace, .backspace, .character("7"), .character("d"))
      #expect(!picker.shows("is not a date"))
      picker.press(.enter)
      #expect(picker.prompt == nil)
    }
  }

  @Test func `Escape clears the search and restores the cursor`() {
    var picker = TestPicker.open(Self.library)
    picker.press(.right, .right, .character("/"))
    typed("zur", in: &picker)
    picker.answerFetches()
    #expect(picker.cursor == "Zürich.jpg")
    picker.press(.escape)
    picker.answerFetches()
    #expect(picker.cursor == "porto-1.jpg")
    #expect(picker.outcome == nil)
  }

  @Test func `An empty result explains how to show everything again`() {
    var picker = TestPicker.open(Self.library)
    picker.press(.character("/"))
    typed("nowhere", in: &picker)
    picker.answerFetches()
    #expect(picker.shows("Nothing found for “nowhere”"))
    // While typing, a letter is not a command.
    #expect(picker.shows("Esc cancel search") && !picker.shows("search again"))
    picker.press(.enter)
    #expect(picker.shows("c clear · / search again"))
    picker.press(.character("c"))
    picker.answerFetches()
    #expect(picker.tiles.count == 4)
  }

  @Test func `If the filters leave nothing, the menu names its own key`() {
    var picker = TestPicker.open(Self.library)
    picker.press(.character("f"))
    typed("vid", in: &picker)
    picker.press(.space)
    picker.answerFetches()
    #expect(picker.shows("Nothing found for “videos”"))
    #expect(picker.shows("clear filters") && !picker.shows("c clear "))
    picker.press(.escape, .escape)
    #expect(picker.shows("c clear"))
  }

  @Test func `Pasted text is searched for, without terminal control characters`() {
    var picker = TestPicker.open(Self.library)
    picker.send(.paste("por\u{1B}to\n"))
    picker.answerFetches()
    #expect(picker.prompt == "porto " && picker.shows("1 found"))
  }

  @Test func `Conditions of one kind are alternatives, others combine, and the caller's stays`() throws {
    var userFilter = UserFilter(sort: .newest)
    #expect(userFilter.filter(within: nil) == nil)
    #expect(userFilter.filter(within: .matching(.images)) == .matching(.images))
    userFilter.cycle(.panoramas)
    userFilter.cycle(.screenshots)
    userFilter.cycle(.favorites)
    userFilter.cycle(.edited)
    userFilter.cycle(.edited)
    #expect(
      userFilter.filter(within: .matching(.images))
        == .all([
          .matching(.images), .any([.matching(.panoramas), .matching(.screenshots)]), .matching(.favorites),
          .not(.matching(.edited)),
        ]))
    userFilter.cycle(.edited)
    #expect(userFilter.condition(.edited) == nil)
  }

  @Test func `The filter menu includes a kind, excludes it, or ignores it`() {
    var picker = TestPicker.open(Self.library) { $0.configuration.filter = .not(.matching(.videos)) }
    let caller = PickerFilter.not(.matching(.videos))
    picker.press(.character("f"), .space)
    #expect(picker.query?.options.filter == .all([caller, .matching(.images)]))
    #expect(picker.lines[0].contains("images ✕"))
    #expect(picker.lines[0].contains("not videos only"))
    picker.answerFetches()
    picker.press(.space)
    #expect(picker.query?.options.filter == .all([caller, .not(.matching(.images))]))
    picker.answerFetches()
    picker.press(.space)
    #expect(picker.query?.options.filter == caller)
    #expect(picker.query?.albums == nil)
    picker.press(.escape)
    #expect(picker.menu == nil)
    #expect(picker.outcome == nil)
  }

  @Test func `Backspace removes the last filter, never the caller's`() {
    var picker = TestPicker.open(Self.library) { $0.configuration.filter = .matching(.images) }
    picker.press(.character("f"), .down, .space, .escape)
    picker.answerFetches()
    picker.press(.backspace)
    picker.answerFetches()
    #expect(picker.query?.options.filter == .matching(.images))
    picker.press(.backspace, .character("c"))
    #expect(picker.query?.options.filter == .matching(.images))
  }

  @Test(arguments: Array(AssetSort.allCases.enumerated()))
  func `The sort menu reorders the photos, and the cursor stays at its photo`(
    index: Int, sort: AssetSort
  ) {
    var picker = TestPicker.open(Self.library)
    picker.press(.right, .character("s"), .home)
    for _ in 0..<index { picker.press(.down) }
    picker.press(.enter)
    picker.answerFetches()
    #expect(picker.menu == nil && picker.order == sort)
    #expect(picker.query?.options.sortDescriptors == sort.descriptors)
    #expect(picker.cursor == "lisbon-2.jpg")
  }

  @Test func `Hidden photos are shown on demand`() {
    var picker = TestPicker.open(Self.library)
    picker.press(.character("."))
    #expect(picker.query?.options.includeHiddenAssets == true)
    picker.answerFetches()
    picker.press(.character("."))
    #expect(picker.query?.options.includeHiddenAssets == false)
  }

  @Test func `If the caller disabled the search it is unavailable`() {
    var picker = TestPicker.open(Self.library) { $0.configuration.disabledCapabilities = .search }
    picker.press(.character("/"))
    picker.send(.paste("porto"))
    picker.press(.character("f"))
    #expect(picker.prompt == nil && picker.menu == nil)
    #expect(!picker.lastLine.contains("search"))
    #expect(picker.lastLine.contains("Filters are disabled"))
    #expect(picker.tiles.map(\.name) == Self.names)
    picker.press(.right, .space)
    #expect(picker.selected == ["lisbon-2.jpg"])
  }

  @Test func `A fetch that replaces another requests its albums too`() {
    let counting = FetchOptions(filter: .matching(.images))
    var (first, last) = (
      FetchQuery(generation: 1, options: counting), FetchQuery(generation: 2, options: counting)
    )
    #expect(last.replacing(nil) == last && last.replacing(first) == last)
    first.albums = counting
    #expect(last.replacing(first).albums == counting && last.replacing(first).generation == 2)
    last.albums = FetchOptions()
    #expect(last.replacing(first) == last)
  }
}

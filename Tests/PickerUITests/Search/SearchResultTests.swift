import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// The cursor position in search results.
@Suite struct SearchResultTests {
  private static let names = ["lake.jpg", "porto.jpg", "lisbon-1.jpg", "live.jpg", "lisbon-2.jpg"]
  private static let library: [Asset] = names.enumerated().map { .photo($1, day: 20 - $0) }

  private static func typed(_ text: String, in picker: inout TestPicker, answering: Bool = true) {
    for character in text {
      picker.press(character == " " ? .space : .character(character))
      if answering { picker.answerFetches() }
    }
  }

  private func current(_ picker: TestPicker) -> String? { picker.cursor }

  /// Wherever the cursor was, and however many intermediate answers arrive.
  @Test(arguments: [0, 1, 2, 4], [true, false])
  func `The cursor is on the first result of a search`(start: Int, answering: Bool) {
    var picker = TestPicker.open(Self.library)
    for _ in 0..<start { picker.press(.right) }
    picker.press(.character("/"))
    Self.typed("lis", in: &picker, answering: answering)
    picker.answerFetches()
    #expect(current(picker) == "lisbon-1.jpg")
    picker.press(.enter)
    #expect(current(picker) == "lisbon-1.jpg")
    // Back at the previous photo.
    picker.press(.escape)
    picker.answerFetches()
    #expect(current(picker) == Self.names[start])
  }

  @Test func `Enter before the answer keeps no photo of an earlier answer`() {
    var picker = TestPicker.open(Self.library)
    picker.press(.right, .character("/"))
    Self.typed("l", in: &picker)
    Self.typed("is", in: &picker, answering: false)
    picker.press(.enter)
    picker.answerFetches()
    #expect(current(picker) == "lisbon-1.jpg")
  }

  @Test func `A later match before the first result becomes the first, until the user moves`() {
    var picker = TestPicker.open(Self.library)
    picker.press(.character("/"))
    Self.typed("lis", in: &picker)
    picker.press(.enter)
    picker.library.insert(.photo("lisbon-0.jpg", day: 30), at: 0)
    picker.send(.libraryChanged)
    picker.answerFetches()
    #expect(current(picker) == "lisbon-0.jpg")
    picker.press(.right)
    picker.library.insert(.photo("lisbon-00.jpg", day: 40), at: 0)
    picker.send(.libraryChanged)
    picker.answerFetches()
    #expect(current(picker) == "lisbon-1.jpg")
  }

  @Test func `Another search starts at its first result, wherever the cursor was in the previous one`() {
    var picker = TestPicker.open(Self.library)
    picker.press(.right, .character("/"))
    Self.typed("li", in: &picker)
    picker.press(.enter, .right, .right, .character("/"))
    #expect(current(picker) == "lisbon-2.jpg")
    Self.typed("s", in: &picker)
    #expect(current(picker) == "lisbon-1.jpg")
    // The user moved in the results, so the cursor stays there when the search ends.
    picker.press(.enter, .right, .escape)
    picker.answerFetches()
    #expect(current(picker) == "lisbon-2.jpg")
  }

  @Test func `Pasted searches and accepted suggestions start at the first result`() throws {
    var picker = TestPicker.open(Self.library)
    picker.press(.end)
    picker.send(.paste("lis"))
    picker.answerFetches()
    #expect(current(picker) == "lisbon-1.jpg")
    var other = TestPicker.open(Self.library)
    other.press(.end, .character("/"))
    Self.typed("l", in: &other)
    let query = try #require(
      other.effects.compactMap { if case .suggest(let query) = $0 { query } else { nil } }.last)
    let suggestion = SearchSuggestion(subject: .term, title: "li", term: "li", count: nil)
    other.send(.suggestions(SuggestionAnswer(query: query, suggestions: [suggestion])))
    other.press(.tab)
    other.answerFetches()
    #expect(current(other) == "lisbon-1.jpg")
  }

  @Test func `A search that is kept across albums starts at the first result of each`() {
    var picker = TestPicker.open(Self.library)
    // Photos of the album are the first half of the matches.
    picker.press(.right, .tab, .down, .tab)
    picker.answerFetches()
    picker.press(.character("/"))
    Self.typed("li", in: &picker)
    picker.press(.enter, .tab, .up, .tab)
    picker.answerFetches()
    #expect(current(picker) == "lisbon-1.jpg")
    // Without the search the cursor is where it was in that album.
    picker.press(.escape)
    picker.answerFetches()
    #expect(current(picker) == "porto.jpg")
  }

  @Test func `A filter beside a search keeps the cursor at its photo`() {
    var picker = TestPicker.open(Self.library)
    picker.press(.right, .character("/"))
    Self.typed("li", in: &picker)
    picker.press(.enter, .right, .character("f"), .space)
    picker.answerFetches()
    #expect(current(picker) == "live.jpg")
  }
}

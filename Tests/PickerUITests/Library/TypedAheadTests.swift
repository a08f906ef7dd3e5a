import AssetLibrary
import Testing

@testable import PickerUI

/// Keys typed faster than the library answers.
@Suite struct TypedAheadTests {
  private static let names = ["lisbon-1.jpg", "porto-1.jpg", "lisbon-2.jpg", "porto-2.jpg"]
  private static let library: [Asset] = names.enumerated().map { .photo($1, day: 20 - $0) }

  private func closed(limit: Int = 0) -> TestPicker { TestPicker(Self.library, limit: limit) }

  private func type(_ text: String, in picker: inout TestPicker) {
    for character in text { picker.press(character == " " ? .space : .character(character)) }
  }

  private func results(_ picker: TestPicker) -> [String]? {
    guard case .picked(let results, _, _) = picker.outcome else { return nil }
    return results.map(\.id.rawValue)
  }

  @Test(arguments: [true, false])
  func `Keys typed before the first photos arrive apply to them in order`(isAuthorized: Bool) {
    var picker = closed()
    if isAuthorized { picker.send(.authorization(.authorized)) }
    picker.press(.right, .space, .right, .space, .enter)
    #expect(picker.outcome == nil)
    if !isAuthorized { picker.send(.authorization(.authorized)) }
    #expect(picker.outcome == nil)
    picker.answerFetch()
    #expect(results(picker) == ["porto-1.jpg", "lisbon-2.jpg"])
  }

  @Test func `While the library is being read keys wait for a non-empty answer`() {
    var picker = TestPicker([])
    picker.isComplete = false
    picker.send(.authorization(.authorized))
    picker.answerFetches()
    picker.press(.right, .space, .enter)
    picker.library = Self.library
    picker.send(.libraryChanged)
    picker.answerFetches()
    #expect(results(picker) == ["porto-1.jpg"])
  }

  @Test func `Keys do not wait for search results while the library is being read`() {
    var picker = TestPicker.open(Self.library)
    picker.isComplete = false
    picker.press(.character("/"))
    type("madrid", in: &picker)
    picker.press(.enter)
    picker.answerFetches()
    picker.press(.right, .character("?"))
    #expect(picker.box?.title == "Help")
  }

  @Test func `A whole search can be typed ahead, including letters that are keys elsewhere`() {
    var picker = closed()
    type("/por", in: &picker)
    picker.press(.backspace, .backspace, .backspace)
    type("quit?", in: &picker)
    #expect(picker.outcome == nil && picker.box == nil)
    picker.send(.authorization(.authorized))
    picker.answerFetches()
    #expect(picker.prompt == "quit?")
  }

  @Test func `Keys after a search apply to its results`() {
    var picker = TestPicker.open(Self.library)
    picker.press(.character("/"))
    type("lisbon", in: &picker)
    picker.press(.enter, .character("a"))
    #expect(picker.selected.isEmpty)
    picker.press(.enter)
    #expect(picker.outcome == nil)
    picker.answerFetches()
    #expect(results(picker) == ["lisbon-1.jpg", "lisbon-2.jpg"])
  }

  @Test func `The same keys after two answers have the same effect`() {
    var picker = closed()
    type("/lisbon", in: &picker)
    picker.press(.enter, .right, .space, .enter)
    picker.send(.authorization(.authorized))
    picker.answerFetches()
    #expect(results(picker) == ["lisbon-2.jpg"])
  }

  @Test(arguments: [Key.escape, .control("c"), .character("q")])
  func `Leaving does not wait`(key: Key) {
    var picker = closed()
    picker.press(.right, .space)
    picker.press(key)
    #expect(picker.outcome == .cancelled)
    var opened = closed()
    opened.send(.authorization(.authorized))
    opened.press(.right, .space, key)
    #expect(opened.outcome == .cancelled)
  }

  @Test func `Keys typed before a question do not answer it`() {
    for status in [AuthorizationStatus.denied, .restricted] {
      var picker = closed()
      picker.press(.enter)
      picker.send(.authorization(status))
      #expect(picker.outcome == nil && picker.shows("Press any key"))
    }
    var picker = closed()
    picker.press(.character("f"), .enter)
    picker.send(.consent(.access(ConsentRequest(client: "mutt"))))
    #expect(picker.shows("“mutt” would like to see your photos"))
    #expect(picker.effects.allSatisfy { if case .answerConsent = $0 { false } else { true } })
  }

  @Test func `User-defined keys wait too`() {
    var picker = TestPicker(Self.library) { $0.callerKeys.expected = [.control("y")] }
    picker.send(.authorization(.authorized))
    picker.press(.right, .control("y"))
    #expect(picker.outcome == nil)
    picker.answerFetch()
    guard case .picked(let assets, let key, _) = picker.outcome else {
      Issue.record("nothing was picked")
      return
    }
    #expect(assets.map(\.id.rawValue) == ["porto-1.jpg"] && key == .control("y"))
  }

  @Test func `An album search typed before the albums arrive opens the album once they do`() throws {
    var picker = closed()
    picker.send(.authorization(.authorized))
    let query = try #require(picker.query)
    picker.send(.fetched(picker.answer(to: query)))
    picker.press(.tab, .character("/"))
    type("lisb", in: &picker)
    #expect(picker.query?.collection == nil)
    picker.send(.albums(picker.albums(under: try #require(query.albums))))
    #expect(picker.query?.collection == LocalIdentifier("album"))
    picker.press(.enter)
    picker.answerFetches()
    #expect(picker.title.hasPrefix(" Lisbon"))
  }

  @Test func `Help opens at once, and waiting keys continue when it closes`() {
    var picker = closed()
    picker.send(.authorization(.authorized))
    picker.press(.right, .character("?"))
    #expect(picker.box?.title == "Help")
    picker.answerFetch()
    #expect(picker.box?.title == "Help" && picker.demand.first?.asset.id.rawValue == "lisbon-1.jpg")
    picker.press(.character("?"))
    #expect(picker.cursor == "porto-1.jpg")
  }

  @Test func `Escape while photos are pending drops the waiting keys`() {
    var picker = closed()
    picker.send(.authorization(.authorized))
    picker.press(.right, .character("?"), .escape)
    picker.answerFetch()
    #expect(picker.cursor == "lisbon-1.jpg" && picker.box == nil)
  }

  @Test func `With picks Enter does not wait for a search`() {
    var picker = TestPicker.open(Self.library)
    picker.press(.space, .character("/"))
    type("porto", in: &picker)
    picker.press(.enter, .enter)
    #expect(results(picker) == ["lisbon-1.jpg"])
  }

  @Test func `The sidebar can be used while the photos are pending`() {
    var picker = TestPicker.open(Self.library)
    picker.press(.tab, .down)
    // Before any of them was answered.
    #expect(picker.title.hasPrefix(" Lisbon") && picker.query?.collection == LocalIdentifier("album"))
    picker.press(.up)
    #expect(picker.title.hasPrefix(" Recents") && picker.query?.collection == nil)
  }
}

import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct PickerAuthorizationTests {
  private static let request = ConsentRequest(client: "mutt", purpose: "to attach photos")

  @Test func `The picker starts by requesting authorization`() {
    let picker = TestPicker()
    #expect(picker.start == [.requestAuthorization])
    #expect(picker.shows("Opening the photo library…"))
  }

  @Test func `With access the library is fetched with the caller's filter and order`() {
    var picker = TestPicker { options in
      options.configuration.filter = .matching(.images)
      options.configuration.sort = .name
    }
    picker.send(.authorization(.authorized))
    #expect(picker.query?.collection == nil)
    #expect(picker.query?.options == FetchOptions(filter: .matching(.images), sort: .name))
    picker.answerFetch()
    #expect(picker.shows("30 photos   name ▾   images only"))
  }

  @Test func `The prompt shows the requester and reason, and preselects the safest answer`() {
    var picker = TestPicker()
    picker.send(.consent(.access(Self.request)))
    for words in [
      "“mutt” would like to see your photos", "“to attach photos”", "Select Photos…", "Allow Full Access",
      "Don't Allow",
    ] {
      #expect(picker.shows(words))
    }
    #expect(picker.press(.enter) == [.answerConsent(.deny)])
  }

  struct Answer: Sendable {
    var keys: [Key]
    var effect: PickerEffect
  }

  static let answers = [
    Answer(keys: [.character("s")], effect: .answerConsent(.selectPhotos)),
    Answer(keys: [.character("f")], effect: .answerConsent(.allowFullAccess)),
    Answer(keys: [.character("d")], effect: .answerConsent(.deny)),
    Answer(keys: [.up, .enter], effect: .answerConsent(.allowFullAccess)),
    Answer(keys: [.up, .up, .up, .enter], effect: .answerConsent(.selectPhotos)),
    Answer(keys: [.up, .down, .down, .enter], effect: .answerConsent(.deny)),
    Answer(keys: [.backTab, .enter], effect: .answerConsent(.allowFullAccess)),
    Answer(keys: [.escape], effect: .finish(.cancelled)),
    Answer(keys: [.character("q")], effect: .finish(.cancelled)),
    Answer(keys: [.control("c")], effect: .finish(.cancelled)),
    Answer(keys: [.space, .character("x"), .enter], effect: .answerConsent(.deny)),
  ]

  @Test(arguments: answers)
  func `Keys answer the prompt`(answer: Answer) {
    var picker = TestPicker()
    picker.send(.consent(.access(Self.request)))
    for key in answer.keys { picker.press(key) }
    #expect(picker.effects == [answer.effect])
  }

  @Test func `Once answered the prompt accepts no further answer`() {
    var picker = TestPicker()
    picker.send(.consent(.access(Self.request)))
    picker.press(.character("s"), .character("f"), .enter)
    #expect(picker.effects == [.answerConsent(.selectPhotos)])
    picker.send(.authorization(.limited))
    #expect(picker.query != nil)
  }

  static let someKeys: [Key] = [
    .escape, .enter, .space, .character("q"), .character("x"), .control("c"), .up, .tab,
  ]

  @Test(arguments: [AuthorizationStatus.denied, .restricted], someKeys)
  func `Without access any key leaves`(status: AuthorizationStatus, key: Key) {
    var picker = TestPicker()
    picker.send(.authorization(status))
    #expect(picker.query == nil)
    #expect(picker.press(key) == [.finish(.refused(status))])
  }

  @Test func `A refusal explains what helps, if anything does`() {
    var picker = TestPicker { $0.client.name = "mutt" }
    picker.send(.authorization(.denied))
    #expect(picker.shows("Access was denied for this run"))
    picker.send(.authorization(.restricted))
    #expect(picker.shows("Access to photos is restricted"))
    #expect(!picker.shows("grant"))
  }

  @Test func `A stored refusal names the command that resets it`() {
    var picker = TestPicker { $0.client.grantCommand = "tpick access grant --client mutt" }
    picker.send(.authorization(.denied))
    #expect(picker.shows("tpick access grant --client mutt"))
    #expect(!picker.shows("for this run"))
  }

  @Test func `A user who selects photos may choose among all of them, once`() {
    var picker = TestPicker()
    picker.send(.consent(.access(Self.request)))
    picker.press(.character("s"))
    picker.send(.authorization(.limited))
    #expect(picker.query?.mode == .managing)
    picker.answerFetch()
    picker.press(.enter)
    #expect(picker.query?.mode == .picking)
    picker.send(.authorization(.limited))
    #expect(picker.query?.mode == .picking)
  }

  @Test func `A request to save has two answers, and the library stays behind it`() {
    var picker = TestPicker.open(limit: 1)
    picker.send(.consent(.access(ConsentRequest(client: "mutt", purpose: "to save", level: .addOnly))))
    #expect(picker.shows("“mutt” would like to add to your photos"))
    #expect(!picker.shows("Select Photos…"))
    #expect(picker.press(.character("s")).isEmpty)
    // Keys apply only to the prompt.
    #expect(picker.press(.space).isEmpty && picker.selected.isEmpty)
    #expect(picker.press(.up, .enter).contains(.answerConsent(.allowFullAccess)))
    #expect(picker.title.hasPrefix(" Recents") && picker.cursor == "0")
  }

  @Test(arguments: [
    ([Key.up, .enter], ConsentDecision.allowFullAccess), ([.enter], .deny), ([.escape], .deny),
    ([.character("f")], .allowFullAccess), ([.character("q")], .deny),
  ])
  func `A client's wish to change the library is answered on the screen, and picking goes on`(
    keys: [Key], answer: ConsentDecision
  ) {
    var picker = TestPicker.open(limit: 3)
    picker.press(.space)
    let ids = (1...3).map { LocalIdentifier("\($0)") }
    picker.send(
      .consent(
        .change(ChangeConsentRequest(client: "mutt", purpose: "to clear up", kind: .deletion, assets: ids))))
    #expect(picker.shows("“mutt” wants to delete 3 photos") && picker.shows("“to clear up”"))
    #expect(picker.shows("Allow") && !picker.shows("Select Photos…") && !picker.shows("Full Access"))
    // A repeated status does not take the question away, and keys don't reach the photos.
    picker.send(.authorization(.authorized))
    #expect(picker.press(.space).isEmpty && picker.selected.count == 1)
    #expect(keys.flatMap { picker.press($0) } == [.answerConsent(answer)])
    #expect(picker.title.hasPrefix(" Recents") && picker.selected.count == 1 && !picker.shows("mutt"))
  }

  @Test func `A decision made elsewhere withdraws a question about a change only if nothing is accessible`() {
    let question = ConsentQuestion.change(ChangeConsentRequest(client: "mutt", kind: .marks, assets: []))
    var picker = TestPicker.open(limit: 3)
    picker.send(.consent(question))
    picker.send(.authorization(.limited))
    #expect(picker.shows("“mutt” wants to change favorites") && picker.query?.mode == .picking)
    #expect(picker.press(.character("f")).contains(.answerConsent(.allowFullAccess)))
    picker.send(.consent(question))
    picker.send(.authorization(.denied))
    #expect(picker.effects.contains(.answerConsent(nil)) && picker.shows("may not see your photos"))
  }

  @Test func `A repeated status does not take the prompt away`() {
    var picker = TestPicker()
    picker.send(.consent(.access(Self.request)))
    picker.send(.authorization(.notDetermined))
    #expect(picker.press(.enter) == [.answerConsent(.deny)])
  }

  @Test func `A decision made elsewhere removes the library, and the prompt as well`() {
    var picker = TestPicker.open(limit: 1)
    picker.send(.authorization(.denied))
    #expect(picker.shows("“tpick” may not see your photos") && picker.tiles.isEmpty)
    let asked = picker.effects.compactMap(\.fetchQuery).count
    picker.send(.authorization(.authorized))
    #expect(picker.effects.compactMap(\.fetchQuery).count == asked + 1)
    #expect(picker.title.hasPrefix(" Recents") && picker.cursor == "0")
    var prompted = TestPicker()
    prompted.send(.consent(.access(Self.request)))
    prompted.send(.authorization(.authorized))
    // The client that has asked waits no longer.
    #expect(prompted.effects.contains(.answerConsent(nil)))
    #expect(prompted.title.hasPrefix(" Recents") && !prompted.shows("would like to see"))
    #expect(prompted.press(.character("f")).allSatisfy { $0 != .answerConsent(.allowFullAccess) })
  }

  @Test(arguments: [(80, 24), (30, 8), (20, 6)])
  func `The answers to the prompt are visible in any window`(columns: Int, rows: Int) {
    var picker = TestPicker(size: CellSize(columns: columns, rows: rows))
    picker.send(
      .consent(
        .access(
          ConsentRequest(
            client: "A very long application name that wraps",
            purpose: "to print an album of the long summer holidays in the south"))))
    for answer in ["Select Photos…", "Allow Full", "Don't Allow"] { #expect(picker.shows(answer)) }
  }

  @Test(arguments: [Key.escape, .character("q"), .control("c")])
  func `While the library opens the picker can be left`(key: Key) {
    var picker = TestPicker()
    #expect(picker.press(.enter, .space, .character("a")).isEmpty)
    #expect(picker.press(key) == [.finish(.cancelled)])
  }
}

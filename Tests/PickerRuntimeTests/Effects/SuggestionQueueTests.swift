import AssetLibrary
import Testing

@testable import PickerRuntime
@testable import PickerUI

@Suite struct SuggestionQueueTests {
  private let store = MemoryAssetStore()

  init() { store.add(.photo("IMG_1.jpg"), album: "Lisbon") }

  private func query(_ text: String) throws -> SuggestionQuery {
    SuggestionQuery(
      completion: try #require(SearchCompletion(LineEditor(text))), collection: nil, options: FetchOptions(),
      mode: .picking, vocabulary: SearchVocabulary(today: AssetDate(year: 2023, month: 1, day: 1)),
      assetCount: 1)
  }

  @Test func `Only the last request is answered`() async throws {
    let queue = SuggestionQueue(PickerLibrary(LibraryAccessController(store)))
    let messages = Mailbox<PickerMessage>()
    for text in ["l", "le", "lis"] { queue.answer(try query(text)) { [messages] in messages.post($0) } }
    var last: SuggestionAnswer?
    while last?.query.completion.value != "lis" {
      for message in await messages.taken() {
        if case .suggestions(let answer) = message { last = answer }
      }
    }
    #expect(last?.suggestions.map(\.title) == ["Lisbon"])
  }
}

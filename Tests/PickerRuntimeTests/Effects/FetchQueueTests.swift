import AssetLibrary
import Testing

@testable import PickerRuntime
@testable import PickerUI

@Suite(.serialized, .timeLimit(.minutes(120))) struct FetchQueueTests {
  private static let hidden = {
    var asset = Asset.photo("hidden")
    asset.isHidden = true
    return asset
  }()

  private let library = GatedLibrary(.numbered(3) + [hidden])
  private let fetches: FetchQueue
  private let messages = Mailbox<PickerMessage>()

  init() {
    fetches = FetchQueue(PickerLibrary(LibraryAccessController(library)))
  }

  private func ask(_ generation: Int, _ change: (inout FetchQuery) -> Void = { _ in }) {
    var query = FetchQuery(generation: generation, collection: nil, options: FetchOptions())
    change(&query)
    fetches.answer(query) { [messages] in messages.post($0) }
  }

  /// Lets requests be answered, and returns the resulting messages.
  private func answers(_ count: Int = 1) async -> [PickerMessage] {
    library.open()
    var taken: [PickerMessage] = []
    while taken.count < count { taken += await messages.taken() }
    return taken
  }

  private func fetched(_ messages: [PickerMessage]) throws -> FetchAnswer {
    try #require(messages.compactMap { if case .fetched(let answer) = $0 { answer } else { nil } }.first)
  }

  @Test func `Of pending requests only the last is answered`() async throws {
    ask(1)
    await library.waitForArrival()
    for generation in 2...4 { ask(generation) }
    #expect(try fetched(await answers()).query.generation == 1)
    await library.waitForArrival()
    #expect(try fetched(await answers()).query.generation == 4)
    #expect(library.askedCollections.count == 2)
  }

  @Test func `The search's match count in all photos follows the answer unless another request arrives`()
    async throws
  {
    ask(1)
    await library.waitForArrival()
    ask(2) { $0.everywhere = FetchOptions() }
    _ = try fetched(await answers())
    await library.waitForArrival()
    #expect(try fetched(await answers()).query.generation == 2)
    // The count is a request of its own.
    await library.waitForArrival()
    let taken = await answers()
    guard case .foundEverywhere(let count, let generation) = taken.last else {
      Issue.record("no match count")
      return
    }
    #expect(count == 3 && generation == 2)
  }

  @Test func `Album counts of a replaced request are done with the one that replaces it`() async throws {
    ask(1)
    await library.waitForArrival()
    ask(2) { $0.albums = FetchOptions() }
    ask(3)
    _ = try fetched(await answers())
    await library.waitForArrival()
    let taken = await answers(2)
    #expect(try fetched(taken).query.generation == 3)
    guard case .albums(let albums) = taken.last else {
      Issue.record("no album counts")
      return
    }
    #expect(!albums.collections.isEmpty)
  }

  @Test func `The answer lists missing picks, found preselected photos, and the number of missing ones`()
    async throws
  {
    ask(1)
    await library.waitForArrival()
    #expect(try fetched(await answers()).removedCount == 0)
    library.remove("p1")
    ask(2) { query in
      query.selected = [LocalIdentifier("p1"), LocalIdentifier("p2")]
      query.preselected = [LocalIdentifier("p0"), LocalIdentifier("nobody")]
    }
    await library.waitForArrival()
    let answer = try fetched(await answers())
    #expect(answer.vanished == [LocalIdentifier("p1")])
    #expect(answer.preselected.map(\.id.rawValue) == ["p0"])
    #expect(answer.removedCount == 1)
    #expect(answer.assets.count == 2)
  }

  @Test func `Hidden photos can be picked and do not count as missing`() async throws {
    ask(1) { query in
      query.selected = [Self.hidden.id]
      query.preselected = [Self.hidden.id]
    }
    await library.waitForArrival()
    let answer = try fetched(await answers())
    #expect(answer.vanished.isEmpty)
    #expect(answer.preselected == [Self.hidden])
  }

  @Test func `Switching the album or the access level does not make picks missing`() async throws {
    let access = LibraryAccessController(
      store: library, images: ScriptedImages(), status: .limited, allowed: [LocalIdentifier("p1")],
      consentRequest: ConsentRequest(client: "test"), consent: NoConsentPresenter())
    let limited = FetchQueue(PickerLibrary(access))
    var counts: [Int] = []
    let questions: [(AccessMode, LocalIdentifier?)] = [
      (.managing, nil), (.picking, nil), (.managing, nil), (.managing, LocalIdentifier("nobody's")),
    ]
    for (generation, (mode, collection)) in questions.enumerated() {
      var query = FetchQuery(generation: generation, collection: collection, options: FetchOptions())
      query.mode = mode
      limited.answer(query) { [messages] in messages.post($0) }
      await library.waitForArrival()
      // With limited access the library is counted as well.
      library.open()
      await library.waitForArrival()
      let answer = try fetched(await answers())
      counts.append(answer.removedCount)
    }
    #expect(counts == [0, 0, 0, 0])
  }

  @Test func `Nothing counts as missing in a library that was not completely read`() async throws {
    library.setComplete(false)
    ask(1)
    await library.waitForArrival()
    _ = await answers()
    library.remove("p1")
    library.setComplete(true)
    ask(2)
    await library.waitForArrival()
    #expect(try fetched(await answers()).removedCount == 0)
  }
}

import AssetLibrary
import Testing

@testable import PickerRuntime
@testable import PickerUI

@Suite(.serialized, .timeLimit(.minutes(120))) struct ConsentScreenTests {
  private let consent = ConsentScreen()
  private let request = ConsentRequest(client: "test", purpose: "to see")

  @Test func `Without a screen the user is not asked`() async {
    #expect(await consent.decision(for: request) == nil)
  }

  @Test func `A consent request appears on the screen, and its answer is returned`() async {
    let shown = Mailbox<ConsentQuestion>()
    consent.onRequest { shown.post($0) }
    async let decision = consent.decision(for: request)
    #expect(await shown.taken() == [.access(request)])
    consent.answer(.selectPhotos)
    #expect(await decision == .selectPhotos)
    // No request is waiting anymore.
    consent.answer(.allowFullAccess)
  }

  @Test func `Requests are shown one at a time`() async {
    let shown = Mailbox<ConsentQuestion>()
    consent.onRequest { shown.post($0) }
    async let first = consent.decision(for: request)
    _ = await shown.taken()
    #expect(await consent.decision(for: request) == nil)
    #expect(shown.isEmpty)
    consent.answer(.allowFullAccess)
    #expect(await first == .allowFullAccess)
  }

  @Test func `Once the screen is gone, pending and later requests stay undecided`() async {
    let shown = Mailbox<ConsentQuestion>()
    consent.onRequest { shown.post($0) }
    async let decision = consent.decision(for: request)
    _ = await shown.taken()
    consent.close()
    #expect(await decision == nil)
    #expect(await consent.decision(for: request) == nil)
  }

  @Test(arguments: [(ConsentDecision.allowFullAccess, true), (.deny, false)])
  func `A question about a change appears on the screen, and only a yes allows it`(
    answer: ConsentDecision, isAllowed: Bool
  ) async {
    let change = ChangeConsentRequest(client: "test", kind: .marks, assets: [])
    #expect(await !consent.allows(change))
    let shown = Mailbox<ConsentQuestion>()
    consent.onRequest { shown.post($0) }
    async let decision = consent.allows(change)
    #expect(await shown.taken() == [.change(change)])
    consent.answer(answer)
    #expect(await decision == isAllowed)
    async let last = consent.allows(change)
    _ = await shown.taken()
    consent.close()
    #expect(await !last)
  }

  /// Allows everything.
  private struct Generous: ConsentPresenter {
    func decision(for request: ConsentRequest) async -> ConsentDecision? { .allowFullAccess }
    func allows(_ request: ChangeConsentRequest) async -> Bool { true }
  }

  @Test func `Without a screen the program's own presenter asks, and with one only the screen`() async {
    let consent = ConsentScreen(otherwise: Generous())
    let change = ChangeConsentRequest(client: "test", kind: .albums, assets: [])
    #expect(await consent.allows(change))
    #expect(await consent.decision(for: request) == .allowFullAccess)
    let shown = Mailbox<ConsentQuestion>()
    consent.onRequest { shown.post($0) }
    async let decision = consent.allows(change)
    _ = await shown.taken()
    consent.answer(.deny)
    #expect(await !decision)
  }

  @Test func `In the picker a client's change waits for the user's answer, which counts for the run`()
    async throws
  {
    let run = LoopRun(library: MemoryAssetStore(.numbered(3)))
    try run.loop.begin()
    try await run.turnUntilListed()
    let client = run.access.manager
    let asset = try #require(client.fetchAssets(in: nil, options: FetchOptions()).first)
    async let undo = client.performChanges([.setFavorite(asset.id, true)])
    try await run.turn { $0.layers.page is ConsentPage }
    #expect(run.terminal.shows("wants to change favorites"))
    run.consent.answer(.allowFullAccess)
    #expect(try await undo.count == 1)
    #expect(try await client.performChanges([.setFavorite(asset.id, false)]).count == 1)
  }

  @Test func `In the picker the user decides`() async throws {
    let run = LoopRun(status: .notDetermined)
    try run.loop.begin()
    try await run.turn { $0.layers.page is ConsentPage }
    #expect(run.terminal.shows("Photos"))
    run.consent.answer(.allowFullAccess)
    try await run.turnUntilListed()
    #expect(run.terminal.shows("p0"))
  }
}

import AssetLibrary
import Testing

@testable import PickerRuntime
@testable import PickerUI

@Suite(.serialized, .timeLimit(.minutes(30))) struct ConsentScreenTests {
  private let consent = ConsentScreen()
  private let request = ConsentRequest(client: "test", purpose: "to see")

  @Test func `Without a screen the user is not asked`() async {
    #expect(await consent.decision(for: request) == nil)
  }

  @Test func `A consent request appears on the screen, and its answer is returned`() async {
    let shown = Mailbox<ConsentRequest>()
    consent.onRequest { shown.post($0) }
    async let decision = consent.decision(for: request)
    #expect(await shown.taken() == [request])
    consent.answer(.selectPhotos)
    #expect(await decision == .selectPhotos)
    // No request is waiting anymore.
    consent.answer(.allowFullAccess)
  }

  @Test func `Requests are shown one at a time`() async {
    let shown = Mailbox<ConsentRequest>()
    consent.onRequest { shown.post($0) }
    async let first = consent.decision(for: request)
    _ = await shown.taken()
    #expect(await consent.decision(for: request) == nil)
    #expect(shown.isEmpty)
    consent.answer(.allowFullAccess)
    #expect(await first == .allowFullAccess)
  }

  @Test func `Once the screen is gone, pending and later requests stay undecided`() async {
    let shown = Mailbox<ConsentRequest>()
    consent.onRequest { shown.post($0) }
    async let decision = consent.decision(for: request)
    _ = await shown.taken()
    consent.close()
    #expect(await decision == nil)
    #expect(await consent.decision(for: request) == nil)
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

import AssetLibrary
import Testing

@testable import PickerRuntime
@testable import PickerUI

@Suite(.serialized, .timeLimit(.minutes(30))) struct ConsentScreenTests {
  private let consent = ConsentScreen()
  private let request = ConsentRequest(client: "test", purpose: "to see")

  @Test func `Without a screen nobody is asked`() async {
    #expect(await consent.decision(for: request) == nil)
  }

  @Test func `A request reaches the screen, the answer comes back`() async {
    let shown = Mailbox<ConsentRequest>()
    consent.onRequest { shown.post($0) }
    async let decision = consent.decision(for: request)
    #expect(await shown.taken() == [request])
    consent.answer(.selectPhotos)
    #expect(await decision == .selectPhotos)
    // Nobody waits any more.
    consent.answer(.allowFullAccess)
  }

  @Test func `One request is up at a time`() async {
    let shown = Mailbox<ConsentRequest>()
    consent.onRequest { shown.post($0) }
    async let first = consent.decision(for: request)
    _ = await shown.taken()
    #expect(await consent.decision(for: request) == nil)
    #expect(shown.isEmpty)
    consent.answer(.allowFullAccess)
    #expect(await first == .allowFullAccess)
  }

  @Test func `Without the screen nothing is decided, for who waits and who comes later`() async {
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

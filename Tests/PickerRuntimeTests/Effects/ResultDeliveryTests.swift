import AssetLibrary
import Dispatch
import Pixels
import Synchronization
import Testing

@testable import PickerRuntime
@testable import PickerUI

/// Results are delivered while the run loop continues, which waits for the end.
@Suite(.serialized, .timeLimit(.minutes(120))) struct ResultDeliveryTests {
  /// A delivery that a test controls.
  private final class Script: Sendable {
    let asked = Mutex<[(assets: [String], options: RepresentationOptions)]>([])
    let progress = Mailbox<DeliveryProgress?>()
    let cancellation = Mutex<Cancellation?>(nil)

    /// Reports the progress that the test posts, until nil.
    var delivery: ResultDelivery {
      ResultDelivery { [self] assets, options, cancellation, report in
        asked.withLock { $0.append((assets.map(\.id.rawValue), options)) }
        self.cancellation.withLock { $0 = cancellation }
        while true {
          for progress in progress.takeAll() {
            guard let progress else { return }
            report(progress)
          }
        }
      }
    }
  }

  private let script = Script()

  private func open(_ delivery: ResultDelivery?) async throws -> LoopRun {
    let run = LoopRun(terminal: ScriptedTerminal(columns: 80, rows: 12), delivery: delivery) {
      $0.deliversResults = true
    }
    try await run.open()
    return run
  }

  private func turn(_ run: LoopRun, until isMeant: (LoopRun) -> Bool) async throws {
    while !isMeant(run) {
      try run.loop.handle(await run.mailbox.taken())
      try run.loop.draw()
    }
  }

  @Test func `The picker shows the progress and ends after the delivery`() async throws {
    let run = try await open(script.delivery)
    try run.send(.key(.space), .key(.right), .key(.space), .key(.enter))
    #expect(run.loop.ending == nil && run.terminal.shows("copying"))
    script.progress.post(
      DeliveryProgress(
        assets: 1, assetCount: 2, bytes: 3_000_000, byteCount: 6_000_000, activity: .converting))
    try await turn(run) { $0.terminal.shows("converting ━━━━━━────── 2 of 2 · 3.0 MB") }
    #expect(run.loop.ending == nil)
    script.progress.post(nil)
    try await turn(run) { $0.loop.ending != nil }
    #expect(run.loop.ending == .outcome(.picked([.photo("p0", day: 39), .photo("p1", day: 38)])))
    #expect(script.asked.withLock { $0.map(\.assets) } == [["p0", "p1"]])
    run.loop.close()
    #expect(script.cancellation.withLock { $0?.isCancelled } == false)
  }

  @Test func `Keys and resizes work during the delivery, Esc cancels it, and it ends by itself`()
    async throws
  {
    let run = try await open(script.delivery)
    try run.send(.key(.enter))
    run.terminal.window.cells.columns = 100
    try run.send(.windowChanged, .key(.character("u")))
    #expect(run.loop.state.layout.metrics.size.columns == 100)
    // The delivery has begun once it reports progress.
    script.progress.post(DeliveryProgress(assetCount: 1, bytes: 1000, byteCount: 2000))
    try await turn(run) { $0.terminal.shows("1 kB") }
    #expect(script.cancellation.withLock { $0?.isCancelled } == false)
    try run.send(.key(.escape))
    #expect(script.cancellation.withLock { $0?.isCancelled } == true)
    #expect(run.loop.ending == nil && run.terminal.shows("stopping"))
    script.progress.post(nil)
    try await turn(run) { $0.loop.ending != nil }
    #expect(run.loop.ending == .outcome(.picked([.photo("p0", day: 39)])))
  }

  @Test func `Without a delivery the picker ends at once`() async throws {
    let run = try await open(nil)
    try run.send(.key(.enter))
    #expect(run.loop.ending == .outcome(.picked([.photo("p0", day: 39)])))
  }

  @Test func `A signal cancels the delivery and waits for its end`() async throws {
    let run = try await open(script.delivery)
    try run.send(.key(.enter))
    script.progress.post(DeliveryProgress(assetCount: 1, bytes: 1000, byteCount: 2000))
    try await turn(run) { $0.terminal.shows("1 kB") }
    try run.loop.handle([.terminal(.end(signal: 15))])
    #expect(run.loop.ending == .signal(15))
    run.clock.whileWaiting { [progress = script.progress] in progress.post(nil) }
    run.loop.close()
    #expect(script.cancellation.withLock { $0?.isCancelled } == true)
    // The terminal is restored before that.
    #expect(run.terminal.log.last == .end(isAwaitingAnswer: false))
  }

  @Test func `Progress is reported at a rate that can be read`() {
    let clock = TestClock()
    let news = Mailbox<PickerMessage>(clock: clock)
    let run = DeliveryRun(clock: clock) { news.post($0) }
    var progress = DeliveryProgress(assetCount: 3, byteCount: 100)
    let told: (Duration, (inout DeliveryProgress) -> Void) -> [Double] = { pause, change in
      clock.advance(by: pause)
      change(&progress)
      run.report(progress)
      return news.takeAll(within: .zero).map {
        if case .delivery(let told, let elapsed) = $0, told == progress { elapsed } else { -1 }
      }
    }
    #expect(told(.zero) { $0.bytes = 1 } == [0])
    #expect(told(.milliseconds(20)) { $0.bytes = 2 } == [])
    #expect(told(.milliseconds(20)) { $0.assets = 1 } == [0.04])
    #expect(told(.milliseconds(20)) { $0.bytes = 3 } == [])
    #expect(told(.zero) { $0.activity = .converting } == [0.06])
    #expect(told(DeliveryRun.interval) { $0.bytes = 4 } == [0.11])
  }

  @Test func `Canceling waits for a limited time, and not at all after the end`() {
    let clock = TestClock()
    let run = DeliveryRun(clock: clock) { _ in }
    let began = clock.now
    run.abandon(within: .seconds(2))
    #expect(run.cancellation.isCancelled && clock.now - began == .seconds(2))
    let ended = DeliveryRun(clock: clock) { _ in }
    ended.end()
    ended.abandon(within: .seconds(2))
    #expect(!ended.cancellation.isCancelled && clock.now - began == .seconds(2))
  }
}

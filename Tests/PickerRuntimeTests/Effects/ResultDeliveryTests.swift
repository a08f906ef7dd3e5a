import AssetLibrary
import Dispatch
import Pixels
import Synchronization
import Testing

@testable import PickerRuntime
@testable import PickerUI

/// Results are handed over beside the run loop, which waits for that.
@Suite(.serialized, .timeLimit(.minutes(30))) struct ResultDeliveryTests {
  /// A handing over that does as a test says.
  private final class Script: Sendable {
    let asked = Mutex<[(assets: [String], options: RepresentationOptions)]>([])
    let progress = Mailbox<DeliveryProgress?>()
    let cancellation = Mutex<Cancellation?>(nil)

    /// Tells what the test wants it to tell, until that is nil.
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

  @Test func `The picker shows how far it has come, and ends once it has ended`() async throws {
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

  @Test func `Keys and the window's size go on meanwhile, Esc cancels it, and it ends by itself`()
    async throws
  {
    let run = try await open(script.delivery)
    try run.send(.key(.enter))
    run.terminal.window.cells.columns = 100
    try run.send(.windowChanged, .key(.character("u")))
    #expect(run.loop.state.layout.metrics.size.columns == 100)
    // It has begun once it tells something.
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

  @Test func `Without anybody to hand it over the picker ends at once`() async throws {
    let run = try await open(nil)
    try run.send(.key(.enter))
    #expect(run.loop.ending == .outcome(.picked([.photo("p0", day: 39)])))
  }

  @Test func `A signal cancels it and waits for its end`() async throws {
    let run = try await open(script.delivery)
    try run.send(.key(.enter))
    script.progress.post(DeliveryProgress(assetCount: 1, bytes: 1000, byteCount: 2000))
    try await turn(run) { $0.terminal.shows("1 kB") }
    try run.loop.handle([.terminal(.end(signal: 15))])
    #expect(run.loop.ending == .signal(15))
    run.clock.whileWaiting { [progress = script.progress] in progress.post(nil) }
    run.loop.close()
    #expect(script.cancellation.withLock { $0?.isCancelled } == true)
    // The terminal is given back before that.
    #expect(run.terminal.log.last == .end(isAwaitingAnswer: false))
  }

  @Test func `Only so many bytes are told that somebody can read them`() {
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

  @Test func `Whoever gives it up waits for a while only, and not for what has ended`() {
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

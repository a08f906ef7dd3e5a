import Fixtures
import Synchronization
import TestScheduling
import Testing

@testable import CodecProtocol

/// Helpers whose starts fail and are retried.
@Suite(.onOwnThreads) struct StartBackoffTests {
  @Test func `The third failed start begins a pause, and each further one a longer one`() {
    var pause = StartBackoff()
    var now = Duration.seconds(100)
    for _ in 0..<2 {
      pause.startFailed(at: now)
      #expect(pause.mayStart(at: now))
    }
    var pauses: [Duration] = []
    for _ in 0..<12 {
      pause.startFailed(at: now)
      let length = (1...400).map { Duration.seconds($0) }.first { pause.mayStart(at: now + $0) } ?? .zero
      #expect(!pause.mayStart(at: now) && !pause.mayStart(at: now + length - .nanoseconds(1)))
      pauses.append(length)
      now += length
    }
    #expect(pauses.prefix(4) == [.seconds(2), .seconds(4), .seconds(8), .seconds(16)])
    #expect(pauses == pauses.sorted() && pauses.last == .seconds(300))
    pause.startSucceeded()
    #expect(pause == StartBackoff() && pause.mayStart(at: .zero))
  }

  @Test func `A helper that failed to start three times is started after a pause once it works`() throws {
    let folder = try TemporaryFolder()
    try folder.link("helper", to: "/bin/true")
    let now = Mutex(Duration.zero)
    let pool = HelperPool(
      program: "\(folder.path)/helper", processes: 1, startDeadline: .seconds(60),
      now: { now.withLock { $0 } })
    for _ in 0..<3 { #expect(pool.acquire().isMissing) }
    folder.remove("helper")
    try folder.link("helper", to: Program.standIn)
    #expect(pool.acquire().isMissing)
    now.withLock { $0 = .seconds(3) }
    let acquired = pool.acquire()
    #expect(!acquired.isMissing)
    if case .process(let process, _) = acquired { pool.release(process) }
    #expect(!pool.acquire().isMissing)
  }
}

extension HelperPool.Acquired {
  fileprivate var isMissing: Bool { if case .missing = self { true } else { false } }
}

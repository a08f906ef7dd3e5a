import AssetLibrary
import Dispatch
import Fixtures
import Synchronization
import TestScheduling
import Testing

@testable import PickerRuntime
@testable import PickerUI

/// Downloads of picked originals from a server.
@Suite(.onOwnThreads, .timeLimit(.minutes(120))) struct OriginalDownloaderTests {
  /// A server that blocks downloads until a test releases them, and makes some fail.
  private final class Server: MemoryBackedStore {
    private struct State {
      var running = 0
      var most = 0
      var failures: [AssetError] = []
    }

    let memory: MemoryAssetStore
    private let gate = DispatchSemaphore(value: 0)
    private let arrivals = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    init(_ assets: [Asset], failures: [AssetError] = []) {
      memory = MemoryAssetStore(assets)
      for resource in assets.flatMap(\.resources) { memory.setRemote(resource) }
      state.withLock { $0.failures = failures }
    }

    /// The largest number of concurrent downloads.
    var most: Int { state.withLock(\.most) }

    /// Waits until `count` more downloads are blocked.
    func waitForArrivals(_ count: Int) {
      for _ in 0..<count { arrivals.wait() }
    }

    func open(_ count: Int) {
      for _ in 0..<count { gate.signal() }
    }

    func download(
      _ resource: AssetResource, progress: (Double) -> DownloadDecision
    ) throws(AssetError) {
      state.withLock { state in
        state.running += 1
        state.most = max(state.most, state.running)
      }
      defer { state.withLock { $0.running -= 1 } }
      arrivals.signal()
      gate.wait()
      let failure = state.withLock { $0.failures.isEmpty ? nil : $0.failures.removeFirst() }
      if let failure { throw failure }
      try memory.download(resource, progress: progress)
    }
  }

  private let clock = TestClock()
  private let mailbox = Mailbox<PickerMessage>()

  private func downloader(_ server: Server, clock other: (any RuntimeClock)? = nil) -> OriginalDownloader {
    OriginalDownloader(PickerLibrary(LibraryAccessController(server)), clock: other ?? clock) { [mailbox] in
      mailbox.post($0)
    }
  }

  /// Collects progress until it meets the condition.
  private func told(until isMeant: ([DownloadProgress]) -> Bool) -> [DownloadProgress] {
    var told: [DownloadProgress] = []
    while !isMeant(told) {
      told += mailbox.takeAll().compactMap {
        if case .downloaded(let progress) = $0 { progress } else { nil }
      }
    }
    return told
  }

  @Test func `Three originals are downloaded at once, and all of them in the end`() {
    let assets = [Asset].numbered(12)
    let server = Server(assets)
    let downloader = downloader(server)
    downloader.download(assets)
    server.waitForArrivals(3)
    // Each download starts when another has ended, not earlier: a fourth would be counted while three are blocked.
    for _ in 3..<12 {
      server.open(1)
      server.waitForArrivals(1)
    }
    server.open(3)
    let here = told { $0.count(where: \.isHere) == 12 }.filter(\.isHere)
    #expect(Set(here.map(\.asset)) == Set(assets.map(\.id)))
    #expect(server.most == 3)
    #expect(assets.flatMap(\.resources).allSatisfy(server.isLocal))
  }

  @Test func `Progress of each download carries the seconds since its request`() {
    let asset = Asset.photo("p0")
    let server = Server([asset])
    let downloader = downloader(server)
    downloader.download([asset])
    server.waitForArrivals(1)
    clock.advance(by: .seconds(8))
    server.open(1)
    let told = told { $0.last?.isHere == true }
    #expect(told.allSatisfy { $0.elapsed == 8 && $0.asset == asset.id && $0.failure == nil })
    // Parts that arrive at the same moment are reported once.
    #expect(told.map(\.fraction) == [0, 1])
  }

  @Test func `A transient failure is retried, another one is reported`() {
    let asset = Asset.photo("p0")
    let failures = [
      AssetError("p0", "no network", isTransient: true), AssetError("p0", "no network", isTransient: true),
      AssetError("p0", "not found"),
    ]
    let server = Server([asset], failures: failures)
    let downloader = downloader(server, clock: SteppingClock())
    downloader.download([asset])
    server.open(3)
    let told = told { $0.count == 3 }
    let again = "no network; trying again"
    #expect(told.map(\.failure) == [again, again, "not found"])
    // After one second, then after two.
    #expect(told[1].elapsed - told[0].elapsed >= 1 && told[2].elapsed - told[1].elapsed >= 2)
  }

  /// A clock that advances half a second with each reading, so that waits end at once.
  private final class SteppingClock: RuntimeClock {
    private let steps = Mutex(0)

    var now: Duration {
      steps.withLock { steps in
        steps += 1
        return .milliseconds(500 * steps)
      }
    }

    func call(after delay: Duration, _ action: @escaping @Sendable () -> Void) {}

    func wait(for signal: DispatchSemaphore, until time: Duration) { signal.wait() }
  }

  @Test func `A canceled download does not run, and the next one does`() {
    let assets = [Asset].numbered(4)
    let server = Server(assets)
    let downloader = downloader(server)
    downloader.download(assets)
    server.waitForArrivals(3)
    downloader.cancel([assets[0].id, assets[1].id, assets[2].id])
    server.open(4)
    let told = told { $0.contains(where: \.isHere) }
    #expect(told.filter(\.isHere).map(\.asset) == [assets[3].id])
    #expect(assets.map { server.isLocal($0.resources[0]) } == [false, false, false, true])
  }
}

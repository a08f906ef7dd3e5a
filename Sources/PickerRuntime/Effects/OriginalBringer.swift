import AssetLibrary
import PickerUI
import Synchronization
import System

/// Brings the originals of picks from their servers, a few at once, and tells the picker how far each has come.
///
/// Safe from several threads.
final class OriginalBringer: Sendable {
  private struct State {
    var waiting: [Asset] = []
    var running: [LocalIdentifier: Cancellation] = [:]
    var threads = 0
    var began: Duration?
  }

  /// Originals that are on their way at once.
  private static let connections = 3
  /// How often a pick says how far it has come.
  private static let interval: Duration = .milliseconds(100)

  private let library: PickerLibrary
  private let clock: any RuntimeClock
  private let post: @Sendable (PickerMessage) -> Void
  private let state = Mutex(State())

  init(
    _ library: PickerLibrary, clock: any RuntimeClock, post: @escaping @Sendable (PickerMessage) -> Void
  ) {
    (self.library, self.clock, self.post) = (library, clock, post)
  }

  /// Brings the originals of assets, each of which is told of until it is here or can't be had.
  func bring(_ assets: [Asset]) {
    let now = clock.now
    let threads = state.withLock { state in
      state.waiting += assets
      state.began = now
      let wanted = min(Self.connections, state.waiting.count) - state.threads
      state.threads += max(0, wanted)
      return max(0, wanted)
    }
    // Threads of their own: they wait for a network.
    for _ in 0..<threads { WorkerThread.run { [self] in work() } }
  }

  /// Gives up what is not here yet.
  func cancel(_ assets: [LocalIdentifier]) {
    state.withLock { state in
      state.waiting.removeAll { assets.contains($0.id) }
      for asset in assets { state.running[asset]?.cancel() }
    }
  }

  func cancelAll() {
    state.withLock { state in
      state.waiting = []
      for cancellation in state.running.values { cancellation.cancel() }
    }
  }

  private func work() {
    while let (asset, cancellation) = next() {
      bring(asset, cancellation)
      state.withLock { $0.running[asset.id] = nil }
    }
  }

  private func next() -> (Asset, Cancellation)? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.threads -= 1
        return nil
      }
      let asset = state.waiting.removeFirst()
      let cancellation = Cancellation()
      state.running[asset.id] = cancellation
      return (asset, cancellation)
    }
  }

  /// Brings the originals of one asset; as long as that fails for a passing reason it is tried again, later each time.
  private func bring(_ asset: Asset, _ cancellation: Cancellation) {
    var pause = Self.firstPause
    while let error = attempt(asset, cancellation), !cancellation.isCancelled {
      guard error.isTransient else { return tell(asset.id, fraction: 0, failure: error.reason) }
      tell(asset.id, fraction: 0, failure: "\(error.reason); trying again")
      let end = clock.now + pause
      _ = Waiting.until(every: .milliseconds(50)) { clock.now >= end || cancellation.isCancelled }
      pause = min(pause * 2, Self.longestPause)
    }
  }

  private static let firstPause: Duration = .seconds(1)
  private static let longestPause: Duration = .seconds(30)

  /// - Returns: why they could not be had; nil where they are here.
  private func attempt(_ asset: Asset, _ cancellation: Cancellation) -> AssetError? {
    var told: Duration?
    do throws(AssetError) {
      // What goes with it, as a raw file, is not read by who gets the path of the photo.
      if let resource = asset.primaryResource {
        try library.client.download(resource, of: asset) { fraction in
          if cancellation.isCancelled { return .stop }
          let now = clock.now
          if told.map({ now - $0 >= Self.interval }) ?? true {
            told = now
            tell(asset.id, fraction: fraction)
          }
          return .proceed
        }
      }
      if !cancellation.isCancelled { tell(asset.id, fraction: 1, isHere: true) }
      return nil
    } catch {
      return error
    }
  }

  private func tell(
    _ asset: LocalIdentifier, fraction: Double, isHere: Bool = false, failure: String? = nil
  ) {
    let began = state.withLock { $0.began }
    let elapsed = began.map { (clock.now - $0) / .seconds(1) } ?? 0
    post(
      .downloaded(
        DownloadProgress(asset, fraction: fraction, isHere: isHere, failure: failure, elapsed: elapsed)))
  }
}

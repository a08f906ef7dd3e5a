import AssetLibrary
import PickerUI
import Synchronization
import System

/// Downloads the originals of picks from their servers, a few at once, and posts the progress of each.
///
/// Safe to use from several threads.
final class OriginalDownloader: Sendable {
  private struct State {
    var waiting: [Asset] = []
    var running: [LocalIdentifier: Cancellation] = [:]
    var threads = 0
    var began: Duration?
  }

  /// Number of concurrent downloads.
  private static let connections = 3
  /// Minimum interval between progress messages of one pick.
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

  /// Downloads the originals of assets; each is reported until it is complete or has failed permanently.
  func download(_ assets: [Asset]) {
    let now = clock.now
    let threads = state.withLock { state in
      state.waiting += assets
      state.began = now
      let wanted = min(Self.connections, state.waiting.count) - state.threads
      state.threads += max(0, wanted)
      return max(0, wanted)
    }
    // Dedicated threads, because they wait for the network.
    for _ in 0..<threads { WorkerThread.run { [self] in work() } }
  }

  /// Cancels downloads that are not complete.
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
      download(asset, cancellation)
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

  /// Downloads the original of one asset, retrying temporary failures with increasing pauses.
  private func download(_ asset: Asset, _ cancellation: Cancellation) {
    var pause = Self.firstPause
    while let error = attempt(asset, cancellation), !cancellation.isCancelled {
      guard error.isTransient else { return report(asset.id, fraction: 0, failure: error.reason) }
      report(asset.id, fraction: 0, failure: "\(error.reason); trying again")
      let end = clock.now + pause
      _ = Waiting.until(every: .milliseconds(50)) { clock.now >= end || cancellation.isCancelled }
      pause = min(pause * 2, Self.longestPause)
    }
  }

  private static let firstPause: Duration = .seconds(1)
  private static let longestPause: Duration = .seconds(30)

  /// - Returns: the error; nil after success or cancellation.
  private func attempt(_ asset: Asset, _ cancellation: Cancellation) -> AssetError? {
    var lastReport: Duration?
    do throws(AssetError) {
      // Only the primary resource: a program that gets the photo's path does not read accompanying files, such as a
      // raw file.
      if let resource = asset.primaryResource {
        try library.client.download(resource, of: asset) { fraction in
          if cancellation.isCancelled { return .stop }
          let now = clock.now
          if lastReport.map({ now - $0 >= Self.interval }) ?? true {
            lastReport = now
            report(asset.id, fraction: fraction)
          }
          return .proceed
        }
      }
      if !cancellation.isCancelled { report(asset.id, fraction: 1, isHere: true) }
      return nil
    } catch {
      return error
    }
  }

  private func report(
    _ asset: LocalIdentifier, fraction: Double, isHere: Bool = false, failure: String? = nil
  ) {
    let began = state.withLock { $0.began }
    let elapsed = began.map { (clock.now - $0) / .seconds(1) } ?? 0
    post(
      .downloaded(
        DownloadProgress(asset, fraction: fraction, isHere: isHere, failure: failure, elapsed: elapsed)))
  }
}

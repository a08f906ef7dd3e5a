import AssetLibrary
import Dispatch
import PickerUI
import Pixels
import Synchronization
import TerminalGraphics

/// Plays one thing at a time in the place of a picture: decoded, encoded and timed on a thread of its own.
///
/// One picture is at hand at a time. None is made before the last one is on the screen, so that a slow terminal
/// gets fewer of them, and none of those that are late. Safe from several threads.
final class PicturePlayer: Sendable {
  /// A picture that is to be shown now.
  struct Entry: Sendable {
    var version: UInt64
    var picture: EncodedPicture
  }

  /// What is played.
  private final class Run: Sendable {
    let request: PlaybackRequest
    let cancellation = Cancellation()
    /// Signalled when the last picture is on the screen, and when the run ends.
    let news = DispatchSemaphore(value: 0)

    init(_ request: PlaybackRequest) {
      self.request = request
    }
  }

  private struct State {
    var run: Run?
    var entry: Entry?
    var isDrawn = true
    /// Far from the versions of still pictures.
    var lastVersion: UInt64 = 1 << 63
  }

  private let manager: any AssetManager
  private let backdrop: Backdrop
  private let report: @Sendable (PlaybackEvent, Int) -> Void
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "tpick.player", attributes: .concurrent)

  /// - Parameter report: called on the player's thread, with the generation of the request.
  init(
    manager: any AssetManager, backdrop: Backdrop,
    report: @escaping @Sendable (PlaybackEvent, _ generation: Int) -> Void
  ) {
    self.manager = manager
    self.backdrop = backdrop
    self.report = report
  }

  /// Plays something; what played before ends.
  func play(_ request: PlaybackRequest, with encoder: any PictureEncoder) {
    let run = Run(request)
    exchange(run)
    queue.async { [self] in perform(run, encoder) }
  }

  /// Ends what plays, and forgets its picture.
  func stop() { exchange(nil) }

  private func exchange(_ run: Run?) {
    let old = state.withLock { state in
      defer {
        state.run = run
        state.entry = nil
        state.isDrawn = true
      }
      return state.run
    }
    old?.cancellation.cancel()
    old?.news.signal()
  }

  /// The moving picture in the place of a still one; nil where none is.
  func entry(for key: PictureKey) -> Entry? {
    state.withLock { $0.run?.request.key == key ? $0.entry : nil }
  }

  /// A picture was sent to the terminal.
  func sent(_ version: UInt64) {
    let run = state.withLock { state -> Run? in
      guard state.entry?.version == version, !state.isDrawn else { return nil }
      state.isDrawn = true
      return state.run
    }
    run?.news.signal()
  }

  // MARK: The thread

  private static let start = ContinuousClock.now
  private static var now: Duration { start.duration(to: .now) }
  /// A picture that is not on the screen by then is not waited for: it may be hidden.
  private static let patience: Duration = .seconds(1)

  private func perform(_ run: Run, _ encoder: any PictureEncoder) {
    let request = run.request
    do throws(AssetError) {
      let wanted = FrameRequest(asset: request.asset, targetSize: request.key.size)
      try play(try manager.frames(of: wanted, cancellation: run.cancellation), run, encoder)
      if !run.cancellation.isCancelled { report(.ended, request.generation) }
    } catch {
      if !run.cancellation.isCancelled { report(.failed(reason: error.reason), request.generation) }
    }
  }

  private func play(
    _ reader: any FrameReader, _ run: Run, _ encoder: any PictureEncoder
  ) throws(AssetError) {
    var pacer = FramePacer(begin: Self.now)
    var passes = 0
    while !run.cancellation.isCancelled {
      guard let frame = try reader.next(pacer.skip(at: Self.now)) else {
        // One picture alone stands still; none, where a file was cut meanwhile, leaves no time to wait.
        if run.cancellation.isCancelled || pacer.shownCount <= 1 { return }
        passes += 1
        let rest = pacer.endPass(at: Self.now)
        if let count = reader.playCount, passes >= count { return }
        wait(run, until: Self.now + rest) { false }
        try reader.rewind()
        continue
      }
      let picture = encoder.encode(frame.pixels, over: backdrop)
      let due = Self.now + pacer.delay(of: frame, at: Self.now)
      wait(run, until: due) { false }
      wait(run, until: Self.now + Self.patience) { self.state.withLock(\.isDrawn) }
      show(picture, run)
    }
  }

  private func show(_ picture: EncodedPicture, _ run: Run) {
    let isCurrent = state.withLock { state in
      guard state.run === run else { return false }
      state.lastVersion += 1
      state.entry = Entry(version: state.lastVersion, picture: picture)
      state.isDrawn = false
      return true
    }
    if isCurrent { report(.frame, run.request.generation) }
  }

  /// Waits until a moment, until the run ends or until something is so.
  private func wait(_ run: Run, until time: Duration, _ isEnough: () -> Bool) {
    while !run.cancellation.isCancelled, !isEnough() {
      let left = time - Self.now
      guard left > .zero else { return }
      let nanoseconds = Int(left / .nanoseconds(1))
      _ = run.news.wait(timeout: .now() + .nanoseconds(nanoseconds))
    }
  }
}

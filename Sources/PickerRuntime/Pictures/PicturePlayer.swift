package import AssetLibrary
import Dispatch
import PickerUI
import Pixels
import Synchronization
import System
import TerminalGraphics

/// Plays one animation or video in the place of a picture: decodes, encodes and times its frames on a
/// separate thread.
///
/// Holds one frame at a time. The next one is made only after the last one is on the screen, so that a slow
/// terminal gets fewer frames and no late ones. Safe to use from several threads.
final class PicturePlayer: Sendable {
  /// The playback of one request.
  private final class Run: Sendable {
    let request: PlaybackRequest
    let cancellation = Cancellation()
    /// Signaled when the last frame is on the screen, and when the run ends.
    let news = DispatchSemaphore(value: 0)

    init(_ request: PlaybackRequest) {
      self.request = request
    }
  }

  private struct State {
    var run: Run?
    var picture: ScreenPicture?
    var isDrawn = true
    /// Far from the versions of still pictures.
    var lastVersion: UInt64 = 1 << 63
  }

  private let manager: any AssetManager
  private let clock: any RuntimeClock
  private let report: @Sendable (PlaybackEvent, Int) -> Void
  private let state = Mutex(State())

  /// - Parameter report: called on the player's thread, with the generation of the request.
  init(
    manager: any AssetManager, clock: any RuntimeClock,
    report: @escaping @Sendable (PlaybackEvent, _ generation: Int) -> Void
  ) {
    self.manager = manager
    self.clock = clock
    self.report = report
  }

  /// Starts playback and ends the previous one.
  /// - Parameter encoders: for the terminal as currently known.
  func play(_ request: PlaybackRequest, with encoders: PictureEncoders) {
    let run = Run(request)
    exchange(run)
    // A dedicated thread, because it sleeps between frames: on two cores, all concurrent queues of the
    // process share two threads.
    WorkerThread.run { [self] in perform(run, encoders) }
  }

  /// Ends playback and drops its frame.
  func stop() { exchange(nil) }

  private func exchange(_ run: Run?) {
    let old = state.withLock { state in
      defer {
        state.run = run
        state.picture = nil
        state.isDrawn = true
      }
      return state.run
    }
    old?.cancellation.cancel()
    old?.news.signal()
  }

  /// Returns the frame that replaces a still picture; nil if none does.
  func picture(for key: PictureKey) -> ScreenPicture? {
    state.withLock { $0.run?.request.key == key ? $0.picture : nil }
  }

  /// Notes that a picture was sent to the terminal.
  func sent(_ version: UInt64) {
    let run = state.withLock { state -> Run? in
      guard state.picture?.version == version, !state.isDrawn else { return nil }
      state.isDrawn = true
      return state.run
    }
    run?.news.signal()
  }

  // MARK: The thread

  /// How long to wait until a frame is on the screen: the picture may be hidden, so that none is ever drawn.
  private static let patience: Duration = .seconds(1)

  private func perform(_ run: Run, _ encoders: PictureEncoders) {
    let request = run.request
    do throws(AssetError) {
      try play(try manager.frames(of: request.frames, cancellation: run.cancellation), run, encoders)
      if !run.cancellation.isCancelled { report(.ended, request.generation) }
    } catch {
      if !run.cancellation.isCancelled { report(.failed(reason: error.reason), request.generation) }
    }
  }

  private func play(
    _ reader: any FrameReader, _ run: Run, _ encoders: PictureEncoders
  ) throws(AssetError) {
    var schedule = FrameSchedule(reader) { [clock] in clock.now }
    while !run.cancellation.isCancelled {
      switch try schedule.next() {
      case .end: return
      case .nextPass(let time): wait(run, until: time)
      case .frame(let frame):
        let pixels = run.request.stillSize.map(frame.pixels.resampled) ?? frame.pixels
        let picture = encoders.encoder.encode(pixels, over: encoders.backdrop)
        wait(run, until: schedule.due(frame))
        wait(run, until: clock.now + Self.patience) { state.withLock(\.isDrawn) }
        show(picture, run)
      }
    }
  }

  private func show(_ picture: EncodedPicture, _ run: Run) {
    let isCurrent = state.withLock { state in
      guard state.run === run else { return false }
      state.lastVersion += 1
      state.picture = ScreenPicture(version: state.lastVersion, encoded: picture, isTransient: true)
      state.isDrawn = false
      return true
    }
    if isCurrent { report(.frame, run.request.generation) }
  }

  /// Waits until `time`, until the run ends, or until `isEnough` returns true.
  private func wait(_ run: Run, until time: Duration, _ isEnough: () -> Bool = { false }) {
    while !run.cancellation.isCancelled, clock.now < time, !isEnough() {
      clock.wait(for: run.news, until: time)
    }
  }
}

/// Iterates over the frames of an animation or video, as often as its file states, and returns when each is
/// due.
///
/// Used by one thread.
package struct FrameSchedule {
  /// The next step of playback.
  package enum Step {
    /// A frame; call `due(_:)` for its time once it is ready to be shown.
    case frame(MovingFrame)
    /// A pass has ended, and the next starts at a time.
    case nextPass(at: Duration)
    /// All passes have ended.
    case end
  }

  private let reader: any FrameReader
  private let now: () -> Duration
  private var pacer: FramePacer
  private var passCount = 0
  private var isAtEnd = false

  /// - Parameter now: time elapsed since a fixed moment.
  package init(_ reader: any FrameReader, now: @escaping () -> Duration) {
    self.reader = reader
    self.now = now
    pacer = FramePacer(begin: now())
  }

  /// Returns the next step; blocks for the disk and the decoder.
  package mutating func next() throws(AssetError) -> Step {
    if isAtEnd { try reader.rewind() }
    isAtEnd = false
    if let frame = try reader.next(pacer.skip(at: now())) { return .frame(frame) }
    // One frame is a still. A truncated file may have none, and repeating it would loop without a pause.
    if pacer.shownCount <= 1 { return .end }
    passCount += 1
    let time = now()
    let rest = pacer.endPass(at: time)
    if let count = reader.playCount, passCount >= count { return .end }
    isAtEnd = true
    return .nextPass(at: time + rest)
  }

  /// Returns when to show a frame that is ready now.
  package mutating func due(_ frame: MovingFrame) -> Duration {
    let time = now()
    return time + pacer.delay(of: frame, at: time)
  }

  /// Accounts for a pause in playback.
  package mutating func shift(by pause: Duration) { pacer.shift(by: pause) }
}

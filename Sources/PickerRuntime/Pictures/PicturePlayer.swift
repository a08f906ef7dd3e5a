package import AssetLibrary
import Dispatch
import PickerUI
import Pixels
import Synchronization
import System
import TerminalGraphics

/// Plays one thing at a time in the place of a picture: decoded, encoded and timed on a thread of its own.
///
/// One picture is at hand at a time. None is made before the last one is on the screen, so that a slow terminal
/// gets fewer of them, and none of those that are late. Safe from several threads.
final class PicturePlayer: Sendable {
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

  /// Plays something; what played before ends.
  /// - Parameter encoders: of the terminal as it is known now.
  func play(_ request: PlaybackRequest, with encoders: PictureEncoders) {
    let run = Run(request)
    exchange(run)
    // A thread of its own: it sleeps between frames, and concurrent queues share two threads on two cores.
    WorkerThread.run { [self] in perform(run, encoders) }
  }

  /// Ends what plays, and forgets its picture.
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

  /// The moving picture in the place of a still one; nil where none is.
  func picture(for key: PictureKey) -> ScreenPicture? {
    state.withLock { $0.run?.request.key == key ? $0.picture : nil }
  }

  /// A picture was sent to the terminal.
  func sent(_ version: UInt64) {
    let run = state.withLock { state -> Run? in
      guard state.picture?.version == version, !state.isDrawn else { return nil }
      state.isDrawn = true
      return state.run
    }
    run?.news.signal()
  }

  // MARK: The thread

  /// A picture that is not on the screen by then is not waited for: it may be hidden.
  private static let patience: Duration = .seconds(1)

  private func perform(_ run: Run, _ encoders: PictureEncoders) {
    let request = run.request
    do throws(AssetError) {
      let wanted = FrameRequest(asset: request.asset, targetSize: request.key.size)
      try play(try manager.frames(of: wanted, cancellation: run.cancellation), run, encoders)
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

  /// Waits until a moment, until the run ends or until something is so.
  private func wait(_ run: Run, until time: Duration, _ isEnough: () -> Bool = { false }) {
    while !run.cancellation.isCancelled, clock.now < time, !isEnough() {
      clock.wait(for: run.news, until: time)
    }
  }
}

/// Goes through the pictures of something that moves, as often as its file says, and tells when each is due.
///
/// Used by one thread.
package struct FrameSchedule {
  /// What comes next.
  package enum Step {
    /// A picture; `due(_:)` tells its time once it is ready to be shown.
    case frame(MovingFrame)
    /// All was shown, and is shown again from a time on.
    case nextPass(at: Duration)
    /// All was shown often enough.
    case end
  }

  private let reader: any FrameReader
  private let now: () -> Duration
  private var pacer: FramePacer
  private var passCount = 0
  private var isAtEnd = false

  /// - Parameter now: the time since any fixed moment.
  package init(_ reader: any FrameReader, now: @escaping () -> Duration) {
    self.reader = reader
    self.now = now
    pacer = FramePacer(begin: now())
  }

  /// Goes on; waits for the disk and the decoder.
  package mutating func next() throws(AssetError) -> Step {
    if isAtEnd { try reader.rewind() }
    isAtEnd = false
    if let frame = try reader.next(pacer.skip(at: now())) { return .frame(frame) }
    // One picture alone stands still; none, where a file was cut meanwhile, leaves no time to wait.
    if pacer.shownCount <= 1 { return .end }
    passCount += 1
    let time = now()
    let rest = pacer.endPass(at: time)
    if let count = reader.playCount, passCount >= count { return .end }
    isAtEnd = true
    return .nextPass(at: time + rest)
  }

  /// When a picture is to be shown, which has just been made ready.
  package mutating func due(_ frame: MovingFrame) -> Duration {
    let time = now()
    return time + pacer.delay(of: frame, at: time)
  }

  /// Everything stood still for a while.
  package mutating func shift(by pause: Duration) { pacer.shift(by: pause) }
}

package import AssetLibrary
import Dispatch
package import PickerUI
import Pixels
import Synchronization
import System
import TerminalGraphics

/// Plays one animation or video in the place of a picture: decodes, encodes and times its frames on a
/// separate thread.
///
/// Holds one frame at a time. The next one is made only after the last one is on the screen, so that a slow
/// terminal gets fewer frames and no late ones. A paused playback keeps its file open, so that it goes on at once.
/// Safe to use from several threads.
final class PicturePlayer: Sendable {
  /// The playback of one request.
  private final class Run: Sendable {
    let request: PlaybackRequest
    let cancellation = Cancellation()
    /// Signaled when the last frame is on the screen, when an order arrives, and when the run ends.
    let news = DispatchSemaphore(value: 0)
    private let orders = Mutex<[(order: PlaybackOrder, time: Duration)]>([])

    init(_ request: PlaybackRequest) {
      self.request = request
    }

    /// Adds an order; a seek that has not begun is replaced by the next one.
    /// - Parameter time: when it was given.
    func add(_ order: PlaybackOrder, at time: Duration) {
      orders.withLock { orders in
        if order.isSeek { orders.removeAll(where: \.order.isSeek) }
        orders.append((order, time))
      }
      news.signal()
    }

    var hasOrders: Bool { orders.withLock { !$0.isEmpty } }

    var hasSeek: Bool { orders.withLock { $0.contains(where: \.order.isSeek) } }

    func takeOrders() -> [(order: PlaybackOrder, time: Duration)] {
      orders.withLock { orders in
        defer { orders = [] }
        return orders
      }
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

  /// Changes the current playback; does nothing if there is none, or it has ended.
  func control(_ order: PlaybackOrder) { state.withLock(\.run)?.add(order, at: clock.now) }

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
      let reader = try manager.frames(of: request.frames, cancellation: run.cancellation)
      let end = try play(reader, run, encoders)
      if !run.cancellation.isCancelled { report(end, request.generation) }
    } catch {
      if !run.cancellation.isCancelled { report(.failed(reason: error.reason), request.generation) }
    }
  }

  /// A frame that is ready to be shown.
  private struct Ready {
    var picture: EncodedPicture
    var time: Duration
    var duration: Duration
    var due: Duration
  }

  /// Plays until the end or the cancellation.
  /// - Returns: the end, with the last orders that were followed.
  private func play(
    _ reader: any FrameReader, _ run: Run, _ encoders: PictureEncoders
  ) throws(AssetError) -> PlaybackEvent {
    let request = run.request
    var schedule = FrameSchedule(reader, rate: request.rate, loops: request.loops) { [clock] in clock.now }
    var pause = request.isPaused ? clock.now : nil
    var seekNumber = request.seekNumber
    var ready: Ready?
    var lastDue: Duration?
    /// Whether the next frame is shown at once, also during a pause.
    var isSought = true
    if request.start != .time(.zero) { try schedule.seek(to: request.start) { run.hasSeek } }
    while !run.cancellation.isCancelled {
      for (order, time) in run.takeOrders() {
        switch order {
        case .pause: pause = pause ?? time
        case .resume:
          guard let began = pause else { continue }
          schedule.shift(by: time - began)
          ready?.due += time - began
          pause = nil
        case .seek(let place, let number):
          try schedule.seek(to: place) { run.hasSeek }
          (ready, seekNumber, isSought) = (nil, number, true)
        case .step: isSought = true
        case .rate(let rate):
          if let began = pause {
            schedule.shift(by: time - began)
            pause = time
          }
          schedule.setRate(rate, at: time)
          ready?.due = time
        case .loops(let isForever): schedule.loops = isForever
        }
      }
      // A seek takes time, and the next one may have replaced it.
      if run.hasOrders { continue }
      if pause != nil, !isSought {
        run.news.wait()
        continue
      }
      guard let next = ready else {
        // The length of the pause is no reason to skip frames.
        if pause != nil { schedule.resynchronize() }
        switch try schedule.next() {
        // At the end of a pause, the last frame stays.
        case .end where pause != nil: isSought = false
        case .end: return .ended(seekNumber: seekNumber, loops: schedule.loops)
        case .nextPass(let time): wait(run, until: time) { run.hasOrders }
        case .frame(let frame):
          // A tile has no more frames than the eye needs there: the others are not even encoded.
          let tileDue = request.isInGrid ? schedule.due(frame) : nil
          if let tileDue, let lastDue, tileDue - lastDue < Self.tileInterval { continue }
          lastDue = tileDue
          let pixels = request.fitted(frame.pixels)
          let picture = encoders.encoder.encode(pixels, over: encoders.backdrop)
          if pause != nil {
            // The frames after it are timed from now on.
            schedule.resynchronize()
            pause = clock.now
          }
          ready = Ready(
            picture: picture, time: frame.start, duration: frame.duration,
            due: tileDue ?? schedule.due(frame))
        }
        continue
      }
      if !isSought || pause == nil {
        wait(run, until: next.due) { run.hasOrders }
        wait(run, until: clock.now + Self.patience) { run.hasOrders || state.withLock(\.isDrawn) }
        if run.hasOrders { continue }
      }
      show(
        next.picture,
        at: PlaybackMoment(
          time: next.time, duration: next.duration, length: schedule.length, seekNumber: seekNumber),
        run)
      (ready, isSought) = (nil, false)
    }
    return .ended(seekNumber: seekNumber, loops: schedule.loops)
  }

  /// The least time between frames in a tile of the grid.
  private static let tileInterval: Duration = .milliseconds(95)

  private func show(_ picture: EncodedPicture, at moment: PlaybackMoment, _ run: Run) {
    let isCurrent = state.withLock { state in
      guard state.run === run else { return false }
      state.lastVersion += 1
      state.picture = ScreenPicture(version: state.lastVersion, encoded: picture, isTransient: true)
      state.isDrawn = false
      return true
    }
    if isCurrent { report(.frame(moment), run.request.generation) }
  }

  /// Waits until `time`, until the run ends, or until `isEnough` returns true.
  private func wait(_ run: Run, until time: Duration, _ isEnough: () -> Bool = { false }) {
    while !run.cancellation.isCancelled, clock.now < time, !isEnough() {
      clock.wait(for: run.news, until: time)
    }
  }
}

extension PlaybackRequest {
  /// Gives a frame the size of the picture that it replaces.
  func fitted(_ pixels: PixelBuffer) -> PixelBuffer {
    guard let covering = coveringSize else { return stillSize.map(pixels.resampled) ?? pixels }
    let whole = pixels.size == covering ? pixels : pixels.resampled(to: covering)
    let part = PixelSize(
      width: min(key.size.width, covering.width), height: min(key.size.height, covering.height))
    return whole.cropped(
      x: (covering.width - part.width) / 2, y: (covering.height - part.height) / 2, to: part)
  }
}

extension PlaybackOrder {
  fileprivate var isSeek: Bool { if case .seek = self { true } else { false } }
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

  /// Whether it is played forever or until the end of the current pass; nil = as often as the file states.
  package var loops: Bool?

  private let reader: any FrameReader
  private let now: () -> Duration
  private var pacer: FramePacer
  private var passCount = 0
  private var isAtEnd = false
  /// Whether the current pass was not played from its start.
  private var hasSought = false
  /// The length of a pass that was read to its end.
  private var measuredLength: Duration?
  /// Whether finding the length of a pass took too long.
  private var isTooLong = false
  /// The start of the last frame, from the start of the pass.
  private var start = Duration.zero
  /// The end of the last frame, from the start of the pass.
  private var end = Duration.zero

  /// - Parameters:
  ///   - rate: how many seconds of a pass are played in a second.
  ///   - loops: whether it is played forever or once; nil = as often as the file states.
  ///   - now: time elapsed since a fixed moment.
  package init(
    _ reader: any FrameReader, rate: Double = 1, loops: Bool? = nil, now: @escaping () -> Duration
  ) {
    self.reader = reader
    self.loops = loops
    self.now = now
    pacer = FramePacer(begin: now(), rate: rate)
  }

  /// Returns the next step; blocks for the disk and the decoder.
  package mutating func next() throws(AssetError) -> Step {
    if isAtEnd { try reader.rewind() }
    isAtEnd = false
    if let frame = try reader.next(pacer.skip(at: now())) {
      (start, end) = (frame.start, frame.end)
      return .frame(frame)
    }
    // One frame is a still. A truncated file may have none, and repeating it would loop without a pause.
    if pacer.shownCount <= (hasSought ? 0 : 1) { return .end }
    measuredLength = end
    hasSought = false
    passCount += 1
    let time = now()
    let rest = pacer.endPass(at: time)
    switch loops {
    case true?: break
    case false?: return .end
    case nil: if let count = reader.playCount, passCount >= count { return .end }
    }
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

  /// Makes the next frame due at once; the following ones are timed from it.
  package mutating func resynchronize() { pacer.seek() }

  /// The length of a pass; nil if it is unknown, because the file does not state it and no pass has ended yet.
  package var length: Duration? { reader.length ?? measuredLength }

  /// Plays at another rate from a time on.
  package mutating func setRate(_ rate: Double, at time: Duration) { pacer.setRate(rate, at: time) }

  /// The number of frames that are decoded at once to find the length of an animation.
  ///
  /// Few, because nothing else is heard or ended meanwhile.
  private static let measuredFrames = 16

  /// How long to look for the length of an animation.
  package static let measuringTime: Duration = .seconds(5)

  /// Continues with the frame at a place, which is due at once.
  ///
  /// For a fraction of an animation whose length is unknown, all its frames are decoded once. If that takes too
  /// long, it continues with the last frame.
  /// - Parameters:
  ///   - place: the place to show.
  ///   - isReplaced: returns whether another place is sought by now; then this one is given up.
  package mutating func seek(
    to place: PlaybackPlace, unless isReplaced: () -> Bool = { false }
  ) throws(AssetError) {
    if case .fraction = place, length == nil {
      try measure(unless: isReplaced)
      // The next one goes on from here.
      if isReplaced() { return }
    }
    let time =
      switch place {
      case .time(let time): time
      case .fraction: length.map(place.time) ?? start
      }
    try reader.seek(to: max(.zero, time))
    pacer.seek()
    (isAtEnd, hasSought) = (false, true)
  }

  /// Reads to the end of the pass for its length, within the time limit.
  private mutating func measure(unless isReplaced: () -> Bool) throws(AssetError) {
    let limit = now() + Self.measuringTime
    let skip = FrameSkip(until: .seconds(1 << 30), most: Self.measuredFrames)
    var last: Duration?
    while !isTooLong, !isReplaced() {
      guard let frame = try reader.next(skip) else {
        // Without a frame, the reader was at the end before.
        measuredLength = last ?? end
        return
      }
      // Some files state their length once a frame is decoded.
      if reader.length != nil { return }
      last = frame.end
      isTooLong = now() >= limit
    }
  }
}

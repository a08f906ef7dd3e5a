import AssetLibrary
import Dispatch
import PickerUI
import Pixels
import Synchronization
import System

/// Reads stills of one video or animation at a time, for the tile under the mouse.
///
/// One thread reads one still after the other, the newest first. The file stays open for the next one while stills of it
/// are wanted, for some seconds. Safe to use from several threads.
final class StillReader: Sendable {
  private struct Job: Sendable {
    let want: PictureRequest
    let place: PlaybackPlace
    let answer: @Sendable (Result<PixelBuffer, AssetError>) -> Void

    var request: PlaybackRequest { PlaybackRequest(generation: 0, asset: want.asset, key: want.key) }
  }

  /// An open file.
  private final class Run: Sendable {
    let clip: FrameRequest
    let cancellation = Cancellation()
    /// Signaled with each job, and when the run ends.
    let news = DispatchSemaphore(value: 0)

    init(_ clip: FrameRequest) {
      self.clip = clip
    }

    func cancel() {
      cancellation.cancel()
      news.signal()
    }
  }

  private struct State {
    var run: Run?
    /// Of the run, the newest last.
    var jobs: [Job] = []
  }

  /// How long a file stays open without a job.
  private static let patience: Duration = .seconds(3)

  private let manager: any AssetManager
  private let clock: any RuntimeClock
  /// The next file is opened after the last one was closed.
  private let queue = WorkQueue(width: 1)
  private let state = Mutex(State())

  init(manager: any AssetManager, clock: any RuntimeClock) {
    self.manager = manager
    self.clock = clock
  }

  /// Reads a still; those of other files are cancelled.
  /// - Parameters:
  ///   - want: the still; the size of its picture is that of the pixels.
  ///   - place: its place in the whole.
  ///   - answer: called on the reader's thread, unless the still is cancelled.
  func read(
    _ want: PictureRequest, at place: PlaybackPlace,
    _ answer: @escaping @Sendable (Result<PixelBuffer, AssetError>) -> Void
  ) {
    let job = Job(want: want, place: place, answer: answer)
    let clip = job.request.frames
    let (known, new, old) = state.withLock { state -> (Run?, Run?, Run?) in
      if let run = state.run, run.clip == clip {
        state.jobs.append(job)
        return (run, nil, nil)
      }
      let (old, new) = (state.run, Run(clip))
      state = State(run: new, jobs: [job])
      return (nil, new, old)
    }
    known?.news.signal()
    old?.cancel()
    if let new { queue.async { [self] in perform(new) } }
  }

  /// Cancels other stills; without any, the file is closed.
  func keep(_ stills: Set<PictureKey>) {
    let old = state.withLock { state in
      state.jobs.removeAll { !stills.contains($0.want.key) }
      guard stills.isEmpty else { return nil as Run? }
      defer { state.run = nil }
      return state.run
    }
    old?.cancel()
  }

  // MARK: The thread

  private func perform(_ run: Run) {
    var schedule: FrameSchedule?
    while let job = nextJob(of: run) {
      let result: Result<PixelBuffer, AssetError>
      do throws(AssetError) {
        var opened: FrameSchedule
        if let schedule { opened = schedule } else { opened = try open(run) }
        result = .success(try still(of: job, &opened, run))
        schedule = opened
      } catch {
        result = .failure(error)
      }
      if !run.cancellation.isCancelled { job.answer(result) }
    }
  }

  /// Waits for a job; returns nil at the end of the run.
  private func nextJob(of run: Run) -> Job? {
    let limit = clock.now + Self.patience
    while !run.cancellation.isCancelled {
      let isLate = clock.now >= limit
      let (job, isOver) = state.withLock { state -> (Job?, Bool) in
        guard state.run === run else { return (nil, true) }
        if let job = state.jobs.popLast() { return (job, false) }
        if isLate { state.run = nil }
        return (nil, isLate)
      }
      if job != nil || isOver { return job }
      clock.wait(for: run.news, until: limit)
    }
    return nil
  }

  private func open(_ run: Run) throws(AssetError) -> FrameSchedule {
    let reader = try manager.frames(of: run.clip, cancellation: run.cancellation)
    var schedule = FrameSchedule(reader) { [clock] in clock.now }
    // A video states its length once a frame is decoded.
    _ = try schedule.next()
    return schedule
  }

  private func still(
    of job: Job, _ schedule: inout FrameSchedule, _ run: Run
  ) throws(AssetError) -> PixelBuffer {
    let asset = job.want.asset
    var place = job.place
    // Known without decoding all frames.
    if schedule.length == nil, asset.duration > 0 {
      place = .time(place.time(in: .seconds(asset.duration)))
    }
    try schedule.seek(to: place) { run.cancellation.isCancelled }
    guard case .frame(let frame) = try schedule.next() else {
      throw AssetError(asset.subject, "the frame can't be read")
    }
    return job.request.fitted(frame.pixels)
  }
}

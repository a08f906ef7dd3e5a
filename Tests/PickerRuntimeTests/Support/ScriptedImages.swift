import AssetLibrary
import PickerUI
import Pixels
import Synchronization

/// An image manager that delivers pictures on a test's command, and records requests.
final class ScriptedImages: ImageManager {
  /// A running request.
  struct Request {
    var id: ImageRequestID
    var request: ImageRequest
    var priority: ImagePriority
    fileprivate var handler: @Sendable (ImageResult) -> Void

    var name: String { request.asset.id.rawValue }
  }

  private struct State {
    var lastID: UInt64 = 0
    var open: [Request] = []
    var asked: [String] = []
    var cancelled: [String] = []
    var frames: [LocalIdentifier: ScriptedFrames] = [:]
    var frameRequests: [FrameRequest] = []
    var cancellations: [Cancellation] = []
  }

  private let state = Mutex(State())

  /// Running requests, in the order in which they were made.
  var open: [Request] { state.withLock(\.open) }

  /// The requests since the last call, in order.
  func takeAsked() -> [String] {
    state.withLock { state in
      defer { state.asked = [] }
      return state.asked
    }
  }

  var cancelled: [String] { state.withLock(\.cancelled) }

  func requestImage(
    _ request: ImageRequest, priority: ImagePriority,
    progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID {
    state.withLock { state in
      state.lastID += 1
      let id = ImageRequestID(rawValue: state.lastID)
      state.open.append(Request(id: id, request: request, priority: priority, handler: resultHandler))
      state.asked.append(request.asset.id.rawValue)
      return id
    }
  }

  func requestImageData(
    _ request: ImageDataRequest, progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageDataResult) -> Void
  ) -> ImageRequestID { ImageRequestID(rawValue: 0) }

  func setPriority(_ priority: ImagePriority, of request: ImageRequestID) {
    state.withLock { state in
      guard let index = state.open.firstIndex(where: { $0.id == request }) else { return }
      state.open[index].priority = priority
    }
  }

  func cancelImageRequest(_ request: ImageRequestID) {
    state.withLock { state in
      state.cancelled += state.open.filter { $0.id == request }.map(\.name)
      state.open.removeAll { $0.id == request }
    }
  }

  /// Answers the running requests for an asset with a picture of the requested size, filled with one byte.
  func answer(_ name: String, fill: UInt8 = 1, isDegraded: Bool = false, note: String? = nil) {
    answer(name, isLast: !isDegraded) { request in
      let color = Color(red: fill, green: fill, blue: fill)
      return .image(
        PixelBuffer(size: request.targetSize, filledWith: color), isDegraded: isDegraded, note: note)
    }
  }

  func fail(_ name: String, _ reason: String, isTransient: Bool = false) {
    answer(name, isLast: true) { _ in .failed(AssetError(name, reason, isTransient: isTransient)) }
  }

  private func answer(_ name: String, isLast: Bool, _ content: (ImageRequest) -> ImageResult.Content) {
    let meant = state.withLock { state in
      defer { if isLast { state.open.removeAll { $0.name == name } } }
      return state.open.filter { $0.name == name }
    }
    for request in meant {
      request.handler(ImageResult(requestID: request.id, content: content(request.request), isLast: isLast))
    }
  }

  // MARK: Moving pictures

  /// Cancellation handles of the requests for moving pictures, in order.
  var cancellations: [Cancellation] { state.withLock(\.cancellations) }

  /// The requests for moving pictures, in order.
  var frameRequests: [FrameRequest] { state.withLock(\.frameRequests) }

  func setFrames(_ frames: ScriptedFrames, of asset: Asset) {
    state.withLock { $0.frames[asset.id] = frames }
  }

  func frames(
    of request: FrameRequest, cancellation: Cancellation
  ) throws(AssetError) -> any FrameReader {
    let found = state.withLock { state in
      state.cancellations.append(cancellation)
      state.frameRequests.append(request)
      return state.frames[request.asset.id]
    }
    guard let frames = found else {
      throw AssetError(request.asset.id.rawValue, "does not move")
    }
    frames.reopen()
    return frames
  }
}

/// Frames of an animation: one color after the other, a tenth of a second each.
final class ScriptedFrames: FrameReader, Sendable {
  private struct State {
    var next = 0
    var made: [Int] = []
    var rewindCount = 0
  }

  private let state = Mutex(State())
  let count: Int
  let playCount: Int?
  let length: Duration?

  /// - Parameter statesLength: whether the length is known before the end.
  init(count: Int, playCount: Int?, statesLength: Bool = false) {
    self.count = count
    self.playCount = playCount
    length = statesLength ? Self.duration * count : nil
  }

  static let duration: Duration = .milliseconds(100)

  /// The numbers of the frames made so far, in order.
  var made: [Int] { state.withLock(\.made) }
  var rewindCount: Int { state.withLock(\.rewindCount) }

  func next(_ skip: FrameSkip) throws(AssetError) -> MovingFrame? {
    let number = state.withLock { state -> Int? in
      guard state.next < count else { return nil }
      defer { state.next += 1 }
      var skipped = 0
      while state.next < count - 1,
        skip.leavesOut(endingAt: Self.duration * (state.next + 1), after: skipped)
      {
        state.next += 1
        skipped += 1
      }
      state.made.append(state.next)
      return state.next
    }
    guard let number else { return nil }
    let color = Color(red: UInt8(truncatingIfNeeded: number + 1), green: 0, blue: 0)
    return MovingFrame(
      pixels: PixelBuffer(size: PixelSize(width: 40, height: 40), filledWith: color),
      start: Self.duration * number, duration: Self.duration)
  }

  /// Restarts at the first frame, for another player.
  func reopen() { state.withLock { $0.next = 0 } }

  func seek(to time: Duration) throws(AssetError) {
    state.withLock { state in
      state.next = max(0, min(count - 1, Int(time / Self.duration)))
      if time == .zero { state.rewindCount += 1 }
    }
  }
}

import Synchronization

/// Makes pictures of assets in the background.
///
/// Prefetching is a request like any other, with the priority `preheat` or `prefetch`, and `cancelImageRequest` ends
/// it. A later request for the same picture joins the one under way or is answered from memory, if asset, version,
/// size, content mode and resize mode are equal: derive both from one value.
public protocol ImageManager: Sendable {
  /// Asks for a picture.
  ///
  /// Answers come in order on a worker's thread, the first perhaps before the call returns; the one answer
  /// to a synchronous request comes on the caller, before the call returns. Don't make synchronous requests
  /// inside a result handler: it holds a worker.
  /// - Parameters:
  ///   - request: which picture, and how it is to be answered.
  ///   - priority: how soon it is wanted.
  ///   - progressHandler: hears from 0 to 1 how much of a remote original has arrived, and may stop it.
  ///   - resultHandler: gets the answers.
  @discardableResult
  func requestImage(
    _ request: ImageRequest, priority: ImagePriority,
    progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID

  /// Asks for the bytes of an asset's file; exactly one answer comes.
  @discardableResult
  func requestImageData(
    _ request: ImageDataRequest, progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageDataResult) -> Void
  ) -> ImageRequestID

  /// The pictures of an asset that moves. Waits for the disk: not for the thread that draws.
  ///
  /// - Parameters:
  ///   - request: which asset, and how large.
  ///   - cancellation: ends whatever the reader does, from any thread.
  /// - Throws: `AssetError` when it does not move, or can't be played.
  func frames(of request: FrameRequest, cancellation: Cancellation) throws(AssetError) -> any FrameReader

  /// Moves a waiting request in the queue.
  func setPriority(_ priority: ImagePriority, of request: ImageRequestID)

  /// Ends a request: the one answer `cancelled` follows unless the last one was given.
  func cancelImageRequest(_ request: ImageRequestID)
}

extension ImageManager {
  /// Asks for a picture whose download nobody watches.
  @discardableResult
  public func requestImage(
    _ request: ImageRequest, priority: ImagePriority,
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID {
    requestImage(request, priority: priority, progressHandler: nil, resultHandler: resultHandler)
  }

  /// The answers to a request, one after the other; the sequence ends with the last one.
  ///
  /// Who stops listening cancels the request.
  public func images(
    for request: ImageRequest, priority: ImagePriority = .visible
  ) -> AsyncStream<ImageResult> {
    AsyncStream { continuation in
      let id = requestImage(request, priority: priority) { result in
        continuation.yield(result)
        if result.isLast { continuation.finish() }
      }
      continuation.onTermination = { reason in
        if case .cancelled = reason { cancelImageRequest(id) }
      }
    }
  }
}

/// Identifies a request under way.
public struct ImageRequestID: Hashable, Sendable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}

/// How soon a picture is wanted.
///
/// Requests below `visible` are prefetching: they begin only when every visible one has begun, on threads that give
/// way to all others.
public enum ImagePriority: Int, Comparable, CaseIterable, Sendable {
  /// May be looked at next, for instance the neighbors of the previewed picture.
  case prefetch
  /// About to scroll into view.
  case preheat
  /// On the screen.
  case visible
  /// What the user is looking at.
  case preview

  public static func < (a: ImagePriority, b: ImagePriority) -> Bool { a.rawValue < b.rawValue }
}

/// What the receiver of a download's progress wants.
public enum DownloadDecision: Hashable, Sendable {
  case proceed
  /// Ends the request, as cancelling it does.
  case stop
}

/// Tells a piece of work from another thread that it is no longer wanted.
public final class Cancellation: Sendable {
  private let flag = Atomic(false)

  public init() {}

  public var isCancelled: Bool { flag.load(ordering: .relaxed) }

  public func cancel() { flag.store(true, ordering: .relaxed) }
}

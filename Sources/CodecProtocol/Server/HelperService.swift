import Synchronization
import System

/// What a helper can do with the files it is given.
///
/// `CodecServer` calls it from one thread. The default implementations throw an error.
package protocol HelperService: AnyObject {
  /// Decodes the picture of an open file within a number of seconds; `CodecServer` closes the file.
  func picture(of file: Int32, _ request: DecodeRequest, seconds: UInt32) throws(CodecError) -> PictureMemory

  /// Renders a picture into the shared memory.
  func rendering(
    of file: Int32, _ request: RenderingRequest, into output: PictureOutput
  ) throws(CodecError) -> RenderingFacts

  /// Reads a thumbnail file, which any program may have made.
  func thumbnail(
    of file: Int32, _ request: ThumbnailRequest, into output: PictureOutput
  ) throws(CodecError) -> ThumbnailFacts

  /// Writes the metadata of an open file in the form that the module at the other end decodes.
  func report(on file: Int32, _ request: ReportRequest, to wire: inout WireWriter)

  /// Opens the video or animation in a file, which is closed after the sequence is released.
  func frames(of file: Int32, _ request: FramesRequest) throws(CodecError) -> any FrameSequence

  /// Sets the time limit for the next frame or report, in seconds; 0 clears it.
  func giveUp(after seconds: UInt32)
}

extension HelperService {
  package func picture(
    of file: Int32, _ request: DecodeRequest, seconds: UInt32
  ) throws(CodecError) -> PictureMemory { throw .unknownFormat }

  package func rendering(
    of file: Int32, _ request: RenderingRequest, into output: PictureOutput
  ) throws(CodecError) -> RenderingFacts { throw .unknownFormat }

  package func thumbnail(
    of file: Int32, _ request: ThumbnailRequest, into output: PictureOutput
  ) throws(CodecError) -> ThumbnailFacts { throw .unknownFormat }

  package func frames(of file: Int32, _ request: FramesRequest) throws(CodecError) -> any FrameSequence {
    throw .unreadable("not an animation or a video")
  }

  package func report(on file: Int32, _ request: ReportRequest, to wire: inout WireWriter) {}

  package func giveUp(after seconds: UInt32) {}
}

/// Reports whether the request in progress was cancelled.
///
/// While tpick waits for a picture it sends nothing else: any further bytes, or the end of the connection, cancel
/// the request.
package final class RequestInterruption: Sendable {
  private let socket: Int32
  /// Whether the request is cancelled; set at once if more bytes came with it.
  private let isCancelledByPeer = Atomic(false)
  /// When to poll the socket again, in nanoseconds of the monotonic clock.
  private let next = Atomic<UInt64>(0)
  private static let interval: UInt64 = 2_000_000

  init(_ socket: Int32) { self.socket = socket }

  /// Starts with another request.
  func begin(isCancelledByPeer: Bool) {
    self.isCancelledByPeer.store(isCancelledByPeer, ordering: .relaxed)
  }

  /// Whether the request is cancelled; cheap enough to read after every row, because the socket is polled at most
  /// once per `interval`.
  package var isCancelled: Bool {
    if isCancelledByPeer.load(ordering: .relaxed) { return true }
    let nanoseconds = SystemClock.monotonicNanoseconds
    guard nanoseconds >= next.load(ordering: .relaxed) else { return false }
    next.store(nanoseconds &+ Self.interval, ordering: .relaxed)
    var arrival = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&arrival, 1, 0) > 0 else { return false }
    isCancelledByPeer.store(true, ordering: .relaxed)
    return true
  }
}

import Synchronization
import System

/// What a helper can do with the files that it is handed.
///
/// Called by one thread, by `CodecServer`. What a helper does not implement it answers with an error.
package protocol HelperService: AnyObject {
  /// Decodes the picture of an open file, which is closed afterwards, within a number of seconds.
  func picture(of file: Int32, _ request: DecodeRequest, seconds: UInt32) throws(CodecError) -> PictureMemory

  /// Makes a picture in the shape in which it is shown, and writes it to where tpick reads it.
  func rendering(
    of file: Int32, _ request: RenderingRequest, into output: PictureOutput
  ) throws(CodecError) -> RenderingFacts

  /// Reads a thumbnail that some program has made.
  func thumbnail(
    of file: Int32, _ request: ThumbnailRequest, into output: PictureOutput
  ) throws(CodecError) -> ThumbnailFacts

  /// Writes what an open file says of itself, as the module at the other end understands it.
  func report(on file: Int32, _ request: ReportRequest, to wire: inout WireWriter)

  /// Opens what moves in an open file, which is closed when the sequence is gone.
  func frames(of file: Int32, _ request: FramesRequest) throws(CodecError) -> any FrameSequence

  /// Is told how long the next frame or report may take, in seconds; 0 when it is done.
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
    throw .unreadable("it does not move")
  }

  package func report(on file: Int32, _ request: ReportRequest, to wire: inout WireWriter) {}

  package func giveUp(after seconds: UInt32) {}
}

/// Tells a helper whether the request in hand was taken back.
///
/// While tpick waits for a picture it says nothing else: what comes then takes the request back, and so does its end.
package final class RequestInterruption: Sendable {
  private let socket: Int32
  /// Whether something had come with the request already.
  private let isTakenBack = Atomic(false)
  /// When the socket is looked at again, in nanoseconds of the monotonic clock.
  private let next = Atomic<UInt64>(0)
  private static let interval: UInt64 = 2_000_000

  init(_ socket: Int32) { self.socket = socket }

  /// Begins with another request.
  func begin(isTakenBack: Bool) {
    self.isTakenBack.store(isTakenBack, ordering: .relaxed)
  }

  /// Whether nobody waits for the answer any more; may be asked after every row, and looks at the socket now and then.
  package var isCancelled: Bool {
    if isTakenBack.load(ordering: .relaxed) { return true }
    let nanoseconds = SystemClock.monotonicNanoseconds
    guard nanoseconds >= next.load(ordering: .relaxed) else { return false }
    next.store(nanoseconds &+ Self.interval, ordering: .relaxed)
    var arrival = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&arrival, 1, 0) > 0 else { return false }
    isTakenBack.store(true, ordering: .relaxed)
    return true
  }
}

import CodecProtocol
import Glibc

/// Three frames of a tenth of a second, shown endlessly; each note contains the process that made it.
final class StandInFrames: FrameSequence {
  /// The frame that crashes the helper; nil = none.
  private let deadly: Int?
  private let request: FramesRequest
  private var count = 0

  init(_ request: FramesRequest, deadly: Int?) {
    (self.request, self.deadly) = (request, deadly)
  }

  var playCount: UInt32 { 0 }
  var length: Int64 { 0 }

  func next(_ skip: FrameTimes) throws(CodecError) -> CodedFrame? {
    if count == deadly { raise(SIGKILL) }
    guard count < 3 else { return nil }
    let memory = try PictureMemory(PictureFacts(width: request.targetWidth, height: request.targetHeight))
    memory.facts.note = "\(getpid())"
    defer { count += 1 }
    return CodedFrame(picture: memory, start: Int64(count) * 100_000, duration: 100_000)
  }
}

import AssetLibrary
import CodecProtocol
import Decoding
import Pixels

/// An animation's frames on their way to tpick.
final class AnimationSequence: FrameSequence {
  private let reader: AnimationReader
  private let orientation: Orientation

  init(_ reader: AnimationReader, orientation: Orientation) {
    (self.reader, self.orientation) = (reader, orientation)
  }

  var playCount: UInt32 { UInt32(clamping: reader.playCount ?? 0) }

  func next(_ skip: FrameTimes) throws(CodecError) -> CodedFrame? {
    let frame: MovingFrame?
    do throws(AssetError) {
      frame = try reader.next(
        FrameSkip(until: .microseconds(skip.until), most: Int(skip.most)))
    } catch {
      throw CodecError(error)
    }
    guard let frame else { return nil }
    let canvas = orientation.upright(reader.canvasSize)
    var facts = PictureFacts(frame.pixels)
    (facts.sourceWidth, facts.sourceHeight) = (canvas.width, canvas.height)
    let memory = try PictureMemory(facts)
    frame.pixels.withUnsafeBytes { memory.bytes.copyMemory(from: $0) }
    return CodedFrame(
      picture: memory, start: frame.start.microseconds, duration: frame.duration.microseconds)
  }
}

extension Duration {
  /// Whole microseconds.
  fileprivate var microseconds: Int64 { Int64(clamping: Int(self / .microseconds(1))) }
}

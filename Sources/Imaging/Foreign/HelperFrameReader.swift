import AssetLibrary
import CodecProtocol
import Pixels
import Rendering

/// What a helper plays as a reader of frames: animations, and videos.
final class HelperFrameReader: FrameReader {
  private let frames: HelperFrames
  /// Keeps the file open.
  private let file: any ResourceReader
  private let name: String
  private let target: PixelSize
  private let cancellation: Cancellation
  /// Whether this pass has shown something.
  private var hasFrame = false

  init(
    _ frames: HelperFrames, of file: any ResourceReader, name: String, target: PixelSize,
    cancellation: Cancellation
  ) {
    self.frames = frames
    self.file = file
    self.name = name
    self.target = target
    self.cancellation = cancellation
  }

  var playCount: Int? { frames.playCount }

  func next(_ skip: FrameSkip) throws(AssetError) -> MovingFrame? {
    let times = FrameTimes(
      until: Int64(clamping: Int(skip.until / .microseconds(1))), most: UInt32(clamping: skip.most))
    let frame: HelperFrames.Frame?
    do throws(CodecError) {
      frame = try frames.next(times) { cancellation.isCancelled }
    } catch {
      // What was seen so far was worth it: here it ends.
      if hasFrame, !error.isAbsence { return nil }
      throw AssetError(name, error.reason, isTransient: error.isTransient, isStall: error.isStall)
    }
    if cancellation.isCancelled { return nil }
    guard let frame else {
      // The tables of a video may promise pictures that are not there.
      if !hasFrame { throw AssetError(name, "there is no picture in it") }
      return nil
    }
    hasFrame = true
    let picture = frame.picture
    let source = PixelSize(width: picture.sourceWidth, height: picture.sourceHeight)
    return MovingFrame(
      pixels: ReducedPicture(picture.pixels, of: source).shown(at: target, .aspectFit),
      start: .microseconds(frame.start), duration: .microseconds(frame.duration))
  }

  func rewind() {
    hasFrame = false
    frames.rewind()
  }
}

package import AssetLibrary
package import CodecProtocol
package import Pixels
import Rendering

/// Decodes HEIC, AVIF, TIFF, JPEG XL, raw files and stills of videos with the codec helper.
package final class HelperDecoder: ForeignDecoder {
  private let helper: CodecClient

  package init(_ helper: CodecClient = CodecClient()) {
    self.helper = helper
  }

  package func picture(
    of reader: any ResourceReader, request: ForeignRequest, isCancelled: () -> Bool
  ) throws(AssetError) -> ForeignPicture? {
    guard let descriptor = reader.descriptor else {
      throw AssetError(request.name, "can be drawn only from a file of its own", code: .unsupported)
    }
    let decode = DecodeRequest(
      targetWidth: request.targetSize.width, targetHeight: request.targetSize.height,
      fills: request.contentMode == .aspectFill, source: request.develops ? .developed : .picture,
      maxSide: request.sideLimit,
      maxDecodedPixels: request.pixelLimit)
    let decoded: DecodedPicture
    do {
      guard let answer = try helper.decode(descriptor, decode, isCancelled: isCancelled) else { return nil }
      decoded = answer
    } catch {
      throw AssetError(request.name, error)
    }
    // The helper knows these limits, but may ignore them if it is compromised. A picture in its native size is as
    // large as its source.
    let source = PixelSize(width: decoded.sourceWidth, height: decoded.sourceHeight)
    for (size, mostPixels) in [(decoded.size, request.pixelLimit), (source, decode.maxPixels)] {
      guard size.area <= mostPixels, max(size.width, size.height) <= request.sideLimit else {
        throw AssetError(request.name, CodecError.tooLarge(width: size.width, height: size.height))
      }
    }
    return ForeignPicture(pixels: decoded.pixels, sourceSize: source, note: decoded.note)
  }

  package func frames(
    of reader: any ResourceReader, range: Range<Int>, name: String, targetSize: PixelSize,
    cancellation: Cancellation
  ) throws(AssetError) -> any FrameReader {
    guard let descriptor = reader.descriptor else {
      throw AssetError(name, "can be played only from a file of its own", code: .unsupported)
    }
    let request = FramesRequest(
      targetWidth: min(targetSize.width, Self.largestSide),
      targetHeight: min(targetSize.height, Self.largestSide),
      range: range)
    return HelperFrameReader(
      helper.frames(of: descriptor, request), of: reader, name: name, target: targetSize,
      cancellation: cancellation)
  }

  /// The maximum side of a frame in pixels, larger than any screen.
  static let largestSide = 16_384
}

/// Reads the frames of animations and videos that a helper decodes.
final class HelperFrameReader: FrameReader {
  private let frames: HelperFrames
  /// The open file, which must stay open during playback.
  private let file: any ResourceReader
  private let name: String
  private let target: PixelSize
  private let cancellation: Cancellation
  /// Whether this pass has returned a frame.
  private var hasFrame = false

  init(
    _ frames: HelperFrames, of file: any ResourceReader, name: String, target: PixelSize,
    cancellation: Cancellation
  ) {
    self.frames = frames
    self.file = file
    self.name = name
    // The helper may claim a source of any size, up to which a frame would be enlarged.
    let most = HelperDecoder.largestSide
    self.target = PixelSize(width: min(target.width, most), height: min(target.height, most))
    self.cancellation = cancellation
  }

  var playCount: Int? { frames.playCount }

  func next(_ skip: FrameSkip) throws(AssetError) -> MovingFrame? {
    let times = FrameTimes(
      until: Int64(saturating: skip.until / .microseconds(1)), most: UInt32(clamping: skip.most))
    let frame: HelperFrames.Frame?
    do throws(CodecError) {
      frame = try frames.next(times) { cancellation.isCancelled }
    } catch {
      // Frames were already shown: treat the error as the end of the pass.
      if hasFrame, !error.isHelperUnavailable { return nil }
      throw AssetError(name, error)
    }
    if cancellation.isCancelled { return nil }
    guard let frame else {
      // The tables of a video may list frames that are missing from the file.
      if !hasFrame { throw AssetError(name, "it contains no picture", code: .damaged) }
      return nil
    }
    hasFrame = true
    let picture = frame.picture
    let source = PixelSize(width: picture.sourceWidth, height: picture.sourceHeight)
    return MovingFrame(
      pixels: ReducedPicture(picture.pixels, of: source).shown(at: target, .aspectFit),
      start: .microseconds(frame.start), duration: .microseconds(frame.duration))
  }

  var length: Duration? { frames.length.map { .microseconds($0) } }

  func seek(to time: Duration) {
    // Behind the start, a truncated file may have no frame: then the pass has ended.
    if time <= .zero { hasFrame = false }
    frames.seek(to: Int64(saturating: time / .microseconds(1)))
  }
}

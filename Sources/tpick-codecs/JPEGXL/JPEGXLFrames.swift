import CJXL
import CodecProtocol

/// The frames of a JPEG XL animation, by libjxl, which draws each over those before it.
///
/// A frame of no time is a part of the next one (ISO/IEC 18181-1, F.2): libjxl does not give it by itself.
final class JPEGXLFrames: FrameSequence {
  private let file: JPEGXLFile
  private let pixels: JPEGXLPixels
  private let limits: DecodeRequest
  private var time: Int64 = 0
  private var isAtEnd = false

  /// - Throws: `CodecError` when the file does not move, or is too large.
  init(_ file: InputFile, _ request: FramesRequest) throws(CodecError) {
    let opened = try JPEGXLFile(file)
    limits = DecodeRequest(
      targetWidth: request.targetWidth, targetHeight: request.targetHeight, maxPixels: request.maxPixels)
    try Limits.check(opened.size.width, opened.size.height, limits)
    guard opened.beginFrames() else { throw .unreadable("it does not move") }
    pixels = try JPEGXLPixels(opened.info, opened.size)
    self.file = opened
  }

  var playCount: UInt32 { file.info.plays }

  func next(_ skip: FrameTimes) throws(CodecError) -> CodedFrame? {
    var skipped: UInt32 = 0
    var last: (start: Int64, duration: Int64)?
    while !isAtEnd {
      let (status, seconds) = file.nextFrame(into: pixels)
      if status == CJXL_DAMAGED, last == nil, time == 0 { throw .unreadable("a damaged JPEG XL file") }
      guard status == CJXL_OK else {
        isAtEnd = true
        break
      }
      // As browsers treat animations: no frame is shown for ten milliseconds or less.
      let duration = seconds > 0.010 ? Int64(min(60, seconds) * 1e6) : 100_000
      last = (time, duration)
      time += duration
      guard time <= skip.until, skipped < skip.most else { break }
      skipped += 1
    }
    guard let last else { return nil }
    let picture = try file.picture(of: pixels, for: limits)
    return CodedFrame(picture: picture, start: last.start, duration: last.duration)
  }
}

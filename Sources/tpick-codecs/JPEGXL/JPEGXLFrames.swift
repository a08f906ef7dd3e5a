import CJXL
import CodecProtocol

#if canImport(Glibc)
  import Glibc
#endif

/// The frames of a JPEG XL animation, by libjxl, which lays them on each other.
///
/// A frame of no time is a part of the next one (ISO/IEC 18181-1, F.2): libjxl does not give it by itself.
final class JPEGXLFrames: FrameSequence {
  private let bytes: UnsafeRawBufferPointer
  private let decoder: OpaquePointer
  private let info: cjxl_info
  private let request: FramesRequest
  private let limits: DecodeRequest
  private var pixels: JPEGXLPixels?
  private var time: Int64 = 0
  private var isAtEnd = false

  /// - Throws: `CodecError` when the file does not move, or is too large.
  init(_ file: InputFile, _ request: FramesRequest) throws(CodecError) {
    bytes = try file.map(upTo: Limits.codedFile)
    var info = cjxl_info()
    var reason: UnsafePointer<CChar>?
    guard let decoder = cjxl_open(bytes.baseAddress, bytes.count, &info, &reason) else {
      munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
      throw .unreadable(reason.map { String(cString: $0) } ?? "a damaged JPEG XL file")
    }
    self.decoder = decoder
    self.info = info
    self.request = request
    limits = DecodeRequest(
      targetWidth: request.targetWidth, targetHeight: request.targetHeight, maxPixels: request.maxPixels)
    // From here on `deinit` owns both.
    pixels = nil
    try Limits.check(Int(info.width), Int(info.height), limits)
    guard info.is_animated, cjxl_begin_frames(decoder) else { throw .unreadable("it does not move") }
    pixels = try JPEGXLPixels(info, size)
  }

  deinit {
    cjxl_close(decoder)
    munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }

  var playCount: UInt32 { info.plays }

  private var size: (width: Int, height: Int) { (Int(info.width), Int(info.height)) }

  func next(_ skip: FrameTimes) throws(CodecError) -> CodedFrame? {
    var skipped: UInt32 = 0
    var last: (start: Int64, duration: Int64)?
    guard let pixels else { return nil }
    while !isAtEnd {
      var seconds = 0.0
      let status = cjxl_next_frame(decoder, pixels.start, pixels.byteCount, &seconds)
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
    let picture = try pixels.picture(of: decoder, source: size, for: limits)
    return CodedFrame(picture: picture, start: last.start, duration: last.duration)
  }
}

import CCanvas
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
  private var pixels: [UInt8]
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
    pixels = []
    try Limits.check(Int(info.width), Int(info.height), limits)
    guard info.is_animated, cjxl_begin_frames(decoder) else { throw .unreadable("it does not move") }
    let sample = info.is_wide ? 2 : 1
    pixels = [UInt8](
      repeating: 0, count: Int(info.width) * Int(info.height) * Int(info.colours + info.extras) * sample)
  }

  deinit {
    cjxl_close(decoder)
    munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }

  var playCount: UInt32 { info.plays }

  func next(_ skip: FrameTimes) throws(CodecError) -> CodedFrame? {
    var skipped: UInt32 = 0
    var last: (start: Int64, duration: Int64)?
    while !isAtEnd {
      var seconds = 0.0
      let status = cjxl_next_frame(decoder, &pixels, pixels.count, &seconds)
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
    return CodedFrame(picture: try picture(), start: last.start, duration: last.duration)
  }

  private func picture() throws(CodecError) -> PictureMemory {
    let (width, height) = (Int(info.width), Int(info.height))
    var format = canvas_format(width: width, height: height, colours: info.colours)
    format.extras = info.extras
    format.has_alpha = info.extras > 0
    format.is_premultiplied = info.is_premultiplied
    format.is_wide = info.is_wide
    let canvas = try Canvas(format, source: (width, height), for: limits)
    let meaning = cjxl_meaning(decoder)
    if let profile = meaning.profile {
      canvas.setProfile(UnsafeRawBufferPointer(start: profile, count: meaning.profile_length))
    } else if meaning.transfer != 0 {
      canvas.setCoding(primaries: meaning.primaries, transfer: meaning.transfer)
    }
    pixels.withUnsafeBytes { canvas.put($0.baseAddress, count: height, stride: $0.count / height) }
    return canvas.finish()
  }
}

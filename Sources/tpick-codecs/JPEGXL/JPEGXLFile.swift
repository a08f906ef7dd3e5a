import CCodecs
import CodecProtocol
import System

/// An open JPEG XL file; owns libjxl's decoder and the bytes that it reads.
///
/// Used by one thread.
final class JPEGXLFile {
  let info: cjxl_info
  /// libjxl keeps a pointer to its bytes.
  private let mapping: FileMapping
  private let decoder: OpaquePointer

  /// - Throws: `CodecError` if it is not a JPEG XL file, or too large.
  init(_ file: InputFile) throws(CodecError) {
    mapping = try file.map(upTo: Limits.codedFile)
    var info = cjxl_info()
    var reason: UnsafePointer<CChar>?
    let decoder = try mapping.withUnsafeBytes { bytes throws(CodecError) in
      cjxl_open(bytes.baseAddress, bytes.count, &info, &reason)
    }
    guard let decoder else {
      throw .unreadable(reason.map { String(cString: $0) } ?? "a damaged JPEG XL file")
    }
    self.decoder = decoder
    self.info = info
  }

  deinit {
    cjxl_close(decoder)
  }

  /// Size in pixels of the upright picture.
  var size: (width: Int, height: Int) { (Int(info.width), Int(info.height)) }

  /// Decodes the picture, or its preview.
  func decode(isPreview: Bool, into pixels: JPEGXLPixels) -> cjxl_status {
    pixels.withUnsafeMutableBytes { cjxl_decode(decoder, isPreview, $0.baseAddress, $0.count) }
  }

  /// Rewinds to the first frame; false if the file is not an animation.
  func beginFrames() -> Bool { info.is_animated && cjxl_begin_frames(decoder) }

  /// Decodes the next frame onto the previous ones.
  /// - Returns: `CJXL_INCOMPLETE` after the last frame; otherwise the frame's duration in seconds.
  func nextFrame(into pixels: JPEGXLPixels) -> (status: cjxl_status, seconds: Double) {
    var seconds = 0.0
    let status = pixels.withUnsafeMutableBytes {
      cjxl_next_frame(decoder, $0.baseAddress, $0.count, &seconds)
    }
    return (status, seconds)
  }

  /// Returns a picture of decoded pixels in the file's color space.
  func picture(
    of pixels: JPEGXLPixels, for request: DecodeRequest, note: String? = nil
  ) throws(CodecError) -> PictureMemory {
    let canvas = try pixels.makeCanvas(source: size, for: request)
    setColors(of: canvas)
    pixels.put(on: canvas)
    return canvas.finish(note: note)
  }

  /// Sets the canvas to the color space of the decoded pixels.
  private func setColors(of canvas: Canvas) {
    let meaning = cjxl_meaning(decoder)
    if let profile = meaning.profile {
      canvas.setProfile(UnsafeRawBufferPointer(start: profile, count: meaning.profile_length))
    } else if meaning.transfer != 0 {
      canvas.setCoding(primaries: meaning.primaries, transfer: meaning.transfer)
    }
  }
}

/// The samples of a JPEG XL picture as libjxl outputs them.
///
/// Used by one thread; freed with the last reference.
final class JPEGXLPixels {
  private let bytes: UnsafeMutableRawBufferPointer
  private let format: canvas_format
  private let height: Int

  /// Allocates room for a picture; every sample is 0.
  /// - Throws: `CodecError.tooLarge` if memory is short.
  init(_ info: cjxl_info, _ size: (width: Int, height: Int)) throws(CodecError) {
    var format = canvas_format(width: size.width, height: size.height, colours: info.colours)
    format.extras = info.extras
    format.has_alpha = info.extras > 0
    format.is_premultiplied = info.is_premultiplied
    format.is_wide = info.is_wide
    self.format = format
    height = size.height
    let byteCount = size.width * Int(info.colours + info.extras) * (info.is_wide ? 2 : 1) * size.height
    guard byteCount <= Limits.working, let start = calloc(byteCount, 1) else {
      throw .noMemory
    }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
  }

  deinit {
    free(bytes.baseAddress)
  }

  /// Calls `body` with the samples: rows without padding.
  func withUnsafeMutableBytes<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
    withExtendedLifetime(self) { body(bytes) }
  }

  /// Creates a canvas for the picture.
  /// - Parameter source: size in pixels of the whole picture.
  func makeCanvas(
    source: (width: Int, height: Int), for request: DecodeRequest
  ) throws(CodecError) -> Canvas {
    try Canvas(format, source: source, for: request)
  }

  /// Adds all rows to a canvas.
  func put(on canvas: Canvas) {
    canvas.put(bytes.baseAddress, count: height, stride: bytes.count / height)
  }
}

/// Decodes the picture of a JPEG XL file, or the first one of an animation, with libjxl, which applies the
/// orientation.
enum JPEGXLDecoder {
  static func picture(of file: InputFile, _ request: DecodeRequest) throws(CodecError) -> PictureMemory {
    let opened = try JPEGXLFile(file)
    let (source, info) = (opened.size, opened.info)
    try Limits.check(source.width, source.height, request)
    let preview = (width: Int(info.preview_width), height: Int(info.preview_height))
    let covers =
      request.targetWidth + request.targetHeight > 0 && preview.width > 0
      && request.reduction(ofWidth: preview.width, height: preview.height) >= 1
      && AspectRatio.match(preview.width, preview.height, source.width, source.height)
    if request.source == .embedded, preview.width <= 0 { throw .nothingEmbedded }
    let wantsPreview = request.source == .embedded || covers
    let size = wantsPreview ? preview : source
    try Limits.check(size.width, size.height, request)
    let pixels = try JPEGXLPixels(info, size)
    let status = opened.decode(isPreview: wantsPreview, into: pixels)
    guard status != CJXL_DAMAGED else { throw .unreadable("a damaged JPEG XL file") }
    return try opened.picture(
      of: pixels, for: request, note: status == CJXL_INCOMPLETE ? "the file ends early" : nil)
  }
}

/// Decodes the frames of a JPEG XL animation with libjxl, which draws each onto the previous ones.
///
/// A frame without a duration is a part of the next one (ISO/IEC 18181-1, F.2); libjxl does not return it
/// separately.
final class JPEGXLFrames: FrameSequence {
  private let file: JPEGXLFile
  private let pixels: JPEGXLPixels
  private let limits: DecodeRequest
  private var time: Int64 = 0
  private var isAtEnd = false

  /// - Throws: `CodecError` if the file is not an animation, or too large.
  init(_ file: InputFile, _ request: FramesRequest) throws(CodecError) {
    let opened = try JPEGXLFile(file)
    limits = DecodeRequest(
      targetWidth: request.targetWidth, targetHeight: request.targetHeight, maxPixels: request.maxPixels)
    try Limits.check(opened.size.width, opened.size.height, limits)
    guard opened.beginFrames() else { throw .unreadable("not an animation or a video") }
    pixels = try JPEGXLPixels(opened.info, opened.size)
    self.file = opened
  }

  var playCount: UInt32 { file.info.plays }
  /// Durations are known only from the frames.
  var length: Int64 { 0 }

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
      // As in browsers: no frame is shown for ten milliseconds or less.
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

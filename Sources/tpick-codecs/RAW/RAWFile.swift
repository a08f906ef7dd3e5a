import CCodecs
import CDecoders
import CodecProtocol
import HelperMetadata
import System

/// An open raw file; owns LibRaw's handle, the bytes that it reads, and the stream that keeps it from reading parts
/// that are not fetched yet.
///
/// Used by one thread.
final class RAWFile {
  private let file: InputFile
  private let mapping: FileMapping
  private let stream: OpaquePointer?
  private let raw: OpaquePointer

  /// - Parameter facts: filled with metadata; the file cannot decode pixels afterwards.
  init(_ file: InputFile, facts: UnsafeMutablePointer<craw_facts>? = nil) throws(CodecError) {
    let mapping = try file.map(upTo: Limits.rawFile)
    var reason: UnsafePointer<CChar>?
    var stream: OpaquePointer?
    let raw = try mapping.withUnsafeBytes { bytes throws(CodecError) -> OpaquePointer? in
      guard file.isPartial else { return craw_open(bytes.baseAddress, bytes.count, facts, &reason) }
      let guarding = craw_guard(context: Unmanaged.passUnretained(file).toOpaque(), has: Self.has)
      stream = craw_stream_make(bytes.baseAddress, bytes.count, guarding)
      guard let stream else { throw .noMemory }
      return craw_open_stream(stream, facts, &reason)
    }
    guard let raw else {
      if let stream { craw_stream_free(stream) }
      throw .unreadable(reason.map { String(cString: $0) } ?? "not a raw file")
    }
    (self.file, self.mapping, self.stream, self.raw) = (file, mapping, stream, raw)
  }

  deinit {
    craw_close(raw)
    if let stream { craw_stream_free(stream) }
  }

  /// Lets LibRaw read available bytes only: missing ones would read as zeros.
  private static let has: @convention(c) (UnsafeMutableRawPointer?, Int, Int) -> Bool = {
    InputFile.from($0)?.requires($1, $2) ?? false
  }

  /// Sizes and orientation for decoding.
  var measured: craw_picture { craw_measure(raw) }

  /// Calls `body` with the largest preview in the file; nil if none can be read.
  func withPreview<Result>(
    _ body: (craw_preview) throws(CodecError) -> Result?
  ) throws(CodecError) -> Result? {
    try mapping.withUnsafeBytes { bytes throws(CodecError) in
      if file.isPartial {
        // LibRaw reads the start of the preview and then all of it: require the whole at once.
        let place = craw_preview_range(raw, bytes.count)
        guard file.requires(place.offset, place.count) else { return nil }
      }
      var preview = craw_preview()
      guard craw_read_preview(raw, bytes.baseAddress, bytes.count, &preview) else { return nil }
      return try body(preview)
    }
  }

  /// Develops the sensor data, at half size in both directions if `half`, and calls `body` with the pixels.
  func withDeveloped<Result>(
    half: Bool, _ body: (craw_pixels) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    var pixels = craw_pixels()
    var reason: UnsafePointer<CChar>?
    guard craw_develop(raw, half, &pixels, &reason) else {
      throw .unreadable(reason.map { String(cString: $0) } ?? "it can't be developed")
    }
    defer { craw_release(&pixels) }
    return try body(pixels)
  }
}

/// Reads the metadata of a raw file with LibRaw.
enum RAWReader {
  static func facts(of file: InputFile) throws(CodecError) -> CodecFacts {
    var read = craw_facts()
    let raw = try RAWFile(file, facts: &read)
    // The texts are owned by the open file.
    return try withExtendedLifetime(raw) { () throws(CodecError) in try facts(read) }
  }

  private static func facts(_ read: craw_facts) throws(CodecError) -> CodecFacts {
    guard read.width > 0, read.height > 0 else { throw .unreadable("a picture without a size") }
    var facts = CodecFacts()
    facts.width = Int(read.width)
    facts.height = Int(read.height)
    facts.camera = camera(read)
    facts.xmp = Array(UnsafeBufferPointer(start: read.xmp, count: min(read.xmp_length, Limits.metadataBlock)))
    return facts
  }

  private static func camera(_ read: craw_facts) -> CameraFacts {
    func text(_ field: UnsafePointer<CChar>?) -> String? {
      field.map { String(cString: $0) }.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }
    // LibRaw stores floats: the shortest number that rounds to the same float is what the camera wrote, 2.8 and not
    // 2.79999995.
    func number(_ value: Double) -> Double? { value > 0 ? Double(Float(value).description) : nil }
    var camera = CameraFacts()
    camera.make = text(read.make)
    camera.model = text(read.model)
    camera.lens = text(read.lens)
    camera.isoSpeed = number(read.iso_speed)
    camera.exposureTime = number(read.exposure_time)
    camera.fNumber = number(read.f_number)
    camera.focalLength = number(read.focal_length)
    camera.captureSeconds = read.capture_seconds > 0 ? read.capture_seconds : nil
    camera.latitude = read.has_coordinate ? read.latitude : nil
    camera.longitude = read.has_coordinate ? read.longitude : nil
    return camera
  }
}

/// Decodes the picture of a raw file with LibRaw: its preview, or the developed sensor data.
enum RAWDecoder {
  /// Whether LibRaw recognizes a file.
  static func knows(_ file: InputFile) -> Bool { (try? RAWFile(file)) != nil }

  static func picture(of file: InputFile, _ request: DecodeRequest) throws(CodecError) -> PictureMemory {
    let raw = try RAWFile(file)
    let measured = raw.measured
    try Limits.check(Int(measured.width), Int(measured.height), request)
    if request.source != .developed {
      do throws(CodecError) {
        if let preview = try preview(of: raw, measured, request) { return preview }
      } catch {
        // A preview that cannot be decoded counts as missing if the sensor data can be developed.
        guard request.source == .picture else { throw error }
      }
      guard request.source == .picture else { throw .nothingEmbedded }
    }
    guard !file.isPartial else { throw .nothingEmbedded }
    guard measured.sensor_pixels <= UInt64(clamping: request.maxPixels) else {
      throw .tooLarge("its sensor has too many pixels to be decoded")
    }
    return try developed(raw, measured, request)
  }

  /// Decodes the preview in the file, oriented like the picture; nil if there is none.
  private static func preview(
    of raw: RAWFile, _ measured: craw_picture, _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory? {
    let source = (width: Int(measured.width), height: Int(measured.height))
    return try raw.withPreview { preview throws(CodecError) in
      let bytes = UnsafeRawBufferPointer(start: preview.bytes, count: preview.length)
      if preview.is_jpeg {
        return try JPEGPreview.picture(of: bytes, measured.orientation, source, request)
      }
      var format = canvas_format(
        width: Int(preview.width), height: Int(preview.height), colours: preview.colours)
      format.orientation = JPEGPreview.orientation(
        measured.orientation, ofWidth: Int(preview.width), height: Int(preview.height), source)
      let canvas = try Canvas(format, source: source, for: request)
      canvas.put(
        bytes.baseAddress, count: Int(preview.height), stride: Int(preview.width) * Int(preview.colours))
      return canvas.finish()
    }
  }

  private static func developed(
    _ raw: RAWFile, _ measured: craw_picture, _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    let source = (width: Int(measured.width), height: Int(measured.height))
    let isHalfEnough = request.reduction(ofWidth: source.width / 2, height: source.height / 2) >= 1
    let isNative = request.targetWidth + request.targetHeight == 0
    return try raw.withDeveloped(half: isHalfEnough && !isNative) { pixels throws(CodecError) in
      let format = canvas_format(
        width: Int(pixels.width), height: Int(pixels.height), colours: pixels.colours)
      let canvas = try Canvas(format, source: source, for: request)
      canvas.put(pixels.bytes, count: Int(pixels.height), stride: Int(pixels.width) * Int(pixels.colours))
      return canvas.finish()
    }
  }
}

/// Decodes a JPEG stream inside another file with libjpeg-turbo, at the scale that the request allows.
private enum JPEGPreview {
  /// Upper bound of the bytes of coefficients of a stream with several scans.
  private static let coefficients = 1 << 30

  /// - Parameters:
  ///   - orientation: EXIF orientation of the file's picture, 1 to 8.
  ///   - source: size in pixels of the file's upright picture.
  static func picture(
    of bytes: UnsafeRawBufferPointer, _ orientation: UInt8, _ source: (width: Int, height: Int),
    _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    guard let decoder = cjpeg_decoder_create() else { throw .noMemory }
    defer { cjpeg_decoder_destroy(decoder) }
    var info = cjpeg_info()
    let stream = bytes.bindMemory(to: UInt8.self)
    try check(cjpeg_read_header(decoder, stream.baseAddress, stream.count, &info), decoder)
    let (fullWidth, fullHeight) = (Int(info.width), Int(info.height))
    try Limits.check(fullWidth, fullHeight, request)
    guard info.coefficient_bytes <= UInt64(coefficients) else { throw .tooLarge("its preview is too large") }

    let orientation = Self.orientation(orientation, ofWidth: fullWidth, height: fullHeight, source)
    let isTurned = orientation >= 5
    let wanted = max(
      1,
      request.reduction(
        ofWidth: isTurned ? fullHeight : fullWidth, height: isTurned ? fullWidth : fullHeight))
    let eighths = Int32(wanted >= 8 ? 1 : wanted >= 4 ? 2 : wanted >= 2 ? 4 : 8)
    var (width, height): (UInt32, UInt32) = (0, 0)
    cjpeg_scaled_size(decoder, eighths, &width, &height)
    let byteCount = Int(width) * Int(height) * 4
    guard let pixels = malloc(byteCount) else { throw .noMemory }
    defer { free(pixels) }
    var result = cjpeg_result()
    let rows = pixels.assumingMemoryBound(to: UInt8.self)
    try check(cjpeg_decode(decoder, eighths, nil, rows, byteCount, nil, nil, &result), decoder)

    var format = canvas_format(width: Int(width), height: Int(height), colours: 3)
    format.extras = 1
    format.orientation = orientation
    let canvas = try Canvas(format, source: source, for: request)
    var length = 0
    // A stream of four inks has been converted to RGB, so its profile does not apply.
    if info.components == 3, let profile = cjpeg_profile(decoder, &length) {
      canvas.setProfile(UnsafeRawBufferPointer(start: profile, count: length))
    }
    let visible = Int(min(result.visible_rows, height))
    canvas.put(pixels, count: visible, stride: Int(width) * 4)
    canvas.put(nil, count: Int(height) - visible, stride: 0)
    return canvas.finish(note: result.damaged ? "its preview is damaged" : nil)
  }

  /// Returns the orientation of a preview: the file's, unless the preview is evidently upright already.
  static func orientation(
    _ orientation: UInt8, ofWidth width: Int, height: Int, _ source: (width: Int, height: Int)
  ) -> UInt8 {
    guard orientation >= 5, source.width != source.height, width != height else { return orientation }
    return (width > height) == (source.width > source.height) ? 1 : orientation
  }

  private static func check(_ status: cjpeg_status, _ decoder: OpaquePointer) throws(CodecError) {
    guard status != CJPEG_OK else { return }
    let words = String(cString: cjpeg_message(decoder))
    throw .unreadable(words.isEmpty ? "a damaged preview" : words)
  }
}

import CRAW
import CodecProtocol

/// An open raw file; owns LibRaw's handle, the bytes that it reads, and the stream that keeps it from reading those that are
/// yet to be fetched.
///
/// Used by one thread.
final class RAWFile {
  private let file: InputFile
  private let mapping: FileMapping
  private let stream: OpaquePointer?
  private let raw: OpaquePointer

  /// - Parameter facts: is filled; the file is good for nothing else then.
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

  /// LibRaw reads bytes that are there, and none else: those that are not would read as zeros.
  private static let has: @convention(c) (UnsafeMutableRawPointer?, Int, Int) -> Bool = {
    InputFile.from($0)?.requires($1, $2) ?? false
  }

  /// What there is to decode.
  var measured: craw_picture { craw_measure(raw) }

  /// Lends the largest preview in the file; nil where there is none that can be read.
  func withPreview<Result>(
    _ body: (craw_preview) throws(CodecError) -> Result?
  ) throws(CodecError) -> Result? {
    try mapping.withUnsafeBytes { bytes throws(CodecError) in
      if file.isPartial {
        // LibRaw looks how it begins, and then asks for all of it.
        let place = craw_preview_range(raw, bytes.count)
        guard file.requires(place.offset, place.count) else { return nil }
      }
      var preview = craw_preview()
      guard craw_read_preview(raw, bytes.baseAddress, bytes.count, &preview) else { return nil }
      return try body(preview)
    }
  }

  /// Develops the sensor's data, by half in both directions if a coarse picture will do, and lends the pixels.
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

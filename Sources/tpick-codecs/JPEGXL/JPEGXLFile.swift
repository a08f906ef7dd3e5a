import CJXL
import CodecProtocol

/// An open JPEG XL file: libjxl's decoder and the bytes that it reads from; owns both.
///
/// Used by one thread.
final class JPEGXLFile {
  let info: cjxl_info
  /// libjxl keeps a pointer to its bytes.
  private let mapping: FileMapping
  private let decoder: OpaquePointer

  /// - Throws: `CodecError` when it is no JPEG XL file, or too large.
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

  /// Pixels of the upright picture.
  var size: (width: Int, height: Int) { (Int(info.width), Int(info.height)) }

  /// Decodes the picture, or its preview.
  func decode(isPreview: Bool, into pixels: JPEGXLPixels) -> cjxl_status {
    pixels.withUnsafeMutableBytes { cjxl_decode(decoder, isPreview, $0.baseAddress, $0.count) }
  }

  /// Begins with the first frame; false where the file does not move.
  func beginFrames() -> Bool { info.is_animated && cjxl_begin_frames(decoder) }

  /// Decodes the next frame over those before it.
  /// - Returns: `CJXL_INCOMPLETE` where there is none any more; else how long it is shown, in seconds.
  func nextFrame(into pixels: JPEGXLPixels) -> (status: cjxl_status, seconds: Double) {
    var seconds = 0.0
    let status = pixels.withUnsafeMutableBytes {
      cjxl_next_frame(decoder, $0.baseAddress, $0.count, &seconds)
    }
    return (status, seconds)
  }

  /// The picture of decoded pixels, in the colours that the file says.
  func picture(
    of pixels: JPEGXLPixels, for request: DecodeRequest, note: String? = nil
  ) throws(CodecError) -> PictureMemory {
    let canvas = try pixels.makeCanvas(source: size, for: request)
    setColors(of: canvas)
    pixels.put(on: canvas)
    return canvas.finish(note: note)
  }

  /// Says what the colours of the decoded pixels mean.
  private func setColors(of canvas: Canvas) {
    let meaning = cjxl_meaning(decoder)
    if let profile = meaning.profile {
      canvas.setProfile(UnsafeRawBufferPointer(start: profile, count: meaning.profile_length))
    } else if meaning.transfer != 0 {
      canvas.setCoding(primaries: meaning.primaries, transfer: meaning.transfer)
    }
  }
}

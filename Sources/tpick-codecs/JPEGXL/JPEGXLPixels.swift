import CCanvas
import CJXL
import CodecProtocol

#if canImport(Glibc)
  import Glibc
#endif

/// The samples of a JPEG XL picture as libjxl writes them, on their way to a canvas.
///
/// Used by one thread; freed with the last reference.
final class JPEGXLPixels {
  let start: UnsafeMutableRawPointer
  let byteCount: Int
  private let format: canvas_format
  private let height: Int

  /// Room for a picture; every sample is 0.
  /// - Throws: `CodecError.tooLarge` when there is not as much memory.
  init(_ info: cjxl_info, _ size: (width: Int, height: Int)) throws(CodecError) {
    var format = canvas_format(width: size.width, height: size.height, colours: info.colours)
    format.extras = info.extras
    format.has_alpha = info.extras > 0
    format.is_premultiplied = info.is_premultiplied
    format.is_wide = info.is_wide
    self.format = format
    height = size.height
    byteCount = size.width * Int(info.colours + info.extras) * (info.is_wide ? 2 : 1) * size.height
    guard byteCount <= Limits.working, let start = calloc(byteCount, 1) else {
      throw .tooLarge("not enough memory for its pixels")
    }
    self.start = start
  }

  deinit {
    free(start)
  }

  /// The picture, in the colours that the file says.
  /// - Parameter source: pixels of the whole picture.
  func picture(
    of file: OpaquePointer, source: (width: Int, height: Int), for request: DecodeRequest, note: String? = nil
  ) throws(CodecError) -> PictureMemory {
    let canvas = try Canvas(format, source: source, for: request)
    let meaning = cjxl_meaning(file)
    if let profile = meaning.profile {
      canvas.setProfile(UnsafeRawBufferPointer(start: profile, count: meaning.profile_length))
    } else if meaning.transfer != 0 {
      canvas.setCoding(primaries: meaning.primaries, transfer: meaning.transfer)
    }
    canvas.put(start, count: height, stride: byteCount / height)
    return canvas.finish(note: note)
  }
}

import CCanvas
import CJXL
import CodecProtocol
import System

/// The samples of a JPEG XL picture as libjxl writes them, on their way to a canvas.
///
/// Used by one thread; freed with the last reference.
final class JPEGXLPixels {
  private let bytes: UnsafeMutableRawBufferPointer
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
    let byteCount = size.width * Int(info.colours + info.extras) * (info.is_wide ? 2 : 1) * size.height
    guard byteCount <= Limits.working, let start = calloc(byteCount, 1) else {
      throw .noMemory
    }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
  }

  deinit {
    free(bytes.baseAddress)
  }

  /// Lends the samples: rows without padding.
  func withUnsafeMutableBytes<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
    withExtendedLifetime(self) { body(bytes) }
  }

  /// Makes a canvas for the picture.
  /// - Parameter source: pixels of the whole picture.
  func makeCanvas(
    source: (width: Int, height: Int), for request: DecodeRequest
  ) throws(CodecError) -> Canvas {
    try Canvas(format, source: source, for: request)
  }

  /// Puts all rows on a canvas.
  func put(on canvas: Canvas) {
    canvas.put(bytes.baseAddress, count: height, stride: bytes.count / height)
  }
}

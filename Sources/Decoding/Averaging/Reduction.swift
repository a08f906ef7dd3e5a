import Pixels

/// By which whole number a picture is shrunk while its pixels are read, and to what size.
///
/// The result is as small as it can be without being smaller than what is needed; the last bit of the way is
/// the resampler's.
struct Reduction: Hashable, Sendable {
  let source: PixelSize
  let factor: Int

  /// - Parameter limit: the largest factor that the averager supports.
  init(of source: PixelSize, covering needed: PixelSize, limit: Int = 4096) {
    self.source = source
    let most = min(source.width / max(1, needed.width), source.height / max(1, needed.height))
    factor = min(limit, max(1, most))
  }

  /// The size of the result; its last column and row may stand for fewer pixels than the others.
  var size: PixelSize {
    PixelSize(
      width: (source.width + factor - 1) / factor, height: (source.height + factor - 1) / factor)
  }

  /// How many columns of the source a column of the result stands for.
  func columns(at x: Int) -> Int { min(factor, source.width - x * factor) }
}

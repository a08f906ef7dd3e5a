import Pixels

/// Finds how a picture becomes a JPEG of at most so many bytes: coarser first, smaller where that is not enough.
///
/// Pure but for the encoder, which is handed in.
struct JPEGFitter {
  /// The most bytes.
  var byteCount: Int
  /// The quality to begin with.
  var quality: Int
  /// What pictures look like below this is worse than fewer pixels.
  static let leastQuality = 70
  /// No picture is made smaller than this to fit.
  static let leastSide = 16

  /// What was found.
  struct Fit {
    var bytes: [UInt8]
    var size: PixelSize
    var quality: Int
  }

  /// The largest and best that fits of what is tried; nil where nothing does, or where `encode` gives nothing.
  /// - Parameter encode: the bytes of the picture in a size and a quality.
  func fit(_ size: PixelSize, encode: (PixelSize, Int) -> [UInt8]?) -> Fit? {
    guard let best = encode(size, quality) else { return nil }
    if best.count <= byteCount { return Fit(bytes: best, size: size, quality: quality) }
    let least = min(quality, Self.leastQuality)
    guard var coarse = encode(size, least) else { return nil }
    if coarse.count <= byteCount {
      return refined(Fit(bytes: coarse, size: size, quality: least), encode: encode)
    }
    var current = size
    while max(current.width, current.height) > Self.leastSide {
      // Bytes go with the number of pixels, a little slower.
      let scale = min(0.95, (Double(byteCount) / Double(coarse.count)).squareRoot())
      let side = max(Self.leastSide, Int(Double(max(current.width, current.height)) * scale))
      let next = size.scaled(toward: PixelSize(width: side, height: side), .aspectFit)
      guard next != current, let smaller = encode(next, least) else { return nil }
      (current, coarse) = (next, smaller)
      if coarse.count <= byteCount {
        return refined(Fit(bytes: coarse, size: current, quality: least), encode: encode)
      }
    }
    return nil
  }

  /// The best quality of a size that fits.
  private func refined(_ fit: Fit, encode: (PixelSize, Int) -> [UInt8]?) -> Fit {
    var best = fit
    var (low, high) = (fit.quality, quality)
    while high - low > 2 {
      let middle = (low + high) / 2
      guard let bytes = encode(fit.size, middle) else { break }
      if bytes.count <= byteCount {
        low = middle
        best = Fit(bytes: bytes, size: fit.size, quality: middle)
      } else {
        high = middle
      }
    }
    return best
  }
}

import Pixels

/// Another encoder's pictures, none of whose sequences is longer than the terminal takes.
///
/// tmux drops a longer one without a word (tmux's `INPUT_BUF_LIMIT`, since 3.6 its `input-buffer-size`).
struct BoundedEncoder: PictureEncoder {
  private let base: any PictureEncoder
  private let coarse: any PictureEncoder
  private let limit: Int

  /// - Parameters:
  ///   - coarse: the same way of drawing in fewer bytes, for pictures that are too long in the usual one.
  ///   - limit: a sequence has fewer bytes than this.
  init(_ base: any PictureEncoder, coarse: any PictureEncoder, limit: Int) {
    self.base = base
    self.coarse = coarse
    self.limit = limit
  }

  var geometry: PictureGeometry { base.geometry }

  /// The picture in fewer bytes, and then in fewer pixels, until it is short enough.
  func encode(_ picture: PixelBuffer) -> EncodedPicture {
    let encoded = base.encode(picture)
    if encoded.longestSequence < limit { return encoded }
    var smaller = picture
    for _ in 0..<Self.attempts {
      let encoded = coarse.encode(smaller)
      let length = encoded.longestSequence
      if length < limit { return encoded }
      // Bytes go with the area.
      let scale = (0.9 * Double(limit) / Double(length)).squareRoot()
      let side = { (length: Int) in max(1, Int(Double(length) * scale)) }
      smaller = smaller.resampled(
        to: PixelSize(width: side(smaller.width), height: side(smaller.height)))
    }
    return EncodedPicture(size: encoded.size, covered: encoded.covered, strips: [])
  }

  private static let attempts = 8
}

extension PictureEncoder {
  /// The encoder for a terminal that takes sequences up to a length only.
  /// - Parameters:
  ///   - limit: nil = of any length.
  ///   - coarse: makes the encoder of fewer bytes.
  package func bounded(to limit: Int?, coarse: () -> any PictureEncoder) -> any PictureEncoder {
    limit.map { BoundedEncoder(self, coarse: coarse(), limit: $0) } ?? self
  }
}

extension EncodedPicture {
  /// The bytes of the longest sequence; what the terminal keeps comes in pieces anyway.
  var longestSequence: Int { strips.map(\.bytes.count).max() ?? 0 }
}

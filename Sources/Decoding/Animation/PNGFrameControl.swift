import Pixels

/// What an `fcTL` chunk says of a picture.
struct PNGFrameControl {
  var size: PixelSize
  var left: Int
  var top: Int
  var delay: Duration
  var disposal: AnimationFrame.Disposal
  var blending: AnimationFrame.Blending

  /// - Parameter bytes: 26 of them.
  init(_ bytes: [UInt8], canvas: PixelSize) throws(DecodeStop) {
    size = PixelSize(width: bytes.number(at: 4), height: bytes.number(at: 8))
    (left, top) = (bytes.number(at: 12), bytes.number(at: 16))
    guard !size.isEmpty, size.width <= canvas.width, left <= canvas.width - size.width,
      size.height <= canvas.height, top <= canvas.height - size.height
    else { throw .damaged }
    let numerator = Int(bytes[20]) << 8 | Int(bytes[21])
    let denominator = Int(bytes[22]) << 8 | Int(bytes[23])
    delay = .microseconds(numerator * 1_000_000 / (denominator == 0 ? 100 : denominator))
    disposal = bytes[24] == 1 ? .clear : bytes[24] == 2 ? .restore : .keep
    blending = bytes[25] == 1 ? .over : .replace
  }
}

import Pixels

/// What the pieces of an animation are laid on, one after the other.
///
/// Rules: GIF89a 23 (disposal), PNG third edition 11.3.6.2 (`dispose_op`, `blend_op`). A value; it holds the whole
/// picture, and once more the part that is to come back.
struct AnimationCanvas: Hashable, Sendable {
  private(set) var pixels: PixelBuffer
  /// What happens to the last piece's part before the next one comes.
  private var pending: Pending?

  private struct Pending: Hashable, Sendable {
    var area: PixelArea
    /// What was there before; nil = it is cleared.
    var before: [UInt8]?
  }

  /// An empty canvas, which lets everything through.
  init(size: PixelSize) {
    pixels = PixelBuffer(
      size: size, bytes: [UInt8](repeating: 0, count: size.area * PixelBuffer.bytesPerPixel))
  }

  /// Lays the next piece on the canvas.
  mutating func add(_ piece: AnimationPiece) {
    settle()
    let area = PixelArea(piece, in: pixels.size)
    switch piece.disposal {
    case .keep: break
    case .clear: pending = Pending(area: area)
    case .restore: pending = Pending(area: area, before: bytes(in: area))
    }
    draw(piece, area)
  }

  private mutating func settle() {
    guard let pending else { return }
    self.pending = nil
    let rowBytes = pending.area.columns.count * PixelBuffer.bytesPerPixel
    for (line, y) in pending.area.rows.enumerated() {
      let start = offset(pending.area.columns.lowerBound, y)
      if let before = pending.before {
        pixels.withBytes { bytes in
          before.withUnsafeBytes {
            let source = UnsafeRawBufferPointer(rebasing: $0[line * rowBytes..<(line + 1) * rowBytes])
            UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + rowBytes]).copyMemory(from: source)
          }
        }
      } else {
        pixels.withBytes { bytes in for index in start..<start + rowBytes { bytes[index] = 0 } }
      }
    }
  }

  private func offset(_ x: Int, _ y: Int) -> Int { (y * pixels.width + x) * PixelBuffer.bytesPerPixel }

  private func bytes(in area: PixelArea) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(area.columns.count * area.rows.count * PixelBuffer.bytesPerPixel)
    for y in area.rows {
      bytes += pixels.bytes[offset(area.columns.lowerBound, y)..<offset(area.columns.upperBound, y)]
    }
    return bytes
  }

  private mutating func draw(_ piece: AnimationPiece, _ area: PixelArea) {
    let width = pixels.width
    pixels.withBytes { canvas in
      piece.pixels.bytes.withUnsafeBytes { source in
        for y in area.rows {
          var from = ((y - piece.top) * piece.pixels.width + area.columns.lowerBound - piece.left) * 4
          var to = (y * width + area.columns.lowerBound) * 4
          for _ in area.columns {
            let pixel = source.loadUnaligned(fromByteOffset: from, as: UInt32.self)
            let alpha = source[from + 3]
            if piece.blending == .replace || alpha == 255 {
              canvas.storeBytes(of: pixel, toByteOffset: to, as: UInt32.self)
            } else if alpha > 0 {
              Self.blend(source, from, over: canvas, to)
            }
            from += 4
            to += 4
          }
        }
      }
    }
  }

  /// "Over" of Porter and Duff for straight alpha (PNG third edition, 13.16).
  private static func blend(
    _ source: UnsafeRawBufferPointer, _ from: Int, over canvas: UnsafeMutableRawBufferPointer, _ to: Int
  ) {
    let (front, back) = (UInt32(source[from + 3]), UInt32(canvas[to + 3]))
    let kept = back * (255 - front)
    let sum = front * 255 + kept
    for channel in 0..<3 {
      let value = UInt32(source[from + channel]) * front * 255 + UInt32(canvas[to + channel]) * kept
      canvas[to + channel] = UInt8((value + sum / 2) / sum)
    }
    canvas[to + 3] = UInt8((sum + 127) / 255)
  }
}

/// The pixels of a canvas that a piece covers.
private struct PixelArea: Hashable, Sendable {
  var columns: Range<Int>
  var rows: Range<Int>

  init(_ piece: AnimationPiece, in canvas: PixelSize) {
    func covered(_ start: Int, _ length: Int, _ limit: Int) -> Range<Int> {
      let first = min(max(0, start), limit)
      return first..<max(first, min(limit, start + length))
    }
    columns = covered(piece.left, piece.pixels.width, canvas.width)
    rows = covered(piece.top, piece.pixels.height, canvas.height)
  }
}

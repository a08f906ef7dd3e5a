import Pixels

/// The canvas onto which the frames of an animation are drawn in order.
///
/// Rules: GIF89a 23 (disposal), PNG third edition 11.3.6.2 (`dispose_op`, `blend_op`). A value that holds the whole
/// picture and a copy of the area that the next frame restores.
struct AnimationCanvas: Hashable, Sendable {
  private(set) var pixels: PixelBuffer
  /// How to dispose of the last frame's area before the next frame is drawn.
  private var disposal: Disposal?

  private struct Disposal: Hashable, Sendable {
    var area: PixelArea
    /// Pixels to restore; nil clears the area.
    var before: [UInt8]?
  }

  /// Creates a transparent canvas.
  init(size: PixelSize) {
    pixels = PixelBuffer(
      size: size, bytes: [UInt8](repeating: 0, count: size.area * PixelBuffer.bytesPerPixel))
  }

  /// Draws the next frame.
  mutating func add(_ frame: AnimationFrame) {
    disposeLastFrame()
    let area = PixelArea(frame, in: pixels.size)
    switch frame.disposal {
    case .keep: break
    case .clear: disposal = Disposal(area: area)
    case .restore: disposal = Disposal(area: area, before: bytes(in: area))
    }
    draw(frame, area)
  }

  private mutating func disposeLastFrame() {
    guard let disposal else { return }
    self.disposal = nil
    let rowBytes = disposal.area.columns.count * PixelBuffer.bytesPerPixel
    for (line, y) in disposal.area.rows.enumerated() {
      let start = offset(disposal.area.columns.lowerBound, y)
      if let before = disposal.before {
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

  private mutating func draw(_ frame: AnimationFrame, _ area: PixelArea) {
    let width = pixels.width
    pixels.withBytes { canvas in
      frame.pixels.withUnsafeBytes { source in
        for y in area.rows {
          var from = ((y - frame.top) * frame.pixels.width + area.columns.lowerBound - frame.left) * 4
          var to = (y * width + area.columns.lowerBound) * 4
          for _ in area.columns {
            let pixel = source.loadUnaligned(fromByteOffset: from, as: UInt32.self)
            let alpha = source[from + 3]
            if frame.blending == .replace || alpha == 255 {
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

  /// Composites with Porter and Duff's "over" for straight alpha (PNG third edition, 13.16).
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

/// The area of a canvas that a frame covers.
private struct PixelArea: Hashable, Sendable {
  var columns: Range<Int>
  var rows: Range<Int>

  init(_ frame: AnimationFrame, in canvas: PixelSize) {
    func covered(_ start: Int, _ length: Int, _ limit: Int) -> Range<Int> {
      let first = min(max(0, start), limit)
      return first..<max(first, min(limit, start + length))
    }
    columns = covered(frame.left, frame.pixels.width, canvas.width)
    rows = covered(frame.top, frame.pixels.height, canvas.height)
  }
}

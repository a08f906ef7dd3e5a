/// The orientation of a stored image: the eight values of EXIF tag 0x0112.
///
/// The names state where the stored image's first row and first column belong in the upright one, as in
/// the EXIF 2.32 specification (section 4.6.4): `rightTop` is "the 0th row is the right side, the 0th column
/// the top", a portrait photo taken with the camera turned to the left.
public enum Orientation: UInt8, CaseIterable, Sendable {
  /// Stored upright.
  case topLeft = 1
  /// Mirrored left to right.
  case topRight
  /// Rotated by 180 degrees.
  case bottomRight
  /// Mirrored top to bottom.
  case bottomLeft
  /// Rows and columns swapped (mirrored along the diagonal from the top left).
  case leftTop
  /// Must be rotated by 90 degrees clockwise to be upright.
  case rightTop
  /// Rows and columns swapped in reverse (mirrored along the diagonal from the top right).
  case rightBottom
  /// Must be rotated by 90 degrees counterclockwise to be upright.
  case leftBottom

  /// Whether width and height are swapped.
  public var swapsAxes: Bool { rawValue >= Orientation.leftTop.rawValue }

  /// Returns the upright size of an image stored with `size`.
  public func upright(_ size: PixelSize) -> PixelSize { swapsAxes ? size.transposed : size }

  /// Returns the position in the stored image (of size `stored`) of the upright pixel (`x`, `y`).
  func storedPosition(x: Int, y: Int, stored: PixelSize) -> (x: Int, y: Int) {
    let right = stored.width - 1
    let bottom = stored.height - 1
    return switch self {
    case .topLeft: (x, y)
    case .topRight: (right - x, y)
    case .bottomRight: (right - x, bottom - y)
    case .bottomLeft: (x, bottom - y)
    case .leftTop: (y, x)
    case .rightTop: (y, bottom - x)
    case .rightBottom: (right - y, bottom - x)
    case .leftBottom: (right - y, x)
    }
  }
}

extension PixelBuffer {
  /// Returns the upright image, given that this one is stored with `orientation`.
  ///
  /// Apply it after shrinking, because it moves every pixel.
  public func upright(from orientation: Orientation) -> PixelBuffer {
    guard orientation != .topLeft, !size.isEmpty else { return self }
    let target = orientation.upright(size)
    // Stepping one pixel to the right or down in the upright image is a constant step in the stored one.
    let origin = orientation.storedPosition(x: 0, y: 0, stored: size)
    let right = orientation.storedPosition(x: 1, y: 0, stored: size)
    let down = orientation.storedPosition(x: 0, y: 1, stored: size)
    let stepX = (right.y - origin.y) * width + (right.x - origin.x)
    let stepY = (down.y - origin.y) * width + (down.x - origin.x)
    let start = origin.y * width + origin.x
    return withUnsafeBytes { raw in
      let source = raw.bindMemory(to: UInt32.self)
      return PixelBuffer(size: target) { output in
        UnsafeMutableRawBufferPointer(output).withMemoryRebound(to: UInt32.self) { pixels in
          for y in 0..<target.height {
            var from = start + y * stepY
            for to in y * target.width..<(y + 1) * target.width {
              pixels[to] = source[from]
              from += stepX
            }
          }
        }
      }
    }
  }
}

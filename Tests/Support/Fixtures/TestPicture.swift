package import Pixels

/// Pictures that are asymmetric: a block of another color in each corner, over a gradient.
package enum TestPicture {
  /// A corner of the upright picture.
  package enum Corner: CaseIterable, Hashable, Sendable {
    case topLeft, topRight, bottomLeft, bottomRight

    /// The color of the block in the corner.
    package var color: Color {
      switch self {
      case .topLeft: Color(red: 255, green: 0, blue: 0)
      case .topRight: Color(red: 0, green: 255, blue: 0)
      case .bottomLeft: Color(red: 0, green: 0, blue: 255)
      case .bottomRight: Color(red: 255, green: 255, blue: 0)
      }
    }

    /// The corner whose block has approximately this color, after JPEG, reduction and a palette; nil for the gradient's
    /// and other colors.
    package init?(of color: Color) {
      let nearest = Self.allCases.min { a, b in
        a.color.squaredDistance(to: color) < b.color.squaredDistance(to: color)
      }
      guard let nearest, nearest.color.squaredDistance(to: color) <= Self.tolerance else { return nil }
      self = nearest
    }

    /// Squared; the distances between blocks are 65,025 and more, to every gray 43,350 and more.
    private static let tolerance = 90 * 90
  }

  /// The upright picture.
  ///
  /// Each block takes three eighths of the width and of the height.
  package static func make(_ size: PixelSize) -> PixelBuffer {
    // Row by row: there are only three kinds, and tests make many pictures.
    let top = row(size.width, .topLeft, .topRight)
    let middle = row(size.width, nil, nil)
    let bottom = row(size.width, .bottomLeft, .bottomRight)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.area * PixelBuffer.bytesPerPixel)
    for y in 0..<size.height {
      bytes += y * 8 < size.height * 3 ? top : y * 8 >= size.height * 5 ? bottom : middle
    }
    return PixelBuffer(size: size, bytes: bytes)
  }

  /// The upright picture with this width and height.
  package static func make(width: Int, height: Int) -> PixelBuffer {
    make(PixelSize(width: width, height: height))
  }

  /// The corners recognized near the four corners of a picture, in the order of `Corner.allCases`; an upright picture
  /// yields `Corner.allCases`.
  package static func corners(of picture: PixelBuffer) -> [Corner?] {
    let (left, top) = (picture.width / 8, picture.height / 8)
    let (right, bottom) = (picture.width - 1 - left, picture.height - 1 - top)
    return [(left, top), (right, top), (left, bottom), (right, bottom)].map { place in
      Corner(of: picture[place.0, place.1])
    }
  }

  private static func row(_ width: Int, _ left: Corner?, _ right: Corner?) -> [UInt8] {
    (0..<width).flatMap { x -> [UInt8] in
      let level = UInt8(clamping: 64 + 128 * x / max(1, width))
      let grey = Color(red: level, green: level, blue: level)
      let block = x * 8 < width * 3 ? left : x * 8 >= width * 5 ? right : nil
      let color = block?.color ?? grey
      return [color.red, color.green, color.blue, 255]
    }
  }
}

/// A part of an upright image, in fractions of its width and height from the top left corner.
///
/// It is never empty and always inside the image: the initializer clips it.
public struct NormalizedRect: Hashable, Sendable {
  /// The left edge, as a fraction of the width.
  public let x: Double
  /// The top edge, as a fraction of the height.
  public let y: Double
  /// The width, as a fraction of the image's width; greater than 0.
  public let width: Double
  /// The height, as a fraction of the image's height; greater than 0.
  public let height: Double

  /// Creates a rectangle clipped to the image; nil if nothing is left or a value is NaN.
  public init?(x: Double, y: Double, width: Double, height: Double) {
    // Comparisons with NaN are false, so the limits below would take its place.
    guard ![x, y, width, height].contains(where: \.isNaN) else { return nil }
    let left = max(0, x)
    let top = max(0, y)
    let right = min(1, x + width)
    let bottom = min(1, y + height)
    guard right > left, bottom > top else { return nil }
    self.x = left
    self.y = top
    self.width = right - left
    self.height = bottom - top
  }

  private init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The whole image.
  public static let whole = NormalizedRect(0, 0, 1, 1)

  /// Returns the part in pixels of an image with the given size.
  public func region(in size: PixelSize) -> PixelRegion {
    PixelRegion(
      x: x * Double(size.width), y: y * Double(size.height), width: width * Double(size.width),
      height: height * Double(size.height))
  }

  /// Returns the part in the coordinates of the image as stored with an orientation.
  public func stored(with orientation: Orientation) -> NormalizedRect {
    let right = 1 - x - width
    let bottom = 1 - y - height
    return switch orientation {
    case .topLeft: self
    case .topRight: NormalizedRect(right, y, width, height)
    case .bottomRight: NormalizedRect(right, bottom, width, height)
    case .bottomLeft: NormalizedRect(x, bottom, width, height)
    case .leftTop: NormalizedRect(y, x, height, width)
    case .rightTop: NormalizedRect(y, right, height, width)
    case .rightBottom: NormalizedRect(bottom, right, height, width)
    case .leftBottom: NormalizedRect(bottom, x, height, width)
    }
  }
}

/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int

  /// Creates a size in pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size without pixels, which often means that a size is unknown.
  public static let zero = PixelSize(width: 0, height: 0)

  /// The number of pixels, saturating instead of overflowing.
  public var area: Int {
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : product
  }

  /// Larger than any image; as a target size, it means the native size.
  public static let maximum = PixelSize(width: .max, height: .max)

  /// Whether there are no pixels.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The size with width and height swapped.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }

  /// The size as text: "640×480".
  public var description: String { "\(width)×\(height)" }
}

/// How an image fits into a box of another shape.
public enum ContentMode: Hashable, Sendable {
  /// The whole image is shown, as large as the box allows.
  case aspectFit
  /// The whole box is filled, with the image cropped evenly on both sides.
  case aspectFill
}

extension PixelSize {
  /// Returns the size of the image scaled to `target`, before any crop; never larger than the image.
  ///
  /// The scale is min (fit) or max (fill) of target/source, capped at 1, and the result is rounded to
  /// whole pixels of at least 1.
  public func scaled(toward target: PixelSize, _ mode: ContentMode) -> PixelSize {
    guard !isEmpty, !target.isEmpty else { return self }
    let scale = min(1, self.scale(toward: target, mode))
    return PixelSize(
      width: max(1, Int((Double(width) * scale).rounded())),
      height: max(1, Int((Double(height) * scale).rounded())))
  }

  /// Returns the scale factor from the image to `target`; above 1 if the image is smaller.
  public func scale(toward target: PixelSize, _ mode: ContentMode) -> Double {
    let horizontal = Double(target.width) / Double(width)
    let vertical = Double(target.height) / Double(height)
    return mode == .aspectFit ? min(horizontal, vertical) : max(horizontal, vertical)
  }
}

/// A rectangle in the coordinates of an image, in fractional pixels from its top left corner.
public struct PixelRegion: Hashable, Sendable {
  /// The left edge.
  public var x: Double
  /// The top edge.
  public var y: Double
  /// The width.
  public var width: Double
  /// The height.
  public var height: Double

  /// Creates a region in fractional pixels.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Creates the region of a whole image.
  public init(_ size: PixelSize) {
    self.init(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
  }

  /// Creates the largest region with the aspect ratio of `shape`, centered in `size`.
  public init(centeredIn size: PixelSize, shapedLike shape: PixelSize) {
    let width = Double(size.width)
    let height = Double(size.height)
    let scale = max(Double(shape.width) / width, Double(shape.height) / height)
    let cropped = (width: Double(shape.width) / scale, height: Double(shape.height) / scale)
    self.init(
      x: (width - cropped.width) / 2, y: (height - cropped.height) / 2,
      width: cropped.width, height: cropped.height)
  }
}

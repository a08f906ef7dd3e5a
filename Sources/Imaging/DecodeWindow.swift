import Pixels

/// The pixels of a reduced picture that a part of it is made of, with what the resampler looks at beside them.
struct DecodeWindow: Hashable {
  let x: Int
  let y: Int
  let size: PixelSize

  /// How far beside a pixel the resampler looks at most: twice the factor that it shrinks by, which is below 4
  /// after the decoder has done its share.
  private static let margin = 10

  /// - Parameters:
  ///   - part: of the stored picture.
  ///   - reduction: how many stored pixels make up one of the reduced picture.
  ///   - whole: the size of the reduced picture.
  /// - Returns: nil where little would be left out.
  init?(_ part: NormalizedRect, of stored: PixelSize, reduction: Double, in whole: PixelSize) {
    let region = part.region(in: stored)
    let columns = Self.span(region.x / reduction, region.width / reduction, in: whole.width)
    let rows = Self.span(region.y / reduction, region.height / reduction, in: whole.height)
    size = PixelSize(width: columns.count, height: rows.count)
    x = columns.lowerBound
    y = rows.lowerBound
    guard !size.isEmpty, size.area < whole.area / 4 * 3 else { return nil }
  }

  private static func span(_ start: Double, _ length: Double, in limit: Int) -> Range<Int> {
    let first = max(0, Int(start.rounded(.down)) - margin)
    let end = min(limit, Int((start + length).rounded(.up)) + margin)
    return first..<max(first, end)
  }
}

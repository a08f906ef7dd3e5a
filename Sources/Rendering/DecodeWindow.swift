package import Pixels

/// The pixels of a reduced picture that a part of it is made of, with what the resampler looks at beside them.
package struct DecodeWindow: Hashable {
  package let x: Int
  package let y: Int
  package let size: PixelSize

  /// - Parameters:
  ///   - part: of the stored picture.
  ///   - reduction: how many stored pixels make up one of the reduced picture.
  ///   - whole: the size of the reduced picture.
  ///   - needed: the size that the whole picture would be shown in.
  /// - Returns: nil where little would be left out.
  package init?(
    _ part: NormalizedRect, of stored: PixelSize, reduction: Double, in whole: PixelSize, needed: PixelSize
  ) {
    let region = part.region(in: stored)
    let margin = Self.margin(from: whole, to: needed)
    let columns = Self.span(region.x / reduction, region.width / reduction, margin, in: whole.width)
    let rows = Self.span(region.y / reduction, region.height / reduction, margin, in: whole.height)
    size = PixelSize(width: columns.count, height: rows.count)
    x = columns.lowerBound
    y = rows.lowerBound
    guard !size.isEmpty, size.area < whole.area / 4 * 3 else { return nil }
  }

  /// How far beside a pixel the resampler looks at most: twice the factor that it shrinks by.
  ///
  /// The factor may be half as large again where the part's few pixels are rounded to whole ones.
  private static func margin(from whole: PixelSize, to needed: PixelSize) -> Int {
    let factor = max(
      1, Double(whole.width) / Double(max(1, needed.width)),
      Double(whole.height) / Double(max(1, needed.height)))
    return Int((3 * factor).rounded(.up)) + 2
  }

  private static func span(_ start: Double, _ length: Double, _ margin: Int, in limit: Int) -> Range<Int> {
    let first = max(0, Int(start.rounded(.down)) - margin)
    let end = min(limit, Int((start + length).rounded(.up)) + margin)
    return first..<max(first, end)
  }
}

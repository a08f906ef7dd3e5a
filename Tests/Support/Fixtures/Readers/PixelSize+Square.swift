package import Pixels

extension PixelSize {
  /// A size with equal sides.
  package static func square(_ side: Int) -> PixelSize { PixelSize(width: side, height: side) }
}

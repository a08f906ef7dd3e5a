package import Pixels

extension PixelSize {
  /// A square.
  package static func square(_ side: Int) -> PixelSize { PixelSize(width: side, height: side) }
}

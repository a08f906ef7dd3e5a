import Pixels
import Rendering

extension AnimationBudget {
  /// Refuses a canvas without pixels, or of too many.
  static func check(_ canvas: PixelSize) throws(DecodeStop) {
    guard !canvas.isEmpty else { throw .failed("there is no picture in it") }
    try DecodeBudget().checkSides(canvas)
    guard canvas.area <= canvasPixels else { throw .tooLarge(canvas) }
  }
}

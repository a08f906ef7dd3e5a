import Pixels

/// What an animation may cost.
enum AnimationBudget {
  /// Pixels of the canvas.
  static let canvasPixels = 16_000_000
  /// How many pictures of the canvas's size stand in memory at most: it, a frame, what is restored after that (with
  /// WebP the library's two), and the picture that is made of it.
  static let canvases = 4
  /// How long one picture may take.
  static let time: Duration = .seconds(10)
  /// Bytes of a file, or of one compressed picture, that are held in memory.
  static let heldBytes = 128 << 20
  /// Frames of one pass; no honest file has as many.
  static let frames = 100_000

  static func check(_ canvas: PixelSize) throws(DecodeStop) {
    guard !canvas.isEmpty else { throw .failed("there is no picture in it") }
    try DecodeBudget().checkSides(canvas)
    guard canvas.area <= canvasPixels else { throw .tooLarge(canvas) }
  }
}

/// What an animation may cost.
package enum AnimationBudget {
  /// Pixels of the canvas.
  package static let canvasPixels = 16_000_000
  /// How many pictures of the canvas's size stand in memory at most: it, a frame, what is restored after that (with
  /// WebP the library's two), and the picture that is made of it.
  package static let canvases = 4
  /// How long one picture may take.
  package static let time: Duration = .seconds(10)
  /// Bytes of a file, or of one compressed picture, that are held in memory.
  package static let heldBytes = 128 << 20
  /// Frames of one pass; no honest file has as many.
  package static let frames = 100_000
}

import AssetLibrary
import Pixels

/// Takes the pictures of one animation out of its file, in order, each laid on what was there before.
protocol AnimationDecoder: AnyObject {
  /// The size of the canvas.
  var size: PixelSize { get }
  /// What the colours of the canvas mean.
  var colors: ColorSource { get }
  /// How often all is shown; nil = again and again. Right after the last picture of a pass.
  var playCount: Int? { get }
  /// The whole picture as it stands after `advance`.
  var canvas: PixelBuffer { get }

  /// Goes on to the next picture.
  /// - Parameter job: how long that may take.
  /// - Returns: how long it is shown; nil where there is none any more.
  func advance(_ job: DecodeJob) throws(DecodeStop) -> Duration?

  /// Begins anew before the first picture.
  func rewind(_ job: DecodeJob) throws(DecodeStop)
}

/// What an animation may cost.
enum AnimationBudget {
  /// Pixels of the canvas.
  static let canvasPixels = 16_000_000
  /// How many pictures of the canvas's size stand in memory at most: it, a piece, what comes back after that (with
  /// WebP the library's two), and the picture that is made of it.
  static let canvases = 4
  /// How long one picture may take.
  static let time: Duration = .seconds(10)
  /// Bytes of a file, or of one compressed picture, that are held in memory.
  static let heldBytes = 128 << 20
  /// Pictures of one pass; no honest file has as many, and a counter that overflows has none.
  static let pieces = 100_000

  static func check(_ canvas: PixelSize) throws(DecodeStop) {
    guard !canvas.isEmpty else { throw .failed("there is no picture in it") }
    guard canvas.area <= canvasPixels else { throw .tooLarge(canvas) }
  }
}

import Pixels

/// One picture of an animation as its file stores it: a part of the canvas, and what is done with it.
struct AnimationPiece: Hashable, Sendable {
  /// What becomes of the piece's part of the canvas when its time is over.
  enum Disposal: Hashable, Sendable {
    case keep
    /// Nothing stays there: as browsers do it, not even a background colour.
    case clear
    /// What was there before comes back.
    case restore
  }

  /// How the piece goes onto the canvas.
  enum Blending: Hashable, Sendable {
    /// In the place of what was there.
    case replace
    /// Over what was there, which shines through.
    case over
  }

  var pixels: PixelBuffer
  /// Where its top left pixel lies; parts beside the canvas are cut off.
  var left = 0
  var top = 0
  var disposal = Disposal.keep
  var blending = Blending.over
  /// How long it is to be seen, as the file says it.
  var delay: Duration

  /// How long it is seen.
  var shownDelay: Duration { Self.shownDelay(delay) }

  /// How long a picture is seen whose file says `delay`.
  ///
  /// Ten milliseconds and less are a mistake of old encoders, or a wish for speed that nothing kept up with; browsers
  /// make a tenth of a second of it.
  static func shownDelay(_ delay: Duration) -> Duration {
    delay <= .milliseconds(10) ? .milliseconds(100) : delay
  }
}

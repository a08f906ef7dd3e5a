import Pixels

/// One frame of an animation as its file stores it: a part of the canvas, and how it is put there.
struct AnimationFrame: Hashable, Sendable {
  /// What happens to the frame's part of the canvas before the next frame is drawn.
  enum Disposal: Hashable, Sendable {
    case keep
    /// Nothing stays there: as browsers do it, not even a background colour.
    case clear
    /// What was there before comes back.
    case restore
  }

  /// How the frame is drawn onto the canvas.
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
  /// How long it is shown, as the file says it.
  var delay: Duration

  /// How long it is shown.
  var displayDuration: Duration { Self.displayDuration(delay) }

  /// How long a frame is shown whose file says `delay`.
  ///
  /// Ten milliseconds and less are a mistake of old encoders, or ask for a speed that no program kept; browsers show
  /// such a frame for a tenth of a second.
  static func displayDuration(_ delay: Duration) -> Duration {
    delay <= .milliseconds(10) ? .milliseconds(100) : delay
  }
}

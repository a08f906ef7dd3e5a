public import Pixels

/// One picture of something that moves, as it is shown: upright, in sRGB, in the size asked for.
public struct MovingFrame: Sendable {
  public var pixels: PixelBuffer
  /// When it appears, counted from the beginning of the pass.
  public var start: Duration
  /// How long it stays.
  public var duration: Duration

  public init(pixels: PixelBuffer, start: Duration, duration: Duration) {
    self.pixels = pixels
    self.start = start
    self.duration = duration
  }

  public var end: Duration { start + duration }
}

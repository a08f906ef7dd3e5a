public import Pixels

/// Decodes the frames of a video or an animation one after the other.
///
/// Only one frame is in memory at a time. Methods block until the disk and the decoder have finished. Call
/// them from one thread at a time; to stop them, use the `Cancellation` that was passed with the request.
public protocol FrameReader: AnyObject {
  /// Decodes the next frame that is not skipped.
  ///
  /// The last frame of a pass is never skipped, because it stays on the screen.
  /// - Parameter skip: which frames are too late to be shown.
  /// - Returns: nil at the end of a pass, and after a cancellation.
  /// - Throws: `AssetError` if no frame at all can be decoded.
  func next(_ skip: FrameSkip) throws(AssetError) -> MovingFrame?

  /// Continues with the frame that is visible at a time, or with the last frame if the time is past the end.
  /// - Parameter time: measured from the start of the pass.
  func seek(to time: Duration) throws(AssetError)

  /// How many times the whole is played; nil = forever. Valid after the end of the first pass.
  var playCount: Int? { get }

  /// The length of a pass as the file states it, valid after the first frame; nil if it does not.
  var length: Duration? { get }
}

extension FrameReader {
  /// Returns to the first frame.
  public func rewind() throws(AssetError) { try seek(to: .zero) }
}

/// One frame of a video or an animation, ready for display: upright, in sRGB, in the requested size.
public struct MovingFrame: Sendable {
  /// The pixels.
  public var pixels: PixelBuffer
  /// When the frame appears, from the start of the pass.
  public var start: Duration
  /// How long the frame stays visible.
  public var duration: Duration

  /// Creates a frame.
  public init(pixels: PixelBuffer, start: Duration, duration: Duration) {
    self.pixels = pixels
    self.start = start
    self.duration = duration
  }

  /// When the next frame appears, from the start of the pass.
  public var end: Duration { start + duration }
}

/// A request for the frames of a video, a Live Photo or an animation.
public struct FrameRequest: Hashable, Sendable {
  /// The asset to play.
  public var asset: Asset
  /// The box that the upright frames must fit into, in pixels; frames are never enlarged.
  public var targetSize: PixelSize
  /// Which version of an edited asset to play.
  public var version: AssetVersion

  /// Creates a request.
  public init(asset: Asset, targetSize: PixelSize, version: AssetVersion = .current) {
    self.asset = asset
    self.targetSize = targetSize
    self.version = version
  }

  /// The file whose frames are requested; nil if the version has nothing to play.
  public var resource: AssetResource? { asset.playableResource(for: version) }
}

/// Decides when to show each frame, and which frames to skip.
///
/// It has no clock of its own: the caller passes the current time, from any epoch. If decoder and terminal
/// keep up, each frame is visible for its duration. If they don't, frames are skipped. If that is not
/// sufficient, playback slows down.
public struct FramePacer: Hashable, Sendable {
  /// The maximum number of frames skipped in a row.
  public static let mostSkipped = 32

  /// How late a frame may be before the following frames are delayed.
  private static let toleratedDelay: Duration = .milliseconds(500)

  /// When the start of this pass was or is due.
  public private(set) var begin: Duration
  /// How many seconds of the pass are played in a second.
  public private(set) var rate: Double
  /// The end time of the last frame that was shown, from the start of the pass.
  private var end = Duration.zero
  /// The number of frames of this pass that were shown.
  public private(set) var shownCount = 0
  /// Whether the next frame is due at once, wherever in the pass it is.
  private var isSeeking = false

  /// Creates a pacer.
  /// - Parameters:
  ///   - begin: when the first frame of the first pass is due.
  ///   - rate: how many seconds of the pass are played in a second; positive.
  public init(begin: Duration, rate: Double = 1) {
    self.begin = begin
    self.rate = rate
  }

  /// Returns which of the next frames to skip.
  public func skip(at now: Duration) -> FrameSkip {
    shownCount == 0 || isSeeking
      ? .none
      : FrameSkip(until: rate == 1 ? now - begin : (now - begin) * rate, most: Self.mostSkipped)
  }

  /// Returns how long to wait before showing a frame; zero if it is late.
  public mutating func delay(of frame: MovingFrame, at now: Duration) -> Duration {
    if isSeeking {
      begin = now - played(frame.start)
      isSeeking = false
    }
    end = frame.end
    shownCount += 1
    let due = begin + played(frame.start)
    // The first frame is never late. Later ones may be late by the tolerance; beyond it, the start time
    // moves.
    let late = now - due - (shownCount == 1 ? .zero : Self.toleratedDelay)
    if late > .zero { begin += late }
    return max(.zero, due - now)
  }

  /// Ends a pass; the next one starts when the last frame has been visible for its duration.
  /// - Returns: the time until then.
  public mutating func endPass(at now: Duration) -> Duration {
    let over = max(begin + played(end), now)
    self = FramePacer(begin: over, rate: rate)
    return over - now
  }

  /// Returns how long it takes to play to a time; exact at the usual rate.
  private func played(_ time: Duration) -> Duration { rate == 1 ? time : time / rate }

  /// Moves all times by the length of a pause.
  public mutating func shift(by pause: Duration) { begin += pause }

  /// Makes the next frame due at once; the following ones are timed from it.
  public mutating func seek() { isSeeking = true }

  /// Plays at another rate from now on.
  /// - Parameters:
  ///   - rate: how many seconds of the pass are played in a second; positive.
  ///   - now: the current time.
  public mutating func setRate(_ rate: Double, at now: Duration) {
    begin = now - (now - begin) * (self.rate / rate)
    self.rate = rate
  }
}

/// Which frames are too late to be shown.
public struct FrameSkip: Hashable, Sendable {
  /// Frames that end at or before this time are skipped.
  public var until: Duration
  /// The maximum number of frames skipped in a row, so that playback stays visible with a slow decoder.
  public var most: Int

  /// Creates a rule; by default it skips no frame.
  public init(until: Duration = .zero, most: Int = 0) {
    self.until = until
    self.most = most
  }

  /// Skips no frame.
  public static let none = FrameSkip()

  /// Whether to skip a frame after `count` frames were skipped in a row.
  public func leavesOut(endingAt end: Duration, after count: Int) -> Bool { end <= until && count < most }
}

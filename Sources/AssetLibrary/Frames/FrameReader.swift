public import Pixels

/// The pictures of something that moves, one after the other.
///
/// One picture is in memory at a time. Calls wait for the disk and the decoder, and come from one thread at a
/// time; whoever made the reader can end them through the `Cancellation` that went with the request.
public protocol FrameReader: AnyObject {
  /// Gives the next picture that is not to be left out; nil at the end of a pass, and when it was cancelled.
  ///
  /// The last picture of a pass is given whatever is to be left out: it is the one that stays.
  /// - Throws: `AssetError` when not one picture can be made.
  func next(_ skip: FrameSkip) throws(AssetError) -> MovingFrame?

  /// Begins anew with the first picture.
  func rewind() throws(AssetError)

  /// How often all is shown; nil = again and again. Known when the first pass has ended.
  var playCount: Int? { get }
}

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

/// The pictures of an asset that moves, as they are wanted.
public struct FrameRequest: Hashable, Sendable {
  public var asset: Asset
  /// The box that the upright pictures fit in, in pixels; none is enlarged.
  public var targetSize: PixelSize

  public init(asset: Asset, targetSize: PixelSize) {
    self.asset = asset
    self.targetSize = targetSize
  }
}

extension Asset {
  /// The file whose pictures are played: a video's, the clip of a Live Photo, an animation's own.
  public var movingResource: AssetResource? {
    switch playbackStyle {
    case .imageAnimated, .video, .videoLooping: primaryResource
    case .livePhoto: resources.first { $0.type == .pairedVideo }
    case .image, .unsupported: nil
    }
  }
}

/// Decides when a picture of something that moves is shown, and which ones come too late.
///
/// A value without a clock: the caller says what time it is, counted from anywhere. Where decoder and terminal
/// keep up, every picture stands as long as its file says; where they don't, pictures are left out, and where
/// that is not enough everything takes longer.
public struct FramePacer: Hashable, Sendable {
  /// The most pictures that are left out in a row.
  public static let mostSkipped = 32

  /// How late a picture may be before all later ones are delayed.
  private static let toleratedDelay: Duration = .milliseconds(500)

  /// When the first picture of this pass was or is due.
  public private(set) var begin: Duration
  /// Where the last picture of this pass that was shown ends.
  private var end = Duration.zero
  /// How many pictures of this pass were shown.
  public private(set) var shownCount = 0

  public init(begin: Duration) {
    self.begin = begin
  }

  /// Which of the next pictures are left out.
  public func skip(at now: Duration) -> FrameSkip {
    shownCount == 0 ? .none : FrameSkip(until: now - begin, most: Self.mostSkipped)
  }

  /// How long to wait before a picture is shown; zero where it is late.
  public mutating func delay(of frame: MovingFrame, at now: Duration) -> Duration {
    end = frame.end
    shownCount += 1
    let due = begin + frame.start
    // The first one is never late. Others may be, but not ever more so: then the clock is put back.
    let late = now - due - (shownCount == 1 ? .zero : Self.toleratedDelay)
    if late > .zero { begin += late }
    return max(.zero, due - now)
  }

  /// A pass is over; the next one begins when the last picture has stood its time.
  /// - Returns: how long that takes.
  public mutating func endPass(at now: Duration) -> Duration {
    let over = max(begin + end, now)
    self = FramePacer(begin: over)
    return over - now
  }

  /// Moves all times by a pause.
  public mutating func shift(by pause: Duration) { begin += pause }
}

/// Which pictures come too late to be shown.
public struct FrameSkip: Hashable, Sendable {
  /// A picture that ends by then is left out.
  public var until: Duration
  /// No more than so many are left out in a row: something is seen, however slow the decoder is.
  public var most: Int

  public init(until: Duration = .zero, most: Int = 0) {
    self.until = until
    self.most = most
  }

  /// Every picture is wanted.
  public static let none = FrameSkip()

  /// Whether to leave out a picture after `count` others were.
  public func leavesOut(endingAt end: Duration, after count: Int) -> Bool { end <= until && count < most }
}

/// Decides when a picture of something that moves is shown, and which ones come too late.
///
/// A value without a clock: the caller says what time it is, counted from anywhere. Where decoder and terminal
/// keep up, every picture stands as long as its file says; where they don't, pictures are left out, and where
/// that is not enough everything takes longer.
public struct FramePacer: Hashable, Sendable {
  /// The most pictures that are left out in a row.
  public static let mostSkipped = 32

  /// How late a picture may be before all later ones are delayed.
  static let toleratedDelay: Duration = .milliseconds(500)

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

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

/// An exposure time as photographers write it: a fraction of a second, or seconds with one decimal.
public enum ExposureTime: Hashable, Sendable {
  /// 1/denominator seconds.
  case fraction(denominator: Int)
  /// Rounded to tenths.
  case seconds(Double)

  /// Takes the form that is nearer to the time: 1/3 for a third of a second, but 0.4 and 0.3 for those.
  /// - Returns: nil for a time that is none.
  public init?(_ seconds: Double) {
    guard seconds > 0, seconds.isFinite else { return nil }
    let tenths = (seconds * 10).rounded() / 10
    let denominator = (1 / seconds).rounded()
    // Halves and longer times are always written with a decimal.
    if denominator >= 3, let whole = Int(exactly: denominator),
      abs(1 / denominator - seconds) <= abs(tenths - seconds)
    {
      self = .fraction(denominator: whole)
    } else {
      self = .seconds(tenths)
    }
  }
}

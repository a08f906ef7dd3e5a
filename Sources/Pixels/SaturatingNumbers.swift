// Numbers from files, servers, terminals and helpers can be anything: what is worked out of them stays at the largest
// or the smallest value instead of trapping.

extension FixedWidthInteger {
  /// The sum, or the nearest value that the type has.
  @inlinable
  package func addingSaturated(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The whole part of a number, or the nearest value that the type has; 0 for NaN.
  @inlinable
  package init(saturating value: Double) {
    self = Self(exactly: value.rounded(.towardZero)) ?? (value > 0 ? .max : value < 0 ? .min : 0)
  }
}

extension Sequence where Element: FixedWidthInteger {
  /// The sum of sizes, or the largest value; a negative size, which nothing has, counts as none.
  @inlinable
  package func saturatedSum() -> Element {
    reduce(0) { $0.addingSaturated(Swift.max(0, $1)) }
  }
}

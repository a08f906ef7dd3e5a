// Numbers from files, servers, terminals and helpers may have any value: calculations with them saturate
// instead of trapping.

extension FixedWidthInteger {
  /// Returns the sum, clamped to the range of the type.
  @inlinable
  package func addingSaturated(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// Creates the whole part of a number, clamped to the range of the type; 0 for NaN.
  @inlinable
  package init(saturating value: Double) {
    self = Self(exactly: value.rounded(.towardZero)) ?? (value > 0 ? .max : value < 0 ? .min : 0)
  }
}

extension Sequence where Element: FixedWidthInteger {
  /// Returns the sum of sizes, clamped to the maximum of the type; invalid negative sizes count as 0.
  @inlinable
  package func saturatedSum() -> Element {
    reduce(0) { $0.addingSaturated(Swift.max(0, $1)) }
  }
}

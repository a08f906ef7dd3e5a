/// The shares that the pixels along one axis have in each of a number of equal parts.
///
/// A part's colour is the mean over its area, border pixels by the fraction that lies within: of all single
/// colours the one with the least squared error.
struct AreaShares: Sendable {
  /// The shares of a part add up to this: with 8 bits of colour they fill 16.
  static let one = 256

  /// The pixels of one part.
  struct Span: Sendable {
    var first: Int
    var count: Int
    /// Where its shares begin in the common list.
    var shares: Int
  }

  private(set) var spans: [Span] = []
  private(set) var shares: [UInt16] = []

  init(length: Int, parts: Int) {
    guard length > 0 else { return }
    spans.reserveCapacity(parts)
    for part in 0..<parts {
      // In units of 1/parts of a pixel everything is whole.
      let (start, end) = (part * length, (part + 1) * length)
      let (first, last) = (start / parts, (end - 1) / parts)
      spans.append(Span(first: first, count: last - first + 1, shares: shares.count))
      var done = 0
      for pixel in first...last {
        // Rounded as sums, so that nothing is lost: a flat area stays flat.
        let sum = ((min(end, (pixel + 1) * parts) - start) * Self.one + length / 2) / length
        shares.append(UInt16(sum - done))
        done = sum
      }
    }
  }
}

/// The parts of a file that are there, where the rest is yet to be fetched.
///
/// A value: sorted ranges of bytes of which no two touch each other.
package struct PresentRanges: Hashable, Sendable {
  /// As many as a request names.
  package static let most = 16

  /// From the file's first byte on, in bytes.
  package private(set) var ranges: [Range<Int>] = []

  package init() {}

  /// Takes ranges in any order, which may overlap.
  package init(_ ranges: [Range<Int>]) {
    for range in ranges { insert(range) }
  }

  /// How many bytes are there.
  package var byteCount: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Adds a range, and makes one of those that it touches; nothing of an empty one.
  package mutating func insert(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.count
    let end = ranges.firstIndex { $0.lowerBound > range.upperBound } ?? ranges.count
    let touched = ranges[first..<end]
    let lower = min(range.lowerBound, touched.first?.lowerBound ?? range.lowerBound)
    let upper = max(range.upperBound, touched.last?.upperBound ?? range.upperBound)
    ranges.replaceSubrange(first..<end, with: [lower..<upper])
  }

  /// Whether every byte of a range is there; of an empty one all are.
  package func contains(_ range: Range<Int>) -> Bool { missing(in: range) == nil }

  /// How many bytes are there from `offset` on, up to the first that is not.
  package func count(from offset: Int) -> Int {
    ranges.first { $0.contains(offset) }.map { $0.upperBound - offset } ?? 0
  }

  /// The part of a range from its first byte that is not there to its last; nil where all are.
  package func missing(in range: Range<Int>) -> Range<Int>? {
    guard !range.isEmpty else { return nil }
    let lower = range.lowerBound + count(from: range.lowerBound)
    guard lower < range.upperBound else { return nil }
    let last = ranges.first { $0.contains(range.upperBound - 1) }
    return lower..<min(range.upperBound, last?.lowerBound ?? range.upperBound)
  }
}

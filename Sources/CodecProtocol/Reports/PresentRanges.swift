/// The parts of a file that are available while the rest is yet to be fetched.
///
/// Sorted byte ranges that neither overlap nor adjoin.
package struct PresentRanges: Hashable, Sendable {
  /// The most ranges in a request.
  package static let most = 16

  /// Byte ranges from the start of the file.
  package private(set) var ranges: [Range<Int>] = []

  package init() {}

  /// Creates the union of ranges, which may overlap and come in any order.
  package init(_ ranges: [Range<Int>]) {
    for range in ranges { insert(range) }
  }

  /// Number of available bytes.
  package var byteCount: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Adds a range and merges it with those it touches; ignores an empty one.
  package mutating func insert(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.count
    let end = ranges.firstIndex { $0.lowerBound > range.upperBound } ?? ranges.count
    let touched = ranges[first..<end]
    let lower = min(range.lowerBound, touched.first?.lowerBound ?? range.lowerBound)
    let upper = max(range.upperBound, touched.last?.upperBound ?? range.upperBound)
    ranges.replaceSubrange(first..<end, with: [lower..<upper])
  }

  /// Returns whether every byte of a range is available; true for an empty range.
  package func contains(_ range: Range<Int>) -> Bool { missing(in: range) == nil }

  /// Returns the number of available bytes from `offset` up to the first missing one.
  package func count(from offset: Int) -> Int {
    ranges.first { $0.contains(offset) }.map { $0.upperBound - offset } ?? 0
  }

  /// Returns the part of a range from its first missing byte to its last; nil if none is missing.
  package func missing(in range: Range<Int>) -> Range<Int>? {
    guard !range.isEmpty else { return nil }
    let lower = range.lowerBound + count(from: range.lowerBound)
    guard lower < range.upperBound else { return nil }
    let last = ranges.first { $0.contains(range.upperBound - 1) }
    return lower..<min(range.upperBound, last?.lowerBound ?? range.upperBound)
  }
}

// Wire form.
extension PresentRanges {
  /// Writes sorted ranges that do not overlap.
  static func write(_ ranges: [Range<Int>], to wire: inout WireWriter) {
    wire.put(UInt32(ranges.count))
    for range in ranges { write(range, to: &wire) }
  }

  static func write(_ range: Range<Int>, to wire: inout WireWriter) {
    wire.put(UInt64(clamping: range.lowerBound))
    wire.put(UInt64(clamping: range.upperBound))
  }

  /// Reads ranges that `write` wrote.
  /// - Parameter byteCount: the file's length.
  static func ranges(upTo byteCount: Int, from wire: inout WireReader) throws(WireError) -> [Range<Int>] {
    let count = try wire.count(ofElements: 16)
    guard count <= most else { throw WireError() }
    var ranges: [Range<Int>] = []
    for _ in 0..<count {
      let range = try self.range(from: &wire)
      guard range.lowerBound >= ranges.last?.upperBound ?? 0, range.upperBound <= byteCount else {
        throw WireError()
      }
      ranges.append(range)
    }
    return ranges
  }

  /// Reads a range that is not empty.
  static func range(from wire: inout WireReader) throws(WireError) -> Range<Int> {
    let (lower, upper) = (try wire.integer(UInt64.self), try wire.integer(UInt64.self))
    guard let lower = Int(exactly: lower), let upper = Int(exactly: upper), lower < upper else {
      throw WireError()
    }
    return lower..<upper
  }
}

/// Decides which part of a file to fetch next after a helper has named the range it needs.
///
/// A value without I/O: the caller fetches the range that `next` returns, writes it into the file that the
/// helper reads, and repeats the request. The loop ends whatever the helper answers: rounds and bytes are
/// bounded, and nothing is fetched twice.
package struct RangeLoader: Hashable, Sendable {
  /// The most rounds.
  package static let mostRounds = 24
  /// The most bytes available of one file, including those that were available at the start.
  package static let mostBytes = 4 << 20

  /// What is available once the range that `next` returned last has been fetched.
  package private(set) var present: PresentRanges
  private let byteCount: Int
  private let block: Int
  private var rounds = 0
  private var last: Range<Int>?

  /// - Parameters:
  ///   - present: what was fetched before the first request.
  ///   - byteCount: the file's length.
  ///   - block: ranges are widened to multiples of this: a request costs more time than its bytes.
  package init(present: PresentRanges, byteCount: Int, block: Int = 64 << 10) {
    (self.present, self.block) = (present, max(1, block))
    self.byteCount = min(max(0, byteCount), ReportRequest.longestFile)
    last = present.ranges.last
  }

  /// Returns the range to fetch for `asked`; it counts as available from then on.
  ///
  /// A range that starts where the previous one ended indicates sequential reading: then the length is doubled.
  /// - Returns: nil if the limits of rounds, bytes or ranges are reached, or nothing of the range is missing.
  package mutating func next(after asked: Range<Int>) -> Range<Int>? {
    guard rounds < Self.mostRounds, let needed = present.missing(in: asked.clamped(to: 0..<byteCount))
    else { return nil }
    let left = Self.mostBytes - present.byteCount
    guard needed.count <= left else { return nil }
    let start = needed.lowerBound / block * block
    var count = (needed.upperBound - start + block - 1) / block * block
    if let last, (last.upperBound..<last.upperBound + block).contains(needed.lowerBound) {
      count = max(count, 2 * last.count)
    }
    let upper = min(byteCount, start + count)
    // Skip bytes that are already available at the ends, and anything beyond the limit.
    guard let range = present.missing(in: start..<upper) else { return nil }
    let fetched = range.lowerBound..<min(range.upperBound, max(needed.upperBound, range.lowerBound + left))
    var grown = present
    grown.insert(fetched)
    guard grown.ranges.count <= PresentRanges.most, grown.byteCount <= Self.mostBytes else { return nil }
    (present, last) = (grown, fetched)
    rounds += 1
    return fetched
  }
}

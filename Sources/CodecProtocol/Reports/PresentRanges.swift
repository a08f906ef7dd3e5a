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

// The parts of a file, as tpick tells them to its helpers.
extension PresentRanges {
  /// Writes ranges, sorted, of which no two overlap.
  static func write(_ ranges: [Range<Int>], to wire: inout WireWriter) {
    wire.put(UInt32(ranges.count))
    for range in ranges { write(range, to: &wire) }
  }

  static func write(_ range: Range<Int>, to wire: inout WireWriter) {
    wire.put(UInt64(clamping: range.lowerBound))
    wire.put(UInt64(clamping: range.upperBound))
  }

  /// Reads what `write` wrote.
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

/// Says which part of a file is fetched next, after a helper said which one it needs.
///
/// A value, which touches nothing. Whoever uses it fetches what `next` returns, writes it to where the helper reads, and asks
/// again. It ends whatever the helper answers: the rounds and the bytes are bounded, and nothing is fetched twice.
package struct RangeLoader: Hashable, Sendable {
  /// How often somebody is asked again at most.
  package static let mostRounds = 24
  /// Bytes that are fetched of one file at most, those that are there from the beginning among them.
  package static let mostBytes = 4 << 20

  /// What is there, once the range was fetched that was returned last.
  package private(set) var present: PresentRanges
  private let byteCount: Int
  private let block: Int
  private var rounds = 0
  private var last: Range<Int>?

  /// - Parameters:
  ///   - present: what was fetched before anybody was asked.
  ///   - byteCount: the file's length.
  ///   - block: ranges are made larger until they begin and end at its multiples: a request costs more time than its bytes.
  package init(present: PresentRanges, byteCount: Int, block: Int = 64 << 10) {
    (self.present, self.block) = (present, max(1, block))
    self.byteCount = min(max(0, byteCount), ReportRequest.longestFile)
    last = present.ranges.last
  }

  /// The range to fetch where `asked` is needed; counts as there from then on.
  ///
  /// Where it begins at the end of what was fetched last, somebody reads in sequence: then twice as much is fetched as then.
  /// - Returns: nil where it is over: after too many rounds, bytes or parts, and where nothing of the range is missing.
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
    // What is there at the ends is not fetched again, and what is beyond the limit not at all.
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

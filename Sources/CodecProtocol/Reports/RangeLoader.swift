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

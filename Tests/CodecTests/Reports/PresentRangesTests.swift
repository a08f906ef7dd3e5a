import CodecProtocol
import Fixtures
import Testing

/// Which parts of a file are available.
@Suite struct PresentRangesTests {
  @Test(
    arguments: [
      ([], []), ([5..<5], []), ([0..<4], [0..<4]), ([4..<8, 0..<4], [0..<8]),
      ([0..<4, 5..<8], [0..<4, 5..<8]),
      ([0..<4, 10..<12, 20..<24, 3..<21], [0..<24]), ([0..<4, 10..<12, 4..<10], [0..<12]),
      ([0..<9, 2..<3], [0..<9]), ([10..<12, 0..<2, 5..<6], [0..<2, 5..<6, 10..<12]),
      ([4..<6, 0..<100], [0..<100]),
    ] as [([Range<Int>], [Range<Int>])])
  func `Adjacent parts form one range`(inserted: [Range<Int>], ranges: [Range<Int>]) {
    #expect(PresentRanges(inserted).ranges == ranges)
  }

  @Test(
    arguments: [
      (0..<4, nil), (2..<4, nil), (3..<3, nil), (4..<4, nil), (0..<5, 4..<5), (4..<10, 4..<10),
      (2..<12, 4..<10), (12..<13, nil), (15..<25, 15..<25), (30..<40, 30..<40), (5..<6, 5..<6),
      (0..<40, 4..<40), (0..<21, 4..<20), (16..<21, 16..<20), (100..<100, nil),
    ] as [(Range<Int>, Range<Int>?)])
  func `The missing part of a range extends from its first to its last missing byte`(
    range: Range<Int>, missing: Range<Int>?
  ) {
    let present = PresentRanges([0..<4, 10..<15, 20..<22])
    #expect(present.missing(in: range) == missing)
    #expect(present.contains(range) == (missing == nil))
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `The set of ranges equals a table of single bytes`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func range() -> Range<Int> {
      let start = Int.random(in: 0..<60, using: &generator)
      return start..<start + Int.random(in: 0..<12, using: &generator)
    }
    var present = PresentRanges()
    var table = [Bool](repeating: false, count: 80)
    for _ in 0..<12 {
      let added = range()
      present.insert(added)
      for place in added { table[place] = true }
      #expect(present.byteCount == table.count { $0 })
      for (one, next) in zip(present.ranges, present.ranges.dropFirst()) {
        #expect(one.upperBound < next.lowerBound)
      }
      let asked = range()
      let gaps = asked.filter { !table[$0] }
      #expect(present.contains(asked) == gaps.isEmpty)
      #expect(present.missing(in: asked) == gaps.first.flatMap { first in gaps.last.map { first..<$0 + 1 } })
      #expect(present.count(from: asked.lowerBound) == table[asked.lowerBound...].prefix { $0 }.count)
    }
  }
}

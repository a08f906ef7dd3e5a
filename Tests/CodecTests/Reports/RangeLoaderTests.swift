import CodecProtocol
import Fixtures
import Testing

/// Which part of a file is downloaded next.
@Suite struct RangeLoaderTests {
  private func loader(_ present: [Range<Int>] = [0..<4096], byteCount: Int = 1 << 20) -> RangeLoader {
    RangeLoader(present: PresentRanges(present), byteCount: byteCount, block: 4096)
  }

  @Test(
    arguments: [
      (20_000..<20_010, 16_384..<20_480), (20_470..<20_490, 16_384..<24_576),
      (40_960..<40_961, 40_960..<45_056),
      // After the initial part: in sequence.
      (4096..<4100, 4096..<12_288), (6000..<6001, 4096..<12_288), (8192..<8200, 8192..<12_288),
      // Available bytes are not downloaded again.
      (4000..<4100, 4096..<12_288), (0..<20_000, 4096..<20_480), (99_000..<99_001, 98_304..<100_000),
      (5000..<Int.max, 4096..<100_000),
      // Nothing of these is missing.
      (0..<100, nil), (7..<7, nil), (100_000..<100_001, nil), (200_000..<Int.max, nil),
    ] as [(Range<Int>, Range<Int>?)])
  func `A range is downloaded in whole blocks`(asked: Range<Int>, fetched: Range<Int>?) {
    var loader = loader(byteCount: 100_000)
    #expect(loader.next(after: asked) == fetched)
    #expect(loader.present == PresentRanges([0..<4096] + (fetched.map { [$0] } ?? [])))
  }

  @Test func `Sequential reading doubles the size with every round`() {
    var loader = loader()
    let counts = (0..<4).map { _ in
      loader.next(after: loader.present.byteCount..<loader.present.byteCount + 1)?.count
    }
    #expect(counts == [8192, 16_384, 32_768, 65_536])
    // Elsewhere it starts again.
    #expect(loader.next(after: 1_000_000..<1_000_001)?.count == 4096)
  }

  @Test func `A downloaded range that is requested again ends the reading`() {
    var loader = loader()
    #expect(loader.next(after: 30_000..<30_010) == 28_672..<32_768)
    #expect(loader.next(after: 30_000..<30_010) == nil)
    #expect(loader.next(after: 28_672..<32_768) == nil)
    #expect(loader.next(after: 32_767..<32_769) != nil)
  }

  @Test func `No more than four mebibytes are downloaded, and no part of a larger request`() {
    var large = loader([], byteCount: 1 << 30)
    #expect(large.next(after: 0..<RangeLoader.mostBytes + 1) == nil)
    #expect(large.present.byteCount == 0)
    #expect(large.next(after: 1 << 20..<5 << 20) == 1 << 20..<5 << 20)
    #expect(large.next(after: 0..<1) == nil)
    // Read-ahead ends at the limit.
    var sequence = loader(byteCount: 1 << 30)
    while sequence.next(after: sequence.present.byteCount..<sequence.present.byteCount + 1) != nil {}
    #expect(sequence.present.byteCount == RangeLoader.mostBytes)
  }

  /// Malicious answers of a helper.
  enum Malice: CaseIterable {
    case byteByByte, farApart, backwards, beyond, random
  }

  @Test(arguments: Malice.allCases, [1, 5000, 100_000, 1 << 40])
  func `Reading ends, whatever is requested`(malice: Malice, byteCount: Int) {
    var loader = RangeLoader(present: PresentRanges([0..<min(65_536, byteCount)]), byteCount: byteCount)
    var generator = SeededGenerator(seed: UInt64(byteCount))
    var rounds = 0
    while rounds < 1000 {
      let asked =
        switch malice {
        case .byteByByte: loader.present.byteCount..<loader.present.byteCount + 1
        case .farApart: rounds * 1_000_000..<rounds * 1_000_000 + 1
        case .backwards: max(0, byteCount - (rounds + 1) * 70_000)..<max(1, byteCount - rounds * 70_000)
        case .beyond: byteCount..<Int.max
        case .random:
          {
            let start = Int.random(in: 0..<byteCount, using: &generator)
            return start..<start + Int.random(in: 0..<500_000, using: &generator)
          }()
        }
      guard let fetched = loader.next(after: asked) else { break }
      #expect(fetched.lowerBound >= 0 && fetched.upperBound <= byteCount && !fetched.isEmpty)
      rounds += 1
    }
    #expect(rounds <= RangeLoader.mostRounds)
    #expect(loader.present.byteCount <= RangeLoader.mostBytes)
    #expect(loader.present.ranges.count <= PresentRanges.most)
  }

  @Test(arguments: [0..<1, Int.max - 8..<Int.max, Int.max - 1..<Int.max, 1 << 62..<Int.max, 4096..<Int.max])
  func `63-bit lengths and offsets do not overflow`(asked: Range<Int>) {
    for block in [4096, 64 << 10] {
      var loader = RangeLoader(present: PresentRanges([0..<4096]), byteCount: .max, block: block)
      while let fetched = loader.next(after: asked) {
        #expect(fetched.upperBound <= ReportRequest.longestFile)
      }
      #expect(loader.present.byteCount <= RangeLoader.mostBytes)
    }
  }
}

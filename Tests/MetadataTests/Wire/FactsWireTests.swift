import Fixtures
import MediaFormats
import Pixels
import Testing

@testable import Metadata

/// What one process tells another of a file.
@Suite struct FactsWireTests {
  private func bytes(_ report: MediaReport) -> [UInt8] {
    var bytes: [UInt8] = []
    FactsEncoder.append(report, to: &bytes)
    return bytes
  }

  private func report(_ bytes: [UInt8], byteCount: Int = 1000) -> MediaReport? {
    var decoder = FactsDecoder(bytes)
    return try? decoder.report(byteCount: byteCount)
  }

  private func medium(_ change: (inout MediaFacts) -> Void) -> MediaReport {
    var facts = MediaFacts()
    change(&facts)
    return .medium(.media(.jpeg, facts))
  }

  private func facts(_ report: MediaReport?) -> MediaFacts? {
    if case .medium(.media(_, let facts?)) = report { facts } else { nil }
  }

  @Test(arguments: 1...500 as ClosedRange<UInt64>)
  func `Whatever is said of a file arrives as it is`(seed: UInt64) {
    var random = RandomFacts(seed: seed)
    let sent = random.report()
    #expect(report(bytes(sent), byteCount: RandomFacts.byteCount) == sent)
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `A report that is cut or has something behind it is none`(seed: UInt64) {
    var random = RandomFacts(seed: seed)
    let whole = bytes(random.report())
    for count in whole.indices {
      #expect(report(Array(whole[..<count]), byteCount: RandomFacts.byteCount) == nil)
    }
    #expect(report(whole + [0], byteCount: RandomFacts.byteCount) == nil)
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `Whatever became of a report, its numbers stay within bounds`(seed: UInt64) {
    var random = RandomFacts(seed: seed)
    var mutator = ByteMutator(seed: seed)
    for _ in 0..<20 {
      let damaged = mutator.damage(bytes(random.report()), other: bytes(random.report()))
      guard let facts = facts(report(damaged)) else { continue }
      for range in [facts.thumbnail, facts.motionVideo].compactMap({ $0 }) {
        #expect(range.upperBound <= 1000)
      }
      #expect(facts.storedSize.width >= 0 && facts.storedSize.height >= 0)
      #expect(facts.captureTime?.isPossible ?? true)
      for number in [facts.fNumber, facts.exposureTime, facts.duration].compactMap({ $0 }) {
        #expect(number.isFinite)
      }
    }
  }

  @Test(arguments: [0, 1, Int(UInt32.max), Int(UInt32.max) + 1, 1 << 53, Int.max], [0, 3, Int.max])
  func `A side is no longer than a format can say, whoever says it`(width: Int, height: Int) throws {
    var report = bytes(medium { _ in })
    // The size stands behind kind, format and the mask of fields: two bytes of nothing.
    #expect(report[6...7] == [0, 0])
    func number(_ value: Int) -> [UInt8] {
      var (rest, bytes) = (UInt64(value), [UInt8]())
      while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
      }
      return bytes + [UInt8(rest)]
    }
    report.replaceSubrange(6...7, with: number(width) + number(height))
    let found = facts(self.report(report))
    let isPossible = max(width, height) <= MediaFacts.longestSide
    #expect((found != nil) == isPossible)
    let limited = MediaFacts(storedSize: PixelSize(width: width, height: -height)).storedSize
    #expect(limited.width <= MediaFacts.longestSide && limited.height == 0)
  }

  @Test func `A part of a file lies within it`() {
    let inside = medium { $0.thumbnail = 900..<1000 }
    #expect(report(bytes(inside)) == inside)
    #expect(report(bytes(inside), byteCount: 999) == nil)
    #expect(report(bytes(medium { $0.motionVideo = 0..<Int.max })) == nil)
    #expect(report(bytes(medium { $0.motionVideo = Int.max..<Int.max })) == nil)
  }

  @Test(arguments: [0..<1, 999..<1000, 0..<1000, 0..<1001, 1000..<1001, 5..<5, 1000..<1000, 0..<Int.max])
  func `What is needed of a file is a part of it, and not nothing`(range: Range<Int>) {
    let sent = MediaReport.incomplete(range)
    #expect(report(bytes(sent)) == (range.isEmpty || range.upperBound > 1000 ? nil : sent))
  }

  @Test func `A text longer than anybody reads is cut between two characters`() throws {
    let long = "a" + String(repeating: "é", count: FactsEncoder.longestText)
    let caption = try #require(facts(report(bytes(medium { $0.caption = long })))?.caption)
    #expect(caption.utf8.count == FactsEncoder.longestText - 1)
    #expect(long.hasPrefix(caption))
  }

  @Test func `What one file says has a bound`() throws {
    let text = String(repeating: "a", count: FactsEncoder.longestText)
    let sent = medium { facts in
      facts.keywords = Array(repeating: text, count: 100)
      facts.people = Array(repeating: "a", count: FactsEncoder.mostTexts + 1)
    }
    let found = try #require(facts(report(bytes(sent))))
    #expect(found.keywords.count == FactsEncoder.longestList / FactsEncoder.longestText)
    #expect(found.people.count == FactsEncoder.mostTexts)
  }

  @Test func `A moment that never was is left out`() {
    let sent = medium {
      $0.captureTime = CivilTime(year: 2023, month: 2, day: 29, hour: 0, minute: 0, second: 0)
    }
    #expect(facts(report(bytes(sent))) == MediaFacts())
  }

  @Test func `Only the bytes of the message are read`() {
    let message = bytes(.failed("why"))
    var decoder = FactsDecoder([0xFF] + message + [0xFF], 1..<1 + message.count)
    #expect((try? decoder.report(byteCount: 0)) == .failed("why"))
    var beyond = FactsDecoder(message, 0..<Int.max)
    #expect((try? beyond.report(byteCount: 0)) == .failed("why"))
  }

  @Test(
    arguments: [
      ([5, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02], "a number of 65 bits"),
      ([5, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], "a text as long as the memory"),
      ([1, 0, 0, 0, 0, 0, 0, 0, 1], "no format"), ([1, 1, 0, 0, 0, 0x80, 0, 0, 1], "an unknown field"),
      ([1, 1, 0, 0, 0, 0, 0, 0, 9], "no orientation"), ([99], "no kind"), ([], "nothing"),
      ([5, 2, 0xC3, 0x28], "a text that is no UTF-8"),
    ] as [([UInt8], String)])
  func `What no helper says is refused`(bytes: [UInt8], what: String) {
    #expect(report(bytes) == nil, "\(what)")
  }
}

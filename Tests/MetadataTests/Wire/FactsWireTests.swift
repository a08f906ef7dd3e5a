import CodecProtocol
import Fixtures
import MediaFormats
import Pixels
import Testing

@testable import Metadata

/// The wire form of a report on a file.
@Suite struct FactsWireTests {
  private func bytes(_ report: MediaReport) -> [UInt8] {
    var wire = WireWriter()
    report.write(to: &wire)
    return wire.bytes
  }

  private func report(_ bytes: [UInt8], byteCount: Int = 1000) -> MediaReport? {
    var wire = WireReader(bytes)
    let report = try? MediaReport(from: &wire, byteCount: byteCount)
    // The receiver of a report checks for trailing bytes.
    return wire.isAtEnd ? report : nil
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
  func `Any report is transmitted unchanged`(seed: UInt64) {
    var random = RandomFacts(seed: seed)
    let sent = random.report()
    #expect(report(bytes(sent), byteCount: RandomFacts.byteCount) == sent)
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `A report that is truncated or has trailing bytes is rejected`(seed: UInt64) {
    var random = RandomFacts(seed: seed)
    let whole = bytes(random.report())
    for count in whole.indices {
      #expect(report(Array(whole[..<count]), byteCount: RandomFacts.byteCount) == nil)
    }
    #expect(report(whole + [0], byteCount: RandomFacts.byteCount) == nil)
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `Numbers of any mutated report stay within bounds`(seed: UInt64) {
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
  func `A side is limited to the format's maximum in any report`(width: Int, height: Int) throws {
    var report = bytes(medium { _ in })
    // The size follows kind and format: twice eight zero bytes.
    #expect(report[2..<18].allSatisfy { $0 == 0 })
    var size = WireWriter()
    size.put(width)
    size.put(height)
    report.replaceSubrange(2..<18, with: size.bytes)
    let found = facts(self.report(report))
    let isPossible = max(width, height) <= MediaFacts.longestSide
    #expect((found != nil) == isPossible)
    let limited = MediaFacts(storedSize: PixelSize(width: width, height: -height)).storedSize
    #expect(limited.width <= MediaFacts.longestSide && limited.height == 0)
  }

  @Test func `A part of a file is within it`() {
    let inside = medium { $0.thumbnail = 900..<1000 }
    #expect(report(bytes(inside)) == inside)
    #expect(report(bytes(inside), byteCount: 999) == nil)
    #expect(report(bytes(medium { $0.motionVideo = 0..<Int.max })) == nil)
    #expect(report(bytes(medium { $0.motionVideo = Int.max..<Int.max })) == nil)
  }

  @Test(arguments: [0..<1, 999..<1000, 0..<1000, 0..<1001, 1000..<1001, 5..<5, 1000..<1000, 0..<Int.max])
  func `A required range is a non-empty part of the file`(range: Range<Int>) {
    let sent = MediaReport.incomplete(range)
    #expect(report(bytes(sent)) == (range.isEmpty || range.upperBound > 1000 ? nil : sent))
  }

  @Test func `An overlong text is cut between two characters`() throws {
    let long = "a" + String(repeating: "é", count: MediaFacts.longestText)
    let caption = try #require(facts(report(bytes(medium { $0.caption = long })))?.caption)
    #expect(caption.utf8.count == MediaFacts.longestText - 1)
    #expect(long.hasPrefix(caption))
  }

  @Test func `The metadata of one file is limited in size`() throws {
    let text = String(repeating: "a", count: MediaFacts.longestText)
    let sent = medium { facts in
      facts.keywords = Array(repeating: text, count: 100)
      facts.people = Array(repeating: "a", count: MediaFacts.mostTexts + 1)
    }
    let found = try #require(facts(report(bytes(sent))))
    #expect(found.keywords.count == MediaFacts.longestList / MediaFacts.longestText)
    #expect(found.people.count == MediaFacts.mostTexts)
  }

  @Test func `An impossible date is left out`() {
    let sent = medium {
      $0.captureTime = CivilTime(year: 2023, month: 2, day: 29, hour: 0, minute: 0, second: 0)
    }
    #expect(facts(report(bytes(sent))) == MediaFacts())
  }

  @Test(
    arguments: [
      ([5, 0xFF, 0xFF, 0xFF, 0xFF], "a text as long as the memory"),
      ([5, 1, 0, 1, 0], "a text that is too long"),
      ([1, 0], "no format"), ([2, 200], "an unknown format"), ([99], "no kind"), ([], "nothing"),
      ([5, 2, 0, 0, 0, 0xC3, 0x28], "a text that is no UTF-8"),
    ] as [([UInt8], String)])
  func `Messages that no helper sends are rejected`(bytes: [UInt8], what: String) {
    #expect(report(bytes) == nil, "\(what)")
  }

  @Test func `Invalid values are rejected`() {
    let whole = bytes(medium { _ in })
    // An orientation; a date that is neither present nor missing; an undefined subtype.
    for (place, value) in [(18, 9), (19, 2), (whole.count - 5, 0x80)] as [(Int, UInt8)] {
      var damaged = whole
      damaged[place] = value
      #expect(report(damaged) == nil, "\(place)")
    }
    #expect(facts(report(whole)) == MediaFacts())
  }
}

import Fixtures
import Testing

@testable import CodecProtocol

/// The wire form of report requests and their answers.
@Suite struct ReportsAnswerTests {
  private func answer(_ reports: [[UInt8]]) -> ReportsAnswer {
    var answer = ReportsAnswer()
    for report in reports { answer.append { wire in for byte in report { wire.put(byte) } } }
    return answer
  }

  private func content(_ write: (inout WireWriter) -> Void) -> [UInt8] {
    var wire = WireWriter()
    write(&wire)
    return wire.bytes
  }

  private func received(_ bytes: [UInt8]) -> ReportsAnswer? {
    if case .reports(let reports, number: 7) = try? CodecAnswer(bytes) { reports } else { nil }
  }

  @Test func `Reports are transmitted unchanged, long ones and empty ones`() throws {
    let reports = [[1, 2, 3], [], [UInt8](repeating: 9, count: 70_000)]
    let sent = CodecAnswer.reports(answer(reports), number: 7)
    let found = try #require(received(content { sent.write(to: &$0) }))
    #expect(try #require(found.ranges).map { Array(found.bytes[$0]) } == reports)
    #expect(found.count == 3)
  }

  @Test func `An answer without reports, or with fewer than announced, is invalid`() {
    func frame(_ count: UInt32, _ bytes: [UInt8]) -> [UInt8] {
      content {
        $0.put(UInt8(16))
        $0.put(UInt32(7))
        $0.put(count)
        $0.put(bytes)
      }
    }
    #expect(received(frame(0, [])) == nil)
    #expect(received(frame(2, [0, 0, 0, 0])) == nil)
    #expect(received(frame(.max, [0, 0, 0, 0])) == nil)
    // Lengths that don't add up are detected when the reports are extracted.
    #expect(received(frame(1, [1, 0, 0, 0])).map { $0.ranges == nil } == true)
    #expect(received(frame(1, [0, 0, 0, 0, 0])).map { $0.ranges == nil } == true)
    #expect(received(frame(1, [0xFF, 0xFF, 0xFF, 0xFF, 0])).map { $0.ranges == nil } == true)
    #expect(received(frame(1, [1, 0, 0, 0, 5]))?.ranges == [4..<5])
  }

  @Test func `A request has at least one file, and at most as many as a message has descriptors`() throws {
    let file = ReportRequest(.sidecar, byteCount: .max)
    for count in [1, MetadataClient.mostFiles] {
      let request = CodecRequest.reports(Array(repeating: file, count: count), seconds: 9, number: 3)
      #expect(request.descriptorCount == count)
      #expect(try CodecRequest(content { request.write(to: &$0) }) == request)
    }
    for count in [0, MetadataClient.mostFiles + 1] {
      let request = CodecRequest.reports(Array(repeating: file, count: count), seconds: 9, number: 3)
      #expect(throws: WireError.self) { try CodecRequest(content { request.write(to: &$0) }) }
    }
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `With any damage the reports stay within the answer`(seed: UInt64) {
    let sent = CodecAnswer.reports(answer([[1, 2, 3], [], [4], [5, 6]]), number: 7)
    var mutator = ByteMutator(seed: seed)
    for _ in 0..<20 {
      guard let found = received(mutator.damage(content { sent.write(to: &$0) })) else { continue }
      for range in found.ranges ?? [] { #expect(found.bytes.indices.contains(range)) }
    }
  }
}

extension Range<Int> {
  fileprivate func contains(_ other: Range<Int>) -> Bool {
    other.isEmpty && (lowerBound...upperBound).contains(other.lowerBound)
      || other.lowerBound >= lowerBound && other.upperBound <= upperBound
  }
}

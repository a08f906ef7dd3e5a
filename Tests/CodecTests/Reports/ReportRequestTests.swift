import Fixtures
import Testing

@testable import CodecProtocol

/// The wire form of report requests for partly available files.
@Suite struct ReportRequestTests {
  private func frame(_ file: (inout WireWriter) -> Void) -> [UInt8] {
    var wire = WireWriter()
    wire.put(UInt8(9))
    wire.put(UInt32(3))
    wire.put(UInt32(10))
    wire.put(UInt32(1))
    file(&wire)
    return wire.bytes
  }

  private func received(_ ranges: [(UInt64, UInt64)], count: Int? = nil) -> [Range<Int>]? {
    let request = try? CodecRequest(
      frame { wire in
        wire.put(UInt8(0))
        wire.put(UInt64(1000))
        wire.put(true)
        wire.put(UInt32(count ?? ranges.count))
        for (lower, upper) in ranges {
          wire.put(lower)
          wire.put(upper)
        }
        wire.put([UInt8]())
      })
    guard case .reports(let files, _, _) = request else { return nil }
    return files.first?.present
  }

  @Test(
    arguments: [
      nil, [], [0..<64], [0..<64, 64..<100, 999..<1000],
      (0..<PresentRanges.most).map { $0 * 10..<$0 * 10 + 1 },
    ] as [[Range<Int>]?])
  func `The available ranges are transmitted unchanged`(present: [Range<Int>]?) throws {
    let kinds: [ReportRequest.Kind] = [.medium, .sidecar, .foreign, .metadata]
    let files = kinds.map {
      ReportRequest($0, byteCount: 1000, present: present, detail: $0 == .metadata ? [1, 2, 3] : [])
    }
    let request = CodecRequest.reports(files, seconds: 9, number: 3)
    var wire = WireWriter()
    request.write(to: &wire)
    #expect(try CodecRequest(wire.bytes) == request)
  }

  @Test func `An unknown detail level is rejected`() throws {
    for (count, isTaken) in [(0, true), (256, true), (257, false), (5000, false)] {
      let detail = [UInt8](repeating: 1, count: count)
      let request = CodecRequest.reports(
        [ReportRequest(.metadata, byteCount: 10, detail: detail)], seconds: 9, number: 3)
      var wire = WireWriter()
      request.write(to: &wire)
      #expect(((try? CodecRequest(wire.bytes)) == request) == isTaken)
    }
  }

  @Test(
    arguments: [
      ([(0, 0)], "an empty one"), ([(5, 4)], "one that ends before it begins"),
      ([(0, 1001)], "one beyond the end"),
      ([(10, 20), (0, 5)], "unsorted ones"), ([(0, 20), (10, 30)], "overlapping ones"),
      ([(.max, .max)], "negative ones"), ([(0, .max)], "one to -1"),
      ([(1 << 63, 1 << 63 + 1)], "one of 64 bits"),
      ((0...16).map { ($0 * 10, $0 * 10 + 1) }, "too many"),
    ] as [([(UInt64, UInt64)], String)])
  func `Impossible ranges are rejected`(ranges: [(UInt64, UInt64)], what: String) {
    #expect(received(ranges) == nil, "\(what)")
  }

  @Test func `The number of ranges must match the announced count`() {
    #expect(received([(0, 5)]) == [0..<5])
    #expect(received([(0, 5)], count: 2) == nil)
    #expect(received([(0, 5)], count: 0) == nil)
    #expect(received([(0, 5)], count: Int(UInt32.max)) == nil)
  }
}

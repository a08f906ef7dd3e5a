import Fixtures
import Testing

@testable import RemoteServers

/// Which faults apply to which requests, and their effect on bytes.
@Suite struct FaultScriptTests {
  private func faults(_ script: FaultScript, _ lines: String?...) -> [Fault] {
    var script = script
    return lines.map { script.next(for: $0).fault }
  }

  @Test func `The first matching rule decides`() {
    let script = FaultScript([
      .init(.answer(status: 403), target: "/closed/"),
      .init(.answer(status: 429, retryAfter: 2), target: "GET ", after: 1, count: 2),
      .init(.delay(milliseconds: 5), after: 2),
    ])
    #expect(
      faults(script, "GET /closed/a", "GET /a", "GET /b", "HEAD /c", "GET /d", "GET /e", "GET /closed/f") == [
        .answer(status: 403), .pass, .answer(status: 429, retryAfter: 2), .pass,
        .answer(status: 429, retryAfter: 2), .delay(milliseconds: 5), .answer(status: 403),
      ])
    #expect(
      faults(.times(2, .cut(afterBytes: 1)), nil, nil, nil) == [
        .cut(afterBytes: 1), .cut(afterBytes: 1), .pass,
      ])
    #expect(script.needsHTTP)
    #expect(!FaultScript.always(.stall(afterBytes: 1)).needsHTTP)
  }

  @Test func `Random choices follow from the seed`() {
    func draws(_ seed: UInt64) -> [Bool] {
      var script = FaultScript([.init(.cut(afterBytes: 0), share: 0.25)], seed: seed)
      return (0..<1000).map { _ in script.next(for: nil).fault != .pass }
    }
    #expect(draws(7) == draws(7))
    #expect(draws(7) != draws(8))
    #expect((180...320).contains(draws(7).count { $0 }))
  }

  @Test(arguments: [1, 10, 4096])
  func `The same bytes are changed, in whatever portions they arrive`(portion: Int) {
    let original = [UInt8](repeating: 0, count: 100_000)
    func garbled(_ portion: Int, seed: UInt64) -> [UInt8] {
      var shaper = AnswerShaper(.garble(oneIn: 100), random: SeededGenerator(seed: seed))
      var rest = original[...]
      var result: [UInt8] = []
      while !rest.isEmpty {
        var bytes = Array(rest.prefix(portion))
        rest = rest.dropFirst(portion)
        #expect(shaper.shape(&bytes, isContent: true) == .goesOn)
        result += bytes
      }
      return result
    }
    let result = garbled(portion, seed: 3)
    #expect(result == garbled(original.count, seed: 3))
    #expect(result != garbled(portion, seed: 4))
    #expect((800...1200).contains(result.count { $0 != 0 }))
    #expect(result.prefix(100).contains { $0 != 0 })
    var head = Array("HTTP/1.1 200 OK".utf8)
    var shaper = AnswerShaper(.garble(oneIn: 1), random: SeededGenerator(seed: 3))
    _ = shaper.shape(&head, isContent: false)
    #expect(head == Array("HTTP/1.1 200 OK".utf8))
  }

  @Test func `A cut counts the bytes of all portions`() {
    var shaper = AnswerShaper(.cut(afterBytes: 5, resets: true), random: SeededGenerator(seed: 1))
    var bytes: [UInt8] = [1, 2, 3]
    #expect(shaper.shape(&bytes, isContent: false) == .goesOn)
    #expect(bytes == [1, 2, 3])
    #expect(shaper.shape(&bytes, isContent: true) == .ends(resets: true))
    #expect(bytes == [1, 2])
  }
}

import Testing

@testable import Sandbox

/// Messages on the portal's socket.
@Suite struct PortalMessageTests {
  private static func bytes(_ fields: String...) -> [UInt8] { fields.flatMap { Array($0.utf8) + [0] } }

  @Test func `A request is transmitted unchanged`() throws {
    var request = PortalRequest()
    #expect(PortalRequest(request.bytes) == request)
    request.limit = 0
    request.imageLimit = 3
    request.videoLimit = 999_999
    request.filters = ["images", "any(a,b)=c", ""]
    request.query = "type:photo = x"
    request.purpose = "für dich\u{1B}[2J"
    #expect(PortalRequest(request.bytes) == request)
  }

  @Test func `Anything else is no request`() {
    let greeting = "tpick-portal-1"
    let wrong: [[UInt8]] = [
      [], [0], Self.bytes("tpick-portal-2"), Self.bytes("limit=1"), Array(greeting.utf8),
      Self.bytes(greeting, "limit"), Self.bytes(greeting, "limit="), Self.bytes(greeting, "limit=-1"),
      Self.bytes(greeting, "limit=+1"), Self.bytes(greeting, "limit=1234567"),
      Self.bytes(greeting, "limit=1", "limit=2"),
      Self.bytes(greeting, "exec=rm"), Self.bytes(greeting, ""), Self.bytes(greeting, "limit=1") + [0x78],
      Self.bytes(greeting) + Array("query=".utf8) + [0xFF, 0],
      Self.bytes(greeting, "purpose=" + String(repeating: "x", count: 1001)),
      (0..<17).reduce(Self.bytes(greeting)) { bytes, _ in bytes + Self.bytes("filter=a") },
      Self.bytes(greeting) + (0..<20_000).flatMap { _ in Self.bytes("filter=a") },
    ]
    for bytes in wrong {
      #expect(PortalRequest(bytes) == nil, "\(String(decoding: bytes.prefix(60), as: UTF8.self))")
    }
    #expect(PortalRequest(Self.bytes(greeting, "limit=1")) != nil)
  }

  @Test func `Random bytes do no harm`() {
    for _ in 0..<2000 {
      var bytes = PortalRequest().bytes
      for _ in 0..<Int.random(in: 1...4) { bytes[Int.random(in: bytes.indices)] = .random(in: 0...255) }
      if let request = PortalRequest(bytes) { #expect(PortalRequest(request.bytes) == request) }
      _ = PortalAnswer(bytes)
    }
  }

  @Test(arguments: [
    PortalAnswer.granted([]), .granted([Array("/photos/a.jpg".utf8), [0xFF]]), .cancelled,
    .refused("no terminal"),
  ])
  func `An answer is transmitted unchanged`(answer: PortalAnswer) {
    #expect(PortalAnswer(answer.bytes) == answer)
  }

  @Test func `Anything else is no answer`() {
    for bytes in [
      [], [0], Self.bytes("cancelled", "x"), Self.bytes("refused"), Self.bytes("other"),
      Array("cancelled".utf8),
    ] { #expect(PortalAnswer(bytes) == nil) }
  }

  @Test func `A message may arrive in any pieces`() {
    let message = Array("hello".utf8)
    let framed = MessageReader.framed(message)
    for cut in 0...framed.count {
      var reader = MessageReader(limit: 5)
      let first = reader.take(framed[..<cut])
      #expect(first == (cut == framed.count ? .complete(message) : .incomplete))
      if cut < framed.count { #expect(reader.take(framed[cut...]) == .complete(message)) }
    }
  }

  @Test(arguments: [255, 256, 257, 70_000])
  func `A message of any length is transmitted unchanged`(length: Int) {
    let message = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
    var reader = MessageReader(limit: length)
    #expect(reader.take(MessageReader.framed(message)) == .complete(message))
  }

  @Test func `A length beyond the limit is rejected at its fourth byte, and so are bytes after a message`() {
    for length in [6, 1 << 16, 0xFFFF_FFFF] {
      var reader = MessageReader(limit: 5)
      let header = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
      #expect(reader.take(header) == .invalid)
    }
    var reader = MessageReader(limit: 5)
    #expect(reader.take(MessageReader.framed([1, 2]) + [3]) == .invalid)
    var empty = MessageReader(limit: 5)
    #expect(empty.take([0, 0, 0, 0]) == .complete([]))
  }

  @Test func `Three consecutive requests may be canceled`() {
    var policy = PortalPolicy()
    for _ in 0..<2 { policy.note(.cancelled) }
    policy.note(.granted([]))
    for _ in 0..<2 { policy.note(.cancelled) }
    policy.note(.refused("x"))
    #expect(!policy.isExhausted)
    policy.note(.cancelled)
    #expect(policy.isExhausted)
    policy.note(.refused("x"))
    #expect(policy.isExhausted)
    // The first three count as well.
    var first = PortalPolicy()
    for _ in 0..<2 { first.note(.cancelled) }
    #expect(!first.isExhausted)
    first.note(.cancelled)
    #expect(first.isExhausted)
  }
}

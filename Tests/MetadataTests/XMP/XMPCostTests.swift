import Fixtures
import Metadata
import Testing

/// Packets that would cost gigabytes or hours if they were read completely.
@Suite(.timeLimit(.minutes(120))) struct XMPCostTests {
  private func facts(_ packet: [UInt8]) -> MediaFacts {
    var facts = MediaFacts()
    facts.merge(xmp: packet)
    return facts
  }

  private func packet(_ elements: String) -> [UInt8] {
    MetadataSegments.xmp(
      attributes: #"xmp:Rating="4""#,
      elements: elements + "<dc:title><rdf:Alt><rdf:li>T</rdf:li></rdf:Alt></dc:title>")
  }

  /// An element with `count` attributes of a namespace of `space` letters.
  private func element(attributes count: Int, space length: Int) -> String {
    let space = String(repeating: "u", count: length)
    let attributes = (0..<count).map { " n:a\($0)=\"\"" }.joined()
    return "<n:b xmlns:n=\"\(space)\"\(attributes)/>"
  }

  @Test func `An overlong namespace ends the packet`() {
    let long = facts(packet(element(attributes: 1, space: 1025)))
    #expect(long.rating == 4 && long.title == nil)
    let possible = facts(packet(element(attributes: 1, space: 1024)))
    #expect(possible.rating == 4 && possible.title == "T")
  }

  @Test func `Names that expand to many times the packet's length end it`() {
    let long = facts(packet(element(attributes: 20_000, space: 1000)))
    #expect(long.rating == 4 && long.title == nil)
    let possible = facts(packet(element(attributes: 2000, space: 60)))
    #expect(possible.rating == 4 && possible.title == "T")
  }

  @Test func `A long but ordinary packet is read to its end`() {
    let data = String(repeating: "QUJD", count: 1 << 20)
    let history = (0..<20_000).map { "<rdf:li xmpMM:a=\"saved\" xmpMM:b=\"\($0)\" xmpMM:c=\"/metadata\"/>" }
      .joined()
    let facts = facts(
      packet(
        "<rdf:value GDepth:Data=\"\(data)\"/><xmpMM:History><rdf:Seq>\(history)</rdf:Seq></xmpMM:History>"))
    #expect(facts.rating == 4 && facts.title == "T")
  }

  @Test(arguments: HostileFiles.longPackets.map(\.name))
  func `Nothing in a packet takes quadratic time`(name: String) throws {
    let packet = try #require(HostileFiles.longPackets.first { $0.name == name })
    // Values before the long namespace count.
    #expect(facts(packet.bytes).rating == 4)
  }
}

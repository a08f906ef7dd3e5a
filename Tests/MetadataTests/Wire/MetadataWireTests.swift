import CodecProtocol
import Pixels
import Testing

@testable import Metadata

/// The wire form of metadata from the helper for a copy.
@Suite struct MetadataWireTests {
  private static let requests = [
    MetadataRequest(MetadataPolicy()),
    MetadataRequest(MetadataPolicy(removesCaptions: true)),
    MetadataRequest(MetadataPolicy(stripping: .location), byteCount: 0, longestXMP: 65_504),
    MetadataRequest(
      MetadataPolicy(stripping: .all, newSize: PixelSize(width: 12_000, height: 1)), byteCount: 1 << 20),
    {
      var request = MetadataRequest(MetadataPolicy(), longestXMP: 65_504)
      request.contentIdentifier = "7D2F0D5E-0000-4000-8000-0123456789AB"
      return request
    }(),
    {
      var request = MetadataRequest(MetadataPolicy(), longestXMP: 65_504)
      request.motionVideoByteCount = 3_000_000
      return request
    }(),
    {
      var request = MetadataRequest(MetadataPolicy(), longestXMP: 65_504)
      (request.motionVideoByteCount, request.motionPhotoTime) = (3_000_000, 1_400_000)
      return request
    }(),
  ]

  private func bytes(_ request: MetadataRequest) -> [UInt8] {
    var wire = WireWriter()
    request.write(to: &wire)
    return wire.bytes
  }

  private func bytes(_ output: MetadataOutput) -> [UInt8] {
    var wire = WireWriter()
    output.write(to: &wire)
    return wire.bytes
  }

  /// The value that `read` parses from a message, which it must consume completely.
  private func received<Value>(
    _ bytes: [UInt8], _ read: (inout WireReader) throws(WireError) -> Value
  ) -> Value? {
    var wire = WireReader(bytes)
    let value = try? read(&wire)
    return wire.isAtEnd ? value : nil
  }

  private func request(_ bytes: [UInt8]) -> MetadataRequest? {
    received(bytes) { wire throws(WireError) in try MetadataRequest(from: &wire) }
  }

  private func output(_ bytes: [UInt8]) -> MetadataOutput? {
    received(bytes) { wire throws(WireError) in try MetadataOutput(from: &wire) }
  }

  @Test(arguments: requests.indices)
  func `A request is transmitted unchanged`(index: Int) {
    let sent = Self.requests[index]
    let wire = bytes(sent)
    #expect(request(wire) == sent)
    // A request is no longer than that.
    #expect(wire.count <= 256)
    // Any other length and invalid values are rejected.
    for count in 0..<wire.count { #expect(request(Array(wire[..<count])) == nil) }
    #expect(request(wire + [0]) == nil)
    #expect(request([3] + wire.dropFirst()) == nil)
    #expect(request([0, 2] + wire.dropFirst(2)) == nil)
  }

  private static func output() -> MetadataOutput {
    var output = MetadataOutput()
    output.exif = Array("II*\0".utf8) + [8, 0, 0, 0]
    output.xmp = [UInt8](repeating: 1, count: 70_000)
    output.extendedXMP = [2]
    output.losses = [.xmp, .all]
    output.hasEXIF = true
    return output
  }

  @Test func `An answer is transmitted unchanged`() {
    for sent in [MetadataOutput(), Self.output()] { #expect(output(bytes(sent)) == sent) }
  }

  @Test func `An answer that is truncated, too long, or has wrong lengths is rejected`() {
    var sent = Self.output()
    sent.xmp = [1, 2, 3]
    let wire = bytes(sent)
    for count in 0..<wire.count { #expect(output(Array(wire[..<count])) == nil) }
    #expect(output(wire + [0]) == nil)
    // The loss mask, the EXIF flag and the lengths of blocks.
    for place in [0, 1, 5, 17] {
      var damaged = wire
      damaged[place] = 0xFF
      #expect(output(damaged) == nil)
    }
    // More EXIF than fits a segment is never written.
    sent.exif = [UInt8](repeating: 0, count: EXIFTree.longest + 1)
    #expect(output(bytes(sent)) == nil)
  }

  // Takes seconds: an answer carries megabytes.
  @Test func `Metadata beyond the answer's limit is left out and reported`() {
    // Each letter becomes five.
    let packet =
      "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">"
      + "<rdf:Description><dc:title>\(String(repeating: "\n", count: 5 << 20))</dc:title></rdf:Description></rdf:RDF>"
    var copy = MetadataCopy(exif: nil, xmp: Array(packet.utf8))
    copy.iptc = [0x1C, 2, 120, 0, 4] + Array("word".utf8)
    let output = copy.output(MetadataRequest(MetadataPolicy())) { _ in "" }
    #expect(output.xmp.isEmpty && !output.iptc.isEmpty && output.losses == [.xmp])
  }

  @Test func `A packet that does not fit is sent in two answers`() throws {
    let title = String(repeating: "a", count: 900)
    let properties = (0..<100).map { "<dc:p\($0)>\(title)</dc:p\($0)>" }.joined()
    let packet =
      "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">"
      + "<rdf:Description>\(properties)</rdf:Description></rdf:RDF>"
    let copy = MetadataCopy(exif: nil, xmp: Array(packet.utf8))
    let whole = copy.output(MetadataRequest(MetadataPolicy())) { _ in "" }
    #expect(whole.xmp.count > 90_000 && whole.extendedXMP.isEmpty && !whole.hasEXIF)
    let split = copy.output(MetadataRequest(MetadataPolicy(), longestXMP: 60_000)) { "N\($0.count)" }
    #expect(split.xmp.count <= 60_000 && split.extendedXMP.count > 30_000 && split.losses.isEmpty)
    #expect(String(decoding: split.xmp, as: UTF8.self).contains(">N\(split.extendedXMP.count)<"))
    let short = copy.output(MetadataRequest(MetadataPolicy(), byteCount: 1000)) { _ in "" }
    #expect(short.xmp.isEmpty && short.losses == [.xmp])
  }
}

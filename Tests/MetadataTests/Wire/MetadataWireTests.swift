import Pixels
import Testing

@testable import Metadata

/// Metadata on their way from the helper into a copy.
@Suite struct MetadataWireTests {
  private static let requests = [
    MetadataRequest(MetadataPolicy()),
    MetadataRequest(MetadataPolicy(stripping: .location), byteCount: 0, longestXMP: 65_504),
    MetadataRequest(
      MetadataPolicy(stripping: .all, newSize: PixelSize(width: 12_000, height: 1)), byteCount: 1 << 20),
  ]

  @Test(arguments: requests.indices)
  func `A request arrives as it was made`(index: Int) {
    let request = Self.requests[index]
    #expect(MetadataRequest(wire: request.wire) == request)
    // Any other length, and what no request has, is none.
    for count in 0..<request.wire.count {
      #expect(MetadataRequest(wire: Array(request.wire[..<count])) == nil)
    }
    #expect(MetadataRequest(wire: request.wire + [0]) == nil)
    #expect(MetadataRequest(wire: [3] + request.wire.dropFirst()) == nil)
    #expect(MetadataRequest(wire: [0, 2] + request.wire.dropFirst(2)) == nil)
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

  @Test func `An answer arrives as it was made, wherever it stands`() {
    for output in [MetadataOutput(), Self.output()] {
      var wire: [UInt8] = [9, 9, 9]
      output.append(to: &wire)
      #expect(MetadataOutput(wire: wire + [9], 3..<wire.count) == output)
    }
  }

  @Test func `An answer that is cut, longer, or of lengths that are not there is none`() {
    var wire: [UInt8] = []
    var output = Self.output()
    output.xmp = [1, 2, 3]
    output.append(to: &wire)
    for count in 0..<wire.count { #expect(MetadataOutput(wire: wire, 0..<count) == nil) }
    #expect(MetadataOutput(wire: wire + [0], 0..<wire.count + 1) == nil)
    // The mask of losses, the mark of EXIF and the lengths of blocks.
    for place in [0, 1, 5, 17] {
      var damaged = wire
      damaged[place] = 0xFF
      #expect(MetadataOutput(wire: damaged, damaged.indices) == nil)
    }
    // More EXIF than a segment holds is written by nobody.
    output.exif = [UInt8](repeating: 0, count: EXIFTree.longest + 1)
    wire = []
    output.append(to: &wire)
    #expect(MetadataOutput(wire: wire, wire.indices) == nil)
  }

  // Seconds: an answer carries megabytes.
  @Test func `More than an answer carries is left out, and that is told`() {
    // Each letter becomes five.
    let packet =
      "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">"
      + "<rdf:Description><dc:title>\(String(repeating: "\n", count: 5 << 20))</dc:title></rdf:Description></rdf:RDF>"
    var copy = MetadataCopy(exif: nil, xmp: Array(packet.utf8))
    copy.iptc = [0x1C, 2, 120, 0, 4] + Array("word".utf8)
    let output = copy.output(MetadataRequest(MetadataPolicy())) { _ in "" }
    #expect(output.xmp.isEmpty && !output.iptc.isEmpty && output.losses == [.xmp])
  }

  @Test func `A packet without room for it is answered in two`() throws {
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

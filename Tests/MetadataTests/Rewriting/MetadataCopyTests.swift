import Testing

@testable import Metadata

/// Metadata that must fit into a number of bytes.
@Suite struct MetadataCopyTests {
  private static func copy() -> MetadataCopy {
    var tree = EXIFTree()
    tree.set(0xA002, in: .photo, long: 4000)
    tree.entries[.photo]?.append(
      EXIFTree.Entry(
        tag: EXIFTree.makerNote, type: 7, count: 5000, value: [UInt8](repeating: 1, count: 5000), offset: 100)
    )
    let description =
      "<rdf:Description><dc:title>\(String(repeating: "a", count: 800))</dc:title></rdf:Description>"
    let packet =
      "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\""
      + " xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\(description)</rdf:RDF>"
    var copy = MetadataCopy(exif: tree, xmp: Array(packet.utf8))
    copy.iptc = [0x1C, 2, 120, 0, 4] + Array("word".utf8)
    return copy
  }

  @Test(arguments: [
    (20_000, [true, true, true, true]), (4000, [false, true, true, true]), (500, [false, true, false, true]),
    (10, [false, false, false, true]), (0, [false, false, false, false]),
  ])
  func `The maker note is dropped first, then the longest block`(byteCount: Int, isLeft: [Bool]) {
    var copy = Self.copy()
    copy.shorten(to: byteCount, MetadataPolicy())
    let output = copy.output(MetadataPolicy())
    #expect(output.exif.count + output.xmp.count + output.iptc.count <= byteCount)
    let hasNote = copy.exif?.entry(EXIFTree.makerNote, in: .photo) != nil
    #expect([hasNote, !output.exif.isEmpty, !output.xmp.isEmpty, !output.iptc.isEmpty] == isLeft)
  }
}

import Fixtures
import MediaFormats
import Metadata
import Testing

/// Every form of length, count, nesting and cycle, through every metadata reader.
@Suite(.timeLimit(.minutes(120))) struct HostileFileTests {
  /// Counts the reads.
  private struct CountingSource: ByteSource {
    final class Tally { var (reads, bytes) = (0, 0) }

    let bytes: [UInt8]
    let tally = Tally()

    func read(at offset: Int, count: Int) throws(Never) -> [UInt8] {
      let part = offset < bytes.count ? Array(bytes[offset..<min(bytes.count, offset + count)]) : []
      tally.reads += 1
      tally.bytes += part.count
      return part
    }
  }

  /// Twice the largest number of steps of any walk, with one page each.
  private static let mostReads = 4000

  @Test(arguments: HostileFiles.all)
  func `A file is read in a limited number of steps, and nothing outside of it is used`(file: SeedFile) {
    let source = CountingSource(bytes: file.bytes)
    let reading = MediaReader.read(from: source, byteCount: file.bytes.count)
    #expect(source.tally.reads <= Self.mostReads)
    #expect(source.tally.bytes <= Self.mostReads * 4096 + 4 * file.bytes.count)
    if case .media(_, let facts?) = reading {
      if let range = facts.thumbnail { #expect(range.upperBound <= file.bytes.count) }
      if let range = facts.motionVideo { #expect(range.upperBound <= file.bytes.count) }
    }
    let copy = MediaReader.metadata(from: CountingSource(bytes: file.bytes), byteCount: file.bytes.count)
    for stripping in [.nothing, .location, .all] as [MetadataPolicy.Stripping] {
      let output = copy.output(MetadataPolicy(stripping: stripping))
      #expect(output.exif.count <= EXIFTree.longest)
    }
  }

  @Test(arguments: HostileFiles.structures.map(\.0))
  func `An EXIF structure can be read and written again`(name: String) throws {
    let bytes = try #require(HostileFiles.structures.first { $0.0 == name }).1
    var facts = MediaFacts()
    facts.merge(exif: bytes)
    let written = EXIFTree(bytes)?.bytes ?? []
    #expect(written.count <= EXIFTree.longest)
    #expect(written.isEmpty || EXIFTree(written) != nil)
  }

  @Test(arguments: HostileFiles.packets.map(\.name))
  func `An XMP packet can be read and filtered`(name: String) throws {
    let packet = try #require(HostileFiles.packets.first { $0.name == name }).bytes
    var facts = MediaFacts()
    facts.merge(xmp: packet)
    facts.merge(sidecar: packet)
    #expect(facts.rating.map { (-1...5).contains($0) } ?? true)
    #expect(facts.keywords.count <= 1000 && facts.people.count <= 1000)
    let filtered = MetadataCopy(exif: nil, xmp: packet).output(MetadataPolicy(stripping: .location)).xmp
    var left = MediaFacts()
    left.merge(xmp: filtered)
    #expect(left.coordinate == nil)
  }
}

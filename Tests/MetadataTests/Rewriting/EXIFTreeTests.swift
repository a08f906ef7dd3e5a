import Fixtures
import Pixels
import Testing

@testable import Metadata

/// EXIF structures that are read and written again.
@Suite struct EXIFTreeTests {
  private func facts() -> MediaFacts {
    var facts = MediaFacts()
    (facts.make, facts.model, facts.orientation) = ("Acme", "Box", .rightTop)
    (facts.isoSpeed, facts.fNumber, facts.exposureTime) = (200, 2.8, 0.004)
    return facts
  }

  private func block() -> [UInt8] {
    Array(EXIFWriter.app1(facts(), thumbnail: [0xFF, 0xD8, 1, 2, 3, 0xFF, 0xD9]).dropFirst(6))
  }

  private func read(_ bytes: [UInt8]) -> MediaFacts {
    var facts = MediaFacts()
    facts.merge(exif: bytes)
    return facts
  }

  @Test func `Kept values can be read again, without the thumbnail`() throws {
    let tree = try #require(EXIFTree(block()))
    let bytes = tree.filtered(by: MetadataPolicy()).bytes
    let facts = read(bytes)
    #expect(facts.make == "Acme" && facts.isoSpeed == 200 && facts.fNumber == 2.8)
    #expect(facts.thumbnail == nil)
    #expect(bytes.count < block().count)
    #expect(EXIFTree(bytes)?.bytes == bytes)
  }

  @Test(arguments: [true, false]) func `New pixels are upright and have the new size`(isLittle: Bool) throws {
    var tree = EXIFTree(isLittleEndian: isLittle)
    tree.set(0x0112, in: .main, short: 6)
    tree.set(0xA002, in: .photo, long: 4000)
    tree.set(1, in: .interoperability, short: 1)
    let policy = MetadataPolicy(newSize: PixelSize(width: 30, height: 20))
    let filtered = try #require(EXIFTree(tree.bytes)).filtered(by: policy)
    let written = try #require(EXIFTree(filtered.bytes))
    #expect(written.isLittleEndian == isLittle)
    #expect(written.entry(0x0112, in: .main).flatMap(written.integer) == 1)
    #expect(written.entry(0xA002, in: .photo).flatMap(written.integer) == 30)
    #expect(written.entry(0xA003, in: .photo).flatMap(written.integer) == 20)
    #expect(written.entries[.interoperability] == nil)
  }

  @Test func `A maker note keeps its offset, and is removed with the location`() throws {
    let note = [UInt8](repeating: 0xAB, count: 500)
    var tree = try #require(EXIFTree(block()))
    tree.entries[.photo]?.append(
      EXIFTree.Entry(tag: EXIFTree.makerNote, type: 7, count: note.count, value: note, offset: 3001))
    let bytes = tree.bytes
    #expect(Array(bytes[3001..<3501]) == note)
    let again = try #require(EXIFTree(bytes))
    #expect(again.entry(EXIFTree.makerNote, in: .photo)?.offset == 3001)
    #expect(read(bytes).make == "Acme")
    let stripped = again.filtered(by: MetadataPolicy(stripping: .location))
    #expect(stripped.entry(EXIFTree.makerNote, in: .photo) == nil)
  }

  private static let identifier = "7D2F0D5E-0000-4000-8000-0123456789AB"

  /// An Apple maker note with a burst, an HDR kind and, perhaps, an identifier of a clip.
  private func appleNote(isLittle: Bool, identifier: String?) -> [UInt8] {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return isLittle ? little : little.reversed()
    }
    let texts = [(0x0B, "burst 1")] + (identifier.map { [(0x11, $0)] } ?? [])
    let count = texts.count + 1
    var table = bytes(0x0A, 2) + bytes(9, 2) + bytes(1, 4) + bytes(3, 4)
    var values: [UInt8] = []
    let start = 14 + 2 + 12 * count + 4
    for (tag, text) in texts {
      let value = Array(text.utf8) + [0]
      table += bytes(tag, 2) + bytes(2, 2) + bytes(value.count, 4) + bytes(start + values.count, 4)
      values += value
    }
    let mark: [UInt8] = isLittle ? [0x49, 0x49] : [0x4D, 0x4D]
    return Array("Apple iOS\0".utf8) + [0, 1] + mark + bytes(count, 2) + table + bytes(0, 4) + values
  }

  @Test(arguments: [true, false], [nil, "OLD-CLIP"])
  func `Apple's note gets an identifier, and keeps its other values`(isLittle: Bool, old: String?) throws {
    let note = appleNote(isLittle: isLittle, identifier: old)
    var tree = try #require(EXIFTree(block()))
    tree.entries[.photo]?.append(
      EXIFTree.Entry(tag: EXIFTree.makerNote, type: 7, count: note.count, value: note, offset: 900))
    #expect(read(tree.bytes).contentIdentifier == old)
    let isTreeWhole = tree.setContentIdentifier(Self.identifier)
    #expect(isTreeWhole)
    let facts = read(tree.bytes)
    #expect(facts.contentIdentifier == Self.identifier && facts.burstIdentifier == "burst 1")
    #expect(facts.hdrImageType == 3 && facts.make == "Acme")
  }

  @Test func `An identifier gets a note of its own, which replaces that of another maker`() throws {
    var tree = EXIFTree()
    let isTreeWhole = tree.setContentIdentifier(Self.identifier)
    #expect(isTreeWhole)
    #expect(read(tree.bytes).contentIdentifier == Self.identifier)
    var other = try #require(EXIFTree(block()))
    other.entries[.photo]?.append(
      EXIFTree.Entry(tag: EXIFTree.makerNote, type: 7, count: 5, value: [1, 2, 3, 4, 5], offset: 900))
    let isOtherWhole = other.setContentIdentifier(Self.identifier)
    #expect(!isOtherWhole)
    #expect(read(other.bytes).contentIdentifier == Self.identifier && read(other.bytes).make == "Acme")
    // A damaged note is replaced too.
    var damaged = try #require(EXIFTree(block()))
    let note = Array("Apple iOS\0".utf8) + [0, 1, 0x4D, 0x4D, 0xFF, 0xFF, 1, 2]
    damaged.entries[.photo]?.append(
      EXIFTree.Entry(tag: EXIFTree.makerNote, type: 7, count: note.count, value: note, offset: 900))
    let isDamagedWhole = damaged.setContentIdentifier(Self.identifier)
    #expect(!isDamagedWhole)
    #expect(read(damaged.bytes).contentIdentifier == Self.identifier)
  }

  @Test func `The identifier stays in a structure too long for a segment, which loses other values`() throws {
    var tree = EXIFTree()
    for tag in 0..<3 {
      tree.entries[.photo, default: []].append(
        EXIFTree.Entry(
          tag: 0xA000 + UInt16(tag), type: 7, count: 25_000 + tag,
          value: [UInt8](repeating: UInt8(tag), count: 25_000 + tag), offset: 0))
    }
    let note = appleNote(isLittle: false, identifier: "OLD-CLIP")
    tree.entries[.photo]?.append(
      EXIFTree.Entry(tag: EXIFTree.makerNote, type: 7, count: note.count, value: note, offset: 900))
    var request = MetadataRequest(MetadataPolicy())
    request.contentIdentifier = Self.identifier
    let output = MetadataCopy(exif: tree, xmp: []).output(request) { _ in "" }
    #expect(output.exif.count <= EXIFTree.longest && output.losses == [.exif])
    #expect(read(output.exif).contentIdentifier == Self.identifier)
    let kept = try #require(EXIFTree(output.exif)?.entries[.photo]).map(\.tag)
    #expect(kept == [EXIFTree.makerNote, 0xA000, 0xA001])
  }

  @Test func `Without location there is no GPS directory and nothing unknown`() throws {
    var tree = try #require(EXIFTree(block()))
    tree.set(2, in: .place, long: 48)
    tree.set(0xC000, in: .main, long: 1)
    tree.set(0xEEEE, in: .photo, long: 1)
    tree.set(0x9286, in: .photo, long: 1)
    let stripped = try #require(EXIFTree(tree.filtered(by: MetadataPolicy(stripping: .location)).bytes))
    #expect(stripped.entries[.place] == nil)
    #expect(stripped.entry(0xC000, in: .main) == nil && stripped.entry(0xEEEE, in: .photo) == nil)
    #expect(stripped.entry(0x9286, in: .photo) == nil)
    #expect(read(stripped.bytes).isoSpeed == 200)
  }

  @Test func `Without metadata only a rotated picture needs EXIF`() throws {
    let policy = MetadataPolicy(stripping: .all)
    let filtered = try #require(EXIFTree(block())).filtered(by: policy)
    let stripped = try #require(EXIFTree(filtered.bytes))
    #expect(stripped.entries.values.joined().map(\.tag) == [0x0112])
    var upright = facts()
    upright.orientation = .topLeft
    let tree = try #require(EXIFTree(Array(EXIFWriter.app1(upright).dropFirst(6))))
    #expect(tree.filtered(by: policy).bytes.isEmpty)
  }

  @Test func `A structure too long for a segment loses its longest values`() throws {
    var tree = EXIFTree()
    for tag in 0..<3 {
      tree.entries[.photo, default: []].append(
        EXIFTree.Entry(
          tag: 0xA000 + UInt16(tag), type: 7, count: 25_000 + tag,
          value: [UInt8](repeating: UInt8(tag), count: 25_000 + tag), offset: 0))
    }
    let bytes = tree.bytes
    #expect(bytes.count <= EXIFTree.longest)
    #expect(EXIFTree(bytes)?.entries[.photo]?.map(\.tag) == [0xA000, 0xA001])
  }

  @Test(arguments: 0..<2000)
  func `Damaged structures are read without a crash, and the output is valid`(
    seed: UInt64
  ) {
    var mutator = ByteMutator(seed: seed)
    var bytes = block()
    for _ in 0..<4 { bytes = mutator.damage(bytes) }
    guard let tree = EXIFTree(bytes) else { return }
    for stripping in [MetadataPolicy.Stripping.nothing, .location, .all] {
      let filtered = tree.filtered(by: MetadataPolicy(stripping: stripping))
      let written = filtered.bytes
      #expect(written.count <= EXIFTree.longest)
      if !written.isEmpty { #expect(EXIFTree(written) != nil) }
    }
  }
}

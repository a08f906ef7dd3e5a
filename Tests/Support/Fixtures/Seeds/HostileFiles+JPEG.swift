// Segments of JPEGs (ITU-T T.81 Annex B), and data after a picture.
extension HostileFiles {
  static let jpeg: [SeedFile] = {
    let frame = Array(MetadataSegments.jpeg([]).dropFirst(2))
    let start: [UInt8] = [0xFF, 0xD8]
    func file(_ name: String, _ segments: [UInt8], _ behind: [UInt8] = []) -> SeedFile {
      SeedFile(name, "jpg", start + segments + frame + behind)
    }
    return [
      file("segments of length 0", repeated([0xFF, 0xE1, 0, 0], 3000)),
      file("segments of length 1", repeated([0xFF, 0xE2, 0, 1], 50)),
      file("segments without content", repeated([0xFF, 0xE1, 0, 2], 3000)),
      file("a segment to behind the end", [0xFF, 0xE1, 0xFF, 0xFF] + Array("Exif\0\0II*\0".utf8)),
      file("fill bytes", repeated([0xFF], 60_000)),
      file("stray bytes", repeated([0], 60_000)),
      file("markers without length", repeated([0xFF, 0x01, 0xFF, 0xD0], 3000)),
      file("two frames", Array(frame.prefix(13))),
      file("frame of no size", [0xFF, 0xC0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]),
      file("frame of most components", [0xFF, 0xC0, 0, 8, 8, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
      file(
        "profile in 255 parts of which none has the right number",
        (0..<255).flatMap { _ in MetadataSegments.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [7, 255, 1, 2])
        }),
      file("profile of part 0", MetadataSegments.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [0, 0])),
    ] + resources(file) + extended(file) + trailers(file) + progressive
  }()

  private typealias File = (_ name: String, _ segments: [UInt8], _ behind: [UInt8]) -> SeedFile

  /// Photoshop's image resources in APP13.
  private static func resources(_ file: File) -> [SeedFile] {
    let mark = Array("Photoshop 3.0\0".utf8)
    func resource(_ number: Int, name: [UInt8] = [0, 0], length: Int, _ data: [UInt8] = []) -> [UInt8] {
      Array("8BIM".utf8) + MediaBytes.big(number, 2) + name + MediaBytes.big(length, 4) + data
    }
    func segment(_ payload: [UInt8]) -> [UInt8] { MetadataSegments.segment(0xED, mark + payload) }
    let dataset = MetadataSegments.dataset(5, [0x54])
    return [
      file("resources of length 0", segment(repeated(resource(0x0404, length: 0), 1000)), []),
      file("a resource of 2^32 bytes", segment(resource(0x0404, length: 0xFFFF_FFFF, dataset)), []),
      file("a resource with a name to the end", segment(resource(0x0404, name: [255], length: 4)), []),
      file(
        "resources in resources",
        segment(
          (0..<3000).flatMap { resource(0x0404, length: max(0, (3000 - $0 - 1) * 12)) }), []),
      file(
        "datasets of length 0",
        segment(resource(0x0404, length: 15_000, repeated([0x1C, 2, 25, 0, 0], 3000))), []),
      file(
        "a dataset of a longer length",
        segment(resource(0x0404, length: 9, [0x1C, 2, 5, 0x80, 4, 0xFF, 0xFF, 0xFF, 0xFF])), []),
    ]
  }

  /// Extended XMP, whose parts state their offsets (XMP specification part 3, 1.1.3.1).
  private static func extended(_ file: File) -> [SeedFile] {
    let identifier = "0123456789ABCDEF0123456789ABCDEF"
    let main = MetadataSegments.xmpSegment(
      MetadataSegments.xmp(attributes: "xmpNote:HasExtendedXMP=\"\(identifier)\""))
    func part(of count: Int, at offset: Int, _ bytes: [UInt8]) -> [UInt8] {
      MetadataSegments.segment(
        0xE1,
        Array("http://ns.adobe.com/xmp/extension/\0\(identifier)".utf8) + MediaBytes.big(count, 4)
          + MediaBytes.big(offset, 4) + bytes)
    }
    let blank = repeated([0x20], 1000)
    return [
      file("an extended packet of 2^32 bytes", main + part(of: 0xFFFF_FFFF, at: 0, blank), []),
      file("an extended packet of nothing", main + part(of: 0, at: 0, []), []),
      file("parts that all lie at the beginning", main + repeated(part(of: 1000, at: 0, blank), 40), []),
      file(
        "parts over each other", main + (0..<40).flatMap { part(of: 1040, at: $0, blank) }, []),
      file("a part behind the end", main + part(of: 1000, at: 0xFFFF_FFFF, blank), []),
    ]
  }

  /// Samsung's directory after the picture, and Motion Photos with false claims.
  private static func trailers(_ file: File) -> [SeedFile] {
    var tiff = TIFFFile()
    tiff.text(0x010F, "samsung")
    let make = MetadataSegments.exifSegment(tiff)
    func table(_ count: Int, back: Int, size: Int, length: Int? = nil) -> [UInt8] {
      let entry = [0, 0, 0x30, 0x0A] + MediaBytes.little(back, 4) + MediaBytes.little(size, 4)
      let table =
        Array("SEFH".utf8) + MediaBytes.little(101, 4) + MediaBytes.little(count, 4) + repeated(entry, 100)
      return table + MediaBytes.little(length ?? table.count, 4) + Array("SEFT".utf8)
    }
    func motion(_ items: [String]) -> [UInt8] {
      let list = items.map { "<rdf:li rdf:parseType=\"Resource\"><Container:Item \($0)/></rdf:li>" }.joined()
      return MetadataSegments.xmpSegment(
        MetadataSegments.xmp(
          attributes: "Camera:MotionPhoto=\"1\" Camera:MicroVideoOffset=\"9223372036854775807\"",
          elements: "<Container:Directory><rdf:Seq>\(list)</rdf:Seq></Container:Directory>"))
    }
    let most =
      "Item:Semantic=\"MotionPhoto\" Item:Length=\"9223372036854775807\" Item:Padding=\"9223372036854775807\""
    return [
      file("a directory of 2^32 blocks", make, table(0xFFFF_FFFF, back: 64, size: 64)),
      file("a directory that is its own block", make, table(100, back: 0, size: 0)),
      file("a block from before the file", make, table(100, back: 0xFFFF_FFFF, size: 0xFFFF_FFFF)),
      file("a directory longer than the file", make, table(1, back: 64, size: 64, length: 65_536)),
      file("videos of 2^63 bytes", motion([String](repeating: most, count: 100)), []),
      file(
        "videos of a byte each",
        motion([String](repeating: "Item:Semantic=\"MotionPhoto\" Item:Length=\"1\"", count: 500)),
        MetadataSegments.video),
    ]
  }

  /// Progressive frames need memory for all coefficients, and each scan processes all of them.
  private static let progressive: [SeedFile] = {
    let tables: [UInt8] =
      [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
      + [0xFF, 0xC4, 0, 20, 0, 1] + [UInt8](repeating: 0, count: 15) + [0]
    func frame(_ side: Int) -> [UInt8] {
      [0xFF, 0xC2, 0, 11, 8] + MediaBytes.big(side, 2) + MediaBytes.big(side, 2) + [1, 1, 0x11, 0]
    }
    let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0, 0]
    return [
      SeedFile(
        "a thousand scans of nothing", "jpg",
        [0xFF, 0xD8] + tables + frame(1000) + repeated(scan, 1000) + [0xFF, 0xD9]),
      SeedFile(
        "65,535 pixels a side in several scans", "jpg",
        [0xFF, 0xD8] + tables + frame(65_535) + scan + [0xFF, 0xD9]),
    ]
  }()
}

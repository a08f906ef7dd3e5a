import Pixels

/// A library of damaged files of every format that tpick reads; the same seed makes the same files.
package struct MutatedLibrary: Sendable {
  private let whole: [SeedFile]
  private let seed: UInt64

  /// Makes the files that mutations start from.
  package init(seed: UInt64) throws {
    self.seed = seed
    whole = try EncodedFiles.all() + Self.described()
  }

  /// A file of the library.
  ///
  /// A quarter starts from a hostile file, a quarter has realistic damage. An XMP packet is named as the sidecar of the
  /// previous file.
  package func file(_ number: Int) -> (name: String, bytes: [UInt8]) {
    let kind = number % 4
    let hostile = HostileFiles.all
    let file = kind == 3 ? hostile[number / 4 % hostile.count] : whole[(number / 4 * 3 + kind) % whole.count]
    let seed = seed &* 0x9E37_79B9 &+ UInt64(number)
    var bytes: [UInt8]
    if kind == 2 {
      bytes = FileDamage.allCases[number / 4 % FileDamage.allCases.count].damage(file.bytes, seed: seed)
    } else {
      var mutator = ByteMutator(seed: seed, words: Self.words)
      let others = whole.filter { $0.suffix == file.suffix }
      let other = others.isEmpty ? [] : others[number % others.count].bytes
      bytes = mutator.damage(file.bytes, other: other, limit: 1 << 20)
    }
    // Nothing of a PNG after a wrong checksum is read.
    if file.suffix == "png", number % 3 > 0 { bytes = PNGChecksums.mended(bytes) }
    return ("\(file.suffix == "xmp" ? number - 1 : number).\(file.suffix)", bytes)
  }

  /// Files with metadata that no encoder writes.
  private static func described() throws -> [SeedFile] {
    var photo = TestPhoto(width: 24, height: 18, orientation: .leftBottom, date: .day(3))
    photo.setCamera()
    photo.thumbnail = TestPicture.make(width: 8, height: 6)
    let packet = MetadataSegments.xmp(
      attributes: #"xmp:Rating="4" Camera:MotionPhoto="1" Camera:MicroVideoOffset="64""#,
      elements: MetadataSegments.list("dc:subject", ["a", "b"]))
    return [
      SeedFile("camera", "jpg", try photo.bytes()), SeedFile("packet", "xmp", packet),
      SeedFile(
        "motion", "jpg", MetadataSegments.jpeg(MetadataSegments.xmpSegment(packet)) + MetadataSegments.video),
      SeedFile("sidecar", "xmp", MetadataSegments.xmp(attributes: #"xmp:Rating="5""#)),
    ]
  }

  /// The keywords of all formats, which mutations insert.
  private static let words = [
    "IHDR", "PLTE", "tRNS", "iCCP", "IDAT", "acTL", "fcTL", "fdAT", "eXIf", "iTXt", "ICC_PROFILE\0", "Adobe",
    "Exif\0\0", "8BIM", "VP8X", "ALPH", "ANMF", "GIF89a", "NETSCAPE2.0", "BM", "II*\0", "MM\0*",
    "II+\0\u{8}\0\0\0", "ftyp", "meta", "iloc", "iinf", "iprp", "ipco", "ipma", "grid", "iref", "hvcC",
    "av1C",
    "jxlc", "jxlp", "moov", "trak", "stbl", "stsd", "vexu", "keys", "mebx", "SEFT", "<rdf:li>", "</rdf:li>",
  ].map { Array($0.utf8) }
}

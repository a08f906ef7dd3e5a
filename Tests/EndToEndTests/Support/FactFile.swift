import Fixtures

/// One file of the fact library, named after its property.
struct FactFile: Sendable {
  /// The name that `tpick list` prints: that of the primary file if an asset has several.
  var name: String
  /// The filters that match it besides `images` and `videos`.
  var filters: Set<String>
  /// The files to write; those made by an encoder or ExifTool are missing.
  var files: [String: [UInt8]]

  /// A single file.
  init(_ name: String, _ filters: String..., bytes: [UInt8]) {
    (self.name, self.filters, files) = (name, Set(filters), [name: bytes])
  }

  /// A file with others that belong to it.
  init(_ name: String, _ filters: String..., files: [String: [UInt8]]) {
    (self.name, self.filters, self.files) = (name, Set(filters), files)
  }

  /// A file made by a program.
  init(_ name: String, _ filters: String...) {
    (self.name, self.filters, files) = (name, Set(filters), [:])
  }
}

/// The photographs of the fact library: complete JPEG files with added metadata.
enum FactPhoto {
  /// A photograph without metadata.
  static let plain: Result<[UInt8], any Error> = Result {
    var photo = TestPhoto(width: 64, height: 48)
    photo.hasEXIF = false
    return try photo.bytes()
  }

  /// A photograph with segments after its first marker.
  static func photo(_ segments: [UInt8] = []) throws -> [UInt8] {
    let plain = try plain.get()
    return plain.prefix(2) + segments + plain.dropFirst(2)
  }

  /// A photograph with the entries of an EXIF photo directory.
  static func exif(make: String? = nil, _ fill: (inout TIFFFile) -> Void) throws -> [UInt8] {
    var directory = TIFFFile()
    fill(&directory)
    var main = TIFFFile()
    if let make { main.text(0x010F, make) }
    main.directory(0x8769, directory)
    return try photo(MetadataSegments.exifSegment(main))
  }

  /// A photograph with entries of Apple's maker note.
  static func appleNote(takenAt second: Int = 0, _ fill: (inout TIFFFile) -> Void) throws -> [UInt8] {
    var note = TIFFFile()
    fill(&note)
    let mark = Array("Apple iOS\0\0\u{1}II".utf8)
    return try exif { exif in
      exif.text(0x9003, "2024:05:01 12:00:0\(second)")
      exif.block(0x927C, note.bytes(mark: mark))
    }
  }

  /// A photograph with an XMP packet.
  static func xmp(_ attributes: String, _ elements: String = "", behind: [UInt8] = []) throws -> [UInt8] {
    let packet = MetadataSegments.xmp(attributes: attributes, elements: elements)
    return try photo(MetadataSegments.xmpSegment(packet)) + behind
  }

  /// A photograph with the claim of a Motion Photo (Android's Motion Photo format 1.0), and the data after it.
  static func motion(length: Int, behind: [UInt8]) throws -> [UInt8] {
    let items = ["Primary\" Item:Length=\"0", "MotionPhoto\" Item:Length=\"\(length)"].map {
      "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Semantic=\"\($0)\"/></rdf:li>"
    }
    return try xmp(
      "Camera:MotionPhoto=\"1\"",
      "<Container:Directory><rdf:Seq>\(items.joined())</rdf:Seq></Container:Directory>", behind: behind)
  }
}

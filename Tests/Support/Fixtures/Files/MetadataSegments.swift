/// Metadata for a JPEG beside EXIF: XMP, IPTC and the video of a Motion Photo.
package enum MetadataSegments {
  /// An XMP packet with the properties of one description.
  /// - Parameters:
  ///   - attributes: `prefix:Name="value"`.
  ///   - elements: Elements within the description.
  package static func xmp(attributes: String = "", elements: String = "") -> [UInt8] {
    let spaces = namespaces.map { "xmlns:\($0.key)=\"\($0.value)\"" }.sorted().joined(separator: " ")
    return Array(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>
      <rdf:Description rdf:about="" \(attributes)>\(elements)</rdf:Description>
      </rdf:RDF></x:xmpmeta>
      <?xpacket end="w"?>
      """.replacing("<rdf:RDF>", with: "<rdf:RDF \(spaces)>").utf8)
  }

  private static let namespaces = [
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "xmp": "http://ns.adobe.com/xap/1.0/",
    "dc": "http://purl.org/dc/elements/1.1/", "lr": "http://ns.adobe.com/lightroom/1.0/",
    "exif": "http://ns.adobe.com/exif/1.0/", "tiff": "http://ns.adobe.com/tiff/1.0/",
    "aux": "http://ns.adobe.com/exif/1.0/aux/", "photoshop": "http://ns.adobe.com/photoshop/1.0/",
    "Iptc4xmpExt": "http://iptc.org/std/Iptc4xmpExt/2008-02-29/",
    "mwg-rs": "http://www.metadataworkinggroup.com/schemas/regions/",
    "MP": "http://ns.microsoft.com/photo/1.2/", "MPRI": "http://ns.microsoft.com/photo/1.2/t/RegionInfo#",
    "MPReg": "http://ns.microsoft.com/photo/1.2/t/Region#",
    "GPano": "http://ns.google.com/photos/1.0/panorama/",
    "GDepth": "http://ns.google.com/photos/1.0/depthmap/",
    "Camera": "http://ns.google.com/photos/1.0/camera/",
    "Container": "http://ns.google.com/photos/1.0/container/",
    "Item": "http://ns.google.com/photos/1.0/container/item/",
    "hdrgm": "http://ns.adobe.com/hdr-gain-map/1.0/", "xmpNote": "http://ns.adobe.com/xmp/note/",
    "xmpMM": "http://ns.adobe.com/xap/1.0/mm/",
  ]

  /// A property that is a list, as `rdf:Bag` or another kind.
  package static func list(_ property: String, _ values: [String], kind: String = "Bag") -> String {
    let items = values.map { "<rdf:li>\($0)</rdf:li>" }.joined()
    return "<\(property)><rdf:\(kind)>\(items)</rdf:\(kind)></\(property)>"
  }

  /// A segment of a JPEG.
  package static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker] + MediaBytes.big(payload.count + 2, 2) + payload
  }

  /// The segment with an XMP packet.
  package static func xmpSegment(_ packet: [UInt8]) -> [UInt8] {
    segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
  }

  /// The segments with an extended packet, in parts of `partLength` bytes.
  package static func extendedSegments(
    _ packet: [UInt8], identifier: String, partLength: Int
  ) -> [[UInt8]] {
    stride(from: 0, to: packet.count, by: partLength).map { offset in
      let part = packet[offset..<min(packet.count, offset + partLength)]
      return segment(
        0xE1,
        Array("http://ns.adobe.com/xmp/extension/\0\(identifier)".utf8) + MediaBytes.big(packet.count, 4)
          + MediaBytes.big(offset, 4) + part)
    }
  }

  /// One IPTC dataset of the application record.
  package static func dataset(_ number: UInt8, _ value: [UInt8], record: UInt8 = 2) -> [UInt8] {
    [0x1C, record, number] + MediaBytes.big(value.count, 2) + value
  }

  /// The segment with IPTC datasets among Photoshop's resources.
  package static func iptcSegment(_ datasets: [UInt8]) -> [UInt8] {
    func resource(_ number: Int, _ data: [UInt8]) -> [UInt8] {
      Array("8BIM".utf8) + MediaBytes.big(number, 2) + [0, 0] + MediaBytes.big(data.count, 4) + data
        + (data.count % 2 == 0 ? [] : [0])
    }
    return segment(
      0xED, Array("Photoshop 3.0\0".utf8) + resource(0x03ED, [1, 2, 3]) + resource(0x0404, datasets))
  }

  /// A JPEG with segments, and a frame of 64×48 pixels.
  package static func jpeg(_ segments: [UInt8]) -> [UInt8] {
    [0xFF, 0xD8] + segments + [0xFF, 0xC0, 0, 11, 8, 0, 48, 0, 64, 1, 1, 0x11, 0] + [0xFF, 0xD9]
  }

  /// A JPEG segment with an EXIF structure.
  package static func exifSegment(_ tiff: TIFFFile) -> [UInt8] {
    segment(0xE1, Array("Exif\0\0".utf8) + tiff.bytes())
  }

  /// A stand-in for a video of 64 bytes: the first box and noise.
  package static let video = MediaBytes.ftyp("mp42", ["isom"]) + [UInt8](repeating: 0x33, count: 40)

  /// Samsung's trailer with a video, as it follows the picture.
  package static func samsungTrailer(_ video: [UInt8]) -> [UInt8] {
    let name = Array("MotionPhoto_Data".utf8)
    let block = [0, 0, 0x30, 0x0A] + MediaBytes.little(name.count, 4) + name + video
    let entry = [0, 0, 0x30, 0x0A] + MediaBytes.little(block.count, 4) + MediaBytes.little(block.count, 4)
    let table = Array("SEFH".utf8) + MediaBytes.little(101, 4) + MediaBytes.little(1, 4) + entry
    return block + table + MediaBytes.little(table.count, 4) + Array("SEFT".utf8)
  }
}

import Metadata

/// The segments of metadata at the beginning of a JPEG.
///
/// Format: ITU-T T.81 Annex B; EXIF 2.32, 4.7.2; XMP specification part 3, 1.1.3; Photoshop's image resources.
enum JPEGSegments {
  /// The longest payload of a segment.
  static let longest = 65_533

  /// Blocks of metadata as segments; a block that is too long for one is left out.
  static func bytes(_ metadata: MetadataOutput) -> [UInt8] {
    var bytes: [UInt8] = []
    if !metadata.exif.isEmpty { bytes += segment(0xE1, Array("Exif\0\0".utf8) + metadata.exif) }
    if !metadata.xmp.isEmpty {
      bytes += segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + metadata.xmp)
    }
    if !metadata.iptc.isEmpty {
      let length = (0..<4).map { UInt8(truncatingIfNeeded: metadata.iptc.count >> (24 - 8 * $0)) }
      let resource = Array("8BIM".utf8) + [0x04, 0x04, 0, 0] + length + metadata.iptc
      let padding: [UInt8] = metadata.iptc.count.isMultiple(of: 2) ? [] : [0]
      bytes += segment(0xED, Array("Photoshop 3.0\0".utf8) + resource + padding)
    }
    return bytes
  }

  static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    guard payload.count <= longest else { return [] }
    let length = payload.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + payload
  }
}

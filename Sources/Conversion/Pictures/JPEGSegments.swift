import CMD5
import Metadata

/// Writes the metadata segments at the start of a JPEG.
///
/// Format: ITU-T T.81 Annex B; EXIF 2.32, 4.7.2; XMP specification part 3, 1.1.3; Photoshop's image
/// resources.
enum JPEGSegments {
  /// The maximum payload of a segment in bytes.
  static let longest = 65_533

  private static let xmpMark = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  private static let extendedMark = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
  private static let photoshopMark = Array("Photoshop 3.0\0".utf8)

  /// Returns blocks of metadata as segments.
  ///
  /// A block that is too long for one segment is split.
  static func bytes(_ metadata: MetadataOutput) -> [UInt8] {
    var bytes: [UInt8] = []
    if !metadata.exif.isEmpty { bytes += segment(0xE1, Array("Exif\0\0".utf8) + metadata.exif) }
    if !metadata.xmp.isEmpty { bytes += xmp(metadata.xmp, metadata.extendedXMP) }
    if !metadata.iptc.isEmpty {
      let length = (0..<4).map { UInt8(truncatingIfNeeded: metadata.iptc.count >> (24 - 8 * $0)) }
      let resource = Array("8BIM".utf8) + [0x04, 0x04, 0, 0] + length + metadata.iptc
      let padding: [UInt8] = metadata.iptc.count.isMultiple(of: 2) ? [] : [0]
      // Readers concatenate an image resource that continues in the next segment.
      for part in parts(of: resource + padding, longest - photoshopMark.count) {
        bytes += segment(0xED, photoshopMark + part)
      }
    }
    return bytes
  }

  private static func parts(of bytes: [UInt8], _ count: Int) -> [ArraySlice<UInt8>] {
    stride(from: 0, to: bytes.count, by: count).map { bytes[$0..<min(bytes.count, $0 + count)] }
  }

  /// The maximum size of an XMP packet; the rest goes into an extended packet.
  static let longestXMP = longest - xmpMark.count

  /// Returns the segments of an XMP packet and of its extended packet.
  private static func xmp(_ packet: [UInt8], _ extended: [UInt8]) -> [UInt8] {
    var bytes = segment(0xE1, xmpMark + packet)
    if extended.isEmpty { return bytes }
    let identifier = Array(digest(of: extended).utf8)
    var offset = 0
    // Each part has the identifier, the length of the packet and its offset.
    for part in parts(of: extended, longest - extendedMark.count - 40) {
      bytes += segment(0xE1, extendedMark + identifier + big(extended.count) + big(offset) + part)
      offset += part.count
    }
    return bytes
  }

  private static func big(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  /// MD5 in upper-case hexadecimal digits.
  private static func digest(of bytes: [UInt8]) -> String {
    // The digits and a terminating NUL.
    String(unsafeUninitializedCapacity: 33) { digest in
      digest.withMemoryRebound(to: CChar.self) { _ = MD5Data(bytes, bytes.count, $0.baseAddress) }
      return digest.count - 1
    }.uppercased()
  }

  static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    guard payload.count <= longest else { return [] }
    let length = payload.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + payload
  }
}

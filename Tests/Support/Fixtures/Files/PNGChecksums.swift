/// Checksums of PNG chunks, for deliberately changed files.
package enum PNGChecksums {
  /// The file with corrected checksums, as far as its chunk lengths lead.
  ///
  /// Format: PNG third edition, 5.3 and annex D.
  package static func mended(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var start = 8
    while start + 12 <= bytes.count {
      let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = start + 8 + length
      guard end + 4 <= bytes.count else { break }
      bytes.replaceSubrange(end..<end + 4, with: MediaBytes.big(Int(checksum(bytes[(start + 4)..<end])), 4))
      start = end + 4
    }
    return bytes
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
  }
}

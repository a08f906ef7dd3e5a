/// Numbers as file formats store them.
package enum MediaBytes {
  /// The lowest `count` bytes of `value`, highest first.
  package static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// The lowest `count` bytes of `value`, lowest first.
  package static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// A box of ISO/IEC 14496-12.
  package static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    big(payload.count + 8, 4) + Array(type.utf8) + payload
  }

  /// A box with a 64-bit length, correct or given.
  package static func largeBox(_ type: String, _ payload: [UInt8], length: UInt64? = nil) -> [UInt8] {
    let length = length ?? UInt64(payload.count + 16)
    return big(1, 4) + Array(type.utf8) + big(Int(truncatingIfNeeded: length), 8) + payload
  }

  /// A file that begins with a brand box, like HEIF and MP4.
  package static func ftyp(_ major: String, _ compatible: [String] = []) -> [UInt8] {
    box("ftyp", Array(major.utf8) + [0, 0, 0, 0] + compatible.flatMap { Array($0.utf8) })
  }
}

/// Big-endian numbers and boxes, for files put together by hand (ISO/IEC 14496-12, 4.2).
package enum Boxes {
  /// The big-endian bytes of a number.
  package static func number(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// A box with a four-letter type.
  package static func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
    let content = content.flatMap { $0 }
    return number(UInt32(content.count + 8)) + type.utf8 + content
  }

  /// A box with a version and flags.
  package static func full(
    _ type: String, version: UInt8 = 0, flags: UInt32 = 0, _ content: [UInt8]...
  ) -> [UInt8] {
    box(type, number(UInt32(version) << 24 | flags), content.flatMap { $0 })
  }

  /// A number of zeros.
  package static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  /// The file type box with brands.
  package static func fileType(_ major: String, _ compatible: String...) -> [UInt8] {
    box("ftyp", Array(major.utf8), zeros(4), compatible.flatMap { Array($0.utf8) })
  }
}

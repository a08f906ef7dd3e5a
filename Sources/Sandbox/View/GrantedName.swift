/// What a granted photo is called inside.
package enum GrantedName {
  /// A name whose every byte can stand in a list of lines and on a terminal: control characters become `_`.
  package static func cleaned(_ name: [UInt8]) -> [UInt8] {
    var cleaned: [UInt8] = []
    var previous: UInt8 = 0
    for byte in name {
      // Also those of ISO 6429 from U+0080 on, in UTF-8.
      let isControl = byte < 0x20 || byte == 0x7F || previous == 0xC2 && (0x80..<0xA0).contains(byte)
      if previous == 0xC2, isControl, !cleaned.isEmpty, byte >= 0x80 { cleaned.removeLast() }
      cleaned.append(isControl ? UInt8(ascii: "_") : byte)
      previous = byte
    }
    let isNoName = cleaned.isEmpty || cleaned.allSatisfy { $0 == UInt8(ascii: ".") }
    return isNoName ? Array("photo".utf8) : cleaned
  }
}

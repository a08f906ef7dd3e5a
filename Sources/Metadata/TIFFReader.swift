/// Reads the directories of a TIFF structure, the form in which EXIF keeps its facts (TIFF 6.0, section 2).
///
/// Every access is checked against the bytes at hand: a wrong offset yields nothing, never a crash.
struct TIFFReader {
  struct Entry {
    var type: UInt16
    var count: Int
    /// Where the value's bytes begin.
    var offset: Int
  }

  let bytes: [UInt8]
  let isLittleEndian: Bool

  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard bytes.count >= 8 else { return nil }
    switch (bytes[0], bytes[1]) {
    case (0x49, 0x49): isLittleEndian = true
    case (0x4D, 0x4D): isLittleEndian = false
    default: return nil
    }
    guard uint16(at: 2) == 42 else { return nil }
  }

  /// Directories without the header of a file, as maker notes have them: offsets count from the first byte.
  init(headless bytes: [UInt8], isLittleEndian: Bool) {
    self.bytes = bytes
    self.isLittleEndian = isLittleEndian
  }

  var firstDirectory: Int? { uint32(at: 4) }

  /// The entries of the directory at `offset` by tag, and where the next directory lies.
  func directory(at offset: Int) -> (entries: [UInt16: Entry], next: Int?)? {
    guard let count = uint16(at: offset).map(Int.init), count <= 1000 else { return nil }
    var entries: [UInt16: Entry] = [:]
    for index in 0..<count {
      let at = offset + 2 + index * 12
      guard let tag = uint16(at: at), let type = uint16(at: at + 2), let items = uint32(at: at + 4)
      else { break }
      let size = items.multipliedReportingOverflow(by: Self.size(of: type))
      guard !size.overflow else { continue }
      if size.partialValue <= 4 {
        entries[tag] = Entry(type: type, count: items, offset: at + 8)
      } else if let value = uint32(at: at + 8), value + size.partialValue <= bytes.count {
        entries[tag] = Entry(type: type, count: items, offset: value)
      }
    }
    let next = uint32(at: offset + 2 + count * 12)
    return (entries, next == 0 ? nil : next)
  }

  func uint16(at offset: Int) -> UInt16? {
    guard offset >= 0, offset + 2 <= bytes.count else { return nil }
    let (a, b) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
    return isLittleEndian ? b << 8 | a : a << 8 | b
  }

  func uint32(at offset: Int) -> Int? {
    guard offset >= 0, offset + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for index in 0..<4 {
      value = value << 8 | UInt32(bytes[offset + (isLittleEndian ? 3 - index : index)])
    }
    return Int(value)
  }

  /// A SHORT or LONG, signed or not.
  func integer(_ entry: Entry?) -> Int? {
    guard let entry, entry.count > 0 else { return nil }
    return switch entry.type {
    case 3: uint16(at: entry.offset).map(Int.init)
    case 4: uint32(at: entry.offset)
    case 9: uint32(at: entry.offset).map { Int(Int32(truncatingIfNeeded: $0)) }
    default: nil
    }
  }

  /// A RATIONAL of several, signed or not; nil where the denominator is 0.
  func rational(_ entry: Entry?, _ index: Int = 0) -> Double? {
    guard let entry, entry.type == 5 || entry.type == 10, index < entry.count,
      let above = uint32(at: entry.offset + 8 * index),
      let below = uint32(at: entry.offset + 8 * index + 4), below != 0
    else { return nil }
    if entry.type == 5 { return Double(above) / Double(below) }
    return Double(Int32(truncatingIfNeeded: above)) / Double(Int32(truncatingIfNeeded: below))
  }

  /// An ASCII value, UTF-8 in practice, without its NUL and surrounding blanks; nil when nothing is left.
  func text(_ entry: Entry?) -> String? {
    guard let entry, entry.type == 2, entry.count > 0, entry.offset + entry.count <= bytes.count
    else { return nil }
    var value = bytes[entry.offset..<(entry.offset + entry.count)].prefix { $0 != 0 }
    while let last = value.last, last == 0x20 { value.removeLast() }
    while let first = value.first, first == 0x20 { value.removeFirst() }
    return value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
  }

  /// The bytes of an UNDEFINED value.
  func bytes(_ entry: Entry?) -> [UInt8]? {
    guard let entry, entry.type == 7, entry.count > 0, entry.offset + entry.count <= bytes.count
    else { return nil }
    return Array(bytes[entry.offset..<entry.offset + entry.count])
  }

  private static func size(of type: UInt16) -> Int {
    switch type {
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12: 8
    default: 1
    }
  }
}

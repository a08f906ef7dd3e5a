/// A little-endian TIFF structure with one directory: a file, or the basis of EXIF and RAW files.
package struct TIFFFile: Sendable {
  private var entries: [(tag: Int, type: Int, count: Int, value: [UInt8])] = []

  package init() {}

  /// A picture's size.
  package init(width: Int, height: Int) {
    long(0x0100, width)
    long(0x0101, height)
  }

  package mutating func short(_ tag: Int, _ value: Int) {
    entries.append((tag, 3, 1, MediaBytes.little(value, 2)))
  }

  package mutating func long(_ tag: Int, _ value: Int) {
    entries.append((tag, 4, 1, MediaBytes.little(value, 4)))
  }

  package mutating func text(_ tag: Int, _ value: String) {
    let bytes = Array(value.utf8) + [0]
    entries.append((tag, 2, bytes.count, bytes))
  }

  /// RATIONALs with a denominator of one.
  package mutating func rationals(_ tag: Int, _ values: [Int]) {
    entries.append(
      (tag, 5, values.count, values.flatMap { MediaBytes.little($0, 4) + MediaBytes.little(1, 4) }))
  }

  /// Bytes of type UNDEFINED (7) or BYTE (1).
  package mutating func block(_ tag: Int, _ bytes: [UInt8], type: Int = 7) {
    entries.append((tag, type, bytes.count, bytes))
  }

  /// A subdirectory, to which `tag` points.
  package mutating func directory(_ tag: Int, _ directory: TIFFFile) {
    entries.append((tag, Self.pointer, 1, directory.bytes(at: 0)))
    children.append((entries.count - 1, directory))
  }

  private static let pointer = -1
  private var children: [(entry: Int, directory: TIFFFile)] = []

  /// The bytes of a file.
  package func bytes(mark: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]) -> [UInt8] {
    mark + bytes(at: mark.count)
  }

  /// The same as BigTIFF, whose offsets and counts have 64 bits; without subdirectories.
  package var bigBytes: [UInt8] {
    var table = MediaBytes.little(entries.count, 8)
    var values: [UInt8] = []
    let start = 16 + 8 + entries.count * 20 + 8
    for entry in entries.sorted(by: { $0.tag < $1.tag }) {
      table += MediaBytes.little(entry.tag, 2) + MediaBytes.little(entry.type, 2)
      table += MediaBytes.little(entry.count, 8)
      if entry.value.count <= 8 {
        table += entry.value + [UInt8](repeating: 0, count: 8 - entry.value.count)
      } else {
        table += MediaBytes.little(start + values.count, 8)
        values += entry.value + (entry.value.count % 2 == 0 ? [] : [0])
      }
    }
    return [0x49, 0x49, 43, 0, 8, 0, 0, 0] + MediaBytes.little(16, 8) + table
      + [UInt8](repeating: 0, count: 8) + values
  }

  private func bytes(at offset: Int) -> [UInt8] {
    var table = MediaBytes.little(entries.count, 2)
    var values: [UInt8] = []
    let start = offset + 2 + entries.count * 12 + 4
    for index in entries.indices.sorted(by: { entries[$0].tag < entries[$1].tag }) {
      let entry = entries[index]
      let place = start + values.count
      let isPointer = entry.type == Self.pointer
      table += MediaBytes.little(entry.tag, 2) + MediaBytes.little(isPointer ? 4 : entry.type, 2)
      table += MediaBytes.little(entry.count, 4)
      if isPointer {
        table += MediaBytes.little(place, 4)
        for child in children where child.entry == index { values += child.directory.bytes(at: place) }
      } else if entry.value.count <= 4 {
        table += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      } else {
        table += MediaBytes.little(place, 4)
        values += entry.value
      }
      if values.count % 2 == 1 { values.append(0) }
    }
    return table + [0, 0, 0, 0] + values
  }
}

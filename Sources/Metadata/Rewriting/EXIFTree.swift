import Pixels

/// An EXIF structure as a value: its directories with their entries, to be written again with less in it.
///
/// Values stay as they are, in the byte order that they have. The thumbnail and its directory are left out: they show
/// what the picture was. Format: EXIF 2.32 over TIFF 6.0.
package struct EXIFTree: Hashable, Sendable {
  enum Directory: Int, CaseIterable, Hashable, Sendable {
    case main, photo, place, interoperability
  }

  struct Entry: Hashable, Sendable {
    var tag: UInt16
    var type: UInt16
    var count: Int
    var value: [UInt8]
    /// Where the value stood, from the TIFF header on.
    var offset: Int
  }

  var isLittleEndian: Bool
  /// Whether values were too long to be read.
  private(set) var isCut = false
  var entries: [Directory: [Entry]] = [:]

  /// The tags of pointers to other directories.
  static let pointers: [(tag: UInt16, directory: Directory, parent: Directory)] = [
    (0x8769, .photo, .main), (0x8825, .place, .main), (0xA005, .interoperability, .photo),
  ]

  static let makerNote: UInt16 = 0x927C
  /// Longer values are those of pictures within the structure, and fit into no segment of a JPEG.
  private static let longestValue = 60_000
  /// Bytes of all values: entries of a hostile file may all have the same long one.
  private static let mostBytes = 1 << 18

  init(isLittleEndian: Bool = true) {
    self.isLittleEndian = isLittleEndian
  }

  /// Reads a structure, with or without "Exif" and two NULs before it; nil where there is none.
  package init?(_ bytes: [UInt8]) {
    var window = ByteWindow(bytes)
    let start = window.has("Exif\0\0", at: 0) ? 6 : 0
    self.init(start..<bytes.count, in: &window)
  }

  /// Reads a structure from its TIFF header on.
  init?(_ range: Range<Int>, in window: inout ByteWindow) {
    guard let tiff = TIFFReader(range, in: &window), let main = tiff.firstDirectory(in: &window) else {
      return nil
    }
    isLittleEndian = tiff.isLittleEndian
    var room = Self.mostBytes
    read(main, as: .main, tiff, &window, &room)
    for (tag, directory, parent) in Self.pointers {
      guard let pointer = entry(tag, in: parent), let place = integer(pointer),
        let found = tiff.directory(at: place, in: &window)
      else { continue }
      read(found, as: directory, tiff, &window, &room)
    }
    for (tag, _, parent) in Self.pointers { remove(tag, from: parent) }
  }

  private mutating func read(
    _ directory: TIFFReader.Directory, as name: Directory, _ tiff: TIFFReader, _ window: inout ByteWindow,
    _ room: inout Int
  ) {
    var found: [Entry] = []
    for index in 0..<directory.count {
      guard let entry = tiff.entry(index, of: directory, in: &window), (1...13).contains(entry.type),
        case let length = entry.count * Self.size(of: entry.type)
      else { continue }
      guard length <= min(room, Self.longestValue) else {
        if !Self.isStructural(entry.tag) { isCut = true }
        continue
      }
      let value = window.peek(entry.offset..<entry.offset + length)
      room -= length
      guard value.count == length, !found.contains(where: { $0.tag == entry.tag }) else { continue }
      found.append(
        Entry(
          tag: entry.tag, type: entry.type, count: entry.count, value: value, offset: entry.offset - tiff.base
        ))
    }
    entries[name] = found
  }

  static func size(of type: UInt16) -> Int {
    switch type {
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12: 8
    default: 1
    }
  }

  func entry(_ tag: UInt16, in directory: Directory) -> Entry? {
    entries[directory]?.first { $0.tag == tag }
  }

  mutating func remove(_ tag: UInt16, from directory: Directory) {
    entries[directory]?.removeAll { $0.tag == tag }
  }

  mutating func set(_ tag: UInt16, in directory: Directory, short value: Int) {
    set(tag, in: directory, type: 3, bytes(value, 2))
  }

  mutating func set(_ tag: UInt16, in directory: Directory, long value: Int) {
    set(tag, in: directory, type: 4, bytes(value, 4))
  }

  private mutating func set(_ tag: UInt16, in directory: Directory, type: UInt16, _ value: [UInt8]) {
    remove(tag, from: directory)
    entries[directory, default: []].append(Entry(tag: tag, type: type, count: 1, value: value, offset: 0))
  }

  func integer(_ entry: Entry) -> Int? {
    guard entry.type == 3 || entry.type == 4 || entry.type == 13, entry.count >= 1 else { return nil }
    let bytes = entry.value.prefix(entry.type == 3 ? 2 : 4)
    return (isLittleEndian ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
  }

  func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isLittleEndian ? little : little.reversed()
  }
}

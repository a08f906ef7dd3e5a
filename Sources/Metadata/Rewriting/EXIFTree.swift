import Pixels

/// An EXIF structure as a value: directories with entries, which can be filtered and written again.
///
/// Values keep their byte order. The thumbnail and its directory are removed, because they show the original
/// image. Format: EXIF 2.32 over TIFF 6.0.
package struct EXIFTree: Hashable, Sendable {
  enum Directory: Int, CaseIterable, Hashable, Sendable {
    case main, photo, place, interoperability
  }

  struct Entry: Hashable, Sendable {
    var tag: UInt16
    var type: UInt16
    var count: Int
    var value: [UInt8]
    /// The original offset of the value, from the TIFF header.
    var offset: Int
  }

  var isLittleEndian: Bool
  /// Whether values were skipped because they are too long.
  private(set) var isCut = false
  var entries: [Directory: [Entry]] = [:]

  /// The tags of pointers to other directories.
  static let pointers: [(tag: UInt16, directory: Directory, parent: Directory)] = [
    (0x8769, .photo, .main), (0x8825, .place, .main), (0xA005, .interoperability, .photo),
  ]

  static let makerNote: UInt16 = 0x927C
  /// The maximum length of a value in bytes.
  ///
  /// Longer ones are images inside the structure, and don't fit into a JPEG segment.
  private static let longestValue = 60_000
  /// The maximum length of all values in bytes: in a hostile file, all entries may refer to the same long
  /// value.
  private static let mostBytes = 1 << 18

  init(isLittleEndian: Bool = true) {
    self.isLittleEndian = isLittleEndian
  }

  /// Parses a structure, optionally preceded by "Exif" and two NULs; nil if there is none.
  package init?(_ bytes: [UInt8]) {
    var window = ByteWindow(bytes)
    let start = window.has("Exif\0\0", at: 0) ? 6 : 0
    self.init(start..<bytes.count, in: &window)
  }

  /// Parses a structure from its TIFF header on.
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

// The maker note of Apple's cameras.
extension EXIFTree {
  /// "Apple iOS", a NUL, a version and the byte order, before the directory; offsets are from the start of the note.
  private static let appleMark = Array("Apple iOS\0".utf8)
  private static let appleDirectory = 14
  private static let contentIdentifier = 0x0011

  /// Sets the identifier that a Live Photo's image shares with its clip, which only Apple's maker note can hold.
  /// - Returns: false if the note of another maker was removed for it.
  @discardableResult
  mutating func setContentIdentifier(_ identifier: String) -> Bool {
    let old = entry(Self.makerNote, in: .photo)
    let text = Array(identifier.utf8) + [0]
    let note = old.flatMap { Self.appleNote($0.value, adding: text) }
    let start = Self.appleMark + [0, 1, 0x4D, 0x4D]
    let value =
      note ?? start + Self.big(1, 2) + Self.big(Self.contentIdentifier, 2) + Self.big(2, 2)
      + Self.big(text.count, 4) + Self.big(Self.appleDirectory + 2 + 12 + 4, 4) + Self.big(0, 4) + text
    remove(Self.makerNote, from: .photo)
    entries[.photo, default: []].append(
      Entry(tag: Self.makerNote, type: 7, count: value.count, value: value, offset: 0))
    return old == nil || note != nil
  }

  /// Sets the identifier in a maker note without anything else, and removes the longest other values until the structure
  /// fits into a JPEG segment.
  mutating func makeRoom(forContentIdentifier identifier: String) {
    remove(Self.makerNote, from: .photo)
    setContentIdentifier(identifier)
    while leastLength > Self.longest || written().isCut, removeLongestValue() {}
  }

  /// Returns Apple's note with another identifier; nil if it is not Apple's, or is damaged.
  private static func appleNote(_ note: [UInt8], adding text: [UInt8]) -> [UInt8]? {
    guard note.starts(with: appleMark), note.count > appleDirectory + 2 else { return nil }
    let isLittle = note[12] == 0x49
    func number(_ at: Int, _ count: Int) -> Int {
      let bytes = note[at..<at + count]
      return (isLittle ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
    }
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      isLittle ? big(value, count).reversed() : big(value, count)
    }
    let count = number(appleDirectory, 2)
    let end = appleDirectory + 2 + 12 * count
    guard end <= note.count else { return nil }
    var lines: [(tag: Int, line: [UInt8])] = []
    let kept = (0..<count).map { appleDirectory + 2 + 12 * $0 }.filter { number($0, 2) != contentIdentifier }
    // What follows the directory moves by the difference of its lengths.
    let shift = 12 * (kept.count + 1 - count)
    for at in kept {
      var line = Array(note[at..<at + 12])
      let type = number(at + 2, 2)
      if size(of: UInt16(type)) * number(at + 4, 4) > 4 {
        line.replaceSubrange(8..<12, with: bytes(number(at + 8, 4) + shift, 4))
      }
      lines.append((number(at, 2), line))
    }
    let place = note.count + shift
    let line =
      bytes(contentIdentifier, 2) + bytes(2, 2) + bytes(text.count, 4) + bytes(place, 4)
    lines.append((contentIdentifier, line))
    lines.sort { $0.tag < $1.tag }
    return Array(note[..<appleDirectory]) + bytes(lines.count, 2) + lines.flatMap(\.line) + note[end...]
      + text
  }

  private static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

// Writing of the structure.
extension EXIFTree {
  /// The maximum length of a structure that fits into a JPEG segment after its prefix.
  package static let longest = 65_533 - 6

  /// The bytes of the structure from its TIFF header on; empty if it has no entries.
  ///
  /// A maker note keeps its offset if possible, because many contain offsets from the header. If the
  /// structure is too long for a segment, the note is removed, then the longest values.
  package var bytes: [UInt8] { written().bytes }

  /// Returns the bytes, and whether entries were removed because they did not fit.
  package func written() -> (bytes: [UInt8], isCut: Bool) {
    var tree = self
    var isCut = false
    while tree.leastLength > Self.longest {
      tree.removeLongest()
      isCut = true
    }
    while tree.entries.values.contains(where: { !$0.isEmpty }) {
      // Keeping the offset of the note may leave gaps, so the result can be longer than its parts.
      let bytes = tree.layout().bytes
      if bytes.count <= Self.longest { return (bytes, isCut) }
      tree.removeLongest()
      isCut = true
    }
    return ([], isCut)
  }

  /// The total length of the parts.
  private var leastLength: Int {
    entries.values.joined().reduce(8) { $0 + 12 + ($1.value.count > 4 ? $1.value.count : 0) }
  }

  private mutating func removeLongest() {
    if entry(Self.makerNote, in: .photo) != nil { return remove(Self.makerNote, from: .photo) }
    _ = removeLongestValue()
  }

  /// Removes the longest value that is no maker note.
  /// - Returns: false if there is none.
  private mutating func removeLongestValue() -> Bool {
    var longest: (directory: Directory, tag: UInt16, count: Int)?
    // In a fixed order, so that of values of equal length always the same is removed.
    for directory in Directory.allCases {
      for entry in entries[directory] ?? [] where directory != .photo || entry.tag != Self.makerNote {
        if entry.value.count > longest?.count ?? -1 { longest = (directory, entry.tag, entry.value.count) }
      }
    }
    guard let longest else { return false }
    remove(longest.tag, from: longest.directory)
    return true
  }

  private func layout() -> Layout {
    let note = entry(Self.makerNote, in: .photo)
    var layout = Layout(reserving: note.map { $0.offset..<$0.offset + $0.value.count })
    let header: [UInt8] = isLittleEndian ? [0x49, 0x49, 42, 0] : [0x4D, 0x4D, 0, 42]
    layout.put(header + bytes(8, 4), at: 0)
    // Tables first: each directory has an entry for every existing directory that it points to.
    var tables: [Directory: [Entry]] = [:]
    for directory in Directory.allCases.reversed() {
      var table = entries[directory] ?? []
      for (tag, child, parent) in Self.pointers where parent == directory && tables[child] != nil {
        table.append(Entry(tag: tag, type: 4, count: 1, value: bytes(0, 4), offset: 0))
      }
      if !table.isEmpty || directory == .main { tables[directory] = table.sorted { $0.tag < $1.tag } }
    }
    var places: [Directory: Int] = [:]
    for directory in Directory.allCases {
      guard let table = tables[directory] else { continue }
      places[directory] = layout.place(2 + 12 * table.count + 4)
    }
    // In a fixed order, so that equal trees have equal bytes.
    for directory in Directory.allCases {
      guard let table = tables[directory], let place = places[directory] else { continue }
      var written = bytes(table.count, 2)
      for entry in table {
        var value = entry.value
        if let pointer = Self.pointers.first(where: { $0.tag == entry.tag && $0.parent == directory }) {
          value = bytes(places[pointer.directory] ?? 0, 4)
        } else if value.count > 4 {
          let isNote = directory == .photo && entry.tag == Self.makerNote && layout.keepsReserved
          value = bytes(isNote ? layout.put(entry.value, at: entry.offset) : layout.add(entry.value), 4)
        }
        written += bytes(Int(entry.tag), 2) + bytes(Int(entry.type), 2) + bytes(entry.count, 4)
        written += value + [UInt8](repeating: 0, count: 4 - value.count)
      }
      layout.put(written + bytes(0, 4), at: place)
    }
    return layout
  }

  /// Bytes that are assembled from parts, around a part with a fixed position.
  private struct Layout {
    private(set) var bytes: [UInt8] = []
    private var reserved: Range<Int>?
    private var end = 8

    var keepsReserved: Bool { reserved != nil }

    init(reserving range: Range<Int>?) {
      // Ignore the reservation if the first table does not fit before it, or if it is too far from the start.
      guard let range, range.count > 4, range.lowerBound >= 8 + 600, range.upperBound <= EXIFTree.longest
      else { return }
      reserved = range
    }

    /// Reserves space for a part at an even offset.
    mutating func place(_ count: Int) -> Int {
      var start = (end + 1) & ~1
      if let reserved, start < reserved.upperBound, start + count > reserved.lowerBound {
        start = (reserved.upperBound + 1) & ~1
      }
      end = start + count
      return start
    }

    mutating func add(_ part: [UInt8]) -> Int { put(part, at: place(part.count)) }

    @discardableResult
    mutating func put(_ part: [UInt8], at offset: Int) -> Int {
      let missing = offset + part.count - bytes.count
      if missing > 0 { bytes += [UInt8](repeating: 0, count: missing) }
      bytes.replaceSubrange(offset..<offset + part.count, with: part)
      return offset
    }
  }
}

// Filtering of the structure.
extension EXIFTree {
  /// Returns the structure for a file that is made from the original.
  package func filtered(by policy: MetadataPolicy) -> EXIFTree {
    var tree = EXIFTree(isLittleEndian: isLittleEndian)
    let orientation = entry(0x0112, in: .main)
    switch policy.stripping {
    case .nothing:
      tree.entries = entries
      tree.entries[.main]?.removeAll { Self.isStructural($0.tag) }
    case .location:
      tree.entries[.main] = entries[.main]?.filter { Self.plainMain.contains($0.tag) }
      tree.entries[.photo] = entries[.photo]?.filter { Self.plainPhoto.contains($0.tag) }
      tree.entries[.interoperability] = entries[.interoperability]?.filter { $0.tag == 1 || $0.tag == 2 }
    case .all: break
    }
    if policy.removesCaptions {
      for directory in Directory.allCases {
        tree.entries[directory]?.removeAll { Captions.tags.contains($0.tag) }
      }
    }
    if let size = policy.newSize {
      tree.describe(size)
    } else if let orientation, policy.stripping == .all, integer(orientation) != 1 {
      tree.entries[.main] = [orientation]
    }
    return tree
  }

  /// Sets the entries that describe new pixels.
  private mutating func describe(_ size: PixelSize) {
    guard entries.values.contains(where: { !$0.isEmpty }) else { return }
    set(0x0112, in: .main, short: 1)
    set(0xA001, in: .photo, short: 1)
    set(0xA002, in: .photo, long: size.width)
    set(0xA003, in: .photo, long: size.height)
    // Its only relevant statement is that the colors are Adobe RGB.
    entries[.interoperability] = nil
  }

  /// Whether a tag describes how a TIFF or raw file stores its image, or contains a metadata block that other
  /// formats store separately.
  private static func isStructural(_ tag: UInt16) -> Bool {
    switch tag {
    case 0x00FE...0x0103, 0x0106, 0x0107, 0x010A, 0x0111, 0x0115...0x0117, 0x011C, 0x0120...0x0129, 0x013D,
      0x0140...0x0159, 0x015B, 0x0200...0x0212, 0x02BC, 0x828D, 0x828E, 0x83BB, 0x8649, 0x8773, 0x935C,
      // DNG's own tags, and all private tags of manufacturers.
      0xC4A5...0xFFFF:
      true
    default: false
    }
  }

  /// The tags of the first directory that can't contain a location.
  private static let plainMain: Set<UInt16> = [
    0x010E, 0x010F, 0x0110, 0x0112, 0x011A, 0x011B, 0x0128, 0x0131, 0x0132, 0x013B, 0x013E, 0x013F, 0x0211,
    0x0213, 0x0214, 0x4746, 0x4749, 0x8298, 0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F,
  ]

  /// The tags of EXIF 2.32 except the maker note and the user comment, into which phones write arbitrary
  /// data, followed by EXIF 3.0's texts.
  private static let plainPhoto: Set<UInt16> = {
    var tags: Set<UInt16> = [0x829A, 0x829D, 0x8822, 0x8824, 0xA000, 0xA001, 0xA002, 0xA003, 0xA004]
    tags.formUnion([0x8827, 0x8828, 0x8830, 0x8831, 0x8832, 0x8833, 0x8834, 0x8835])
    tags.formUnion([0x9000, 0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9101, 0x9102])
    tags.formUnion(0x9201...0x920A)
    tags.formUnion([0x9214, 0x9290, 0x9291, 0x9292])
    tags.formUnion([0xA20B, 0xA20C, 0xA20E, 0xA20F, 0xA210, 0xA214, 0xA215, 0xA217])
    tags.formUnion([0xA300, 0xA301, 0xA302])
    tags.formUnion(0xA401...0xA40C)
    tags.formUnion([0xA420])
    tags.formUnion(0xA430...0xA435)
    tags.formUnion([0xA460, 0xA461, 0xA462, 0xA500])
    return tags
  }()
}

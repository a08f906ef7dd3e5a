// The structure is written.
extension EXIFTree {
  /// The longest structure that fits into a segment of a JPEG behind its mark.
  package static let longest = 65_533 - 6

  /// The bytes of the structure from its TIFF header on; empty where there is nothing in it.
  ///
  /// A maker's note stays at its offset where that is possible: many count from the header. What is too long for a segment
  /// goes without the note, then without its longest values.
  package var bytes: [UInt8] { written().bytes }

  /// The same, and whether something of it did not fit.
  package func written() -> (bytes: [UInt8], isCut: Bool) {
    var tree = self
    var isCut = false
    while tree.leastLength > Self.longest {
      tree.removeLongest()
      isCut = true
    }
    while tree.entries.values.contains(where: { !$0.isEmpty }) {
      // The place of a note can make it longer than its parts.
      let bytes = tree.layout().bytes
      if bytes.count <= Self.longest { return (bytes, isCut) }
      tree.removeLongest()
      isCut = true
    }
    return ([], isCut)
  }

  /// The bytes that its parts have.
  private var leastLength: Int {
    entries.values.joined().reduce(8) { $0 + 12 + ($1.value.count > 4 ? $1.value.count : 0) }
  }

  private mutating func removeLongest() {
    if entry(Self.makerNote, in: .photo) != nil { return remove(Self.makerNote, from: .photo) }
    let all = entries.flatMap { directory, entries in entries.map { (directory, $0) } }
    if let (directory, longest) = all.max(by: { $0.1.value.count < $1.1.value.count }) {
      remove(longest.tag, from: directory)
    }
  }

  private func layout() -> Layout {
    let note = entry(Self.makerNote, in: .photo)
    var layout = Layout(reserving: note.map { $0.offset..<$0.offset + $0.value.count })
    let header: [UInt8] = isLittleEndian ? [0x49, 0x49, 42, 0] : [0x4D, 0x4D, 0, 42]
    layout.put(header + bytes(8, 4), at: 0)
    // Tables first: a directory that has an entry for each of the others that are there.
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
    // In one order, so that the same tree is always the same bytes.
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

  /// Bytes that are put together from parts, around a part whose place is fixed.
  private struct Layout {
    private(set) var bytes: [UInt8] = []
    private var reserved: Range<Int>?
    private var end = 8

    var keepsReserved: Bool { reserved != nil }

    init(reserving range: Range<Int>?) {
      // No room is left before it for the first table, or it lies too far behind.
      guard let range, range.count > 4, range.lowerBound >= 8 + 600, range.upperBound <= EXIFTree.longest
      else { return }
      reserved = range
    }

    /// Room for a part, at an even offset.
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

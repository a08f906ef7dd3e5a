// The captions in files of boxes (HEIC, AVIF, MP4, QuickTime) and in Matroska.

/// A box of a file.
private struct Place {
  /// The four letters of its type.
  var kind: UInt32
  var start: Int
  var content: Range<Int>
}

// Formats: ISO/IEC 14496-12; 23008-12 (items of HEIF); QuickTime File Format, "User Data Atoms" and "Metadata".
extension CaptionEditor {
  /// The top-level boxes of a file, or of one inside another.
  /// - Parameter isInner: whether it is the video of a Motion Photo, which contains no further one.
  mutating func boxes(in range: Range<Int>, isInner: Bool = false) {
    for box in places(in: range) {
      switch box.kind {
      case 0x6D6F_6F76: movie(box)  // moov
      case 0x6D65_7461: items(box, in: range)  // meta
      case 0x6D70_7664 where !isInner: boxes(in: box.content, isInner: true)  // mpvd
      case 0x7575_6964: packet(box)  // uuid
      default: break
      }
    }
  }

  /// The boxes in a range, up to the first that does not fit.
  private mutating func places(in range: Range<Int>) -> [Place] {
    var found: [Place] = []
    var position = range.lowerBound
    while found.count < 1 << 14, position + 8 <= range.upperBound {
      window.seek(position, 16)
      guard let kind = window.bigEndian32(at: position + 4), let box = window.box(at: position) else { break }
      let content = box.isOpenEnded ? box.content.clamped(to: range) : box.content
      guard content.upperBound <= range.upperBound else { break }
      found.append(Place(kind: UInt32(kind), start: position, content: content))
      position = content.upperBound
    }
    return found
  }

  /// XMP has an identifier of its own (XMP specification part 3, 1.1.4).
  private mutating func packet(_ box: Place) {
    let identifier: [UInt8] = [
      0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]
    guard box.content.count > 16, window.peek(box.content.prefix(16)) == identifier else { return }
    xmp([box.content.dropFirst(16)])
  }

  // MARK: Videos

  private mutating func movie(_ movie: Place) {
    for box in places(in: movie.content) {
      switch box.kind {
      case 0x7564_7461: userData(box)  // udta
      case 0x6D65_7461: list(box)  // meta
      case 0x7472_616B:  // trak
        for part in places(in: box.content) {
          if part.kind == 0x7564_7461 { userData(part) }
          if part.kind == 0x6D65_7461 { list(part) }
        }
      default: break
      }
    }
  }

  private mutating func userData(_ data: Place) {
    for box in places(in: data.content) {
      switch box.kind {
      case let kind where Captions.codes.contains(kind): free(box)
      case 0x6D65_7461: list(box)  // meta
      case 0x584D_505F: xmp([box.content])  // XMP_
      default: break
      }
    }
  }

  /// A list of metadata, in which codes or a table of keys name the values.
  private mutating func list(_ meta: Place) {
    let parts = children(of: meta)
    var keys: [String] = []
    if let table = parts.first(where: { $0.kind == 0x6B65_7973 }), table.content.count > 8 {  // keys
      for key in places(in: table.content.dropFirst(8)) {
        keys.append(String(decoding: window.copy(key.content), as: UTF8.self))
      }
    }
    for list in parts where list.kind == 0x696C_7374 {  // ilst
      for item in places(in: list.content) {
        let isCaption =
          if item.kind == 0x2D2D_2D2D {  // ----
            name(of: item).map(Captions.isTag) ?? false
          } else if keys.indices.contains(Int(item.kind) - 1) {
            Captions.isTag(keys[Int(item.kind) - 1])
          } else {
            Captions.codes.contains(item.kind)
          }
        if isCaption { free(item) }
      }
    }
  }

  /// The name of an entry that has no code.
  private mutating func name(of item: Place) -> String? {
    places(in: item.content).first { $0.kind == 0x6E61_6D65 && $0.content.count > 4 }  // name
      .map { String(decoding: window.copy($0.content.dropFirst(4)), as: UTF8.self) }
  }

  /// Makes a box free space.
  private mutating func free(_ box: Place) {
    replace(box.start + 4..<box.start + 8, by: Array("free".utf8))
    blank(box.content)
  }

  /// The boxes of a `meta` box, which starts with a version in ISO's files and with a box in QuickTime's.
  private mutating func children(of meta: Place) -> [Place] {
    let start = meta.content.lowerBound + (window.has("hdlr", at: meta.content.lowerBound + 4) ? 0 : 4)
    return start <= meta.content.upperBound ? places(in: start..<meta.content.upperBound) : []
  }

  // MARK: Pictures

  /// The items of HEIF: EXIF and XMP, and descriptions that are properties.
  private mutating func items(_ meta: Place, in file: Range<Int>) {
    let parts = children(of: meta)
    for properties in parts where properties.kind == 0x6970_7270 {  // iprp
      for container in places(in: properties.content) where container.kind == 0x6970_636F {  // ipco
        // udes
        for box in places(in: container.content) where box.kind == 0x7564_6573 { description(box) }
      }
    }
    guard let information = parts.first(where: { $0.kind == 0x6969_6E66 }),  // iinf
      let locations = parts.first(where: { $0.kind == 0x696C_6F63 })  // iloc
    else { return }
    let kinds = kinds(information)
    if kinds.isEmpty { return }
    let data = parts.first { $0.kind == 0x6964_6174 }?.content  // idat
    var table = Numbers(window.copy(locations.content))
    guard let parts = table.locations(in: file, data: data) else { return fail() }
    for (item, isXMP) in kinds {
      guard let ranges = parts[item], ranges.allSatisfy({ $0.upperBound <= file.upperBound }) else {
        fail()
        continue
      }
      if isXMP {
        xmp(ranges)
      } else if ranges.count == 1, let start = window.bigEndian32(at: ranges[0].lowerBound) {
        // The distance of the TIFF header from the end of this number.
        let first = ranges[0].lowerBound + 4 + start
        if first < ranges[0].upperBound { exif(first..<ranges[0].upperBound) }
      } else {
        fail()
      }
    }
  }

  /// Returns the numbers of the items that are EXIF, or XMP.
  private mutating func kinds(_ information: Place) -> [Int: Bool] {
    guard let version = window.byte(at: information.content.lowerBound) else { return [:] }
    var kinds: [Int: Bool] = [:]
    for entry in places(in: information.content.dropFirst(version == 0 ? 6 : 8))
    where entry.kind == 0x696E_6665 {
      var fields = Numbers(window.copy(entry.content))
      guard let version = fields.next(1), version >= 2, fields.next(3) != nil,
        let item = fields.next(version == 2 ? 2 : 4), fields.next(2) != nil, let kind = fields.next(4)
      else { continue }
      if kind == 0x4578_6966 { kinds[item] = false }  // Exif
      guard kind == 0x6D69_6D65 else { continue }  // mime
      let words = fields.rest.split(separator: 0, omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }
      guard words.count > 1, words[1] == "application/rdf+xml" else { continue }
      if words.count > 2, !words[2].isEmpty { fail() } else { kinds[item] = true }
    }
    return kinds
  }

  /// Empties the name and the description in a user description; its language and its tags stay.
  private mutating func description(_ box: Place) {
    change([box.content]) { bytes in
      let words = bytes.dropFirst(4).split(separator: 0, maxSplits: 4, omittingEmptySubsequences: false)
      guard words.count >= 4, !words[1].isEmpty || !words[2].isEmpty else { return }
      let kept = bytes.prefix(4) + words[0] + [0, 0, 0] + words[3]
      bytes = kept + [UInt8](repeating: 0, count: bytes.count - kept.count)
    }
  }
}

/// Big-endian numbers, one after the other.
private struct Numbers {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// Reads a number of up to eight bytes; nil at the end, and if it is larger than any file is long.
  mutating func next(_ length: Int) -> Int? {
    guard rest.count >= length, length <= 8 else { return nil }
    defer { rest = rest.dropFirst(length) }
    let value = BoxReader.integer(rest.prefix(length))
    return value < 1 << 56 ? Int(value) : nil
  }

  /// The most parts of all items; a part can take no byte of the table, so that its length is no limit.
  private static let mostParts = 1 << 17

  /// Reads the item locations: the parts of each item in the file.
  /// - Parameter data: the range of the box in which items may be instead.
  /// - Returns: nil if the table is damaged.
  mutating func locations(in file: Range<Int>, data: Range<Int>?) -> [Int: [Range<Int>]]? {
    guard let version = next(1), version <= 2, next(3) != nil, let sizes = next(2),
      let count = next(version < 2 ? 2 : 4)
    else { return nil }
    let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let indexSize = version == 0 ? 0 : sizes & 15
    var found: [Int: [Range<Int>]] = [:]
    var partsLeft = Self.mostParts
    for _ in 0..<count {
      guard let item = next(version < 2 ? 2 : 4), let method = version == 0 ? 0 : next(2),
        let source = next(2),
        let base = next(baseSize), let extents = next(2)
      else { return nil }
      let whole = method & 15 == 0 ? file : method & 15 == 1 ? data : nil
      var parts: [Range<Int>] = []
      partsLeft -= extents
      if partsLeft < 0 { return nil }
      for _ in 0..<extents {
        guard next(indexSize) != nil, let offset = next(offsetSize), let length = next(lengthSize) else {
          return nil
        }
        guard let whole, source == 0 else { continue }
        let start = whole.lowerBound + base + offset
        parts.append(start..<(length == 0 ? max(start, whole.upperBound) : start + length))
      }
      if !parts.isEmpty { found[item] = parts }
    }
    return found
  }
}

// Format: RFC 8794 (EBML), RFC 9559 (Matroska); tags: Matroska's tag specification.
extension CaptionEditor {
  private struct Element {
    var identifier: Int
    var start: Int
    var content: Range<Int>
    /// Whether its length is unknown, as in streams.
    var isEndless = false
  }

  mutating func matroska() {
    var position = 0
    while let element = element(at: position, end: window.end) {
      if element.identifier == 0x1853_8067 {  // Segment
        segment(element)
        if element.isEndless { return }
      }
      position = element.content.upperBound
    }
  }

  private mutating func segment(_ segment: Element) {
    var position = segment.content.lowerBound
    var left = 1 << 20
    while left > 0, let element = element(at: position, end: segment.content.upperBound) {
      left -= 1
      switch element.identifier {
      case 0x1549_A966: voidParts(of: element) { $0.identifier == 0x7BA9 }  // Info, Title
      case 0x1254_C367: tags(element)  // Tags
      default: break
      }
      // The elements inside a cluster of unknown length have identifiers of their own.
      position =
        element.isEndless && element.identifier == 0x1F43_B675
        ? element.content.lowerBound : element.content.upperBound
    }
    if left == 0 { fail() }
  }

  private mutating func tags(_ tags: Element) {
    for tag in elements(in: tags) where tag.identifier == 0x7373 {  // Tag
      var captions: [Element] = []
      for simple in elements(in: tag) where simple.identifier == 0x67C8 {  // SimpleTag
        let name = elements(in: simple).first { $0.identifier == 0x45A3 }  // TagName
        if let name, Captions.isTag(String(decoding: window.copy(name.content), as: UTF8.self)) {
          captions.append(simple)
        }
      }
      if captions.isEmpty { continue }
      voidParts(of: tag) { part in captions.contains { $0.start == part.start } }
      // The checksum of what contains it is no longer true.
      voidParts(of: tags) { $0.identifier == Self.checksum }
    }
  }

  private static let checksum = 0xBF

  /// Makes parts of an element free space, and its checksum with them.
  private mutating func voidParts(of element: Element, _ isCaption: (Element) -> Bool) {
    let parts = elements(in: element)
    guard parts.contains(where: isCaption) else { return }
    for part in parts where part.identifier == Self.checksum || isCaption(part) {
      let length = part.content.upperBound - part.start
      // An element Void of the same length; the length of its length is one byte, or eight.
      let head: [UInt8] =
        length - 2 < 127
        ? [0xEC, 0x80 | UInt8(length - 2)]
        : [0xEC, 0x01] + (0..<7).reversed().map { UInt8(truncatingIfNeeded: (length - 9) >> (8 * $0)) }
      replace(part.start..<part.start + head.count, by: head)
      blank(part.start + head.count..<part.content.upperBound)
    }
  }

  private mutating func elements(in parent: Element) -> [Element] {
    var found: [Element] = []
    var position = parent.content.lowerBound
    while found.count < 1 << 14, let next = element(at: position, end: parent.content.upperBound) {
      found.append(next)
      position = next.content.upperBound
    }
    return found
  }

  private mutating func element(at start: Int, end: Int) -> Element? {
    guard start < end else { return nil }
    window.seek(start, 12)
    guard let first = window.byte(at: start), first >= 0x10 else { return nil }
    let identifierLength = first.leadingZeroBitCount + 1
    var identifier = 0
    for index in 0..<identifierLength {
      guard let byte = window.byte(at: start + index) else { return nil }
      identifier = identifier << 8 | Int(byte)
    }
    let place = start + identifierLength
    guard let head = window.byte(at: place), head != 0 else { return nil }
    let sizeLength = head.leadingZeroBitCount + 1
    var size = Int(head) & (1 << (8 - sizeLength) - 1)
    var isEndless = size == 1 << (8 - sizeLength) - 1
    for index in 1..<max(1, sizeLength) {
      guard let byte = window.byte(at: place + index) else { return nil }
      size = size << 8 | Int(byte)
      isEndless = isEndless && byte == 0xFF
    }
    let content = place + sizeLength
    if isEndless {
      return Element(
        identifier: identifier, start: start, content: content..<max(content, end), isEndless: true)
    }
    guard size <= end - content else { return nil }
    return Element(identifier: identifier, start: start, content: content..<content + size)
  }
}

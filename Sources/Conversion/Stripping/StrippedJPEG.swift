import AssetLibrary
import Metadata
import Pixels

/// Copies a JPEG without most of its metadata; the compressed pixels are copied bit by bit.
///
/// Writes the filtered metadata, and of the picture only what is needed to display it: the frame, the scans,
/// the tables that they use, the parts of the color profile that calculations need, and Adobe's marker. No
/// part is longer than its data. Format: ITU-T T.81 Annex B.
struct StrippedJPEG {
  private var input: ByteStream
  private let output: OutputFile
  private let name: String
  private var tables = JPEGTables()
  private var frame: JPEGFrame?
  /// The parts of the color profile by number, and the number of parts.
  private var profile: (parts: [UInt8: [UInt8]], count: UInt8) = ([:], 0)
  /// Adobe's marker segment.
  private var adobe: [UInt8] = []

  static func write(
    _ input: ByteStream, _ metadata: MetadataOutput, into output: OutputFile, name: String
  ) throws(AssetError) {
    var copy = StrippedJPEG(input: input, output: output, name: name)
    try copy.write(metadata)
  }

  private init(input: ByteStream, output: OutputFile, name: String) {
    (self.input, self.output, self.name) = (input, output, name)
  }

  private mutating func write(_ metadata: MetadataOutput) throws(AssetError) {
    guard try input.next() == 0xFF, try input.next() == 0xD8 else { throw damaged }
    var head: [UInt8] = [0xFF, 0xD8]
    if metadata.exif.isEmpty {
      // A JFIF segment without a thumbnail, at 72 dpi: it declares how colors are encoded.
      head += [0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46, 0, 1, 1, 1, 0, 72, 0, 72, 0, 0]
    }
    try output.write(head + JPEGSegments.bytes(metadata))
    var hasScan = false
    while true {
      let marker = try nextMarker(hasScan: hasScan)
      if marker == 0xD9 || marker == 0xD8 && hasScan {
        guard hasScan else { throw damaged }
        try output.write([0xFF, 0xD9])
        return
      }
      if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
      guard let high = try input.next(), let low = try input.next(), Int(high) << 8 | Int(low) >= 2 else {
        throw damaged
      }
      let length = Int(high) << 8 | Int(low)
      let payload = try input.bytes(length - 2)
      guard payload.count == length - 2 else { throw damaged }
      switch marker {
      case 0xC4, 0xCC, 0xDB, 0xDD: tables.read(marker, payload)
      case 0xC0...0xC2, 0xC9, 0xCA:
        // Stop before a second picture in the file, which other programs don't show either.
        if frame != nil {
          try output.write([0xFF, 0xD9])
          if hasScan { return }
          throw damaged
        }
        guard let found = JPEGFrame(marker, payload) else { throw damaged }
        frame = found
      case 0xC3, 0xC5...0xC7, 0xCB, 0xCD...0xCF:
        throw AssetError(name, "metadata can't be removed from this kind of JPEG")
      case 0xDC: if hasScan { try writeLineCount(payload) }
      case 0xE2: if !hasScan { readProfile(payload) }
      case 0xEE: if !hasScan { readAdobe(payload) }
      case 0xDA:
        guard let frame, let scan = JPEGScan(payload, of: frame) else { throw damaged }
        if !hasScan {
          try output.write(adobe + profileSegments + tables.quantization(of: frame) + frame.segment)
        }
        try output.write(tables.segments(for: scan, of: frame) + scan.segment)
        hasScan = true
        try copyScan(JPEGBlocks(scan, of: frame, tables))
      // Drop reserved segments and those of rare kinds of JPEG.
      default: break
      }
    }
  }

  private var damaged: AssetError { AssetError(name, "the file ends in the middle of the picture") }

  /// Writes the number of lines, which may follow the first scan if the frame does not contain it.
  private mutating func writeLineCount(_ payload: [UInt8]) throws(AssetError) {
    guard payload.count >= 2, frame?.takeLineCount() ?? false else { return }
    try output.write(JPEGSegments.segment(0xDC, Array(payload.prefix(2))))
  }

  private static let profileMark = Array("ICC_PROFILE\0".utf8)

  private mutating func readProfile(_ payload: [UInt8]) {
    guard payload.starts(with: Self.profileMark), payload.count > Self.profileMark.count + 2 else { return }
    let (number, count) = (payload[Self.profileMark.count], payload[Self.profileMark.count + 1])
    if profile.parts[number] != nil { return }
    profile.parts[number] = Array(payload[(Self.profileMark.count + 2)...])
    profile.count = count
  }

  /// The segments of the reduced color profile; empty if parts of the profile are missing.
  private var profileSegments: [UInt8] {
    guard profile.count > 0 else { return [] }
    let parts = (1...profile.count).compactMap { profile.parts[$0] }
    guard parts.count == profile.count, let plain = PlainProfile.bytes(of: Array(parts.joined())) else {
      return []
    }
    let room = JPEGSegments.longest - Self.profileMark.count - 2
    let count = (plain.count + room - 1) / room
    guard count < 256 else { return [] }
    return (0..<count).flatMap { index in
      JPEGSegments.segment(
        0xE2,
        Self.profileMark + [UInt8(index + 1), UInt8(count)]
          + plain[(index * room)..<min(plain.count, (index + 1) * room)])
    }
  }

  /// Keeps only the color transform from Adobe's marker; version and flags don't affect the picture (Adobe
  /// Technical Note 5116, 18).
  private mutating func readAdobe(_ payload: [UInt8]) {
    guard payload.starts(with: "Adobe".utf8), payload.count >= 12, adobe.isEmpty else { return }
    adobe = JPEGSegments.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, payload[11]])
  }

  /// Finds the next marker and skips the bytes before it.
  private mutating func nextMarker(hasScan: Bool) throws(AssetError) -> UInt8 {
    var last: UInt8 = 0
    while let byte = try input.next() {
      if last == 0xFF, byte != 0, byte != 0xFF { return byte }
      last = byte
    }
    // The end marker is missing; programs display such files all the same.
    if hasScan { return 0xD9 }
    throw damaged
  }

  /// Copies a scan's entropy-coded data up to the next marker, which is not consumed.
  /// - Parameter blocks: finds the end of the data, so that hidden bytes after it are not copied; nil if the
  ///   end can't be found.
  private mutating func copyScan(_ blocks: JPEGBlocks?) throws(AssetError) {
    var blocks = blocks
    while true {
      let part = try input.part { rest in
        // Find the marker that ends the scan: not a stuffed byte and not a restart marker.
        var at = rest.startIndex
        while at + 1 < rest.endIndex {
          if rest[at] == 0xFF, rest[at + 1] != 0, !(0xD0...0xD7).contains(rest[at + 1]), rest[at + 1] != 0xFF
          {
            return (at, isEnd: true)
          }
          at += 1
        }
        return (at, isEnd: false)
      }
      try output.write(blocks?.take(part.bytes) ?? part.bytes)
      if part.isEnd { return }
    }
  }
}

/// A JPEG's frame header.
private struct JPEGFrame {
  let marker: UInt8
  /// Truncated to the length that its components need.
  private let header: [UInt8]
  /// Of each component: its number, its quantization table, and its sampling factors.
  let components: [(number: UInt8, table: UInt8, columns: Int, rows: Int)]
  private var lacksLineCount: Bool

  init?(_ marker: UInt8, _ payload: [UInt8]) {
    guard payload.count >= 6, (1...4).contains(payload[5]), payload.count >= 6 + 3 * Int(payload[5]) else {
      return nil
    }
    self.marker = marker
    header = Array(payload.prefix(6 + 3 * Int(payload[5])))
    var components: [(number: UInt8, table: UInt8, columns: Int, rows: Int)] = []
    for at in stride(from: 6, to: header.count, by: 3) {
      let shape = header[at + 1]
      components.append((header[at], header[at + 2], Int(shape >> 4), Int(shape & 15)))
    }
    self.components = components
    lacksLineCount = header[1] == 0 && header[2] == 0
  }

  var height: Int { Int(header[1]) << 8 | Int(header[2]) }
  var width: Int { Int(header[3]) << 8 | Int(header[4]) }

  var segment: [UInt8] { JPEGSegments.segment(marker, header) }
  var isProgressive: Bool { marker == 0xC2 || marker == 0xCA }
  var isArithmetic: Bool { marker >= 0xC9 }

  /// Whether the number of lines is still missing; true at most once.
  mutating func takeLineCount() -> Bool {
    defer { lacksLineCount = false }
    return lacksLineCount
  }
}

/// A scan header.
private struct JPEGScan {
  private let header: [UInt8]
  /// The components with the numbers of their DC and AC tables.
  let components: [(number: UInt8, direct: UInt8, alternating: UInt8)]
  let usesDirect: Bool
  let usesAlternating: Bool

  init?(_ payload: [UInt8], of frame: JPEGFrame) {
    guard let count = payload.first, (1...4).contains(count), payload.count >= 4 + 2 * Int(count) else {
      return nil
    }
    let header = Array(payload.prefix(4 + 2 * Int(count)))
    self.header = header
    components = (0..<Int(count)).map {
      (header[1 + 2 * $0], header[2 + 2 * $0] >> 4, header[2 + 2 * $0] & 15)
    }
    guard components.allSatisfy({ part in frame.components.contains { $0.number == part.number } }) else {
      return nil
    }
    let (start, end, high) = (
      header[header.count - 3], header[header.count - 2], header[header.count - 1] >> 4
    )
    usesDirect = !frame.isProgressive || start == 0 && (high == 0 || frame.isArithmetic)
    usesAlternating = !frame.isProgressive || end > 0
  }

  var segment: [UInt8] { JPEGSegments.segment(0xDA, header) }
}

/// The tables of a JPEG.
///
/// Those that a scan uses are written before it.
private struct JPEGTables {
  private enum Kind: UInt8 { case quantization = 0xDB, huffman = 0xC4, arithmetic = 0xCC }
  private struct Place: Hashable {
    var kind: Kind
    /// The class and the number of the table.
    var number: UInt8
  }

  private var known: [Place: [UInt8]] = [:]
  private var written: [Place: [UInt8]] = [:]
  private var interval: [UInt8]?
  private var writtenInterval: [UInt8]?

  /// Reads a segment of tables; ignores invalid ones.
  mutating func read(_ marker: UInt8, _ payload: [UInt8]) {
    guard let kind = Kind(rawValue: marker) else {
      if payload.count >= 2 { interval = Array(payload.prefix(2)) }
      return
    }
    var at = 0
    while at < payload.count {
      let number = payload[at]
      let length: Int
      switch kind {
      case .quantization: length = number >> 4 == 0 ? 64 : 128
      case .arithmetic: length = 1
      case .huffman:
        guard at + 17 <= payload.count else { return }
        length = 16 + payload[(at + 1)...(at + 16)].reduce(0) { $0 + Int($1) }
      }
      guard number & 15 < 4, number >> 4 < 2, length <= 16 + 256, at + 1 + length <= payload.count else {
        return
      }
      let place = Place(kind: kind, number: kind == .quantization ? number & 15 : number)
      known[place] = Array(payload[at..<(at + 1 + length)])
      at += 1 + length
    }
  }

  /// The segment with the quantization tables of a frame.
  mutating func quantization(of frame: JPEGFrame) -> [UInt8] {
    segment(.quantization, frame.components.map(\.table))
  }

  /// Returns the tables that a scan needs and that have not been written yet or have changed.
  mutating func segments(for scan: JPEGScan, of frame: JPEGFrame) -> [UInt8] {
    var bytes: [UInt8] = []
    if let interval, interval != writtenInterval {
      writtenInterval = interval
      bytes += JPEGSegments.segment(0xDD, interval)
    }
    let numbers = scan.components.map(\.number)
    bytes += segment(
      .quantization, frame.components.filter { numbers.contains($0.number) }.map(\.table))
    var used: [UInt8] = []
    if scan.usesDirect { used += scan.components.map(\.direct) }
    if scan.usesAlternating { used += scan.components.map { 0x10 | $0.alternating } }
    return bytes + segment(frame.isArithmetic ? .arithmetic : .huffman, used)
  }

  /// Returns a Huffman table: the number of codes of each length, and the symbols.
  func huffman(_ number: UInt8) -> [UInt8]? {
    known[Place(kind: .huffman, number: number)].map { Array($0.dropFirst()) }
  }

  private mutating func segment(_ kind: Kind, _ numbers: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in numbers {
      let place = Place(kind: kind, number: number)
      guard let table = known[place], table != written[place] else { continue }
      written[place] = table
      bytes += table
    }
    return bytes.isEmpty ? [] : JPEGSegments.segment(kind.rawValue, bytes)
  }
}

/// Decodes the data of a scan to find its last block, after which there may be arbitrary bytes.
///
/// Supports only sequential Huffman-coded scans: ITU-T T.81, F.2.2. Passes through data that it can't decode.
private struct JPEGBlocks {
  /// The Huffman tables, with 16 entries per table, one for each code length: the first code, the number of
  /// codes, and the index of their first symbol.
  private var firsts: [Int] = []
  private var counts: [Int] = []
  private var places: [Int] = []
  private var symbols: [UInt8] = []
  /// The table offsets of each block in a unit (MCU).
  private var blocks: [(direct: Int, alternating: Int)] = []
  private var unitsLeft: Int
  private var block = 0
  /// The number of decoded coefficients of the block.
  private var index = 0
  private var value = 0
  private var length = 0
  private var bitsToSkip = 0
  private var isBehindMark = false
  private var isOver = false
  private var isLost = false

  init?(_ scan: JPEGScan, of frame: JPEGFrame, _ tables: JPEGTables) {
    guard !frame.isProgressive, !frame.isArithmetic, frame.width > 0, frame.height > 0,
      let columns = frame.components.map(\.columns).max(), let rows = frame.components.map(\.rows).max(),
      frame.components.allSatisfy({ $0.columns > 0 && $0.rows > 0 })
    else { return nil }
    func parts(_ length: Int, _ size: Int) -> Int { (length + size - 1) / size }
    unitsLeft = parts(frame.width, 8 * columns) * parts(frame.height, 8 * rows)
    for component in scan.components {
      guard let direct = tables.huffman(component.direct),
        let alternating = tables.huffman(0x10 | component.alternating),
        let shape = frame.components.first(where: { $0.number == component.number })
      else { return nil }
      let codes = (add(direct), add(alternating))
      guard scan.components.count == 1 else {
        blocks += (0..<(shape.columns * shape.rows)).map { _ in codes }
        continue
      }
      // In a scan of one component, only blocks that contain pixels of the component are coded.
      blocks = [codes]
      unitsLeft =
        parts(parts(frame.width * shape.columns, columns), 8)
        * parts(parts(frame.height * shape.rows, rows), 8)
    }
  }

  private mutating func add(_ table: [UInt8]) -> Int {
    let start = firsts.count
    var (first, place) = (0, symbols.count)
    for count in table.prefix(16).map(Int.init) {
      firsts.append(first)
      counts.append(count)
      places.append(place)
      first = (first + count) << 1
      place += count
    }
    symbols += table.dropFirst(16)
    return start
  }

  /// Returns the prefix of the bytes that belongs to the scan.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    for (place, byte) in zip(bytes.indices, bytes) {
      if isLost { return bytes }
      if isOver { return bytes[..<place] }
      if isBehindMark {
        isBehindMark = false
        if byte == 0 {
          take(0xFF)
        } else if (0xD0...0xD7).contains(byte), block == 0, index == 0, bitsToSkip == 0 {
          // A restart between two units: the bits before it are padding.
          (value, length) = (0, 0)
        } else {
          isLost = true
        }
      } else if byte == 0xFF {
        // Either a data byte, which a zero byte follows, or the start of a marker.
        isBehindMark = true
      } else {
        take(byte)
      }
    }
    return bytes
  }

  private mutating func take(_ byte: UInt8) {
    for shift in stride(from: 7, through: 0, by: -1) where !isOver && !isLost {
      take(bit: Int(byte >> UInt8(shift)) & 1)
    }
  }

  private mutating func take(bit: Int) {
    if bitsToSkip > 0 {
      bitsToSkip -= 1
    } else {
      value = value << 1 | bit
      length += 1
      guard length <= 16 else {
        isLost = true
        return
      }
      let entry = (index == 0 ? blocks[block].direct : blocks[block].alternating) + length - 1
      let offset = value - firsts[entry]
      guard offset >= 0, offset < counts[entry], places[entry] + offset < symbols.count else { return }
      let symbol = Int(symbols[places[entry] + offset])
      (value, length) = (0, 0)
      if index == 0 {
        (index, bitsToSkip) = (1, symbol)
      } else if symbol & 15 > 0 {
        index += (symbol >> 4) + 1
        bitsToSkip = symbol & 15
      } else {
        index = symbol == 0xF0 ? index + 16 : 64
      }
    }
    guard bitsToSkip == 0, index >= 64 else { return }
    (index, block) = (0, block + 1)
    if block < blocks.count { return }
    block = 0
    unitsLeft -= 1
    isOver = unitsLeft == 0
  }
}

import AssetLibrary
import Pixels

/// Decodes Windows bitmaps of 1 to 32 bits per pixel, row by row: uncompressed, with bit fields, or run-length
/// coded.
///
/// Format: see `BMPHeader`. Bitmaps that contain a JPEG or PNG are for printers only and are not supported.
struct BMPDecoder {
  private let header: BMPHeader
  private let stream: ByteStream
  private let pixels: BMPPixels
  private let colors: ColorSource

  static func decode(
    _ job: DecodeJob, needed: (PixelSize) -> PixelSize
  ) throws(DecodeStop) -> DecodedImage {
    try BMPDecoder(job).decode(needed)
  }

  private init(_ job: DecodeJob) throws(DecodeStop) {
    let stream = try ByteStream(job)
    let header = try BMPHeader(try job.head(BMPHeader.mostBytes))
    try job.budget.check(stored: header.size, decoded: .zero)
    var palette = [UInt8](repeating: 0, count: 3 << 8)
    var entry = [UInt8](repeating: 0, count: header.paletteStride)
    stream.skip(to: header.paletteStart)
    for index in 0..<header.paletteCount {
      guard entry.withUnsafeMutableBytes({ stream.read(into: $0) }) == entry.count else { break }
      palette.replaceSubrange(index * 3..<index * 3 + 3, with: [entry[2], entry[1], entry[0]])
    }
    self.stream = stream
    self.header = header
    pixels = BMPPixels(header, palette: palette)
    colors = try Self.colors(header, job)
  }

  private static func colors(_ header: BMPHeader, _ job: DecodeJob) throws(DecodeStop) -> ColorSource {
    guard let range = header.profile, range.upperBound <= job.reader.count,
      range.count <= ColorProfile.mostBytes
    else { return .sRGB }
    return try job.bytes(in: range).withUnsafeBytes { ColorSource(profile: $0) }
  }

  private func decode(_ needed: (PixelSize) -> PixelSize) throws(DecodeStop) -> DecodedImage {
    let job = stream.job
    let reduction = Reduction(of: header.size, covering: needed(header.size))
    let rowBytes = header.size.width * pixels.layout.rawValue
    try job.budget.check(
      stored: header.size, decoded: reduction.size,
      working: header.rowBytes + rowBytes + RowAverager.workingBytes(reduction, pixels.layout))
    let averager = RowAverager(reduction, pixels.layout)
    stream.skip(to: header.start)
    var row = [UInt8](repeating: 0, count: rowBytes)
    var stored = [UInt8](repeating: 0, count: header.rowBytes)
    var runs = BMPRuns(header, stream)
    var rows = 0
    while rows < header.size.height {
      try job.checkStopped()
      let isThere =
        switch header.compression {
        case .rle4, .rle8: runs.next(into: &stored)
        default: stored.withUnsafeMutableBytes { stream.read(into: $0) } == stored.count
        }
      guard isThere else { break }
      row.withUnsafeMutableBytes { row in
        stored.withUnsafeBytes { pixels.convert($0, into: row) }
        averager.add(
          UnsafeRawBufferPointer(row), at: header.isTopDown ? rows : header.size.height - 1 - rows)
      }
      rows += 1
    }
    if let failure = stream.failure { throw .unreadable(failure) }
    if rows == 0 { throw .noEnd }
    let isWhole = rows == header.size.height
    let picture = averager.finish()
    // A truncated bottom-up picture has its lower part.
    let visible = isWhole || !header.isTopDown ? header.size.height : rows
    return DecodedImage(
      picture, of: header.size, reduction: Double(reduction.factor), colors: colors,
      visibleRows: (visible + reduction.factor - 1) / reduction.factor,
      complaint: isWhole ? "" : DecodeStop.cutShort)
  }
}

/// The headers of a Windows bitmap.
///
/// Format: Microsoft, "Bitmap Storage", "BITMAPINFOHEADER", "BITMAPV5HEADER" and "Bitmap Compression"; the first
/// header has 14 bytes, the second starts with its own length. OS/2 headers have the lengths 12, 16 and 64.
struct BMPHeader {
  enum Compression: UInt32 {
    case none, rle8, rle4, fields
    case fieldsWithAlpha = 6
  }

  /// Valid lengths of the second header.
  static let lengths: Set<Int> = [12, 16, 40, 52, 56, 64, 108, 124]
  /// Length of the longest pair of headers, with masks after a header that has no room for them.
  static let mostBytes = 14 + 124 + 16

  var size: PixelSize
  var isTopDown: Bool
  var depth: Int
  var compression: Compression
  /// Bit masks of red, green, blue and alpha in a pixel of 16 or 32 bits.
  var masks: SIMD4<UInt32>
  /// Offset of the palette in the file, its number of colors, and the bytes per color.
  var paletteStart: Int
  var paletteCount: Int
  var paletteStride: Int
  /// Offset of the pixels in the file.
  var start: Int
  var profile: Range<Int>?

  /// Bytes of an uncompressed row, padded to a multiple of four.
  var rowBytes: Int { (size.width * depth + 31) / 32 * 4 }

  /// - Parameter head: the first bytes of the file.
  init(_ head: [UInt8]) throws(DecodeStop) {
    func number(_ offset: Int, _ count: Int) -> UInt32? {
      guard offset + count <= head.count else { return nil }
      return (0..<count).reduce(UInt32(0)) { $0 | UInt32(head[offset + $1]) << (8 * $1) }
    }
    guard let length = number(14, 4).map(Int.init), Self.lengths.contains(length) else { throw .noEnd }
    let isOld = length == 12
    guard let width = number(18, isOld ? 2 : 4), let height = number(isOld ? 20 : 22, isOld ? 2 : 4),
      let depth = number(isOld ? 24 : 28, 2)
    else { throw .noEnd }
    let across = isOld ? Int(width) : Int(Int32(bitPattern: width))
    let down = isOld ? Int(height) : Int(Int32(bitPattern: height))
    guard across > 0, down != 0 else { throw .damaged }
    size = PixelSize(width: across, height: abs(down))
    isTopDown = down < 0
    self.depth = Int(depth)
    let code = length >= 40 ? number(30, 4) : 0
    guard let code else { throw .noEnd }
    guard let compression = Compression(rawValue: code), length != 64 || code < 3 else {
      throw .failed("unknown compression")
    }
    self.compression = compression
    let (masks, masksLength) = try Self.masks(compression, Int(depth), length, number)
    self.masks = masks
    paletteStride = isOld ? 3 : 4
    paletteStart = 14 + length + masksLength
    let most = depth <= 8 ? 1 << Int(depth) : 0
    let used = length >= 40 ? Int(number(46, 4) ?? 0) : 0
    paletteCount = used == 0 ? most : min(used, most)
    let announced = Int(number(10, 4) ?? 0)
    start = max(announced, 14 + length)
    if length == 124, number(14 + 56, 4) == 0x4D42_4544,  // PROFILE_EMBEDDED
      let offset = number(14 + 112, 4), let count = number(14 + 116, 4), count <= 4 << 20
    {
      profile = 14 + Int(offset)..<14 + Int(offset) + Int(count)
    }
    try check()
  }

  private func check() throws(DecodeStop) {
    let isKnown =
      switch compression {
      case .none: [1, 4, 8, 16, 24, 32].contains(depth)
      case .rle8: depth == 8 && !isTopDown
      case .rle4: depth == 4 && !isTopDown
      case .fields, .fieldsWithAlpha: depth == 16 || depth == 32
      }
    guard isKnown else { throw .damaged }
  }

  /// Returns the masks of a pixel's colors, and the number of bytes that they take after the header.
  private static func masks(
    _ compression: Compression, _ depth: Int, _ length: Int, _ number: (Int, Int) -> UInt32?
  ) throws(DecodeStop) -> (SIMD4<UInt32>, Int) {
    switch compression {
    case .fields, .fieldsWithAlpha:
      let hasAlpha = compression == .fieldsWithAlpha || length >= 56
      guard let red = number(54, 4), let green = number(58, 4), let blue = number(62, 4),
        let alpha = hasAlpha ? number(66, 4) : 0
      else { throw .noEnd }
      return (SIMD4(red, green, blue, alpha), length > 40 ? 0 : hasAlpha ? 16 : 12)
    default:
      return (depth == 16 ? SIMD4(0x7C00, 0x03E0, 0x001F, 0) : SIMD4(0xFF_0000, 0xFF00, 0xFF, 0), 0)
    }
  }
}

/// Decodes the rows of a run-length coded bitmap, from the bottom up, to rows of packed indices.
///
/// Format: Microsoft, "Bitmap Compression". Skipped pixels have index 0.
private struct BMPRuns {
  private let stream: ByteStream
  private let width: Int
  private let isNibbles: Bool
  private var x = 0
  /// Rows to skip before decoding continues.
  private var skipped = 0
  /// Column at which decoding continues after a skip.
  private var resume = 0
  private var isAtEnd = false

  init(_ header: BMPHeader, _ stream: ByteStream) {
    self.stream = stream
    width = header.size.width
    isNibbles = header.compression == .rle4
  }

  /// Decodes the next row; false if the file ends before it.
  mutating func next(into row: inout [UInt8]) -> Bool {
    for index in row.indices { row[index] = 0 }
    if isAtEnd { return true }
    if skipped > 0 {
      skipped -= 1
      if skipped > 0 { return true }
    }
    x = resume
    resume = 0
    while true {
      guard let count = stream.next(), let value = stream.next() else { return false }
      if count > 0 {
        for index in 0..<Int(count) { put(isNibbles && index % 2 == 0 ? value >> 4 : value, into: &row) }
        continue
      }
      switch value {
      case 0: return true
      case 1:
        isAtEnd = true
        return true
      case 2:
        guard let right = stream.next(), let up = stream.next() else { return false }
        x += Int(right)
        if up > 0 {
          (skipped, resume) = (Int(up), min(x, width))
          return true
        }
      default: guard readLiterals(Int(value), into: &row) else { return false }
      }
    }
  }

  private mutating func readLiterals(_ count: Int, into row: inout [UInt8]) -> Bool {
    let length = isNibbles ? (count + 1) / 2 : count
    var byte: UInt8 = 0
    for index in 0..<count {
      if !isNibbles || index % 2 == 0 {
        guard let next = stream.next() else { return false }
        byte = next
      }
      put(isNibbles && index % 2 == 0 ? byte >> 4 : byte, into: &row)
    }
    return length % 2 == 0 || stream.next() != nil
  }

  /// Writes one index; those beyond the row's end are ignored.
  private mutating func put(_ value: UInt8, into row: inout [UInt8]) {
    defer { x += 1 }
    guard x < width else { return }
    if isNibbles {
      row[x / 2] |= x % 2 == 0 ? value << 4 : value & 0x0F
    } else {
      row[x] = value
    }
  }
}

/// Converts rows of a bitmap to rows of RGB or RGBA.
private struct BMPPixels {
  /// The bits of one color in a pixel, and the level that each value stands for.
  private struct Field {
    var mask: UInt32
    var shift: UInt32
    var levels: [UInt8]

    init(_ mask: UInt32) {
      self.mask = mask
      let first = UInt32(mask == 0 ? 0 : mask.trailingZeroBitCount)
      let bits = 32 - UInt32((mask >> first).leadingZeroBitCount)
      // Of more than 8 bits, the highest 8 suffice.
      shift = first + (bits > 8 ? bits - 8 : 0)
      let most = (1 << Int(min(8, bits))) - 1
      levels = (0...max(0, most)).map { most == 0 ? 0 : UInt8(($0 * 255 + most / 2) / most) }
    }

    func level(_ pixel: UInt32) -> UInt8 { levels[Int((pixel & mask) >> shift)] }
  }

  let layout: RowAverager.Layout
  private let width: Int
  private let depth: Int
  private let palette: [UInt8]
  private let fields: [Field]
  private let isPlain: Bool

  /// - Parameter palette: three bytes per color, red first, for every possible index.
  init(_ header: BMPHeader, palette: [UInt8]) {
    width = header.size.width
    depth = header.depth
    self.palette = palette
    layout = header.masks.w != 0 ? .rgba : .rgb
    fields = (0..<4).map { Field(header.masks[$0]) }
    isPlain = header.depth == 32 && header.masks == SIMD4(0xFF_0000, 0xFF00, 0xFF, 0)
  }

  /// Converts a row as stored; `row` has room for the whole width.
  func convert(_ stored: UnsafeRawBufferPointer, into row: UnsafeMutableRawBufferPointer) {
    switch depth {
    case 24: reorder(stored, 3, into: row)
    case 32 where isPlain: reorder(stored, 4, into: row)
    case 16, 32: split(stored, into: row)
    default: look(stored, into: row)
    }
  }

  private func reorder(
    _ stored: UnsafeRawBufferPointer, _ stride: Int, into row: UnsafeMutableRawBufferPointer
  ) {
    for x in 0..<width {
      row[x * 3] = stored[x * stride + 2]
      row[x * 3 + 1] = stored[x * stride + 1]
      row[x * 3 + 2] = stored[x * stride]
    }
  }

  private func split(_ stored: UnsafeRawBufferPointer, into row: UnsafeMutableRawBufferPointer) {
    for x in 0..<width {
      let pixel =
        depth == 16
        ? UInt32(UInt16(littleEndian: stored.loadUnaligned(fromByteOffset: x * 2, as: UInt16.self)))
        : UInt32(littleEndian: stored.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self))
      for channel in 0..<layout.rawValue {
        row[x * layout.rawValue + channel] = fields[channel].level(pixel)
      }
    }
  }

  private func look(_ stored: UnsafeRawBufferPointer, into row: UnsafeMutableRawBufferPointer) {
    let perByte = 8 / depth
    let mask = (1 << depth) - 1
    for x in 0..<width {
      let shift = 8 - depth * (x % perByte + 1)
      let color = (Int(stored[x / perByte]) >> shift & mask) * 3
      for channel in 0..<3 { row[x * 3 + channel] = palette[color + channel] }
    }
  }
}

import Pixels

/// What the headers of a Windows bitmap say.
///
/// Format: Microsoft, "Bitmap Storage", "BITMAPINFOHEADER", "BITMAPV5HEADER" and "Bitmap Compression"; the
/// first header has 14 bytes, the second begins with its own length. OS/2's have the lengths 12, 16 and 64.
struct BMPHeader {
  enum Compression: UInt32 {
    case none, rle8, rle4, fields
    case fieldsWithAlpha = 6
  }

  /// The known lengths of the second header.
  static let lengths: Set<Int> = [12, 16, 40, 52, 56, 64, 108, 124]
  /// The longest pair of headers, with masks behind a header that has no room for them.
  static let mostBytes = 14 + 124 + 16

  var size: PixelSize
  var isTopDown: Bool
  var depth: Int
  var compression: Compression
  /// The bits of red, green, blue and alpha in a pixel of 16 or 32.
  var masks: SIMD4<UInt32>
  /// Where the colours of indices lie, how many there are, and how many bytes each takes.
  var paletteStart: Int
  var paletteCount: Int
  var paletteStride: Int
  /// Where the pixels begin.
  var start: Int
  var profile: Range<Int>?

  /// Bytes of a row that is not compressed: whole groups of four.
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
      throw .failed("its compression is not known")
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

  /// The masks of a pixel's colours, and how many bytes of them stand behind the header.
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

import CZlib

extension KittyPixels {
  /// Parses a PNG of up to 256 colors without row filters, which is what tpick sends; nil for any other file.
  init?(png file: [UInt8]) {
    guard file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return nil }
    var chunks: [String: [UInt8]] = [:]
    var rest = file.dropFirst(8)
    while rest.count >= 12 {
      let length = Self.number(rest.prefix(4))
      guard rest.count >= length + 12 else { return nil }
      let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
      chunks[type, default: []] += rest.dropFirst(8).prefix(length)
      rest = rest.dropFirst(length + 12)
    }
    guard let header = chunks["IHDR"], header.count == 13, header.suffix(5) == [8, 3, 0, 0, 0],
      let palette = chunks["PLTE"], let data = chunks["IDAT"]
    else { return nil }
    let (width, height) = (Self.number(header.prefix(4)), Self.number(header.dropFirst(4).prefix(4)))
    let rows = KittyLayer.inflated(data, count: (width + 1) * height)
    guard width > 0, height > 0, rows.count == (width + 1) * height else { return nil }
    var bytes: [UInt8] = []
    for row in 0..<height {
      let start = row * (width + 1)
      guard rows[start] == 0 else { return nil }
      for index in rows[start + 1...start + width].map({ Int($0) * 3 }) {
        guard index + 2 < palette.count else { return nil }
        bytes += palette[index...index + 2]
      }
    }
    self.init(width: width, height: height, depth: 3, bytes: bytes)
  }

  private static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

package import Pixels

/// An animation whose frames each specify their disposal and blending, as a GIF or an animated PNG.
///
/// Formats: GIF89a; PNG third edition, 11.3.6. Nothing is compressed, to keep the writers simple.
package struct HandmadeAnimation: Sendable {
  /// A single-color rectangle.
  package struct Piece: Sendable {
    package var left: Int
    package var top: Int
    package var size: PixelSize
    /// Red, green, blue, alpha; in a GIF an alpha below 128 is transparent.
    package var color: [UInt8]
    /// The duration in milliseconds.
    package var delay: Int
    /// The disposal as in an animated PNG: 0 keeps, 1 clears, 2 restores.
    package var disposal: Int
    /// The blending as in an animated PNG: 0 replaces, 1 blends.
    package var blending: Int

    package init(
      _ color: [UInt8], left: Int = 0, top: Int = 0, size: PixelSize, delay: Int = 100, disposal: Int = 0,
      blending: Int = 1
    ) {
      (self.left, self.top, self.size, self.color) = (left, top, size, color)
      (self.delay, self.disposal, self.blending) = (delay, disposal, blending)
    }
  }

  package var size: PixelSize
  package var pieces: [Piece]
  /// The number of loops; 0 = endless.
  package var plays: Int

  package init(size: PixelSize, plays: Int = 0, _ pieces: [Piece]) {
    (self.size, self.plays, self.pieces) = (size, plays, pieces)
  }

  // MARK: GIF

  package var gif: [UInt8] {
    var bytes = Array("GIF89a".utf8) + MediaBytes.little(size.width, 2) + MediaBytes.little(size.height, 2)
    bytes += [0, 0, 0]
    if plays != 1 {
      bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1]
      // Repetitions: the number of loops minus one.
      bytes += MediaBytes.little(max(0, plays - 1), 2) + [0]
    }
    for piece in pieces {
      let isClear = piece.color[3] < 128
      bytes += [0x21, 0xF9, 4, UInt8(piece.disposal + 1) << 2 | (isClear ? 1 : 0)]
      bytes += MediaBytes.little(piece.delay / 10, 2) + [0, 0, 0x2C]
      bytes += [piece.left, piece.top, piece.size.width, piece.size.height].flatMap {
        MediaBytes.little($0, 2)
      }
      bytes += [0x80] + piece.color[..<3] + [0, 0, 0]
      bytes += Self.lzw(count: piece.size.area)
    }
    return bytes + [0x3B]
  }

  /// Pixels of the first color: 3-bit codes, with a clear code before the table would grow.
  private static func lzw(count: Int) -> [UInt8] {
    var bits: [UInt8] = []
    func put(_ code: Int) { for bit in 0..<3 { bits.append(UInt8(code >> bit & 1)) } }
    for index in 0..<count {
      if index % 2 == 0 { put(4) }
      put(0)
    }
    put(5)
    while bits.count % 8 != 0 { bits.append(0) }
    let data = stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 | bits[start + $1] << UInt8($1) }
    }
    var bytes: [UInt8] = [2]
    for start in stride(from: 0, to: data.count, by: 255) {
      let block = data[start..<min(data.count, start + 255)]
      bytes += [UInt8(block.count)] + block
    }
    return bytes + [0]
  }

  // MARK: PNG

  /// - Parameter hasOwnStill: Whether a white picture that is not part of the animation comes first.
  package func png(hasOwnStill: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]
    let header = MediaBytes.big(size.width, 4) + MediaBytes.big(size.height, 4) + [8, 6, 0, 0, 0]
    bytes += PictureFiles.pngChunk("IHDR", header)
    bytes += PictureFiles.pngChunk("acTL", MediaBytes.big(pieces.count, 4) + MediaBytes.big(plays, 4))
    if hasOwnStill {
      bytes += PictureFiles.pngChunk("IDAT", Self.deflated([255, 255, 255, 255], size))
    }
    var sequence = 0
    for (index, piece) in pieces.enumerated() {
      var control = [sequence, piece.size.width, piece.size.height, piece.left, piece.top]
        .flatMap { MediaBytes.big($0, 4) }
      control += MediaBytes.big(piece.delay, 2) + MediaBytes.big(1000, 2)
      bytes += PictureFiles.pngChunk("fcTL", control + [UInt8(piece.disposal), UInt8(piece.blending)])
      sequence += 1
      let data = Self.deflated(piece.color, piece.size)
      if index == 0, !hasOwnStill {
        bytes += PictureFiles.pngChunk("IDAT", data)
      } else {
        // In two chunks, like long data.
        for part in [data[..<(data.count / 2)], data[(data.count / 2)...]] {
          bytes += PictureFiles.pngChunk("fdAT", MediaBytes.big(sequence, 4) + part)
          sequence += 1
        }
      }
    }
    return PNGChecksums.mended(bytes + PictureFiles.pngChunk("IEND", []))
  }

  /// Rows without a filter in stored blocks (RFC 1950 and 1951).
  private static func deflated(_ color: [UInt8], _ size: PixelSize) -> [UInt8] {
    let row = [0] + Array(repeatElement(color, count: size.width).joined())
    let rows = Array(repeatElement(row, count: size.height).joined())
    var bytes: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: rows.count, by: 65535) {
      let block = rows[start..<min(rows.count, start + 65535)]
      let length = MediaBytes.little(block.count, 2)
      bytes += [start + 65535 >= rows.count ? 1 : 0] + length + length.map { ~$0 } + block
    }
    let sums = rows.reduce((1, 0)) { sums, byte in
      let first = (sums.0 + Int(byte)) % 65521
      return (first, (sums.1 + first) % 65521)
    }
    return bytes + MediaBytes.big(sums.1 << 16 | sums.0, 4)
  }
}

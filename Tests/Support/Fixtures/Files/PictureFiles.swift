/// Files of several formats with everything that metadata readers need, and no picture.
///
/// None can be decoded: pictures come from encoders, metadata from these writers.
package enum PictureFiles {
  // PNG

  /// A PNG chunk; the checksum is left out, because metadata readers ignore it.
  package static func pngChunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    MediaBytes.big(payload.count, 4) + Array(type.utf8) + payload + [0, 0, 0, 0]
  }

  /// A PNG with chunks before and after its picture data, which is stored in pieces of 100 bytes.
  /// - Parameter traits: Bit depth, color type, compression, filter, interlace.
  package static func png(
    width: Int, height: Int, traits: [UInt8] = [8, 2, 0, 0, 0], before: [UInt8] = [], dataChunks: Int = 1,
    behind: [UInt8] = []
  ) -> [UInt8] {
    let header = MediaBytes.big(width, 4) + MediaBytes.big(height, 4) + traits
    let data = pngChunk("IDAT", [UInt8](repeating: 0x55, count: 100))
    return [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + pngChunk("IHDR", header) + before
      + Array(repeatElement(data, count: dataChunks).joined()) + behind + pngChunk("IEND", [])
  }

  /// A text chunk; an international one is UTF-8, the other Latin-1.
  package static func pngText(_ keyword: String, _ text: [UInt8], isInternational: Bool = false) -> [UInt8] {
    pngChunk(
      isInternational ? "iTXt" : "tEXt",
      Array(keyword.utf8) + (isInternational ? [0, 0, 0, 0, 0] : [0]) + text)
  }

  // GIF

  /// A GIF of `frames` frames, which loops endlessly if `loops`.
  package static func gif(width: Int, height: Int, frames: Int, loops: Bool = true) -> [UInt8] {
    var bytes =
      Array("GIF89a".utf8) + MediaBytes.little(width, 2) + MediaBytes.little(height, 2) + [0x80, 0, 0]
    bytes += [0, 0, 0, 255, 255, 255]
    if loops { bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0] }
    for _ in 0..<frames {
      bytes += [0x21, 0xF9, 4, 0, 10, 0, 0, 0] + [0x2C, 0, 0, 0, 0]
      bytes += MediaBytes.little(width, 2) + MediaBytes.little(height, 2) + [0]
      bytes += [2, 3, 0x44, 0x44, 0x01, 1, 0x05, 0]
    }
    return bytes + [0x3B]
  }

  // WebP

  package static func webpChunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    Array(type.utf8) + MediaBytes.little(payload.count, 4) + payload + (payload.count % 2 == 0 ? [] : [0])
  }

  package static func webp(_ chunks: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + MediaBytes.little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
  }

  package static func webpExtended(width: Int, height: Int) -> [UInt8] {
    webpChunk("VP8X", [0, 0, 0, 0] + MediaBytes.little(width - 1, 3) + MediaBytes.little(height - 1, 3))
  }

  package static func webpLossy(width: Int, height: Int) -> [UInt8] {
    let size = MediaBytes.little(width, 2) + MediaBytes.little(height, 2)
    return webpChunk("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A] + size + [0, 0])
  }

  package static func webpLossless(width: Int, height: Int) -> [UInt8] {
    webpChunk("VP8L", [0x2F] + MediaBytes.little(width - 1 | (height - 1) << 14, 4) + [0, 0])
  }

  // BMP

  /// A bitmap's headers; a negative height stores the top row first.
  /// - Parameter depth: Bits per pixel; 0 leaves it out.
  package static func bmp(width: Int, height: Int, headerLength: Int = 40, depth: Int = 0) -> [UInt8] {
    let bytes = headerLength == 12 ? 2 : 4
    let header =
      MediaBytes.little(headerLength, 4) + MediaBytes.little(width, bytes) + MediaBytes.little(height, bytes)
      + MediaBytes.little(depth == 0 ? 0 : 1, 2) + MediaBytes.little(depth, 2)
    return Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + header
      + [UInt8](repeating: 0, count: headerLength)
  }

  // JPEG XL

  /// The codestream header of a picture whose sides are below 8193 pixels.
  /// - Parameter orientation: From 1 to 8.
  package static func jpegXL(
    width: Int, height: Int, orientation: Int = 1, isAnimated: Bool = false
  ) -> [UInt8] {
    var bits: [Int] = []
    func put(_ value: Int, _ count: Int) { bits += (0..<count).map { value >> $0 & 1 } }
    put(0, 1)
    put(1, 2)
    put(height - 1, 13)
    put(0, 3)
    put(1, 2)
    put(width - 1, 13)
    put(0, 1)
    put(1, 1)
    put(orientation - 1, 3)
    put(0, 2)
    put(isAnimated ? 1 : 0, 1)
    put(0, 7)
    let bytes = stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 | UInt8(bits[start + $1]) << $1 }
    }
    return [0xFF, 0x0A] + bytes
  }

  /// A container of boxes around the codestream.
  package static func jpegXLContainer(_ boxes: [UInt8]) -> [UInt8] {
    MediaBytes.box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + MediaBytes.ftyp("jxl ", ["jxl "]) + boxes
  }

  /// A JPEG 2000 file with a codestream that has only a size.
  /// - Parameters:
  ///   - before: Boxes before the codestream.
  ///   - behind: Boxes after it.
  package static func jpeg2000(
    width: Int, height: Int, before: [UInt8] = [], behind: [UInt8] = []
  ) -> [UInt8] {
    let (columns, rows) = (Boxes.number(UInt32(width)), Boxes.number(UInt32(height)))
    let header = Boxes.box("ihdr", rows, columns, [0, 3, 7, 7, 0, 0])
    let codestream: [UInt8] =
      [0xFF, 0x4F, 0xFF, 0x51, 0, 47, 0, 0] + columns + rows + Boxes.zeros(8)
    return Boxes.box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]) + Boxes.fileType("jp2 ", "jp2 ")
      + Boxes.box("jp2h", header) + before + Boxes.box("jp2c", codestream) + behind
  }

  /// A metadata box in a JPEG 2000 file, by kind.
  package static func jpeg2000Block(_ name: String, _ block: [UInt8]) -> [UInt8] {
    let names: [String: [UInt8]] = [
      "EXIF": Array("JpgTiffExif->JP2".utf8),
      "XMP": [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
      ],
      "IPTC": [
        0x33, 0xC7, 0xA4, 0xD2, 0xB8, 0x1D, 0x47, 0x23, 0xA0, 0xBA, 0xF1, 0xA3, 0xE0, 0x97, 0xAD, 0x38,
      ],
    ]
    return Boxes.box("uuid", names[name] ?? Boxes.zeros(16), block)
  }
}

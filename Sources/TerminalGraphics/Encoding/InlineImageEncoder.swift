import CZlib
package import Pixels

/// Sends pictures as compressed files within the text, for iTerm2's protocol.
///
/// Format: iTerm2's documentation, "Inline Images Protocol" (OSC 1337, `File=`).
package struct InlineImageEncoder: PictureEncoder {
  private let cell: PixelSize
  private let reduction: Int
  private let needsPassthrough: Bool
  private let compress: @Sendable (PixelBuffer) -> [UInt8]?

  /// - Parameters:
  ///   - cell: size of a character cell in pixels.
  ///   - reduction: the file is smaller by this factor in each direction, and the terminal enlarges it.
  ///   - needsPassthrough: whether sequences are wrapped for tmux.
  ///   - compress: creates an image file from a picture, for example a JPEG; returns nil on failure.
  package init(
    cell: PixelSize, reduction: Int = 1, needsPassthrough: Bool = false,
    compress: @escaping @Sendable (PixelBuffer) -> [UInt8]?
  ) {
    self.cell = cell
    self.reduction = reduction
    self.needsPassthrough = needsPassthrough
    self.compress = compress
  }

  package var geometry: PictureGeometry { PictureGeometry(cell: cell) }

  package func encode(_ picture: PixelBuffer) -> EncodedPicture {
    encode(file: compress(picture.reduced(by: reduction)) ?? [], size: picture.size)
  }

  /// Encodes a file that the terminal can read, unmodified.
  package func encode(file: [UInt8], size: PixelSize) -> EncodedPicture {
    let cells = CellSize(
      columns: (size.width + cell.width - 1) / cell.width, rows: (size.height + cell.height - 1) / cell.height
    )
    let covered = CellSize(columns: size.width / cell.width, rows: size.height / cell.height)
    guard !file.isEmpty else { return EncodedPicture(size: cells, covered: covered, strips: []) }
    var bytes = Array(
      """
      \u{1B}]1337;File=inline=1;size=\(file.count);width=\(size.width)px;height=\(size.height)px;\
      preserveAspectRatio=1:
      """.utf8)
    bytes += Base64.encode(file)
    bytes.append(0x07)
    if needsPassthrough { bytes = TmuxPassthrough.wrap(bytes) }
    return EncodedPicture(
      size: cells, covered: covered, strips: [EncodedPicture.Strip(row: 0, bytes: bytes)])
  }
}

/// Base64 (RFC 4648, section 4), with padding.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    let length = (bytes.count + 2) / 3 * 4
    return [UInt8](unsafeUninitializedCapacity: length) { output, count in
      alphabet.withUnsafeBufferPointer { alphabet in
        var read = 0
        var write = 0
        while read < bytes.count {
          let left = bytes.count - read
          let group =
            UInt32(bytes[read]) << 16 | (left > 1 ? UInt32(bytes[read + 1]) << 8 : 0)
            | (left > 2 ? UInt32(bytes[read + 2]) : 0)
          output[write] = alphabet[Int(group >> 18)]
          output[write + 1] = alphabet[Int(group >> 12 & 63)]
          output[write + 2] = left > 1 ? alphabet[Int(group >> 6 & 63)] : UInt8(ascii: "=")
          output[write + 3] = left > 2 ? alphabet[Int(group & 63)] : UInt8(ascii: "=")
          read += 3
          write += 4
        }
      }
      count = length
    }
  }
}

/// Compression with zlib (RFC 1950) at its fastest level, because the result is sent to a screen at once.
enum Deflate {
  /// Returns the compressed bytes; nil if zlib fails (no memory).
  static func compress(_ bytes: some Collection<UInt8>) -> [UInt8]? {
    let bytes = Array(bytes)
    var isWhole = false
    let room = Int(compressBound(uLong(bytes.count)))
    let result = [UInt8](unsafeUninitializedCapacity: room) { output, count in
      var length = uLongf(room)
      isWhole =
        compress2(output.baseAddress, &length, bytes, uLong(bytes.count), Z_BEST_SPEED) == Z_OK
      count = isWhole ? Int(length) : 0
    }
    return isWhole ? result : nil
  }

  /// Returns whether a sample from the middle compresses below this fraction of its size.
  static func shrinks(_ bytes: [UInt8], below share: Double) -> Bool {
    let length = min(bytes.count, sampleLength)
    let start = (bytes.count - length) / 2
    guard let packed = compress(bytes[start..<start + length]) else { return false }
    return Double(packed.count) < Double(length) * share
  }

  private static let sampleLength = 16_384
}

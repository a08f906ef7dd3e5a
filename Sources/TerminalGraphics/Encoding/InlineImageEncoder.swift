package import Pixels

/// Sends pictures as compressed files within the text, as iTerm2 reads them.
///
/// Format: iTerm2's documentation, "Inline Images Protocol" (OSC 1337, `File=`).
package struct InlineImageEncoder: PictureEncoder {
  private let cell: PixelSize
  private let reduction: Int
  private let needsPassthrough: Bool
  private let compress: @Sendable (PixelBuffer) -> [UInt8]?

  /// - Parameters:
  ///   - cell: the size of a character cell in pixels.
  ///   - reduction: the file has this fraction of the pixels in each direction, and the terminal enlarges it.
  ///   - needsPassthrough: sequences are wrapped for tmux.
  ///   - compress: makes a file of a picture, a JPEG for example; nil when it can't.
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

  /// A file that the terminal can read, as it is.
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

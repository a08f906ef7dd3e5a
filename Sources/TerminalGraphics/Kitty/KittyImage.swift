package import Pixels

/// The data of a picture for kitty's graphics protocol, without the number that it gets on a screen.
///
/// Format: kitty's documentation, "Terminal graphics protocol".
package struct KittyImage: Hashable, Sendable {
  /// Format of the data, by the protocol's number.
  package enum Format: Int, Hashable, Sendable {
    case rgb = 24
    case rgba = 32
    /// A file rather than pixels.
    case png = 100
  }

  /// How the data is transmitted.
  package enum Payload: Hashable, Sendable {
    /// Within the sequences, as Base64; optionally compressed with zlib first.
    case inline(base64: [UInt8], isCompressed: Bool)
    /// Through shared memory or a file: raw pixels.
    case shared(pixels: [UInt8])
  }

  package let size: PixelSize
  package let format: Format
  package let payload: Payload
  /// Size of a cell in pixels of the picture; nil if the terminal scales it to its cells.
  let cell: PixelSize?

  /// Cache cost in bytes.
  package var cost: Int {
    switch payload {
    case .inline(let base64, _): base64.count
    case .shared(let pixels): pixels.count
    }
  }

  /// Memory that it takes in the terminal, uncompressed, in bytes.
  var terminalCost: Int { size.area * 4 }

  /// Returns the columns and rows of pixels that fill a part of its cells.
  /// - Parameters:
  ///   - part: relative to its top left cell.
  ///   - cells: the cells that it touches.
  func pixels(of part: CellRect, in cells: CellSize) -> (columns: Range<Int>, rows: Range<Int>) {
    func span(_ cells: Range<Int>, of count: Int, _ length: Int, _ cell: Int?) -> Range<Int> {
      let (start, end) = (cells.lowerBound, cells.upperBound)
      if let cell { return min(start * cell, length - 1)..<min(end * cell, length) }
      let first = min(start * length / count, length - 1)
      return first..<max(first + 1, end * length / count)
    }
    return (
      span(part.column..<part.endColumn, of: cells.columns, size.width, cell?.width),
      span(part.row..<part.endRow, of: cells.rows, size.height, cell?.height)
    )
  }
}

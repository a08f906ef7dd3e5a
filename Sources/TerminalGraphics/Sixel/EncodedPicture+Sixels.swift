import Pixels

extension EncodedPicture {
  /// A picture in one sequence of sixels.
  /// - Parameters:
  ///   - size: its size in pixels; an empty one has no sequence.
  ///   - cell: the size of a character cell in pixels.
  init(sixels: [UInt8], of size: PixelSize, cell: PixelSize) {
    if size.isEmpty {
      let none = CellSize(columns: 0, rows: 0)
      self.init(size: none, covered: none, strips: [])
    } else {
      self.init(
        size: CellSize(
          columns: (size.width + cell.width - 1) / cell.width,
          rows: (size.height + cell.height - 1) / cell.height),
        covered: CellSize(columns: size.width / cell.width, rows: size.height / cell.height),
        strips: [Strip(row: 0, bytes: sixels)])
    }
  }
}

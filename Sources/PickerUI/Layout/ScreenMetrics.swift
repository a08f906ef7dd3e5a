package import Pixels

/// The size of the screen and its cells.
package struct ScreenMetrics: Hashable, Sendable {
  package var size: CellSize
  /// The size of a character cell in pixels.
  package var cell: PixelSize
  /// The sizes in which pictures are requested; nil = no pictures are drawn.
  package var pictureGeometry: PictureGeometry?

  /// A cell's width divided by its height.
  var cellShape: Double { Double(cell.width) / Double(max(1, cell.height)) }

  package init(size: CellSize, cell: PixelSize, pictureGeometry: PictureGeometry?) {
    self.size = size
    self.cell = cell
    self.pictureGeometry = pictureGeometry
  }
}

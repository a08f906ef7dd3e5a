package import Pixels

/// What the screen is like.
package struct ScreenMetrics: Hashable, Sendable {
  package var size: CellSize
  /// A character cell in pixels; its shape makes boxes square.
  package var cell: PixelSize
  /// How pictures are asked for; nil = no pictures at all.
  package var pictureGeometry: PictureGeometry?

  /// How wide a cell is for its height.
  var cellShape: Double { Double(cell.width) / Double(max(1, cell.height)) }

  package init(size: CellSize, cell: PixelSize, pictureGeometry: PictureGeometry?) {
    self.size = size
    self.cell = cell
    self.pictureGeometry = pictureGeometry
  }
}

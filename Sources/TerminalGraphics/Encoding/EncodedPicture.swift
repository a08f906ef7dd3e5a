package import Pixels

/// A picture as bytes for the terminal, ready to be sent at any place.
package struct EncodedPicture: Hashable, Sendable {
  /// The bytes for one row of cells, or for the whole picture from that row on.
  package struct Strip: Hashable, Sendable {
    /// Counted from the picture's top.
    package var row: Int
    package var bytes: [UInt8]
  }

  /// How many cells it touches.
  package var size: CellSize
  /// How many cells, from the top left, it covers to the last pixel: what was there before is gone.
  package var covered: CellSize
  package var strips: [Strip]
  /// What the terminal keeps under a number, and shows where it is told to; such a picture has no strips.
  package var image: KittyImage?
  /// Whether it lives in the cells, where blanks erase it; else above them, until it is removed.
  package var livesInCells: Bool

  /// A picture that is drawn into cells and lives as long as nothing else is written there.
  package init(size: CellSize, covered: CellSize, strips: [Strip]) {
    self.size = size
    self.covered = covered
    self.strips = strips
    livesInCells = true
  }

  /// A picture that the terminal keeps.
  /// - Parameter isPlacedAsText: it stands where its placeholders are, else above the text.
  package init(size: CellSize, image: KittyImage, isPlacedAsText: Bool) {
    self.size = size
    covered = size
    strips = []
    self.image = image
    livesInCells = isPlacedAsText
  }

  /// The bytes that it takes in all.
  package var cost: Int { strips.reduce(image?.cost ?? 0) { $0 + $1.bytes.count } }
}

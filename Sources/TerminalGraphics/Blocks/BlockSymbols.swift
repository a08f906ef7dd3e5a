package import Pixels

/// The characters that a picture is made of: the more parts they cut a cell into, the finer.
package enum BlockSymbols: String, CaseIterable, Comparable, Hashable, Sendable {
  /// ASCII, by its ink: no colours, one sample a cell.
  case ascii
  /// Upper and lower halves.
  case half
  /// Quarters, 2x2.
  case quadrant
  /// Sixths, 2x3: Unicode 13.
  case sextant
  /// Eighths, 2x4: Unicode 16.
  case octant

  /// The parts of a cell that can be front or back, across and down.
  package var grid: PixelSize {
    switch self {
    case .ascii: PixelSize(width: 1, height: 1)
    case .half: PixelSize(width: 1, height: 2)
    case .quadrant: PixelSize(width: 2, height: 2)
    case .sextant: PixelSize(width: 2, height: 3)
    case .octant: PixelSize(width: 2, height: 4)
    }
  }

  /// From coarse to fine.
  package static func < (a: BlockSymbols, b: BlockSymbols) -> Bool { a.grid.area < b.grid.area }
}

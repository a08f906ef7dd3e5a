import Pixels
import System

/// Draws the marks of thumbnails into their pictures, for a terminal that removes a picture when text is written over
/// it (Decision 64).
///
/// A terminal tells no program its font, so the characters that marks consist of are drawn with lines of one width:
/// numbers, durations and badges. A mark with any other character can't be drawn.
struct MarkLettering {
  /// Size of a character cell in pixels.
  let cell: PixelSize

  /// Returns whether all characters of a mark are known, each one cell wide.
  static func canDraw(_ mark: String, columns: Int) -> Bool {
    mark.count == columns && mark.allSatisfy { glyphs[$0] != nil }
  }

  /// Draws characters, each in a cell of its own, over a picture's pixels.
  /// - Parameters:
  ///   - mark: the characters; those that are unknown leave their cells empty.
  ///   - x: left edge in pixels.
  ///   - y: top edge in pixels.
  ///   - ink: color of the lines.
  ///   - ground: color of the cells.
  func draw(_ mark: String, x: Int, y: Int, ink: Color, ground: Color, in picture: inout PixelBuffer) {
    let (width, height) = (picture.width, picture.height)
    picture.withBytes { bytes in
      for (index, character) in mark.enumerated() {
        let strokes = Self.glyphs[character] ?? []
        let left = x + index * cell.width
        for row in max(0, y)..<max(0, y, min(height, y + cell.height)) {
          for column in max(0, left)..<max(0, left, min(width, left + cell.width)) {
            let share = coverage(of: strokes, x: column - left, y: row - y)
            let at = (row * width + column) * PixelBuffer.bytesPerPixel
            bytes[at] = Self.mixed(ink.red, ground.red, share)
            bytes[at + 1] = Self.mixed(ink.green, ground.green, share)
            bytes[at + 2] = Self.mixed(ink.blue, ground.blue, share)
            bytes[at + 3] = 255
          }
        }
      }
    }
  }

  /// Returns the part of a pixel that lines cover, from 0 to 1.
  private func coverage(of strokes: [Stroke], x: Int, y: Int) -> Float {
    // Ten units are as wide as a cell, or as wide as would fit its height.
    let scale = min(Float(cell.width) / 10, Float(cell.height) / (Self.capHeight + 2))
    let center = SIMD2(Float(x) + 0.5, Float(y) + 0.5)
    let middle = SIMD2(Float(cell.width), Float(cell.height)) / 2
    let point = (center - middle) / scale + SIMD2(5, Self.capHeight / 2)
    let distance = strokes.map { $0.distance(to: point) }.min() ?? .infinity
    return max(0, min(1, 0.5 - distance * scale))
  }

  private static func mixed(_ ink: UInt8, _ ground: UInt8, _ share: Float) -> UInt8 {
    UInt8((Float(ink) * share + Float(ground) * (1 - share)).rounded())
  }

  // MARK: Glyphs

  /// Height of digits and capital letters, where a cell is ten units wide.
  private static let capHeight: Float = 12

  /// A line or an area of a glyph; x from 0 to 10, y from 0 at the top of capital letters to 12 at their feet.
  private struct Stroke {
    /// Corners of a line, or of an area.
    var points: [SIMD2<Float>]
    var isArea = false

    /// Half the width of lines.
    private static let halfWidth: Float = 0.75

    /// Returns the distance from the edge; negative inside.
    func distance(to point: SIMD2<Float>) -> Float {
      var nearest = Float.infinity
      var isInside = false
      let ends = isArea ? points.dropFirst() + points.prefix(1) : points.dropFirst()
      for (start, end) in zip(points, ends) {
        let (side, offset) = (end - start, point - start)
        let length = (side * side).sum()
        let position = length > 0 ? max(0, min(1, (side * offset).sum() / length)) : 0
        let away = offset - side * position
        nearest = min(nearest, (away * away).sum().squareRoot())
        if (start.y > point.y) != (end.y > point.y), point.x < start.x + side.x * offset.y / side.y {
          isInside.toggle()
        }
      }
      guard isArea else { return nearest - Self.halfWidth }
      return isInside ? -nearest : nearest
    }
  }

  private typealias Point = (x: Float, y: Float)

  private static func line(_ points: Point...) -> Stroke { Stroke(points: points.map { SIMD2($0.x, $0.y) }) }

  private static func area(_ points: Point...) -> Stroke {
    Stroke(points: points.map { SIMD2($0.x, $0.y) }, isArea: true)
  }

  /// A part of an ellipse, clockwise; angles count in eighths of a circle from the right.
  private static func arc(
    _ x: Float, _ y: Float, _ width: Float, _ height: Float, _ angles: ClosedRange<Float> = 0...8,
    isArea: Bool = false
  ) -> Stroke {
    let count = 16
    let points = (0...count).map { step in
      let angle = angles.lowerBound + (angles.upperBound - angles.lowerBound) * Float(step) / Float(count)
      let radians = angle * .pi / 4
      return SIMD2(x + width * cos(radians), y + height * sin(radians))
    }
    return Stroke(points: points, isArea: isArea)
  }

  private static let glyphs: [Character: [Stroke]] = [
    " ": [],
    "0": [arc(5, 6, 3.2, 5.6)],
    "1": [line((2.4, 2.6), (5.2, 0.4), (5.2, 11.6)), line((2.4, 11.6), (8, 11.6))],
    "2": [arc(5, 3.5, 3, 3.1, 4.2...8.8), line((7.4, 5.3), (2, 11.6), (8.1, 11.6))],
    "3": [arc(4.6, 3.2, 3, 2.8, 4.5...10), arc(4.6, 8.8, 3.3, 2.8, 6...11.6)],
    "4": [line((6.6, 11.6), (6.6, 0.4), (1.5, 8.4), (8.8, 8.4))],
    "5": [line((7.6, 0.4), (2.7, 0.4), (2.3, 5.8)), arc(4.6, 8, 3.4, 3.6, 5...11.4)],
    "6": [arc(5, 8.2, 3.1, 3.4), arc(7.4, 8.2, 5.5, 7.9, 4...5.9)],
    "7": [line((1.9, 0.4), (8.1, 0.4), (4.2, 11.6))],
    "8": [arc(5, 3.1, 2.7, 2.7), arc(5, 8.7, 3.2, 2.9)],
    "9": [arc(5, 3.8, 3.1, 3.4), arc(2.6, 3.8, 5.5, 7.9, 0...1.9)],
    ":": [dot(5, 4.2), dot(5, 10.6)],
    ".": [dot(5, 10.8)],
    ",": [line((5.2, 10.8), (4.2, 13.2))],
    "/": [line((7.8, 0), (2.2, 12))],
    "%": [arc(2.6, 3, 1.5, 2), arc(7.4, 9, 1.5, 2), line((7.6, 0.6), (2.4, 11.4))],
    "o": [arc(5, 8.2, 3, 3.4)],
    "f": [arc(7, 3.2, 2.5, 2.8, 4...6.4), line((4.5, 3.2), (4.5, 11.6)), line((2, 5.2), (7.6, 5.2))],
    "x": [line((2, 4), (8, 11.6)), line((8, 4), (2, 11.6))],
    "A": [line((1.2, 11.6), (5, 0.4), (8.8, 11.6)), line((2.5, 7.8), (7.5, 7.8))],
    "D": [
      line((4.2, 0.4), (2, 0.4), (2, 11.6), (4.2, 11.6)), arc(4.2, 6, 4, 5.6, -2...2),
    ],
    "H": [line((2, 0.4), (2, 11.6)), line((8, 0.4), (8, 11.6)), line((2, 6), (8, 6))],
    "R": [
      line((4.8, 0.4), (2, 0.4), (2, 11.6)), arc(4.8, 3.4, 3, 3, -2...2),
      line((2, 6.4), (4.8, 6.4), (8.4, 11.6)),
    ],
    "W": [line((0.8, 0.4), (2.9, 11.6), (5, 3.4), (7.1, 11.6), (9.2, 0.4))],
    "✓": [line((1.6, 6.8), (4.2, 10.2), (8.6, 1.6))],
    "▶": [area((1.4, 1.2), (9.2, 6), (1.4, 10.8))],
    ">": [line((2.2, 2.4), (7.8, 6.2), (2.2, 10))],
    "◉": [arc(5, 6, 4, 4), arc(5, 6, 2, 2, isArea: true)],
    "♥": [
      area(
        (5, 10.8), (0.9, 6.2), (0.6, 4.2), (1.6, 2.5), (3.2, 2.2), (5, 3.8), (6.8, 2.2), (8.4, 2.5),
        (9.4, 4.2), (9.1, 6.2))
    ],
    "+": [line((5, 2.4), (5, 9.6)), line((1.4, 6), (8.6, 6))],
    "↻": [arc(5, 6.2, 3.6, 3.6, 0.2...6.6), area((9.6, 1.4), (9.4, 5.6), (5.6, 4.2))],
    "↔": [
      line((2.4, 6), (7.6, 6)), area((0.2, 6), (3.4, 3.4), (3.4, 8.6)),
      area((9.8, 6), (6.6, 3.4), (6.6, 8.6)),
    ],
    "❐": [
      line((1, 4), (6.8, 4), (6.8, 10.4), (1, 10.4), (1, 4)), line((3.4, 1.7), (9.1, 1.7), (9.1, 8)),
    ],
    "✎": [line((1.4, 10.6), (2.2, 7.6), (7.2, 2), (9.2, 3.8), (4.2, 9.6), (1.4, 10.6))],
    "☁": [
      arc(3, 7.8, 2.4, 2.4, isArea: true), arc(5.6, 5.8, 3, 3, isArea: true),
      arc(7.8, 8, 2, 2.2, isArea: true), area((3, 7), (7.8, 7), (7.8, 10.2), (3, 10.2)),
    ],
    "⊘": [arc(5, 6, 4, 4), line((2.3, 8.7), (7.7, 3.3))],
  ]

  private static func dot(_ x: Float, _ y: Float) -> Stroke { arc(x, y, 1, 1, isArea: true) }
}

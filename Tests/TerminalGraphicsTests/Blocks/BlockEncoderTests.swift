import Fixtures
import Pixels
import TerminalGraphics
import Testing

@Suite struct BlockEncoderTests {
  private static let cell = PixelSize(width: 10, height: 20)
  private static let red = Color(red: 255, green: 0, blue: 0)
  private static let blocks = BlockSymbols.allCases.filter { $0 != .ascii }
  private static let colored: [ColorDepth] = [.trueColor, .palette256, .sixteen, .eight]

  private static func encoder(_ depth: ColorDepth, _ symbols: BlockSymbols) -> BlockEncoder {
    BlockEncoder(cell: cell, depth: depth, symbols: symbols)
  }

  /// A photograph-like picture that fills a box of cells.
  private static func scene(_ columns: Int, _ rows: Int, seed: UInt64 = 1) -> PixelBuffer {
    TestScene.make(PixelSize(width: columns * 4, height: rows * 8), seed: seed)
  }

  private static func lines(_ encoded: EncodedPicture) -> [String] {
    encoded.strips.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  // MARK: Text

  @Test(arguments: [
    (ColorDepth.trueColor, "\u{1B}[48;2;255;0;0m  \u{1B}[m"), (.palette256, "\u{1B}[48;5;196m  \u{1B}[m"),
    (.sixteen, "\u{1B}[101m  \u{1B}[m"), (.eight, "\u{1B}[41m  \u{1B}[m"),
  ])
  func `Each depth writes colors in its form, blanks if a cell has one color, and once for equal cells`(
    depth: ColorDepth, text: String
  ) {
    let picture = PixelBuffer(size: PixelSize(width: 8, height: 8), filledWith: Self.red)
    for symbols in Self.blocks {
      let encoded = Self.encoder(depth, symbols).encode(picture)
      #expect(encoded.size == CellSize(columns: 2, rows: 1))
      #expect(Self.lines(encoded) == [text])
    }
  }

  @Test func `Colors already set are not set again for the next cell, also when swapped`() {
    var picture = PixelBuffer(size: PixelSize(width: 12, height: 8), filledWith: Self.red)
    // White over red, red over white, white.
    for y in 0..<8 {
      for x in 0..<12 where x >= 8 || (x < 4) == (y < 4) { picture[x, y] = .white }
    }
    let text = "\u{1B}[38;2;255;255;255;48;2;255;0;0m▀▄\u{1B}[48;2;255;255;255m \u{1B}[m"
    #expect(Self.lines(Self.encoder(.trueColor, .half).encode(picture)) == [text])
  }

  @Test(arguments: colored, blocks)
  func `No control sequence is redundant`(depth: ColorDepth, symbols: BlockSymbols) throws {
    let encoded = Self.encoder(depth, symbols).encode(Self.scene(30, 10))
    let rendered = try #require(RenderedBlocks(encoded))
    for (row, commands) in rendered.commands.enumerated() {
      #expect(commands.last == [] && commands.filter { $0 == [] }.count == 1)
      #expect(commands.count <= rendered.rows[row].count + 1)
      var (front, back): ([Int]?, [Int]?)
      for command in commands.dropLast() {
        // Colors are set as a foreground, a background, or both.
        let length = [38, 48].contains(command[0]) ? (command[1] == 2 ? 5 : 3) : 1
        let colors = [Array(command.prefix(length)), Array(command.dropFirst(length))].filter { !$0.isEmpty }
        for color in colors {
          if color[0] < 40 || (90..<100).contains(color[0]) {
            #expect(color != front)
            front = color
          } else {
            #expect(color != back)
            back = color
          }
        }
      }
    }
  }

  @Test(arguments: BlockSymbols.allCases)
  func `Every picture fills the reported cells, whatever its size`(symbols: BlockSymbols) throws {
    for depth in [ColorDepth.trueColor, .monochrome] {
      for width in [1, 2, 3, 4, 5, 6, 7, 9, 33] {
        for height in [1, 2, 3, 5, 8, 11, 12, 13, 29] {
          let encoded = Self.encoder(depth, symbols).encode(TestPicture.make(width: width, height: height))
          let columns = max(1, (width + 2) / 4)
          let rows = max(1, (height + 4) / 8)
          #expect(encoded.size == CellSize(columns: columns, rows: rows))
          #expect(encoded.covered == encoded.size)
          let rendered = try #require(RenderedBlocks(encoded))
          #expect(rendered.rows.map(\.count) == Array(repeating: columns, count: rows))
        }
      }
    }
  }

  @Test func `Samples have the shape of cells, and pictures fill their boxes`() {
    for width in stride(from: 5, through: 20, by: 3) {
      for height in stride(from: width * 3 / 2, through: width * 3, by: 2) {
        let encoder = BlockEncoder(cell: PixelSize(width: width, height: height), depth: .trueColor)
        let geometry = encoder.geometry
        let shape = Double(geometry.cell.height * width) / Double(geometry.cell.width * height)
        #expect(abs(shape - 1) < 0.05, "\(width)x\(height)")
        let box = CellSize(columns: 3, rows: 2)
        #expect(encoder.encode(TestPicture.make(geometry.pixels(for: box))).size == box)
      }
    }
  }

  // MARK: Pictures

  @Test(arguments: blocks)
  func `A picture with two colors per cell is reproduced exactly`(symbols: BlockSymbols) throws {
    var random = SeededGenerator(seed: 5)
    let grid = symbols.grid
    let size = CellSize(columns: 37, rows: 9)
    // Twelve rows of samples per cell: every symbol's parts are whole.
    let cell = PixelSize(width: 10, height: 30)
    let encoder = BlockEncoder(cell: cell, depth: .trueColor, symbols: symbols)
    try #require(encoder.geometry.cell == PixelSize(width: 4, height: 12))
    var picture = PixelBuffer(size: encoder.geometry.pixels(for: size), filledWith: .black)
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        let colors = (0..<2).map { _ in
          Color(
            red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
            blue: .random(in: 0...255, using: &random))
        }
        let pattern = Int.random(in: 0..<(1 << grid.area), using: &random)
        for y in 0..<12 {
          for x in 0..<4 {
            let part = y * grid.height / 12 * grid.width + x * grid.width / 4
            picture[column * 4 + x, row * 12 + y] = colors[pattern >> part & 1]
          }
        }
      }
    }
    let rendered = try #require(RenderedBlocks(encoder.encode(picture)))
    #expect(rendered.picture == picture.enlarged(1, 2))
  }

  /// The squared error of a picture as displayed, per channel.
  private static func error(
    _ picture: PixelBuffer, _ depth: ColorDepth, _ symbols: BlockSymbols
  ) throws -> Double {
    let shown = try #require(RenderedBlocks(encoder(depth, symbols).encode(picture))).picture
    return shown.squaredError(to: picture.enlarged(1, 3))
  }

  @Test(arguments: colored)
  func `A superset of symbols is never worse`(depth: ColorDepth) throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let picture = Self.scene(24, 10, seed: seed)
      let half = try Self.error(picture, depth, .half)
      let quadrant = try Self.error(picture, depth, .quadrant)
      let octant = try Self.error(picture, depth, .octant)
      let sextant = try Self.error(picture, depth, .sextant)
      #expect(quadrant <= half && octant <= quadrant && sextant < half)
    }
  }

  @Test(arguments: [ColorDepth.palette256, .sixteen, .eight], [BlockSymbols.half, .quadrant])
  func `No other pair of terminal colors and no other pattern would be better`(
    depth: ColorDepth, symbols: BlockSymbols
  ) throws {
    let palette = RenderedBlocks.colors(depth)
    let grid = symbols.grid
    let size = CellSize(columns: 5, rows: 2)
    let picture = Self.scene(size.columns, size.rows, seed: 7)
    let parts = Resampled.parts(of: picture, cells: size, grid: grid)
    let rendered = try #require(RenderedBlocks(Self.encoder(depth, symbols).encode(picture)))
    for (index, cell) in parts.enumerated() {
      // Each part uses the nearer of two colors, over all pairs.
      let distances = palette.map { color in cell.map { $0.squaredDistance(to: color) } }
      var least = Double.infinity
      for first in distances {
        for second in distances {
          least = min(least, zip(first, second).reduce(0) { $0 + min($1.0, $1.1) })
        }
      }
      let shown = rendered.rows[index / size.columns][index % size.columns]
      let shape = BlockShape(shown.character)
      var error = 0.0
      for (part, color) in cell.enumerated() {
        let isInk = shape.isInk(x: part % grid.width, y: part / grid.width * 12 / grid.height)
        error += color.squaredDistance(to: isInk ? shown.front : shown.back)
      }
      #expect(error <= least * 1.001 + 1)
    }
  }

  @Test func `Half blocks are the default`() throws {
    let encoder = BlockEncoder(cell: Self.cell, depth: .trueColor)
    let picture = TestPicture.make(encoder.geometry.pixels(for: CellSize(columns: 16, rows: 8)))
    let rendered = try #require(RenderedBlocks(encoder.encode(picture)))
    #expect(rendered.rows.joined().allSatisfy { " ▀▄".unicodeScalars.contains($0.character) })
    #expect(TestPicture.corners(of: rendered.picture) == TestPicture.Corner.allCases)
  }

  // MARK: Without colors

  static let inks: [(Color, Character)] = [
    (.black, " "), (.white, "@"), (Color(red: 128, green: 128, blue: 128), "+"),
  ]

  @Test(arguments: inks)
  func `In ASCII brightness is ink, and nothing else is written`(color: Color, mark: Character) {
    let picture = PixelBuffer(size: PixelSize(width: 12, height: 16), filledWith: color)
    let line = String(repeating: mark, count: 3)
    let ascii = BlockEncoder(cell: Self.cell, depth: .monochrome)
    #expect(Self.lines(ascii.encode(picture)) == [line, line])
    #expect(Self.lines(Self.encoder(.trueColor, .ascii).encode(picture)) == [line, line])
  }

  @Test(arguments: blocks)
  func `Without colors the ink of blocks follows the brightness, or its inverse`(
    symbols: BlockSymbols
  ) throws {
    for level in stride(from: UInt8(0), through: 255, by: 51) {
      let grey = Color(red: level, green: level, blue: level)
      let picture = PixelBuffer(size: PixelSize(width: 80, height: 80), filledWith: grey)
      for isInkDark in [false, true] {
        let encoder = BlockEncoder(
          cell: Self.cell, depth: .monochrome, symbols: symbols, isInkDark: isInkDark)
        let rendered = try #require(RenderedBlocks(encoder.encode(picture)))
        #expect(rendered.commands.joined().isEmpty)
        let shown = rendered.picture
        let ink = stride(from: 0, to: shown.bytes.count, by: 4).reduce(0.0) { $0 + Double(shown.bytes[$1]) }
        let share = ink / Double(shown.size.area)
        #expect(abs(share - Double(isInkDark ? 255 - level : level)) < 6)
      }
    }
  }
}

/// The mean colors of the parts of cells, computed by the test.
private enum Resampled {
  struct Mean {
    var red = 0.0
    var green = 0.0
    var blue = 0.0

    func squaredDistance(to color: Color) -> Double {
      let (red, green, blue) = (
        red - Double(color.red), green - Double(color.green), blue - Double(color.blue)
      )
      return red * red + green * green + blue * blue
    }
  }

  /// Cell by cell, row by row; the parts must be whole pixels.
  static func parts(of picture: PixelBuffer, cells: CellSize, grid: PixelSize) -> [[Mean]] {
    let width = picture.width / cells.columns / grid.width
    let height = picture.height / cells.rows / grid.height
    return (0..<(cells.columns * cells.rows)).map { cell in
      (0..<grid.area).map { part in
        let left = (cell % cells.columns * grid.width + part % grid.width) * width
        let top = (cell / cells.columns * grid.height + part / grid.width) * height
        var mean = Mean()
        for y in top..<(top + height) {
          for x in left..<(left + width) {
            let color = picture[x, y]
            mean.red += Double(color.red) / Double(width * height)
            mean.green += Double(color.green) / Double(width * height)
            mean.blue += Double(color.blue) / Double(width * height)
          }
        }
        return mean
      }
    }
  }
}

extension PixelBuffer {
  /// Every pixel repeated horizontally and vertically.
  fileprivate func enlarged(_ across: Int, _ down: Int) -> PixelBuffer {
    var result = PixelBuffer(
      size: PixelSize(width: width * across, height: height * down), filledWith: .black)
    for y in 0..<result.height {
      for x in 0..<result.width { result[x, y] = self[x / across, y / down] }
    }
    return result
  }

  /// The squared difference of all channels of all pixels.
  fileprivate func squaredError(to other: PixelBuffer) -> Double {
    zip(bytes, other.bytes).reduce(0) { sum, pair in
      let difference = Double(pair.0) - Double(pair.1)
      return sum + difference * difference
    }
  }
}

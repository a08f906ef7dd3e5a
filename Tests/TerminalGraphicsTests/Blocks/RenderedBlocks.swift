import Pixels
import TerminalGraphics

/// The display of a picture made of block characters: a small terminal for tests, which supports only SGR colors and
/// Unicode's block characters.
struct RenderedBlocks {
  /// A character on the screen.
  struct Cell: Equatable {
    var character: Unicode.Scalar
    var front: Color
    var back: Color
  }

  /// Halves, thirds and quarters of a row are whole numbers of pixels.
  static let cell = PixelSize(width: 4, height: 24)

  private(set) var rows: [[Cell]] = []
  /// The parameters of all SGR sequences, row by row; a reset has none.
  private(set) var commands: [[[Int]]] = []

  /// Nil if a strip contains anything but SGR and characters, or does not end with its initial colors.
  init?(_ picture: EncodedPicture) {
    for strip in picture.strips {
      guard strip.row == rows.count, let text = String(validating: strip.bytes, as: UTF8.self) else {
        return nil
      }
      guard render(text) else { return nil }
    }
  }

  private mutating func render(_ text: String) -> Bool {
    var cells: [Cell] = []
    var sequences: [[Int]] = []
    var (front, back) = (Color.white, Color.black)
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\u{1B}" else {
        guard scalar.value >= 0x20 else { return false }
        cells.append(Cell(character: scalar, front: front, back: back))
        continue
      }
      guard rest.popFirst() == "[", let end = rest.firstIndex(of: "m") else { return false }
      let numbers = rest[..<end].split(separator: ";").map { Int(String($0)) ?? -1 }
      rest = rest[rest.index(after: end)...]
      sequences.append(numbers)
      guard Self.apply(numbers[...], &front, &back) else { return false }
    }
    rows.append(cells)
    commands.append(sequences)
    return front == .white && back == .black || sequences.isEmpty
  }

  private static func apply(_ numbers: ArraySlice<Int>, _ front: inout Color, _ back: inout Color) -> Bool {
    if numbers.isEmpty { (front, back) = (.white, .black) }
    var rest = numbers
    while let number = rest.popFirst() {
      let isFront = number < 40 || (90..<98).contains(number)
      let color: Color
      switch number {
      case 38, 48:
        let kind = rest.popFirst()
        guard let values = take(kind == 2 ? 3 : 1, &rest) else { return false }
        color = kind == 2 ? Color(red: values[0], green: values[1], blue: values[2]) : indexed(Int(values[0]))
      case 30..<38, 40..<48: color = named[number % 10]
      case 90..<98, 100..<108: color = named[number % 10 + 8]
      default: return false
      }
      if isFront { front = color } else { back = color }
    }
    return true
  }

  private static func take(_ count: Int, _ rest: inout ArraySlice<Int>) -> [UInt8]? {
    let values = rest.prefix(count).compactMap { UInt8(exactly: $0) }
    rest = rest.dropFirst(count)
    return values.count == count ? values : nil
  }

  /// The screen in pixels.
  var picture: PixelBuffer {
    let columns = rows.first?.count ?? 0
    let size = PixelSize(width: columns * Self.cell.width, height: rows.count * Self.cell.height)
    var picture = PixelBuffer(size: size, filledWith: .black)
    for (row, cells) in rows.enumerated() {
      for (column, cell) in cells.enumerated() {
        let shape = BlockShape(cell.character)
        for y in 0..<Self.cell.height {
          for x in 0..<Self.cell.width {
            let isFront = shape.isInk(x: x * 2 / Self.cell.width, y: y * 12 / Self.cell.height)
            picture[column * Self.cell.width + x, row * Self.cell.height + y] =
              isFront ? cell.front : cell.back
          }
        }
      }
    }
    return picture
  }

  // MARK: Colors, as in xterm

  /// The colors of a depth; empty if every color is available.
  static func colors(_ depth: ColorDepth) -> [Color] {
    switch depth {
    case .palette256: (16..<256).map(indexed)
    case .sixteen: named
    case .eight: Array(named.prefix(8))
    case .trueColor, .monochrome: []
    }
  }

  private static func indexed(_ index: Int) -> Color {
    if index < 16 { return named[index] }
    if index >= 232 {
      let level = UInt8(8 + 10 * (index - 232))
      return Color(red: level, green: level, blue: level)
    }
    let steps: [UInt8] = [0, 95, 135, 175, 215, 255]
    let cube = index - 16
    return Color(red: steps[cube / 36], green: steps[cube / 6 % 6], blue: steps[cube % 6])
  }

  private static let named: [Color] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205),
    (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255),
    (255, 0, 255), (0, 255, 255), (255, 255, 255),
  ].map { Color(red: $0.0, green: $0.1, blue: $0.2) }
}

/// The ink of a block character on a grid of 2x12, as the Unicode charts draw it.
struct BlockShape: Equatable {
  /// A bit for each of the 24 positions, row by row.
  private(set) var ink: UInt32 = 0

  init(_ character: Unicode.Scalar) {
    let value = Int(character.value)
    switch value {
    case 0x20: break
    case 0x2580: fill(0..<2, 0..<6)
    case 0x2581...0x2588: fill(0..<2, (12 - (value - 0x2580) * 3 / 2)..<12)
    case 0x258C: fill(0..<1, 0..<12)
    case 0x2590: fill(1..<2, 0..<12)
    case 0x2596...0x259F: fill(Self.quadrants[value - 0x2596], rows: 2)
    case 0x1FB00...0x1FB3B: fill(Self.sextants[value - 0x1FB00], rows: 3)
    case 0x1FB82: fill(0..<2, 0..<3)
    case 0x1FB85: fill(0..<2, 0..<9)
    case 0x1FBE6: fill(0..<1, 3..<9)
    case 0x1FBE7: fill(1..<2, 3..<9)
    case 0x1CEA0: fill(1..<2, 9..<12)
    case 0x1CEA3: fill(0..<1, 9..<12)
    case 0x1CEA8: fill(0..<1, 0..<3)
    case 0x1CEAB: fill(1..<2, 0..<3)
    case 0x1CD00...0x1CDE5: fill(Self.octants[value - 0x1CD00], rows: 4)
    default: ink = 1 << 31  // no block: equal to none
    }
  }

  /// The ink of the numbered parts, counted from 1 as in the characters' names.
  init(parts: [Int], rows: Int) {
    fill(parts.reduce(0) { $0 | 1 << ($1 - 1) }, rows: rows)
  }

  func isInk(x: Int, y: Int) -> Bool { ink >> (y * 2 + x) & 1 == 1 }

  private mutating func fill(_ columns: Range<Int>, _ rows: Range<Int>) {
    for y in rows { for x in columns { ink |= 1 << (y * 2 + x) } }
  }

  private mutating func fill(_ pattern: Int, rows: Int) {
    for part in 0..<(rows * 2) where pattern >> part & 1 == 1 {
      let (x, y) = (part % 2, part / 2 * 12 / rows)
      fill(x..<(x + 1), y..<(y + 12 / rows))
    }
  }

  /// U+2596 ▖ to U+259F ▟.
  private static let quadrants = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14]

  /// All except the empty one, the halves and the full one.
  private static let sextants = (1..<63).filter { $0 != 0b010101 && $0 != 0b101010 }

  /// All except those whose rows are pairwise equal (quadrants), single parts of the outer rows, whole outer quarters
  /// and their complements, and the quarters in the middle of a side.
  private static let octants = (0..<256).filter { pattern in
    let rows = (0..<4).map { pattern >> ($0 * 2) & 3 }
    if rows[0] == rows[1], rows[2] == rows[3] { return false }
    let elsewhere = [0x01, 0x02, 0x40, 0x80, 0x03, 0xC0, 0x3F, 0xFC, 0x14, 0x28]
    return !elsewhere.contains(pattern)
  }
}

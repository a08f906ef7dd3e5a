/// Writes bands of six rows of pixels.
///
/// A band is painted in passes from left to right, separated by `$`. A pass is not bound to a color: where one
/// color ends another continues in the same pass, so that few columns have to be skipped. There are never more
/// passes than colors in a column, which are six at most.
struct SixelBand {
  /// Rows of pixels in one band.
  static let rowCount = 6

  private static let mostPasses = 6

  private let width: Int
  /// The most bytes of one pass: for each column a color name of four bytes and a sixel, and beyond the last
  /// byte a word, because bytes are stored eight at a time.
  private let room: Int
  private var buffer: [UInt8]
  private var passes = [SixelPass](repeating: SixelPass(), count: mostPasses)
  /// For each color, the pass in which it was last written.
  private var homes = [UInt8](repeating: 0, count: 256)
  /// All numbers up to the width.
  private let numbers: [SixelNumber]
  /// For each color, its register.
  private let names: [SixelNumber]

  /// - Parameter registers: for each of 256 colors, its register.
  init(width: Int, registers: [Int]) {
    self.width = width
    room = width * 6 + 32
    buffer = [UInt8](repeating: 0, count: room * Self.mostPasses)
    numbers = (0...width).map { SixelNumber($0) }
    names = registers.map { SixelNumber($0) }
  }

  /// Appends the band with these columns to `bytes`.
  /// - Parameter height: number of its rows that belong to the picture, 1 to 6; pixels of the others are not set.
  mutating func write(
    _ columns: UnsafeBufferPointer<ColumnChooser.Column>, height: Int, to bytes: inout [UInt8]
  ) {
    let rows = UInt8(1 << height - 1)
    let (width, room, numbers, names) = (width, room, numbers, names)
    buffer.withUnsafeMutableBytes { buffer in
      passes.withUnsafeMutableBufferPointer { passes in
        homes.withUnsafeMutableBufferPointer { homes in
          numbers.withUnsafeBufferPointer { numbers in
            names.withUnsafeBufferPointer { names in
              var painter = SixelPainter(
                buffer: buffer, room: room, passes: passes, homes: homes, numbers: numbers, names: names,
                rows: rows)
              for x in 0..<width { painter.paint(columns[x], at: x) }
              painter.finish(at: width)
              for index in 0..<painter.count {
                if index > 0 { bytes.append(UInt8(ascii: "$")) }
                let text = buffer[index * room..<passes[index].end]
                bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text))
              }
            }
          }
        }
      }
    }
  }
}

/// The inner loop of `SixelBand`, over borrowed memory.
private struct SixelPainter {
  let buffer: UnsafeMutableRawBufferPointer
  /// Bytes of the buffer per pass.
  let room: Int
  let passes: UnsafeMutableBufferPointer<SixelPass>
  let homes: UnsafeMutableBufferPointer<UInt8>
  let numbers: UnsafeBufferPointer<SixelNumber>
  let names: UnsafeBufferPointer<SixelNumber>
  /// The rows of the band that belong to the picture, the topmost in the lowest bit.
  let rows: UInt8

  /// Number of passes in use.
  private(set) var count = 0
  /// The passes that painted in the previous column, `busyCount` of them.
  private var busy = SIMD8<UInt8>.zero
  private var busyCount = 0
  private var previous: ColumnChooser.Column = .max

  init(
    buffer: UnsafeMutableRawBufferPointer, room: Int, passes: UnsafeMutableBufferPointer<SixelPass>,
    homes: UnsafeMutableBufferPointer<UInt8>, numbers: UnsafeBufferPointer<SixelNumber>,
    names: UnsafeBufferPointer<SixelNumber>, rows: UInt8
  ) {
    (self.buffer, self.room, self.passes, self.homes) = (buffer, room, passes, homes)
    (self.numbers, self.names, self.rows) = (numbers, names, rows)
  }

  /// Paints the next column; a column equal to the previous one costs nothing.
  @inline(__always)
  mutating func paint(_ column: ColumnChooser.Column, at x: Int) {
    if column == previous { return }
    previous = column
    var rest = rows
    var still = 0
    for number in 0..<busyCount {
      let index = Int(busy[number])
      let mask = column.rows(of: passes[index].color) & rows
      rest &= ~mask
      if mask != passes[index].mask { change(index, to: mask, at: x) }
      busy[still] = UInt8(truncatingIfNeeded: index)
      still &+= mask != 0 ? 1 : 0
    }
    busyCount = still
    while rest != 0 {
      let color = UInt8(truncatingIfNeeded: column &>> UInt64(rest.trailingZeroBitCount &* 8))
      let mask = column.rows(of: color) & rows
      rest &= ~mask
      begin(color, mask, at: x)
    }
  }

  /// Writes the open repetitions, up to the width.
  mutating func finish(at width: Int) {
    for number in 0..<busyCount { change(Int(busy[number]), to: 0, at: width) }
  }

  /// Writes the repeated sixel of a pass, and continues with another.
  @inline(__always)
  private func change(_ index: Int, to mask: UInt8, at x: Int) {
    let pass = passes[index]
    passes[index].end = repeated(pass.mask, x &- Int(pass.start), at: pass.end)
    passes[index].mask = mask
    passes[index].start = Int32(truncatingIfNeeded: x)
  }

  /// Starts a color: in the pass that painted it last if that has had no other color since, because then it
  /// needs no name; otherwise in the free pass that ended last; otherwise in a new one.
  @inline(__always)
  private mutating func begin(_ color: UInt8, _ mask: UInt8, at x: Int) {
    var index = Int(homes[Int(color)])
    var end: Int
    if index < count, passes[index].color == color {
      end = passes[index].end
    } else {
      index = freePass()
      let name = names[Int(color)]
      end = passes[index].end
      buffer.storeBytes(of: name.word(after: UInt8(ascii: "#")), toByteOffset: end, as: UInt64.self)
      end &+= name.length &+ 1
      passes[index].color = color
      homes[Int(color)] = UInt8(truncatingIfNeeded: index)
    }
    let gap = x &- Int(passes[index].start)
    passes[index].end = gap > 0 ? repeated(0, gap, at: end) : end
    passes[index].mask = mask
    passes[index].start = Int32(truncatingIfNeeded: x)
    busy[busyCount] = UInt8(truncatingIfNeeded: index)
    busyCount &+= 1
  }

  @inline(__always)
  private mutating func freePass() -> Int {
    var nearest: Int32 = -1
    for index in 0..<count where passes[index].mask == 0 {
      nearest = max(nearest, passes[index].start &<< 3 | Int32(truncatingIfNeeded: index))
    }
    if nearest >= 0 { return Int(nearest & 7) }
    passes[count] = SixelPass(end: count &* room)
    count &+= 1
    return count &- 1
  }

  /// Writes a sixel `count` times; returns the position of the next byte.
  @inline(__always)
  private func repeated(_ mask: UInt8, _ count: Int, at end: Int) -> Int {
    let sixel = mask &+ 63
    if count < 4 {
      buffer.storeBytes(of: UInt32(sixel) &* 0x0101_0101, toByteOffset: end, as: UInt32.self)
      return end &+ count
    }
    let number = numbers[count]
    buffer.storeBytes(of: number.word(after: UInt8(ascii: "!")), toByteOffset: end, as: UInt64.self)
    buffer[end &+ number.length &+ 1] = sixel
    return end &+ number.length &+ 2
  }
}

/// The digits of a number, ready to be stored at once.
private struct SixelNumber {
  private let text: UInt64
  let length: Int

  init(_ number: Int) {
    var (text, length, rest) = (UInt64(0), 0, number)
    repeat {
      text = text << 8 | UInt64(48 + rest % 10)
      length += 1
      rest /= 10
    } while rest > 0
    (self.text, self.length) = (text, length)
  }

  /// Returns a letter and the digits, padded with zeros to eight bytes.
  @inline(__always)
  func word(after letter: UInt8) -> UInt64 { (text &<< 8 | UInt64(letter)).littleEndian }
}

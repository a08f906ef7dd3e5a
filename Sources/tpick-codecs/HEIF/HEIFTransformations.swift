import Metadata

/// How a picture of a HEIC or AVIF file is rotated, mirrored and cropped, according to the file's boxes.
///
/// libheif 1.15 mirrors only pictures of 8 bits. Deeper ones are decoded as stored, and transformed here. Format:
/// the properties `irot`, `imir` and `clap`, applied in the order in which an item lists them (ISO/IEC
/// 23008-12:2022, 6.5.10, 6.5.12; ISO/IEC 14496-12, 12.1.4.2).
struct HEIFTransformations: Equatable {
  fileprivate enum Step: Equatable {
    /// Counterclockwise quarter turns.
    case turn(Int)
    case exchangeTopAndBottom
    case exchangeLeftAndRight
    /// Width, height, and the offset of the center to the right and down, each as a numerator and a denominator.
    case crop([Int])
  }

  /// A part of the stored picture, and its orientation.
  struct Placement: Equatable {
    var (x, y) = (0, 0)
    var width: Int
    var height: Int
    private var isTransposed = false
    private var exchangesSides = false
    private var exchangesEnds = false

    init(width: Int, height: Int) {
      (self.width, self.height) = (width, height)
    }

    /// EXIF orientation, 1 to 8.
    var orientation: UInt8 {
      switch (isTransposed, exchangesSides, exchangesEnds) {
      case (false, false, false): 1
      case (false, true, false): 2
      case (false, true, true): 3
      case (false, false, true): 4
      case (true, false, false): 5
      case (true, true, false): 6
      case (true, true, true): 7
      case (true, false, true): 8
      }
    }

    fileprivate mutating func take(_ step: Step) {
      switch step {
      case .turn(let quarters):
        for _ in 0..<quarters & 3 {
          // A pending horizontal flip is now vertical.
          isTransposed.toggle()
          (exchangesSides, exchangesEnds) = (exchangesEnds, !exchangesSides)
        }
      case .exchangeTopAndBottom: exchangesEnds.toggle()
      case .exchangeLeftAndRight: exchangesSides.toggle()
      case .crop(let numbers): crop(numbers)
      }
    }

    /// Crops like libheif: the first pixel is rounded down.
    private mutating func crop(_ numbers: [Int]) {
      let whole = isTransposed ? (width: height, height: width) : (width: width, height: height)
      guard let across = Self.part(of: whole.width, numbers[0], numbers[1], numbers[4], numbers[5]),
        let down = Self.part(of: whole.height, numbers[2], numbers[3], numbers[6], numbers[7])
      else { return }
      var left = exchangesSides ? whole.width - across.upperBound : across.lowerBound
      var top = exchangesEnds ? whole.height - down.upperBound : down.lowerBound
      var (columns, rows) = (across.count, down.count)
      if isTransposed { (left, top, columns, rows) = (top, left, rows, columns) }
      (x, y, width, height) = (x + left, y + top, columns, rows)
    }

    /// Returns the range that is left of a side; nil if the numbers are invalid.
    private static func part(
      of length: Int, _ numerator: Int, _ denominator: Int, _ offset: Int, _ offsetDenominator: Int
    ) -> Range<Int>? {
      guard numerator > 0, denominator > 0, offsetDenominator > 0 else { return nil }
      let wanted = min(length, Int((Double(numerator) / Double(denominator)).rounded()))
      let middle = Double(offset) / Double(offsetDenominator) + Double(length - 1) / 2
      let first = (middle - Double(wanted - 1) / 2).rounded(.down)
      guard wanted > 0, first.magnitude < Double(Int32.max) else { return nil }
      let start = min(max(0, Int(first)), length - 1)
      let end = min(max(start + 1, Int(first) + wanted), length)
      return start..<end
    }
  }

  private var steps: [Step] = []

  /// Whether the picture is mirrored.
  var mirrors: Bool { steps.contains { $0 == .exchangeTopAndBottom || $0 == .exchangeLeftAndRight } }

  /// Upper bound of the bytes of the association table: that of a grid of 65,536 tiles.
  private static let longest = 1 << 20

  /// Reads the transformations of an item.
  init(of item: UInt32, in file: InputFile) {
    let reader = BoxReader(file)
    for meta in reader.topLevel where meta.type == "meta" {
      for box in reader.children(of: meta, skipping: 4) where box.type == "iprp" {
        let children = reader.children(of: box)
        guard let container = children.first(where: { $0.type == "ipco" }) else { continue }
        let properties = reader.children(of: container)
        for table in children where table.type == "ipma" {
          for number in Self.numbers(of: item, in: reader.bytes(of: table, count: Self.longest))
          where number > 0 && number <= properties.count {
            if let step = Self.step(properties[number - 1], reader) { steps.append(step) }
          }
        }
      }
    }
  }

  /// Returns the position of the upright picture in one that was decoded as stored.
  func placement(inWidth width: Int, height: Int) -> Placement {
    var placement = Placement(width: width, height: height)
    for step in steps { placement.take(step) }
    return placement
  }

  private static func step(_ property: Box, _ reader: BoxReader) -> Step? {
    switch property.type {
    case "irot": return reader.bytes(of: property, count: 1).first.map { .turn(Int($0 & 3)) }
    case "imir":
      return reader.bytes(of: property, count: 1).first.map {
        $0 & 1 == 0 ? .exchangeTopAndBottom : .exchangeLeftAndRight
      }
    case "clap":
      let numbers = (0..<8).compactMap { reader.integer(of: property, at: 4 * $0) }
      // The offsets may be negative.
      return numbers.count == 8 ? .crop(numbers.map { Int(Int32(truncatingIfNeeded: $0)) }) : nil
    default: return nil
    }
  }

  /// Returns the numbers of an item's properties, from 1 on, in order (ISO/IEC 23008-12, 9.3.1).
  private static func numbers(of item: UInt32, in bytes: [UInt8]) -> [Int] {
    guard bytes.count >= 8 else { return [] }
    let (itemSize, numberSize) = (bytes[0] < 1 ? 2 : 4, bytes[3] & 1 == 0 ? 1 : 2)
    var place = 8
    var found: [Int] = []
    for _ in 0..<BoxReader.integer(bytes[4..<8]) {
      guard place + itemSize < bytes.count else { break }
      let isItem = BoxReader.integer(bytes[place..<place + itemSize]) == UInt64(item)
      let count = Int(bytes[place + itemSize])
      place += itemSize + 1
      guard place + count * numberSize <= bytes.count else { break }
      if isItem {
        for index in 0..<count {
          let number = BoxReader.integer(
            bytes[place + index * numberSize..<place + (index + 1) * numberSize])
          // The highest bit marks properties that a reader must support.
          found.append(Int(number) & (numberSize == 1 ? 0x7F : 0x7FFF))
        }
      }
      place += count * numberSize
    }
    return found
  }
}

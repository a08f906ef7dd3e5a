package import Pixels
import Synchronization

/// Commands of kitty's graphics protocol that place and free pictures.
///
/// All of them suppress answers (`q=2`), which would arrive between keys.
package struct KittyCommands: Hashable, Sendable {
  /// The most Base64 bytes in one command.
  static let chunk = 4096

  /// Whether pictures are placed by placeholder characters, as inside tmux.
  package let usesPlaceholders: Bool
  /// Whether commands are wrapped for tmux.
  let needsPassthrough: Bool

  package init(usesPlaceholders: Bool = false, needsPassthrough: Bool = false) {
    self.usesPlaceholders = usesPlaceholders
    self.needsPassthrough = needsPassthrough
  }

  /// Transmits a picture without showing it.
  /// - Parameters:
  ///   - cells: the box of its placeholders.
  ///   - share: stores bytes where the terminal can read them; if that fails they are sent inline.
  package func transmit(
    _ image: KittyImage, as number: KittyNumber, cells: CellSize,
    share: ([UInt8]) -> KittyHandover? = { _ in nil }
  ) -> [UInt8] {
    var keys = "i=\(number.value),q=2,f=\(image.format.rawValue)"
    // A PNG contains its size.
    if image.format != .png { keys += ",s=\(image.size.width),v=\(image.size.height)" }
    // A virtual placement states how many cells the placeholders cover.
    keys += usesPlaceholders ? ",a=T,U=1,c=\(cells.columns),r=\(cells.rows)" : ",a=t"
    switch image.payload {
    case .inline(let base64, let isCompressed):
      return inline(base64, isCompressed ? keys + ",o=z" : keys)
    case .shared(let pixels):
      guard let place = share(pixels) else { return inline(Base64.encode(pixels), keys) }
      return command(
        keys + ",t=\(place.medium),S=\(pixels.count)", Base64.encode(Array(place.name.utf8))[...])
    }
  }

  private func inline(_ base64: [UInt8], _ keys: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(base64.count + base64.count / Self.chunk * 16 + 128)
    var start = 0
    repeat {
      let end = min(base64.count, start + Self.chunk)
      let more = end < base64.count ? 1 : 0
      bytes += command(start == 0 ? "\(keys),t=d,m=\(more)" : "m=\(more),q=2", base64[start..<end])
      start = end
    } while start < base64.count
    return bytes
  }

  /// Shows a picture at a position; a picture with the same numbers moves there.
  ///
  /// The cursor stays where the last part of the picture starts. Around its holes the picture is shown in parts:
  /// the protocol defines pictures below text with a background (`z`), but kitty does not draw them so (its issue
  /// 6061).
  func place(_ image: KittyImage, as number: KittyNumber, at place: PlacedPicture) -> [UInt8] {
    let cells = place.size
    if usesPlaceholders {
      return (0..<cells.rows).flatMap { line in
        Placement.move(row: place.row + line, column: place.column)
          + KittyPlaceholders.row(line, of: cells, number)
      }
    }
    return place.parts.enumerated().flatMap { index, part in
      let inside = CellRect(
        column: part.column - place.column, row: part.row - place.row, columns: part.columns, rows: part.rows)
      let pixels = part == place.rect ? nil : image.pixels(of: inside, in: cells)
      return Placement.move(row: part.row, column: part.column)
        + placeAtCursor(
          number, placement: Self.placement(of: place, part: index), pixels: pixels,
          box: image.cell == nil ? CellSize(columns: part.columns, rows: part.rows) : nil)
    }
  }

  /// Shows a picture at the cursor, which does not move.
  /// - Parameters:
  ///   - pixels: the pixels to show; nil means all.
  ///   - box: the cells that it is scaled to fit; nil means its own size.
  private func placeAtCursor(
    _ number: KittyNumber, placement: Int, pixels: (columns: Range<Int>, rows: Range<Int>)? = nil,
    box: CellSize? = nil
  ) -> [UInt8] {
    let fit = box.map { "c=\($0.columns),r=\($0.rows)," } ?? ""
    let source =
      pixels.map {
        "x=\($0.columns.lowerBound),y=\($0.rows.lowerBound),w=\($0.columns.count),h=\($0.rows.count),"
      } ?? ""
    return command("a=p,i=\(number.value),p=\(placement),\(source)\(fit)C=1,q=2")
  }

  /// Returns the terminal's number for a part of a picture at a position.
  private static func placement(of place: PlacedPicture, part: Int) -> Int { place.copy + 1 + part << 16 }

  /// Returns a picture with its data and placement in its strips, for output that is never removed.
  package func drawing(_ picture: EncodedPicture, as number: KittyNumber) -> EncodedPicture {
    guard let image = picture.image else { return picture }
    let data = transmit(image, as: number, cells: picture.size)
    var placed = placing(picture, as: number)
    if !placed.strips.isEmpty { placed.strips[0].bytes = data + placed.strips[0].bytes }
    return placed
  }

  /// Returns a picture with only its placement in its strips, because the terminal has its data already.
  package func placing(_ picture: EncodedPicture, as number: KittyNumber) -> EncodedPicture {
    var lines = [placeAtCursor(number, placement: 1)]
    if usesPlaceholders {
      lines = (0..<picture.size.rows).map { KittyPlaceholders.row($0, of: picture.size, number) }
    }
    let strips = lines.enumerated().map { row, line in
      EncodedPicture.Strip(row: row, bytes: line)
    }
    return EncodedPicture(size: picture.size, covered: picture.covered, strips: strips)
  }

  /// Removes a picture from the screen and keeps its data.
  package func remove(_ number: KittyNumber, placement: Int) -> [UInt8] {
    command("a=d,d=i,i=\(number.value),p=\(placement),q=2")
  }

  /// Removes the parts of a picture from `part` on from the screen, and keeps its data.
  func remove(_ number: KittyNumber, at place: PlacedPicture, from part: Int = 0) -> [UInt8] {
    (part..<max(part, place.parts.count)).flatMap {
      remove(number, placement: Self.placement(of: place, part: $0))
    }
  }

  /// Frees a picture and removes it everywhere.
  package func free(_ number: KittyNumber) -> [UInt8] {
    command("a=d,d=I,i=\(number.value),q=2")
  }

  /// Frees all pictures on the screen, whichever program sent them.
  package var freeAll: [UInt8] { command("a=d,d=A,q=2") }

  private func command(_ keys: String, _ payload: ArraySlice<UInt8> = []) -> [UInt8] {
    var bytes = Array("\u{1B}_G\(keys)".utf8)
    if !payload.isEmpty {
      bytes.append(UInt8(ascii: ";"))
      bytes += payload
    }
    bytes += "\u{1B}\\".utf8
    return needsPassthrough ? TmuxPassthrough.wrap(bytes) : bytes
  }
}

/// Placeholder characters for parts of a picture, which kitty replaces.
///
/// Format: kitty's documentation, "Unicode placeholders". A multiplexer in between treats them as text, which it
/// scrolls, clips and erases.
enum KittyPlaceholders {
  /// The most rows and columns that can be numbered.
  static let limit = 256

  /// Returns the placeholders of one row of cells; resets the color at the end.
  static func row(_ row: Int, of cells: CellSize, _ number: KittyNumber) -> [UInt8] {
    guard row < limit else { return [] }
    // Every cell has all of the marks: a multiplexer may redraw one without its neighbors.
    var bytes = Array("\u{1B}[38;5;\(number.low)m".utf8)
    let sign = Array("\u{10EEEE}".utf8) + marks[row]
    for column in 0..<min(cells.columns, limit) {
      bytes += sign
      bytes += marks[column]
      bytes += marks[Int(number.high)]
    }
    bytes += "\u{1B}[39m".utf8
    return bytes
  }

  /// The combining marks for numbers, by number, in UTF-8.
  ///
  /// They are the marks above a letter (combining class 230) of Unicode 6.0 that never combine with their letter
  /// into one character and are not canonically equivalent to other marks.
  static let marks: [[UInt8]] = {
    let excluded: Set<UInt32> = [
      0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x309, 0x30A, 0x30B, 0x30C, 0x30F, 0x311, 0x313,
      0x314, 0x340, 0x341, 0x342, 0x343, 0x344, 0x653, 0x654,
    ]
    var marks: [[UInt8]] = []
    for value in UInt32(0x300)... {
      if marks.count == limit { break }
      guard let scalar = Unicode.Scalar(value), !excluded.contains(value) else { continue }
      let properties = scalar.properties
      guard properties.canonicalCombiningClass == .above, properties.generalCategory == .nonspacingMark,
        let age = properties.age, (age.major, age.minor) <= (6, 0)
      else { continue }
      marks.append(Array(String(scalar).utf8))
    }
    return marks
  }()
}

/// The number of a picture in the terminal.
///
/// Its lowest byte is never 0 and its two middle bytes always are: placeholders encode the lowest byte as one of
/// 256 colors, which every multiplexer passes on, and the highest one as a mark. The highest bit is not set either:
/// Konsole (22.12) reads numbers as signed ones, and draws no picture whose number is 2³¹ or more.
package struct KittyNumber: Hashable, Sendable {
  package let low: UInt8
  package let high: UInt8

  /// - Parameter count: any number; 32,640 consecutive ones give different results.
  package init(_ count: UInt64) {
    low = UInt8(count % 255) + 1
    high = UInt8(count / 255 % 128)
  }

  package var value: UInt32 { UInt32(high) << 24 | UInt32(low) }
}

/// The numbers of pictures that stay on the screen: one after the other, because a picture replaces another one with
/// its number.
///
/// Safe to use from several threads.
package final class KittyNumbers: Sendable {
  private let count: Atomic<UInt64>

  /// - Parameter first: where they begin; anywhere, because pictures of earlier runs are still on the screen.
  package init(first: UInt64 = .random(in: 0...UInt64(UInt32.max))) { count = Atomic(first) }

  /// Returns the next number.
  package func take() -> KittyNumber { KittyNumber(count.add(1, ordering: .relaxed).oldValue) }
}

import Fixtures
import Pixels
import TestTerminal
import Testing

@testable import TerminalGraphics

@Suite struct KittyEncoderTests {
  private static let cell = PixelSize(width: 10, height: 20)
  private static let number = KittyNumber(300)

  /// Incompressible noise.
  private static func noise(_ size: PixelSize, isOpaque: Bool = true) -> PixelBuffer {
    var random = SeededGenerator(seed: 3)
    var bytes = (0..<size.area * 4).map { _ in UInt8.random(in: 0...255, using: &random) }
    if isOpaque { for index in stride(from: 3, to: bytes.count, by: 4) { bytes[index] = 255 } }
    return PixelBuffer(size: size, bytes: bytes)
  }

  @Test func `A permanently drawn picture includes its data`() throws {
    let picture = KittyEncoder(cell: Self.cell).encode(Self.noise(PixelSize(width: 20, height: 20)))
    let drawn = try #require(KittyCommands().drawing(picture, as: Self.number).strips.first)
    let text = String(decoding: drawn.bytes, as: UTF8.self)
    let data = try #require(text.firstRange(of: "a=t"))
    let place = try #require(text.firstRange(of: "a=p"))
    #expect(data.lowerBound < place.lowerBound)
  }

  /// What kitty would display.
  private static func shown(
    _ picture: PixelBuffer, _ link: KittyEncoder.Link, share: ([UInt8]) -> KittyHandover? = { _ in nil }
  ) throws -> (pixels: KittyPixels, commands: [KittyCommand]) {
    let encoded = KittyEncoder(cell: cell, link: link).encode(picture)
    let image = try #require(encoded.image)
    let commands = KittyCommands()
    let terminal = VirtualTerminal(profile: .kitty)
    terminal.feed(commands.transmit(image, as: number, cells: encoded.size, share: share))
    #expect(terminal.kittyPlacements.isEmpty)
    terminal.feed(
      commands.place(
        image, as: number,
        at: PlacedPicture(
          version: 1, copy: 6, row: 3, column: 5, size: encoded.size, covered: encoded.covered,
          livesInCells: false)))
    #expect(terminal.kittyFaults.isEmpty, "\(terminal.kittyFaults)")
    #expect(!terminal.isInsideSequence)
    let placement = try #require(terminal.kittyPlacements.first)
    #expect(placement.area.row == 3 && placement.area.column == 5)
    #expect(placement.area.rows == encoded.size.rows && placement.area.columns == encoded.size.columns)
    return (placement.pixels, terminal.kittyCommands)
  }

  static let pictures: [PixelBuffer] = [
    TestPicture.make(width: 96, height: 60), TestPicture.make(width: 1, height: 1),
    noise(PixelSize(width: 65, height: 41)), noise(PixelSize(width: 64, height: 48), isOpaque: false),
    PixelBuffer(size: PixelSize(width: 32, height: 32), filledWith: .white),
  ]

  @Test(arguments: pictures, [KittyEncoder.Link.local, .remote, .memory])
  func `The terminal gets the exact pixels`(picture: PixelBuffer, link: KittyEncoder.Link) throws {
    let (pixels, commands) = try Self.shown(picture, link)
    #expect(pixels.width == picture.width && pixels.height == picture.height)
    #expect(pixels.depth == (picture.isOpaque ? 3 : 4))
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let color = pixels.color(x: x, y: y)
        guard Color(red: color.red, green: color.green, blue: color.blue) != picture[x, y] else { continue }
        Issue.record("the pixel at \(x), \(y) differs")
        return
      }
    }
    #expect(commands.allSatisfy { $0["q"] == "2" && $0.payload.count <= 4096 })
    #expect(commands.last?["C"] == "1")
  }

  @Test func `Only data that shrinks enough is compressed`() throws {
    let plain = PixelBuffer(size: PixelSize(width: 64, height: 64), filledWith: .white)
    #expect(try Self.shown(plain, .local).commands.first?["o"] == "z")
    #expect(try Self.shown(plain, .remote).commands.first?["o"] == "z")
    let noise = Self.noise(PixelSize(width: 64, height: 64))
    #expect(try Self.shown(noise, .local).commands.first?["o"] == nil)
    #expect(try Self.shown(noise, .remote).commands.first?["o"] == nil)
  }

  @Test(arguments: [(KittyHandover.sharedMemory("/name"), "s"), (.temporaryFile("/name"), "t")])
  func `Shared pixels are passed by name only`(place: KittyHandover, medium: String) throws {
    let picture = Self.noise(PixelSize(width: 40, height: 40))
    let image = try #require(KittyEncoder(cell: Self.cell, link: .memory).encode(picture).image)
    var shared: [UInt8] = []
    let bytes = KittyCommands().transmit(image, as: Self.number, cells: CellSize(columns: 4, rows: 2)) {
      shared = $0
      return place
    }
    #expect(shared.count == 40 * 40 * 3)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("t=\(medium),S=4800;L25hbWU=\u{1B}\\"))
    #expect(bytes.count < 100)
  }

  @Test func `A picture is hidden, shown again and freed`() throws {
    let encoded = KittyEncoder(cell: Self.cell).encode(TestPicture.make(width: 30, height: 40))
    let image = try #require(encoded.image)
    let commands = KittyCommands()
    let terminal = VirtualTerminal(profile: .kitty)
    func place(row: Int, column: Int) -> [UInt8] {
      let place = PlacedPicture(
        version: 1, row: row, column: column, size: encoded.size, covered: encoded.covered,
        livesInCells: false)
      return commands.place(image, as: Self.number, at: place)
    }
    terminal.feed(commands.transmit(image, as: Self.number, cells: encoded.size))
    terminal.feed(place(row: 0, column: 0))
    terminal.feed(commands.remove(Self.number, placement: 1))
    #expect(terminal.kittyPlacements.isEmpty && terminal.kittyImages == [Self.number.value])
    terminal.feed(place(row: 9, column: 9))
    terminal.feed(place(row: 4, column: 2))
    #expect(terminal.kittyPlacements.map(\.area.row) == [4])
    terminal.feed(commands.free(Self.number))
    #expect(terminal.kittyImages.isEmpty && terminal.kittyPlacements.isEmpty)
    #expect(terminal.kittyFaults.isEmpty)
  }

  @Test func `Numbers differ, and can be encoded as a color and a diacritic`() {
    let numbers = (0..<32_640 as Range<UInt64>).map { KittyNumber($0) }
    #expect(Set(numbers).count == 32_640)
    #expect(numbers.allSatisfy { $0.value <= Int32.max })
    #expect(numbers.allSatisfy { $0.low > 0 && $0.value & 0x00FF_FF00 == 0 })
  }

  @Test(arguments: [0, 254, 32_639, UInt64(UInt32.max)])
  func `No picture of a run has the number of another one`(first: UInt64) {
    let numbers = KittyNumbers(first: first)
    #expect(Set((0..<32_640).map { _ in numbers.take() }).count == 32_640)
  }

  @Test func `Placeholders encode row, column and the number's highest byte`() {
    #expect(KittyPlaceholders.marks.count == 256)
    // The first and some later ones as listed in kitty's documentation.
    let known: [(Int, Unicode.Scalar)] = [
      (0, "\u{305}"), (1, "\u{30D}"), (2, "\u{30E}"), (3, "\u{310}"), (10, "\u{34B}"), (34, "\u{487}"),
      (255, "\u{A8E5}"),
    ]
    for (number, mark) in known { #expect(KittyPlaceholders.marks[number] == Array(String(mark).utf8)) }
    let row = KittyPlaceholders.row(2, of: CellSize(columns: 3, rows: 4), KittyNumber(255 * 3 + 41))
    #expect(
      String(decoding: row, as: UTF8.self)
        == "\u{1B}[38;5;42m\u{10EEEE}\u{30E}\u{305}\u{310}\u{10EEEE}\u{30E}\u{30D}\u{310}"
        + "\u{10EEEE}\u{30E}\u{30E}\u{310}\u{1B}[39m")
    #expect(KittyPlaceholders.row(256, of: CellSize(columns: 3, rows: 300), KittyNumber(1)).isEmpty)
  }

  @Test func `A picture has no more columns than placeholders can number, also in a window of more`() throws {
    let cell = PixelSize(width: 8, height: 16)
    let window = CellSize(columns: 480, rows: 300)
    for link in [KittyEncoder.Link.local, .slow(colors: 32, reduction: 3)] {
      let encoder = KittyEncoder(cell: cell, link: link, usesPlaceholders: true)
      #expect(encoder.geometry.pixels(for: window) == PixelSize(width: 2048, height: 4096))
      #expect(KittyEncoder(cell: cell, link: link).geometry.pixels(for: window).width == 3840)
    }
    let encoder = KittyEncoder(cell: cell, usesPlaceholders: true)
    let wide = encoder.geometry.pixels(for: CellSize(columns: 480, rows: 1))
    let encoded = encoder.encode(PixelBuffer(size: wide, filledWith: .white))
    let row = KittyPlaceholders.row(0, of: encoded.size, Self.number)
    let signs = String(decoding: row, as: UTF8.self).unicodeScalars.count { $0 == "\u{10EEEE}" }
    #expect(signs == encoded.size.columns)
  }

  @Test func `Inside tmux every command is wrapped, with doubled escapes`() throws {
    let encoded = KittyEncoder(cell: Self.cell, usesPlaceholders: true)
      .encode(Self.noise(PixelSize(width: 60, height: 60)))
    #expect(encoded.livesInCells)
    let commands = KittyCommands(usesPlaceholders: true, needsPassthrough: true)
    let bytes = commands.transmit(try #require(encoded.image), as: Self.number, cells: encoded.size)
    var splitter = StreamSplitter()
    let pieces = splitter.split(bytes)
    #expect(pieces.count > 2)
    let terminal = VirtualTerminal(profile: .kitty)
    for piece in pieces {
      guard case .dcs(let payload) = piece else {
        Issue.record("\(piece) is not wrapped")
        continue
      }
      #expect(payload.starts(with: "tmux;\u{1B}\u{1B}_G".utf8))
      terminal.feed(
        String(decoding: payload.dropFirst(5), as: UTF8.self).replacing("\u{1B}\u{1B}", with: "\u{1B}"))
    }
    #expect(terminal.kittyFaults.isEmpty)
    #expect(terminal.kittyImages == [Self.number.value])
    let first = try #require(terminal.kittyCommands.first)
    #expect(first["U"] == "1" && first["c"] == "6" && first["r"] == "3")
  }
}

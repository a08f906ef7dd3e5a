import Fixtures
import Pixels
import TestTerminal
import Testing

@testable import TerminalGraphics

/// Frames of pictures in every protocol, on a terminal that knows what each cell shows.
@Suite struct PictureScreenTests {
  private static let cell = (width: 2, height: 4)
  private static let size = CellSize(columns: 30, rows: 16)

  private static let profile: TerminalProfile = {
    var profile = TerminalProfile.kitty
    profile.graphics = [.kitty, .iterm]
    return profile
  }()

  private static func terminal() -> VirtualTerminal {
    VirtualTerminal(columns: size.columns, rows: size.rows, cell: cell, profile: profile)
  }

  /// A picture identifiable by its pixels, in kitty's protocol or in cells.
  private static func picture(_ version: UInt64, _ pixels: PixelSize, isAbove: Bool) -> EncodedPicture {
    let cell = PixelSize(width: cell.width, height: cell.height)
    if isAbove {
      let color = Color(red: UInt8(version & 255), green: UInt8(version >> 8 & 255), blue: 7)
      return KittyEncoder(cell: cell).encode(PixelBuffer(size: pixels, filledWith: color))
    }
    let encoder = InlineImageEncoder(cell: cell) { _ in Array("version \(version)".utf8) }
    return encoder.encode(PixelBuffer(size: pixels, filledWith: .black))
  }

  private struct Target {
    var place: PlacedPicture
    var picture: EncodedPicture
  }

  private static func target(_ version: UInt64, _ random: inout SeededGenerator) -> Target {
    let pixels = PixelSize(
      width: Int.random(in: 1...20, using: &random), height: Int.random(in: 1...28, using: &random))
    let picture = picture(version, pixels, isAbove: Bool.random(using: &random))
    let place = PlacedPicture(
      version: version, row: Int.random(in: 0...size.rows - picture.size.rows, using: &random),
      column: Int.random(in: 0...size.columns - picture.size.columns, using: &random), size: picture.size,
      covered: picture.covered, livesInCells: picture.livesInCells)
    return Target(place: place, picture: picture)
  }

  /// The next frame: pictures that stay, disappear, move, improve, and new ones; side by side.
  private static func next(
    after before: [Target], _ version: inout UInt64, _ random: inout SeededGenerator
  ) -> [Target] {
    // Sometimes a popup covers a part, or the whole frame changes.
    let popup =
      Int.random(in: 0..<4, using: &random) == 0 ? CellRect(column: 5, row: 4, columns: 18, rows: 8) : nil
    let shift = [0, 0, 1, -1, 3].randomElement(using: &random) ?? 0
    var frame: [Target] = []
    func add(_ target: Target) {
      let rect = target.place.rect
      guard rect.row >= 0, rect.endRow <= size.rows, !(popup?.intersects(rect) ?? false),
        !frame.contains(where: { $0.place.rect.intersects(rect) })
      else { return }
      frame.append(target)
    }
    for old in before {
      var target = old
      target.place.row += shift
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        version += 1
        target.place.version = version
        let pixels = PixelSize(
          width: old.place.size.columns * cell.width, height: old.place.size.rows * cell.height)
        target.picture = picture(version, pixels, isAbove: !old.place.livesInCells)
        target.place.covered = target.picture.covered
        add(target)
      case 1: break
      default: add(target)
      }
    }
    for _ in 0..<4 {
      version += 1
      add(Self.target(version, &random))
    }
    return frame
  }

  /// Sends a frame completely, or interrupted after some pictures.
  private static func send(
    _ frame: [Target], _ screen: inout PictureScreen, to terminal: VirtualTerminal, atMost count: Int = .max
  ) {
    let (bytes, draw) = screen.start(frame.map(\.place))
    terminal.feed(bytes)
    for place in draw.prefix(count) {
      guard let target = frame.first(where: { $0.place == place }) else { continue }
      terminal.feed(screen.draw(place, target.picture))
    }
  }

  /// What is visible: placements by position and color, cells one by one.
  private struct Sight: Equatable {
    var above: Set<String>
    var cells: [String]

    init(_ terminal: VirtualTerminal) {
      above = Set(
        terminal.kittyPlacements.map { "\($0.area) \($0.pixels.color(x: 0, y: 0)) \($0.pixels.width)" })
      cells = (0..<size.rows * size.columns).map { index in
        let picture = terminal.picture(atRow: index / size.columns, column: index % size.columns)
        return picture.map { "\($0.area) \($0.pixelWidth)x\($0.pixelHeight)" } ?? ""
      }
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `After any frames the screen equals a fresh drawing of the last one`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var version: UInt64 = 0
    var screen = PictureScreen(
      limit: 4000, savesCursor: seed.isMultiple(of: 2), erasesFirst: seed.isMultiple(of: 3))
    let terminal = Self.terminal()
    var frame: [Target] = []
    for step in 0..<40 {
      frame = Self.next(after: frame, &version, &random)
      if Int.random(in: 0..<12, using: &random) == 0 {  // a resize, a suspension, Ctrl-L
        terminal.feed(screen.clear(Self.size))
        #expect(terminal.pictureAreas.isEmpty && terminal.kittyImages.isEmpty)
        #expect(screen.isBlank)
      }
      let isWhole = Bool.random(using: &random)
      Self.send(frame, &screen, to: terminal, atMost: isWhole ? .max : Int.random(in: 0...2, using: &random))
      #expect(terminal.kittyFaults.isEmpty, "seed \(seed), step \(step)")
      guard isWhole else { continue }
      let fresh = Self.terminal()
      var freshScreen = PictureScreen()
      Self.send(frame, &freshScreen, to: fresh)
      #expect(Sight(terminal) == Sight(fresh), "seed \(seed), step \(step)")
      #expect(screen.shows(frame.map(\.place)))
    }
    terminal.feed(screen.clear(Self.size))
    #expect(terminal.pictureAreas.isEmpty && terminal.kittyImages.isEmpty)
  }

  @Test func `The most recently used pictures are kept, and no more than necessary is freed`() throws {
    let pixels = PixelSize(width: 20, height: 28)
    let cost = try #require(Self.picture(1, pixels, isAbove: true).image?.terminalCost)
    var screen = PictureScreen(limit: 3 * cost)
    let terminal = Self.terminal()
    func show(_ version: UInt64) {
      let picture = Self.picture(version, pixels, isAbove: true)
      let place = PlacedPicture(
        version: version, row: 2, column: 2, size: picture.size, covered: picture.covered,
        livesInCells: false)
      Self.send([Target(place: place, picture: picture)], &screen, to: terminal)
    }
    for version in [1, 2, 3, 1, 4] as [UInt64] { show(version) }
    // The second was used least recently; freeing it makes room for the fourth.
    #expect(terminal.kittyImages.count == 3)
    let before = terminal.kittyTransmissions
    show(1)
    show(3)
    #expect(terminal.kittyTransmissions == before)
    show(2)
    #expect(terminal.kittyTransmissions == before + 1)
  }

  @Test(arguments: [true, false])
  func `Where the terminal keeps every picture, the old one is erased before another is drawn over it`(
    erasesFirst: Bool
  ) {
    var screen = PictureScreen(savesCursor: false, erasesFirst: erasesFirst)
    let pictures = ([1, 2] as [UInt64]).map { version in
      let picture = Self.picture(version, PixelSize(width: 20, height: 28), isAbove: false)
      let place = PlacedPicture(
        version: version, row: 2, column: 2, size: picture.size, covered: picture.covered)
      return Target(place: place, picture: picture)
    }
    let written = pictures.map { target -> String in
      let draw = screen.begin([target.place]).draw
      #expect(draw == [target.place])
      return String(decoding: draw.flatMap { screen.draw($0, target.picture) }, as: UTF8.self)
    }
    let blanks = "\u{1B}[3;3H" + String(repeating: " ", count: pictures[0].place.size.columns)
    #expect(written.map { $0.contains(blanks) } == [false, erasesFirst])
    // The caller puts the cursor back.
    #expect(!written.contains { $0.contains("\u{1B}7") || $0.contains("\u{1B}8") })
  }

  @Test func `Cells where an interrupted frame left an old picture count as wrong`() {
    var screen = PictureScreen()
    let terminal = Self.terminal()
    let pixels = PixelSize(width: 20, height: 28)
    let targets = ([1, 2] as [UInt64]).map { version -> Target in
      let picture = Self.picture(version, pixels, isAbove: false)
      let place = PlacedPicture(
        version: version, row: 2, column: 2, size: picture.size, covered: picture.covered,
        livesInCells: true)
      return Target(place: place, picture: picture)
    }
    Self.send([targets[0]], &screen, to: terminal)
    Self.send([targets[1]], &screen, to: terminal, atMost: 0)
    #expect(!screen.shows([]))
    Self.send([], &screen, to: terminal)
    #expect(screen.shows([]) && terminal.pictureAreas.isEmpty)
  }

  @Test func `Unchanged pictures cost nothing, and moved or returning ones no data`() {
    let pixels = PixelSize(width: 20, height: 28)
    let picture = Self.picture(1, pixels, isAbove: true)
    var place = PlacedPicture(
      version: 1, row: 2, column: 2, size: picture.size, covered: picture.covered, livesInCells: false)
    var screen = PictureScreen()
    let terminal = Self.terminal()
    Self.send([Target(place: place, picture: picture)], &screen, to: terminal)
    #expect(screen.start([place]).bytes.isEmpty && screen.start([place]).draw.isEmpty)
    place.row = 5
    let (bytes, draw) = screen.start([place])
    #expect(bytes.isEmpty)
    let moving = draw.flatMap { screen.draw($0, picture) }
    #expect(moving.count < 60)
    terminal.feed(moving)
    #expect(terminal.kittyPlacements.map(\.area.row) == [5])
    terminal.feed(screen.start([]).bytes)
    #expect(terminal.kittyPlacements.isEmpty)
    let back = screen.start([place]).draw.flatMap { screen.draw($0, picture) }
    #expect(back.count < 60)
    terminal.feed(back)
    #expect(terminal.kittyPlacements.count == 1 && terminal.kittyTransmissions == 1)
  }

  @Test func `A moved picture appears at the new position before it disappears from the old`() {
    let picture = Self.picture(1, PixelSize(width: 20, height: 28), isAbove: true)
    var place = PlacedPicture(
      version: 1, row: 0, column: 2, size: picture.size, covered: picture.covered, livesInCells: false)
    var screen = PictureScreen()
    let terminal = Self.terminal()
    Self.send([Target(place: place, picture: picture)], &screen, to: terminal)
    place.row = Self.size.rows - picture.size.rows
    #expect(screen.start([place]).bytes.isEmpty)
    terminal.feed(screen.draw(place, picture))
    #expect(terminal.kittyPlacements.map(\.area.row) == [place.row])
  }

  @Test func `A better version is placed before the old one is removed`() throws {
    let pixels = PixelSize(width: 20, height: 28)
    let terminal = Self.terminal()
    var screen = PictureScreen()
    let first = Self.picture(1, pixels, isAbove: true)
    var place = PlacedPicture(
      version: 1, row: 2, column: 2, size: first.size, covered: first.covered, livesInCells: false)
    Self.send([Target(place: place, picture: first)], &screen, to: terminal)
    place.version = 2
    #expect(screen.start([place]).bytes.isEmpty)
    let sent = screen.draw(place, Self.picture(2, pixels, isAbove: true))
    let text = String(decoding: sent, as: UTF8.self)
    let placed = try #require(text.firstRange(of: "a=p"))
    let removed = try #require(text.firstRange(of: "a=d"))
    #expect(placed.lowerBound < removed.lowerBound)
    terminal.feed(sent)
    #expect(terminal.kittyPlacements.map { $0.pixels.color(x: 0, y: 0).red } == [2])
  }

  @Test func `A picture around text is shown in parts, which are joined when the text disappears`() {
    let picture = Self.picture(1, PixelSize(width: 19, height: 27), isAbove: true)
    var place = PlacedPicture(
      version: 1, row: 2, column: 2, size: picture.size, covered: picture.covered, livesInCells: false,
      holes: [
        CellRect(column: 9, row: 8, columns: 3, rows: 1), CellRect(column: 2, row: 2, columns: 4, rows: 1),
      ])
    var screen = PictureScreen()
    let terminal = Self.terminal()
    func parts() -> [String] {
      terminal.kittyPlacements.map { "\($0.area.column),\($0.area.row) \($0.area.columns)x\($0.area.rows)" }
    }
    Self.send([Target(place: place, picture: picture)], &screen, to: terminal)
    #expect(parts() == ["6,2 6x1", "2,3 10x5", "2,8 7x1"])
    // Each part shows the right pixels.
    #expect(terminal.kittyPlacements.map { [$0.corner.x, $0.corner.y] } == [[8, 0], [0, 4], [0, 24]])
    place.holes.removeLast()
    Self.send([Target(place: place, picture: picture)], &screen, to: terminal)
    #expect(parts() == ["2,2 10x6", "2,8 7x1"])
    place.holes = []
    Self.send([Target(place: place, picture: picture)], &screen, to: terminal)
    #expect(parts() == ["2,2 10x7"] && terminal.kittyTransmissions == 1)
    place.holes = [CellRect(column: 2, row: 5, columns: 1, rows: 1)]
    Self.send([Target(place: place, picture: picture)], &screen, to: terminal)
    #expect(parts().count == 3)
    terminal.feed(screen.start([]).bytes)
    #expect(terminal.kittyPlacements.isEmpty && terminal.kittyFaults.isEmpty)
  }

  @Test func `Parts of an enlarged picture have the pixels of their cells`() {
    let image = KittyImage(
      size: PixelSize(width: 10, height: 6), format: .png, payload: .inline(base64: [], isCompressed: false),
      cell: nil)
    let cells = CellSize(columns: 20, rows: 6)
    let left = image.pixels(of: CellRect(column: 0, row: 5, columns: 17, rows: 1), in: cells)
    #expect(left == (0..<8, 5..<6))
    let last = image.pixels(of: CellRect(column: 19, row: 0, columns: 1, rows: 6), in: cells)
    #expect(last == (9..<10, 0..<6))
  }

  @Test func `The same picture may be shown in two places`() {
    let picture = Self.picture(1, PixelSize(width: 4, height: 8), isAbove: true)
    let places = [0, 1].map { copy in
      PlacedPicture(
        version: 1, copy: copy, row: copy * 4, column: 0, size: picture.size, covered: picture.covered,
        livesInCells: false)
    }
    let terminal = Self.terminal()
    var screen = PictureScreen()
    Self.send(places.map { Target(place: $0, picture: picture) }, &screen, to: terminal)
    #expect(terminal.kittyPlacements.map(\.area.row) == [0, 4] && terminal.kittyTransmissions == 1)
    Self.send([Target(place: places[0], picture: picture)], &screen, to: terminal)
    #expect(terminal.kittyPlacements.map(\.area.row) == [0])
  }

  @Test func `Animation frames are freed with the next one`() {
    let terminal = Self.terminal()
    var screen = PictureScreen()
    for version in UInt64(1)...20 {
      let picture = Self.picture(version, PixelSize(width: 8, height: 8), isAbove: true)
      let place = PlacedPicture(
        version: version, row: 1, column: 1, size: picture.size, covered: picture.covered,
        livesInCells: false,
        isTransient: version > 1)
      let (bytes, draw) = screen.start([place])
      terminal.feed(bytes)
      for place in draw { terminal.feed(screen.draw(place, picture)) }
      #expect(terminal.kittyPlacements.count == 1)
      // The first one is kept, like still pictures.
      #expect(terminal.kittyImages.count == min(2, Int(version)))
    }
    #expect(terminal.kittyFaults.isEmpty)
  }

  @Test func `The terminal keeps no more than the limit, and always what is shown`() {
    let terminal = Self.terminal()
    var screen = PictureScreen(limit: 3 * 8 * 8 * 4)
    for version in 1...20 as ClosedRange<UInt64> {
      let picture = Self.picture(version, PixelSize(width: 8, height: 8), isAbove: true)
      let place = PlacedPicture(
        version: version, row: 0, column: 0, size: picture.size, covered: picture.covered, livesInCells: false
      )
      Self.send([Target(place: place, picture: picture)], &screen, to: terminal)
      #expect(terminal.kittyImages.count <= 3)
      #expect(terminal.kittyPlacements.count == 1)
    }
    let large = Self.picture(99, PixelSize(width: 40, height: 40), isAbove: true)
    let place = PlacedPicture(
      version: 99, row: 0, column: 0, size: large.size, covered: large.covered, livesInCells: false)
    Self.send([Target(place: place, picture: large)], &screen, to: terminal)
    #expect(terminal.kittyImages.count == 1 && terminal.kittyPlacements.count == 1)
  }
}

extension PictureScreen {
  /// Begins a frame whose blanks are all sent before its text.
  mutating func start(_ wanted: [PlacedPicture]) -> (bytes: [UInt8], draw: [PlacedPicture]) {
    let changes = begin(wanted)
    return (changes.removal + blanks(changes.erase), changes.draw)
  }
}

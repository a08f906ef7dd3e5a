import AssetLibrary
import Pixels
import TestTerminal
import Testing

@testable import PickerRuntime
@testable import PickerUI
@testable import TerminalGraphics

/// A grid on a terminal that keeps few pictures and removes one as a whole when anything is written over a part of it,
/// as tmux does.
@Suite struct FewPicturesTests {
  private static let size = CellSize(columns: 60, rows: 21)
  private static let cell = PixelSize(width: 10, height: 20)
  private static let (columns, rows) = (6, 5)
  private static let box = PixelSize(width: 80, height: 60)

  private let terminal = ScriptedTerminal(columns: 60, rows: 21)
  private let images = ScriptedImages()
  private let clock = TestClock()
  private let pictures: PictureStore
  private let writer: ScreenWriter
  private let virtual: VirtualTerminal
  private let most: Int

  init() { self.init(most: 9) }

  /// - Parameter requested: the protocol that the user chose; nil for the terminal's own, which is the same.
  private init(most: Int, requested: GraphicsProtocol? = .sixel) {
    self.most = most
    terminal.traits.capabilities.quirks.mostPictures = most
    terminal.traits.capabilities.hasSixel = true
    var options = PictureOptions()
    options.graphics = requested
    pictures = PictureStore(
      options, on: terminal.traits, cell: Self.cell,
      manager: LibraryAccessController(MemoryAssetStore(), images).manager, clock: clock, post: { _ in })
    let link = LinkWatcher(isAnswered: false, clock: clock, mailbox: Mailbox<LoopEvent>(clock: clock))
    writer = ScreenWriter(terminal: terminal, pictures: pictures, link: link, clock: clock)
    virtual = VirtualTerminal(
      columns: Self.size.columns, rows: Self.size.rows, cell: (Self.cell.width, Self.cell.height),
      profile: .tmux("3.5a", mostPictures: most))
  }

  private static func request(_ index: Int) -> PictureRequest {
    let photo = Asset.photo("p\(index)")
    return PictureRequest(
      key: PictureKey(photo, size: box, mode: .aspectFill), asset: photo, priority: .visible)
  }

  private static func rect(_ index: Int) -> CellRect {
    CellRect(column: 1 + index % columns * 9, row: 1 + index / columns * 4, columns: 8, rows: 3)
  }

  /// The gray level of a photo's thumbnail: far enough apart for a palette of small pictures.
  private static func level(_ index: Int) -> UInt8 { UInt8(16 + 8 * index) }

  /// A grid with all thumbnails, and a frame around one of them.
  private static func frame(
    cursor: Int, box: CellRect? = nil, marked: Set<Int> = [], mark: String = "1"
  ) -> ScreenFrame {
    var frame = ScreenFrame(size: size)
    for index in 0..<columns * rows where box?.intersects(rect(index)) != true {
      frame.place(PictureSlot(key: request(index).key, rect: rect(index), alignment: .center))
    }
    for row in rect(cursor).row..<rect(cursor).endRow {
      frame.put("│", row: row, column: rect(cursor).column - 1)
      frame.put("│", row: row, column: rect(cursor).endColumn)
    }
    if let box { for row in box.row..<box.endRow { frame.put("box", row: row, column: box.column) } }
    for marked in marked {
      frame.mark(
        DisplayText(mark), row: rect(marked).row, column: rect(marked).column, limit: 8, style: .mark)
    }
    return frame
  }

  private func load(_ indices: Range<Int> = 0..<columns * rows) {
    for index in indices { images.answer("p\(index)", fill: Self.level(index)) }
  }

  private func demandAll() { _ = pictures.demand((0..<Self.columns * Self.rows).map(Self.request)) }

  /// Writes a frame to the model of the terminal.
  private func show(_ frame: ScreenFrame) throws {
    terminal.forgetLog()
    try writer.write(frame) { false }
    for part in terminal.parts {
      virtual.feed(part.erasing)
      if let text = part.text { feed(text) }
      virtual.feed(part.pictures)
      for mark in part.marks { virtual.feed("\u{1B}[\(mark.row + 1);\(mark.column + 1)H\(mark.text)") }
    }
  }

  /// Writes changed cells as ncurses may do it: with ECH for blanks, which is the worst for pictures.
  private func feed(_ text: FramePart.Text) {
    if text.before == nil { virtual.feed("\u{1B}[H\u{1B}[2J") }
    for row in 0..<text.after.size.rows {
      let (new, old) = (text.after.row(row), text.before?.row(row))
      for (column, cell) in new.enumerated() where old?.dropFirst(column).first != cell {
        guard case .text(let character) = cell.content else { continue }
        if old == nil, character == " " { continue }
        virtual.feed("\u{1B}[\(row + 1);\(column + 1)H\(character == " " ? "\u{1B}[X" : character)")
      }
    }
  }

  /// The thumbnails that are not shown as pictures with their colors.
  private var missing: [Int] {
    (0..<Self.columns * Self.rows).filter { index in
      let (row, column) = (Self.rect(index).row + 1, Self.rect(index).column + 4)
      guard let picture = virtual.picture(atRow: row, column: column),
        let color = picture.meanColor(at: TerminalPosition(row: row, column: column))
      else { return true }
      return abs(Int(color.red) - Int(Self.level(index))) > 3
    }
  }

  @Test(arguments: [9, 19])
  func `All thumbnails are pictures, fewer than the terminal keeps, wherever the cursor is`(most: Int) throws
  {
    let test = FewPicturesTests(most: most)
    test.demandAll()
    test.load()
    for cursor in 0..<Self.columns * Self.rows {
      try test.show(Self.frame(cursor: cursor))
      #expect(test.missing == [])
      #expect(test.virtual.pictures.count <= most)
    }
  }

  @Test func `Only the rows with changes are sent again`() throws {
    demandAll()
    load()
    try show(Self.frame(cursor: 0))
    let before = Set(virtual.pictures.map(\.serial))
    try show(Self.frame(cursor: 1))
    let kept = virtual.pictures.filter { before.contains($0.serial) }
    #expect(kept.allSatisfy { $0.row > Self.rect(0).endRow })
    #expect(kept.count == Self.rows - 1)
    let sent = virtual.pictureHistory.count
    try show(Self.frame(cursor: 1))
    #expect(virtual.pictureHistory.count == sent)
  }

  @Test func `Thumbnails are blocks until those of their row have arrived, whatever others wait for`() throws
  {
    demandAll()
    let count = Self.columns * Self.rows
    for index in 0..<count {
      load(index..<index + 1)
      try show(Self.frame(cursor: 0))
      #expect(missing == Array((index + 1) / Self.columns * Self.columns..<count))
    }
    // Each run was sent once; the first row has two, beside the cursor's frame.
    #expect(virtual.pictureHistory.count == Self.rows + 1)
  }

  @Test func `Blocks in place of pictures over the slowest link have no limit`() {
    let test = FewPicturesTests(most: 9, requested: nil)
    func hasLimit() -> Bool { test.pictures.limit(version: { _ in 1 }, isEncoded: { _ in false }) != nil }
    #expect(hasLimit())
    _ = test.pictures.setQuality(.blocks, isLinkSlow: true)
    #expect(test.pictures.hasBlocksForLink && !hasLimit())
    _ = test.pictures.setQuality(.full)
    #expect(hasLimit())
  }

  @Test func `Pictures come back when a box over them is closed`() throws {
    demandAll()
    load()
    try show(Self.frame(cursor: 0))
    let box = CellRect(column: 20, row: 4, columns: 20, rows: 10)
    try show(Self.frame(cursor: 0, box: box))
    #expect(virtual.pictures.count <= most)
    #expect(missing.allSatisfy { Self.rect($0).intersects(box) })
    try show(Self.frame(cursor: 0))
    #expect(missing == [])
  }

  @Test func `A thumbnail with an unknown character over it is blocks, its neighbors stay pictures`() throws {
    demandAll()
    load()
    try show(Self.frame(cursor: 0))
    try show(Self.frame(cursor: 0, marked: [8], mark: "1§"))
    #expect(missing == [8])
    #expect(virtual.text.contains("1§"))
    try show(Self.frame(cursor: 0))
    #expect(missing == [])
  }

  /// Whether the corner of a thumbnail has a mark in its picture: black with a white line.
  private func hasDrawnMark(_ index: Int) -> Bool {
    let (row, column) = (Self.rect(index).row, Self.rect(index).column)
    let color = virtual.picture(atRow: row, column: column)?
      .meanColor(at: TerminalPosition(row: row, column: column))
    // A digit covers a tenth to a third of its cell.
    return color.map { (20...90).contains($0.red) && $0.red == $0.green && $0.green == $0.blue } ?? false
  }

  @Test func `Marks are drawn into the pictures, as many as there are, and no text is written over them`()
    throws
  {
    demandAll()
    load()
    let all = Set(20..<Self.columns * Self.rows)
    for marked in [[], [21], all, [20, 29], []] as [Set<Int>] {
      try show(Self.frame(cursor: 0, marked: marked))
      #expect(missing == [])
      #expect(all.filter(hasDrawnMark) == marked)
      #expect(virtual.pictures.count <= most)
      #expect(terminal.parts.allSatisfy { $0.marks.isEmpty })
    }
  }

  @Test func `A mark that was written while its thumbnail was blocks is drawn with its picture`() throws {
    demandAll()
    load(0..<20)
    let frame = Self.frame(cursor: 0, marked: [13])
    load(20..<23)
    try show(Self.frame(cursor: 0, marked: [19]))
    #expect(missing.contains(19) && virtual.text.contains("1"))
    load(23..<Self.columns * Self.rows)
    try show(Self.frame(cursor: 0, marked: [19]))
    #expect(missing == [] && hasDrawnMark(19) && !virtual.text.contains("1"))
    try show(frame)
    #expect(missing == [] && !hasDrawnMark(19))
  }

  // MARK: Runs

  private static func tile(_ index: Int, mark: String? = nil) -> PictureRun.Tile {
    let rect = rect(index)
    let place = PlacedPicture(
      version: UInt64(index + 1), row: rect.row, column: rect.column, size: rect.size, covered: rect.size)
    return PictureRun.Tile(
      version: place.version, place: place,
      pixels: PixelBuffer(size: box, filledWith: Color(red: level(index), green: 0, blue: 0)),
      marks: (mark.map { [$0] } ?? []).map {
        PictureMark(
          row: rect.endRow - 1, column: rect.endColumn - 1, columns: 1, text: $0, style: .pickNumber)
      })
  }

  private static func runs(
    _ indices: [Int], largest: PixelSize? = nil, isBlank: (CellRect) -> Bool = { _ in true }
  ) -> [[UInt64]] {
    PictureRun.runs(of: indices.map { tile($0) }, cell: cell, largest: largest, isBlank: isBlank).map { run in
      run.tiles.map(\.version)
    }
  }

  @Test func `A run ends with its row, at a text, and at the largest picture of the terminal`() {
    #expect(Self.runs([7, 0, 2, 1, 6]) == [[1, 2, 3], [7, 8]])
    #expect(Self.runs([0, 1, 2, 3], isBlank: { $0.column != Self.rect(1).endColumn }) == [[1, 2], [3, 4]])
    #expect(Self.runs([0, 1, 2, 3], largest: PixelSize(width: 259, height: 999)) == [[1, 2], [3, 4]])
    #expect(Self.runs([0, 1, 2, 3], largest: PixelSize(width: 260, height: 60)) == [[1, 2, 3], [4]])
  }

  @Test func `A run has its thumbnails' pixels in their places, and the ground between them`() throws {
    let run = try #require(
      PictureRun.runs(of: [Self.tile(0), Self.tile(1)], cell: Self.cell, largest: nil) { _ in true }.first)
    let pixels = run.pixels(over: .white, pickColor: .black)
    #expect(pixels.size == PixelSize(width: 170, height: 60))
    for (x, color) in [
      (0, Color(red: Self.level(0), green: 0, blue: 0)), (79, Color(red: Self.level(0), green: 0, blue: 0)),
      (80, .white), (89, .white), (90, Color(red: Self.level(1), green: 0, blue: 0)),
    ] {
      #expect(pixels[x, 0] == color && pixels[x, 59] == color)
    }
    let place = run.place(version: 1, copy: 0)
    #expect(pixels[79, 59] != .black)
    #expect(place.rect == CellRect(column: 1, row: 1, columns: 17, rows: 3) && place.covered == place.size)
  }

  @Test func `The mark of a pick has its color, in the cells that it covers`() throws {
    let run = try #require(
      PictureRun.runs(of: [Self.tile(0), Self.tile(1, mark: "7")], cell: Self.cell, largest: nil) { _ in true
      }
      .first)
    let pickColor = Color(red: 0, green: 200, blue: 200)
    let pixels = run.pixels(over: .white, pickColor: pickColor)
    let photo = Color(red: Self.level(1), green: 0, blue: 0)
    #expect(pixels[160, 40] == pickColor && pixels[169, 59] == pickColor)
    #expect(pixels[159, 59] == photo && pixels[169, 39] == photo)
    // The upper line of the digit.
    #expect((160..<170).contains { x in (40..<50).contains { pixels[x, $0] == .white } })
    #expect(run.place(version: 1, copy: 0).rect == CellRect(column: 1, row: 1, columns: 17, rows: 3))
  }
}

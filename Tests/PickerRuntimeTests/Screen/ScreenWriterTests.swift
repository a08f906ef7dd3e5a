import AssetLibrary
import Pixels
import TerminalGraphics
import Testing

@testable import PickerRuntime
@testable import PickerUI

@Suite struct ScreenWriterTests {
  private let terminal = ScriptedTerminal()
  private let images = ScriptedImages()
  private let clock = TestClock()
  private let pictures: PictureStore
  private let writer: ScreenWriter
  private static let size = CellSize(columns: 60, rows: 20)

  init() {
    var options = PictureOptions()
    options.graphics = .iterm
    options.compress = { pixels, _ in [UInt8](repeating: pixels.bytes[0], count: 100) }
    pictures = PictureStore(
      options, on: terminal.traits, cell: PixelSize(width: 10, height: 20),
      manager: LibraryAccessController(MemoryAssetStore(), images).manager, clock: clock, post: { _ in })
    let mailbox = Mailbox<LoopEvent>(clock: clock)
    let link = LinkWatcher(isAnswered: false, clock: clock, mailbox: mailbox)
    writer = ScreenWriter(terminal: terminal, pictures: pictures, link: link, clock: clock)
  }

  /// A frame with some text and pictures side by side.
  private static func frame(_ words: String, _ names: [String] = []) -> ScreenFrame {
    var frame = ScreenFrame(size: size)
    frame.put(words, row: 0, column: 0)
    for (number, name) in names.enumerated() {
      let rect = CellRect(column: 10 * number, row: 5, columns: 4, rows: 2)
      frame.place(
        PictureSlot(key: PictureRequest.thumbnail(.photo(name)).key, rect: rect, alignment: .center))
    }
    return frame
  }

  private func write(_ frame: ScreenFrame) throws -> [FramePart] {
    terminal.forgetLog()
    try writer.write(frame) { false }
    return terminal.parts
  }

  private func make(_ names: String...) {
    _ = pictures.demand(names.map { .thumbnail(.photo($0)) })
    for (number, name) in names.enumerated() { images.answer(name, fill: UInt8(number + 1)) }
  }

  @Test func `The first frame is drawn from scratch, the next as a difference`() throws {
    let first = try #require(try write(Self.frame("one")).first)
    #expect(first.text == FramePart.Text(before: nil, after: Self.frame("one")))
    let second = try #require(try write(Self.frame("two")).first)
    #expect(second.text == FramePart.Text(before: Self.frame("one"), after: Self.frame("two")))
    #expect(try write(Self.frame("two")).isEmpty)
  }

  @Test func `A picture that arrives later is sent alone, once`() throws {
    let frame = Self.frame("one", ["a", "b"])
    #expect(try write(frame).map(\.fills) == [[]])
    make("a")
    let parts = try write(frame)
    #expect(parts.map(\.fills) == [[1]])
    #expect(parts.first?.text == nil && parts.first?.erasing == [])
    #expect(try write(frame).isEmpty)
  }

  @Test func `Removed pictures are erased before the text of the frame`() throws {
    make("a", "b")
    _ = try write(Self.frame("one", ["a", "b"]))
    let parts = try write(Self.frame("two", ["a"]))
    #expect(parts.count == 1)
    #expect(parts.first?.erasing.isEmpty == false && parts.first?.fills == [])
    #expect(parts.first?.text?.after == Self.frame("two", ["a"]))
  }

  @Test func `A better picture replaces the coarse one`() throws {
    _ = pictures.demand([.thumbnail(.photo("a"))])
    images.answer("a", fill: 5, isDegraded: true)
    #expect(try write(Self.frame("one", ["a"])).map(\.fills) == [[5]])
    images.answer("a", fill: 6)
    let parts = try write(Self.frame("one", ["a"]))
    #expect(parts.map(\.fills) == [[6]])
    #expect(parts.first?.erasing == [])
  }

  @Test func `Removed pictures are erased at once, also while others are being sent`() throws {
    let clock = clock
    var options = PictureOptions()
    options.graphics = .iterm
    options.compress = { pixels, _ in [UInt8](repeating: pixels.bytes[0], count: 20_000) }
    let pictures = PictureStore(
      options, on: terminal.traits, cell: PixelSize(width: 10, height: 20),
      manager: LibraryAccessController(MemoryAssetStore(), images).manager, clock: clock, post: { _ in })
    let link = LinkWatcher(isAnswered: true, clock: clock, mailbox: Mailbox(clock: clock))
    let writer = ScreenWriter(terminal: terminal, pictures: pictures, link: link, clock: clock)
    _ = pictures.demand([.thumbnail(.photo("a"))])
    images.answer("a", fill: 1)
    try writer.write(Self.frame("one", ["a"])) { false }
    #expect(link.room == 0 && terminal.parts.last?.asksWhenDrawn == true)
    terminal.forgetLog()
    try writer.write(Self.frame("one", ["b"])) { false }
    #expect(terminal.parts.map(\.text) == [nil])
    #expect(terminal.parts.first?.erasing.isEmpty == false)
  }

  @Test func `A lower quality at the same size leaves displayed pictures alone`() {
    make("a")
    #expect(!pictures.setQuality(.speed))
    #expect(pictures.picture(for: PictureRequest.thumbnail(.photo("a")).key) != nil)
  }

  @Test func `After a reset everything is redrawn`() throws {
    make("a", "b")
    let frame = Self.frame("one", ["a", "b"])
    _ = try write(frame)
    terminal.forgetLog()
    try writer.reset()
    #expect(terminal.parts.count == 1 && terminal.parts.first?.erasing.isEmpty == false)
    let parts = try write(frame)
    #expect(parts.map(\.fills) == [[1, 2]])
    #expect(parts.first?.text == FramePart.Text(before: nil, after: frame))
  }

  @Test func `A screen without pictures needs no erasing`() throws {
    _ = try write(Self.frame("one"))
    terminal.forgetLog()
    try writer.reset()
    #expect(terminal.log.isEmpty)
    #expect(try write(Self.frame("one")).first?.text?.before == nil)
  }

  // MARK: Marks over pictures

  private static func marked(
    _ marks: [(text: String, column: Int)], _ names: [String] = ["a", "b"]
  ) -> ScreenFrame {
    var frame = frame("one", names)
    for mark in marks {
      frame.mark(DisplayText(mark.text), row: 6, column: mark.column, limit: 4, style: .pickNumber)
    }
    return frame
  }

  @Test func `A mark over a picture is sent alone, once`() throws {
    make("a", "b")
    _ = try write(Self.marked([]))
    let parts = try write(Self.marked([("1", 3)]))
    #expect(parts.map(\.fills) == [[]])
    #expect(parts.first?.marks.map(\.text) == ["1"] && parts.first?.text == nil && parts.first?.erasing == [])
    #expect(try write(Self.marked([("1", 3)])).isEmpty)
    #expect(try write(Self.marked([("1", 3), ("2", 13)])).flatMap(\.marks).map(\.text) == ["2"])
  }

  @Test func `Removing a mark redraws its picture and no other`() throws {
    make("a", "b")
    _ = try write(Self.marked([("1", 3), ("2", 13)]))
    let parts = try write(Self.marked([("2", 13)]))
    #expect(parts.map(\.fills) == [[1]])
    #expect(parts.allSatisfy { $0.marks.isEmpty && $0.text == nil })
  }

  @Test func `A redrawn picture gets its marks after it`() throws {
    _ = pictures.demand([.thumbnail(.photo("a"))])
    images.answer("a", fill: 5, isDegraded: true)
    let frame = Self.marked([("1", 3)], ["a"])
    #expect(try write(frame).flatMap(\.marks).map(\.text) == ["1"])
    images.answer("a", fill: 6)
    let parts = try write(frame)
    #expect(parts.map(\.fills) == [[6]])
    #expect(parts.flatMap(\.marks).map(\.text) == ["1"])
  }

  @Test func `After a reset marks are written again`() throws {
    make("a")
    let frame = Self.marked([("1", 3)], ["a"])
    _ = try write(frame)
    try writer.reset()
    #expect(try write(frame).flatMap(\.marks).map(\.text) == ["1"])
  }

  // MARK: Text with its pictures

  /// A writer whose pictures are sized so that four of them make one write.
  private func makeBandWriter(_ names: [String]) -> ScreenWriter {
    var options = PictureOptions()
    options.graphics = .iterm
    options.compress = { pixels, _ in [UInt8](repeating: pixels.bytes[0], count: 8_000) }
    let pictures = PictureStore(
      options, on: terminal.traits, cell: PixelSize(width: 10, height: 20),
      manager: LibraryAccessController(MemoryAssetStore(), images).manager, clock: clock, post: { _ in })
    _ = pictures.demand(names.flatMap { [.thumbnail(.photo($0)), Self.tall($0)] })
    for (number, name) in names.enumerated() { images.answer(name, fill: UInt8(number + 1)) }
    let link = LinkWatcher(isAnswered: false, clock: clock, mailbox: Mailbox(clock: clock))
    return ScreenWriter(terminal: terminal, pictures: pictures, link: link, clock: clock)
  }

  /// A picture eight rows high.
  private static func tall(_ name: String) -> PictureRequest {
    let asset = Asset.photo(name)
    let key = PictureKey(asset, size: PixelSize(width: 100, height: 160), mode: .aspectFit)
    return PictureRequest(key: key, asset: asset, priority: .visible)
  }

  /// Three rows of four pictures with a label above each row, a tall one beside the first two, and text in the last
  /// line.
  private static func grid(_ label: String, _ names: [String], tall: String? = nil) -> ScreenFrame {
    var frame = ScreenFrame(size: size)
    for (number, name) in names.enumerated() {
      let (row, column) = (2 + number / 4 * 4, number % 4 * 10)
      if number % 4 == 0 { frame.put("\(label)\(number / 4)", row: row - 1, column: 0) }
      let rect = CellRect(column: column, row: row, columns: 4, rows: 2)
      frame.place(
        PictureSlot(key: PictureRequest.thumbnail(.photo(name)).key, rect: rect, alignment: .center))
    }
    if let tall {
      let rect = CellRect(column: 45, row: 1, columns: 10, rows: 8)
      frame.place(PictureSlot(key: Self.tall(tall).key, rect: rect, alignment: .top))
    }
    frame.put("status \(label)", row: size.rows - 1, column: 0)
    return frame
  }

  private static let names = (0..<12).map { "old\($0)" } + (0..<12).map { "new\($0)" }
  private static let old = grid("A", Array(names.prefix(12)), tall: "old0")
  private static let new = grid("B", Array(names.suffix(12)), tall: "new0")

  /// The row labels on the screen after each part.
  private func labels(_ parts: [FramePart], from start: ScreenFrame) -> [[String]] {
    var labels = [1, 5, 9].map { String(start.text(row: $0).prefix(2)) }
    return parts.map { part in
      for (index, row) in [1, 5, 9].enumerated() {
        guard let text = part.text, text.brings(row) else { continue }
        labels[index] = String(text.after.text(row: row).prefix(2))
      }
      return labels
    }
  }

  /// Expects that no text overwrites a picture drawn before it, as ncurses would do.
  private func expectNoTextOverPictures(_ parts: [FramePart], of frame: ScreenFrame) throws {
    var drawn: [CellRect] = []
    for part in parts {
      for rect in drawn {
        for row in rect.row..<rect.endRow {
          let cells = { (frame: ScreenFrame) in Array(frame.row(row))[rect.column..<rect.endColumn] }
          guard let text = part.text, text.brings(row) else { continue }
          #expect(text.before.map(cells) == cells(text.after))
        }
      }
      // Each is positioned by a cursor movement.
      let text = String(decoding: part.pictures, as: UTF8.self)
      for place in text.matches(of: /\u{1B}\[([0-9]+);([0-9]+)H/) {
        let (row, column) = (try #require(Int(place.1)) - 1, try #require(Int(place.2)) - 1)
        drawn += frame.slots.map(\.rect).filter { $0.row == row && $0.column == column }
      }
    }
    #expect(drawn.count == frame.slots.count)
  }

  @Test func `Without synchronized output the text of a row is sent with its pictures`() throws {
    let writer = makeBandWriter(Self.names)
    try writer.write(Self.old) { false }
    terminal.forgetLog()
    try writer.write(Self.new) { false }
    let parts = terminal.parts.filter { $0.text != nil || !$0.pictures.isEmpty }
    let labels = labels(parts, from: Self.old)
    #expect(labels.first == ["B0", "A1", "A2"] && labels.last == ["B0", "B1", "B2"])
    #expect(Set(labels) == [["B0", "A1", "A2"], ["B0", "B1", "A2"], ["B0", "B1", "B2"]])
    // The first four come with the first label; the tall one, which extends beside the second, follows.
    #expect(parts.first?.fills.prefix(4) == [13, 14, 15, 16])
    #expect(parts.first?.fills.count == 4)
    // The last line responds to the key.
    #expect(parts.first?.text?.after.text(row: 19).hasPrefix("status B") == true)
    let rows = parts.compactMap { $0.text?.rows }.flatMap { $0 }.flatMap { $0 }
    #expect(rows.sorted() == Array(0..<Self.size.rows))
    #expect(parts.flatMap(\.fills).sorted() == [13] + (13...24))
    try expectNoTextOverPictures(parts, of: Self.new)
    #expect(terminal.areFramesWhole)
    terminal.forgetLog()
    try writer.write(Self.new) { false }
    #expect(terminal.parts.isEmpty)
  }

  @Test func `A key between rows leaves no stray text, and defers pictures to the next frame`() throws {
    let writer = makeBandWriter(Self.names)
    try writer.write(Self.old) { false }
    terminal.forgetLog()
    try writer.write(Self.new) { true }
    let first = terminal.parts
    #expect(labels(first, from: Self.old).last == ["B0", "B1", "B2"])
    #expect(first.flatMap(\.fills).count < 13 && terminal.areFramesWhole)
    terminal.forgetLog()
    try writer.write(Self.new) { false }
    #expect((first + terminal.parts).flatMap(\.fills).sorted() == [13] + (13...24))
    try expectNoTextOverPictures(first + terminal.parts, of: Self.new)
  }

  @Test func `Pictures that arrived for the next key stay with the text of their row`() throws {
    let writer = makeBandWriter(Self.names)
    try writer.write(Self.old) { false }
    terminal.forgetLog()
    try writer.write(Self.new, isInterrupted: { true }, hasTerminalInput: { false })
    #expect(terminal.parts.flatMap(\.fills).count == 13)
    #expect(labels(terminal.parts, from: Self.old).first == ["B0", "A1", "A2"])
  }

  @Test func `Removed pictures are erased with the text of their rows`() throws {
    let writer = makeBandWriter(Self.names)
    try writer.write(Self.old) { false }
    terminal.forgetLog()
    // Without the tall picture.
    let frame = Self.grid("B", Array(Self.names.suffix(12)))
    try writer.write(frame) { false }
    let rows = terminal.parts.map { part in
      Set(
        String(decoding: part.erasing, as: UTF8.self).matches(of: /\[([0-9]+);/)
          .compactMap { Int($0.1).map { $0 - 1 } })
    }
    #expect(rows.reduce([], { $0.union($1) }) == Set(1..<9))
    #expect(rows.first == Set(1..<4))
  }

  @Test func `A terminal with synchronized output gets all text of a frame at once`() throws {
    terminal.traits.capabilities.hasSynchronizedOutput = true
    let writer = makeBandWriter(Self.names)
    try writer.write(Self.old) { false }
    terminal.forgetLog()
    try writer.write(Self.new) { false }
    #expect(terminal.parts.first?.text == FramePart.Text(before: Self.old, after: Self.new))
    #expect(terminal.parts.dropFirst().allSatisfy { $0.text == nil })
  }
}

extension FramePart.Text {
  /// Whether the part includes a row.
  fileprivate func brings(_ row: Int) -> Bool { rows?.contains { $0.contains(row) } ?? true }
}

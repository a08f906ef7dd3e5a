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
  private let pictures: ScreenPictures
  private let writer: ScreenWriter
  private static let size = CellSize(columns: 60, rows: 20)

  init() {
    var options = PictureOptions()
    options.graphics = .iterm
    options.compress = { pixels, _ in [UInt8](repeating: pixels.bytes[0], count: 100) }
    pictures = ScreenPictures(
      options, on: terminal.traits, cell: PixelSize(width: 10, height: 20),
      manager: LibraryAccessController(MemoryAssetStore(), images).manager, clock: clock, post: { _ in })
    let mailbox = Mailbox<LoopEvent>(clock: clock)
    let link = LinkWatcher(isAnswered: false, clock: clock, mailbox: mailbox)
    writer = ScreenWriter(terminal: terminal, pictures: pictures, link: link, clock: clock)
  }

  /// A frame with some words and pictures side by side.
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

  @Test func `The first frame is drawn from nothing, the next from the one before`() throws {
    let first = try #require(try write(Self.frame("one")).first)
    #expect(first.text == FramePart.Text(before: nil, after: Self.frame("one")))
    let second = try #require(try write(Self.frame("two")).first)
    #expect(second.text == FramePart.Text(before: Self.frame("one"), after: Self.frame("two")))
    #expect(try write(Self.frame("two")).isEmpty)
  }

  @Test func `A picture that comes later is sent alone, once`() throws {
    let frame = Self.frame("one", ["a", "b"])
    #expect(try write(frame).map(\.fills) == [[]])
    make("a")
    let parts = try write(frame)
    #expect(parts.map(\.fills) == [[1]])
    #expect(parts.first?.text == nil && parts.first?.erasing == [])
    #expect(try write(frame).isEmpty)
  }

  @Test func `What goes is erased before the text of the frame`() throws {
    make("a", "b")
    _ = try write(Self.frame("one", ["a", "b"]))
    let parts = try write(Self.frame("two", ["a"]))
    #expect(parts.count == 1)
    #expect(parts.first?.erasing.isEmpty == false && parts.first?.fills == [])
    #expect(parts.first?.text?.after == Self.frame("two", ["a"]))
  }

  @Test func `A better picture takes the place of the coarse one`() throws {
    _ = pictures.demand([.thumbnail(.photo("a"))])
    images.answer("a", fill: 5, isDegraded: true)
    #expect(try write(Self.frame("one", ["a"])).map(\.fills) == [[5]])
    images.answer("a", fill: 6)
    let parts = try write(Self.frame("one", ["a"]))
    #expect(parts.map(\.fills) == [[6]])
    #expect(parts.first?.erasing == [])
  }

  @Test func `What goes is erased at once, also while pictures are on their way`() throws {
    let clock = clock
    var options = PictureOptions()
    options.graphics = .iterm
    options.compress = { pixels, _ in [UInt8](repeating: pixels.bytes[0], count: 20_000) }
    let pictures = ScreenPictures(
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

  @Test func `Fewer bytes for pictures of the same size leave those that are there`() {
    make("a")
    #expect(!pictures.adopt(.speed))
    #expect(pictures.picture(for: PictureRequest.thumbnail(.photo("a")).key) != nil)
  }

  @Test func `After a reset all is drawn again`() throws {
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

  @Test func `A screen without pictures needs no erasure`() throws {
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

  @Test func `Where a mark is taken away its picture is drawn again, and no other`() throws {
    make("a", "b")
    _ = try write(Self.marked([("1", 3), ("2", 13)]))
    let parts = try write(Self.marked([("2", 13)]))
    #expect(parts.map(\.fills) == [[1]])
    #expect(parts.allSatisfy { $0.marks.isEmpty && $0.text == nil })
  }

  @Test func `A picture that is drawn again gets its marks after it`() throws {
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
}

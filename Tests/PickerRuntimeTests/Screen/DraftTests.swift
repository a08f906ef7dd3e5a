import AssetLibrary
import Pixels
import TerminalGraphics
import Testing

@testable import PickerRuntime
@testable import PickerUI

/// On a slow link coarse pictures are sent first, and their final pictures once nothing else is pending.
@Suite struct DraftTests {
  private let terminal = ScriptedTerminal()
  private let images = ScriptedImages()
  private let clock = TestClock()
  private let link: LinkWatcher
  private let pictures: PictureStore
  private let writer: ScreenWriter
  /// The offset added to a picture's fill in its draft.
  private static let draft: UInt8 = 100

  init() {
    var options = PictureOptions()
    options.graphics = .iterm
    options.compress = { pixels, quality in
      let fill = pixels.bytes[0]
      return quality == .small
        ? [UInt8](repeating: fill + Self.draft, count: 300) : [UInt8](repeating: fill, count: 6000)
    }
    pictures = PictureStore(
      options, on: terminal.traits, cell: PixelSize(width: 10, height: 20),
      manager: LibraryAccessController(MemoryAssetStore(), images).manager, clock: clock, post: { _ in })
    link = LinkWatcher(
      isAnswered: true, speed: LinkSpeed(roundTrip: .milliseconds(50), bytesPerSecond: 100_000), clock: clock,
      mailbox: Mailbox(clock: clock))
    writer = ScreenWriter(terminal: terminal, pictures: pictures, link: link, clock: clock)
    _ = pictures.setQuality(.speed, isLinkSlow: true)
  }

  private static func frame(_ names: [String], words: String = "", mark: Int? = nil) -> ScreenFrame {
    var frame = ScreenFrame(size: CellSize(columns: 60, rows: 20))
    frame.put(words, row: 0, column: 0)
    for (number, name) in names.enumerated() {
      let rect = CellRect(column: 10 * number, row: 5, columns: 4, rows: 2)
      frame.place(
        PictureSlot(key: PictureRequest.thumbnail(.photo(name)).key, rect: rect, alignment: .center))
    }
    if let mark { frame.mark(DisplayText("1"), row: 6, column: mark, limit: 4, style: .pickNumber) }
    return frame
  }

  private func make(_ names: String...) {
    _ = pictures.demand(names.map { .thumbnail(.photo($0)) })
    for (number, name) in names.enumerated() { images.answer(name, fill: UInt8(number + 1)) }
  }

  /// Returns the pictures that a frame sends.
  private func write(_ frame: ScreenFrame, isInterrupted: Bool = false) throws -> [UInt8] {
    terminal.forgetLog()
    try writer.write(frame) { isInterrupted }
    return terminal.parts.flatMap(\.fills)
  }

  /// Answers that the terminal has drawn everything, 100 ms later.
  private func answer() {
    clock.advance(by: .milliseconds(100))
    while link.isAwaitingAnswer { link.answered() }
  }

  @Test func `Drafts of all pictures precede the first final picture`() throws {
    make("a", "b")
    var sent = try write(Self.frame(["a", "b"]))
    #expect(sent.prefix(2) == [101, 102])
    while !sent.contains(2) {
      answer()
      let more = try write(Self.frame(["a", "b"]))
      #expect(!more.isEmpty && Set(more).isSubset(of: [1, 2]))
      sent += more
    }
    #expect(sent == [101, 102, 1, 2])
    answer()
    #expect(try write(Self.frame(["a", "b"])).isEmpty)
  }

  @Test func `No final picture is sent while drafts are pending`() throws {
    make("a")
    _ = pictures.demand(["a", "b"].map { .thumbnail(.photo($0)) })
    #expect(try write(Self.frame(["a", "b"])) == [101])
    answer()
    #expect(try write(Self.frame(["a", "b"])).isEmpty)
    images.answer("b", fill: 2)
    #expect(try write(Self.frame(["a", "b"])).first == 102)
  }

  @Test func `Pictures beyond the window wait for the answer that was requested`() throws {
    make("a", "b", "c", "d")
    let frame = Self.frame(["a", "b", "c", "d"])
    #expect(try write(frame).prefix(4) == [101, 102, 103, 104])
    #expect(terminal.parts.last?.asksWhenDrawn == true && link.room == 0)
    #expect(try write(frame).isEmpty)
    answer()
    #expect(try !write(frame).isEmpty)
  }

  @Test func `Text is sent while pictures wait`() throws {
    make("a", "b", "c", "d")
    _ = try write(Self.frame(["a", "b", "c", "d"]))
    #expect(link.room == 0)
    #expect(try write(Self.frame(["a", "b", "c", "d"], words: "new")).isEmpty)
    #expect(terminal.shows("new"))
  }

  @Test func `A degraded picture serves as the draft of its final one`() throws {
    _ = pictures.demand([.thumbnail(.photo("a"))])
    images.answer("a", fill: 7, isDegraded: true)
    #expect(try write(Self.frame(["a"])) == [107])
    images.answer("a", fill: 1)
    #expect(try write(Self.frame(["a"])) == [1])
  }

  @Test func `A mark over a draft is written again over the final picture`() throws {
    make("a")
    let frame = Self.frame(["a"], mark: 3)
    var sent: [UInt8] = []
    while sent.count < 2 {
      sent += try write(frame)
      #expect(terminal.parts.allSatisfy { $0.pictures.isEmpty == $0.marks.isEmpty })
      answer()
    }
    #expect(sent == [101, 1])
  }

  @Test func `Updates precede the remaining pictures`() throws {
    make("a", "b")
    let frame = Self.frame(["a", "b"])
    let sent = try write(frame, isInterrupted: true)
    #expect(sent.prefix(2) == [101, 102] && !sent.contains(2))
    answer()
    #expect(try write(frame).contains(2))
  }

  @Test
  func `An undisplayed picture that was encoded before the link proved slow gets a draft`()
    throws
  {
    _ = pictures.setQuality(.full)
    make("a", "b")
    #expect(pictures.picture(for: PictureRequest.thumbnail(.photo("a")).key)?.draft == nil)
    let shown = try #require(pictures.picture(for: PictureRequest.thumbnail(.photo("b")).key))
    _ = pictures.setQuality(.full, isLinkSlow: true, shown: [shown.version])
    #expect(pictures.picture(for: PictureRequest.thumbnail(.photo("b")).key) == shown)
    #expect(pictures.picture(for: PictureRequest.thumbnail(.photo("a")).key) == nil)
    images.answer("a", fill: 1)
    #expect(pictures.picture(for: PictureRequest.thumbnail(.photo("a")).key)?.draft != nil)
  }

  @Test func `A short picture has no draft`() throws {
    var options = PictureOptions()
    options.graphics = .iterm
    options.compress = { pixels, _ in [UInt8](repeating: pixels.bytes[0], count: 1000) }
    let pictures = PictureStore(
      options, on: terminal.traits, cell: PixelSize(width: 10, height: 20),
      manager: LibraryAccessController(MemoryAssetStore(), images).manager, clock: clock, post: { _ in })
    _ = pictures.setQuality(.full, isLinkSlow: true)
    _ = pictures.demand([.thumbnail(.photo("a"))])
    images.answer("a", fill: 1)
    let picture = try #require(pictures.picture(for: PictureRequest.thumbnail(.photo("a")).key))
    #expect(picture.draft == nil)
  }
}

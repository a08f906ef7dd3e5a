import Fixtures
import TestTerminal
import Testing

extension EndToEnd {
  /// The keys and the mouse of the manual, in the real program.
  @Suite struct PickerTourTests {
    /// Nine photos, the first the newest.
    private let folder: TemporaryFolder

    init() throws { folder = try Photos.folder(9) }

    private func open(
      _ arguments: [String] = ["--limit", "0", "--sort", "name"], columns: Int = 120, rows: Int = 40
    ) throws -> TerminalSession {
      let session = try Program.pick(arguments, in: folder, columns: columns, rows: rows)
      try session.waitForGrid(9)
      return session
    }

    /// The middle of a photo's tile; tiles are in name order.
    private func tile(_ number: Int, _ session: TerminalSession) throws -> (row: Int, column: Int) {
      let tile = try #require(session.virtual.tiles.dropFirst(number - 1).first)
      return (tile.row + tile.rows / 2, tile.column + tile.columns / 2)
    }

    @Test func `Mouse reporting is enabled and disabled again`() throws {
      let session = try open()
      #expect(session.virtual.mouseActive)
      #expect(session.virtual.bracketedPasteActive)
      session.send("q")
      try session.expectExit(.exited(130))
      #expect(!session.virtual.mouseActive)
      #expect(!session.virtual.bracketedPasteActive)
      #expect(session.isGivenBack)
    }

    @Test func `A click moves, clicking the corner mark selects, a double click confirms`() throws {
      let session = try open()
      let second = try tile(2, session)
      session.click(row: second.row, column: second.column)
      try session.waitForCursor(on: "2.jpg")
      let corner = session.virtual.tiles[1]
      session.click(row: corner.row + corner.rows - 1, column: corner.column + corner.columns - 1)
      try session.waitForPick(1, onTile: 1)
      let third = try tile(3, session)
      session.click(row: third.row, column: third.column, button: 16)
      try session.waitForPick(2, onTile: 2)
      let fifth = try tile(5, session)
      session.click(row: fifth.row, column: fifth.column, times: 2)
      try session.waitForText("3 photos picked. Press Enter to use them")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == [2, 3, 5].map { "\(folder.path)/\($0).jpg" })
    }

    @Test func `Dragging selects`() throws {
      let session = try open()
      let (first, third) = (try tile(1, session), try tile(3, session))
      session.mouse(0, row: first.row, column: first.column)
      session.mouse(32, row: third.row, column: third.column)
      try session.waitForText("3 picked")
      session.mouse(0, row: third.row, column: third.column, isRelease: true)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines.count == 3)
    }

    @Test func `The right button opens a photo and the wheel moves to the next`() throws {
      let session = try open()
      let second = try tile(2, session)
      session.click(row: second.row, column: second.column, button: 2)
      try session.waitUntil("the photo alone") { !$0.text.contains("Albums") && $0.text.contains("2.jpg") }
      session.click(row: 12, column: 50, button: 65)
      try session.waitUntil("the next one") { $0.text.contains("3.jpg") && !$0.text.contains("2.jpg") }
      session.press(.escape)
      try session.waitForCursor(on: "3.jpg")
      #expect(session.virtual.text.contains("0 picked"))
    }

    @Test func `A search is typed, pasted and cleared`() throws {
      let session = try open()
      session.send("/")
      try session.waitForText("Search")
      session.send("4.jpg")
      try session.waitForText("1 found")
      session.press(.enter)
      try session.waitForText("“4.jpg” ✕")
      session.send("c")
      try session.waitForText("9 photos")
      session.paste("7.jpg")
      try session.waitForText("1 found")
      session.press(.enter)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/7.jpg"])
    }

    @Test func `Filter and sort order are chosen from menus`() throws {
      let session = try open(["--filter", "images", "--limit", "0"])
      session.send("f")
      try session.waitForText("Space include, exclude")
      session.press(.down)
      session.press(.space)
      try session.waitForText("videos ✕")
      try session.waitForText("Nothing found for “videos”")
      session.press(.escape)
      try session.waitForNoText("Space include, exclude")
      #expect(session.virtual.text.contains("images only"))
      session.press(.backspace)
      try session.waitForText("9 photos")
      session.send("s")
      try session.waitForText("largest first")
      session.press(.down)
      session.press(.enter)
      try session.waitForText("oldest ▾")
      session.press(.home)
      try session.waitForCursor(on: "9.jpg")
    }

    @Test func `A range is selected, reviewed and reordered`() throws {
      let session = try open()
      session.send("v")
      session.press(.right, times: 2)
      try session.waitForText("3 picked")
      session.send("vr")
      try session.waitForText("pick 3 of 3")
      session.send("<")
      try session.waitForPick(2, onTile: 2)
      session.press(.escape)
      // An escape together with a key is Alt and that key.
      try session.waitForNoText("· pick ")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == [1, 3, 2].map { "\(folder.path)/\($0).jpg" })
    }

    @Test func `Digits jump to a photo and other characters are rejected`() throws {
      let session = try open()
      session.send("8x")
      try session.waitForText("Digits only")
      session.press(.enter)
      try session.waitForCursor(on: "8.jpg")
      #expect(session.virtual.text.contains("8/9") && !session.virtual.text.contains("Digits only"))
    }

    @Test func `Info and help are shown`() throws {
      let session = try open()
      session.send("i")
      try session.waitForText("400×300 · 0.1 MP")
      session.send("?")
      try session.waitForText("go to a photo number or a date")
      session.press(.enter)
      try session.waitUntil("the help is gone") { !$0.text.contains("go to a photo number") }
      // The key that closes it does nothing else.
      try session.waitForText("400×300 · 0.1 MP")
      try session.waitForCursor(on: "1.jpg")
      #expect(session.virtual.text.contains("0 picked"))
    }

    @Test func `Preselected photos are selected, and each change is reported as it happens`() throws {
      let folder = try Photos.folder(4)
      let session = try Program.pick(
        [
          "--limit", "3", "--selection", "continuousAndOrdered", "--preselect", "\(folder.path)/3.jpg",
          "--disable", "search,preview",
        ], in: folder)
      try session.waitForGrid(4)
      try session.waitForPick(1, onTile: 2)
      session.press(.space)
      try session.waitForText("2 of 3 picked")
      session.send("/")
      try session.waitForText("Search is disabled")
      session.press(.enter)
      try session.expectExit(.exited(0))
      let block = "\(folder.path)/3.jpg\n\(folder.path)/1.jpg\n\n"
      #expect(String(decoding: session.standardOutputBytes, as: UTF8.self) == block + block)
    }

    @Test func `The window may be resized at any moment`() throws {
      let session = try open()
      for (columns, rows) in [(20, 6), (19, 5), (60, 15), (200, 60), (33, 50), (120, 40)] {
        session.resize(columns: columns, rows: rows)
        session.send("j")
      }
      try session.waitForText("9 photos")
      try session.waitForText("? help")
      session.press(.home)
      try session.waitForCursor(on: "1.jpg")
      session.send("q")
      try session.expectExit(.exited(130))
      #expect(session.isGivenBack)
    }
  }
}

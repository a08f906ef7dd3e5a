import Fixtures
import TestTerminal
import Testing

extension EndToEnd {
  /// The keys and the mouse of the manual, through the real program.
  @Suite struct PickerTourTests {
    /// Twelve photos, the first the newest.
    private func open(
      _ arguments: [String] = ["--limit", "0", "--sort", "name"], columns: Int = 120, rows: Int = 40
    ) throws -> (folder: TemporaryFolder, session: TerminalSession) {
      let folder = try Photos.folder(9)
      let session = try Program.pick(arguments, in: folder, columns: columns, rows: rows)
      try session.waitForGrid(9)
      return (folder, session)
    }

    /// The cell in which the caption with a name begins.
    private func caption(_ name: String, _ session: TerminalSession) throws -> (row: Int, column: Int) {
      for (row, line) in session.virtual.text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        let characters = Array(line)
        for column in characters.indices where column > 20 && characters[column...].starts(with: Array(name))
        {
          return (row, column)
        }
      }
      throw Missing(name: name)
    }

    struct Missing: Error { var name: String }

    @Test func theMouseIsListenedToAndLetGo() throws {
      let (folder, session) = try open()
      defer { withExtendedLifetime(folder) {} }
      #expect(session.virtual.mouseActive)
      #expect(session.virtual.bracketedPasteActive)
      session.send("q")
      #expect(try session.waitForExit() == .exited(130))
      #expect(!session.virtual.mouseActive)
      #expect(!session.virtual.bracketedPasteActive)
      #expect(session.isGivenBack)
    }

    @Test func aClickMovesTheCheckMarkSelectsADoubleClickUses() throws {
      let (folder, session) = try open()
      defer { withExtendedLifetime(folder) {} }
      let second = try caption("2.jpg", session)
      session.click(row: second.row - 2, column: second.column)
      try session.waitForCursor(on: "2.jpg")
      session.click(row: second.row, column: second.column - 2)
      try session.waitForText("① 2.jpg")
      let third = try caption("3.jpg", session)
      session.click(row: third.row - 2, column: third.column, button: 16)
      try session.waitForText("② 3.jpg")
      let fifth = try caption("5.jpg", session)
      session.click(row: fifth.row - 2, column: fifth.column)
      session.click(row: fifth.row - 2, column: fifth.column)
      #expect(try session.waitForExit() == .exited(0))
      #expect(session.outputLines == [2, 3, 5].map { "\(folder.path)/\($0).jpg" })
    }

    @Test func draggingSelects() throws {
      let (folder, session) = try open()
      defer { withExtendedLifetime(folder) {} }
      let (first, third) = (try caption("1.jpg", session), try caption("3.jpg", session))
      session.send("\u{1B}[<0;\(first.column + 1);\(first.row - 1)M")
      session.send("\u{1B}[<32;\(third.column + 1);\(third.row - 1)M")
      try session.waitForText("3 selected")
      session.send("\u{1B}[<0;\(third.column + 1);\(third.row - 1)m")
      session.press(.enter)
      #expect(try session.waitForExit() == .exited(0))
      #expect(session.outputLines.count == 3)
    }

    @Test func theRightButtonOpensAndTheWheelLeadsOn() throws {
      let (folder, session) = try open()
      defer { withExtendedLifetime(folder) {} }
      let second = try caption("2.jpg", session)
      session.click(row: second.row - 2, column: second.column, button: 2)
      try session.waitUntil("the photo alone") { !$0.text.contains("Albums") && $0.text.contains("2.jpg") }
      session.click(row: 12, column: 50, button: 65)
      try session.waitUntil("the next one") { $0.text.contains("3.jpg") && !$0.text.contains("2.jpg") }
      session.press(.escape)
      try session.waitForCursor(on: "3.jpg")
    }

    @Test func aSearchIsTypedPastedAndCleared() throws {
      let (folder, session) = try open()
      defer { withExtendedLifetime(folder) {} }
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
      #expect(try session.waitForExit() == .exited(0))
      #expect(session.outputLines == ["\(folder.path)/7.jpg"])
    }

    @Test func filterAndOrderAreChosenFromMenus() throws {
      let (folder, session) = try open(["--filter", "images", "--limit", "0"])
      defer { withExtendedLifetime(folder) {} }
      session.send("f")
      try session.waitForText("Space with, without, either")
      session.press(.down)
      session.press(.space)
      try session.waitForText("videos ✕")
      session.press(.escape)
      try session.waitForText("Nothing here is found by “videos”")
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

    @Test func aRangeIsSelectedReviewedAndReordered() throws {
      let (folder, session) = try open()
      defer { withExtendedLifetime(folder) {} }
      session.send("v")
      session.press(.right, times: 2)
      try session.waitForText("3 selected")
      session.send("vr")
      try session.waitForText("Selection, in this order")
      session.send("<")
      try session.waitForText("② 3.jpg")
      session.press(.escape)
      // An escape and a key at once are Alt and that key.
      try session.waitUntil("the strip is gone") { !$0.text.contains("in this order") }
      session.press(.enter)
      #expect(try session.waitForExit() == .exited(0))
      #expect(session.outputLines == [1, 3, 2].map { "\(folder.path)/\($0).jpg" })
    }

    @Test func digitsLeadToAPhotoAndNothingElseIsTaken() throws {
      let (folder, session) = try open()
      defer { withExtendedLifetime(folder) {} }
      session.send("8x")
      try session.waitForText("digits only")
      session.press(.enter)
      try session.waitForCursor(on: "8.jpg")
    }

    @Test func infoAndHelpAreShown() throws {
      let (folder, session) = try open()
      defer { withExtendedLifetime(folder) {} }
      session.send("i")
      try session.waitForText("400×300 · 0.1 MP")
      session.send("?")
      try session.waitForText("jump to a date or a number")
      session.send("x")
      try session.waitUntil("the help is gone") { !$0.text.contains("jump to a date") }
    }

    @Test func selectedFromTheStartAndToldAsItHappens() throws {
      let folder = try Photos.folder(4)
      defer { withExtendedLifetime(folder) {} }
      let session = try Program.pick(
        [
          "--limit", "3", "--selection", "continuousAndOrdered", "--preselect", "\(folder.path)/3.jpg",
          "--disable", "search,preview",
        ], in: folder)
      try session.waitForGrid(4)
      try session.waitForText("① 3.jpg")
      session.press(.space)
      try session.waitForText("2 of 3 selected")
      session.send("/")
      try session.waitForText("there is no search here")
      session.press(.enter)
      #expect(try session.waitForExit() == .exited(0))
      let block = "\(folder.path)/3.jpg\n\(folder.path)/1.jpg\n\n"
      #expect(String(decoding: session.standardOutputBytes, as: UTF8.self) == block + block)
    }

    @Test func resizedAtAnyMoment() throws {
      let (folder, session) = try open()
      defer { withExtendedLifetime(folder) {} }
      for (columns, rows) in [(20, 6), (19, 5), (60, 15), (200, 60), (33, 50), (120, 40)] {
        session.resize(columns: columns, rows: rows)
        session.send("j")
      }
      try session.waitForText("9 photos")
      try session.waitForText("? help")
      session.press(.home)
      try session.waitForCursor(on: "1.jpg")
      session.send("q")
      #expect(try session.waitForExit() == .exited(130))
      #expect(session.isGivenBack)
    }
  }
}

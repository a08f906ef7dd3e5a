import Fixtures
import TestTerminal
import Testing

extension EndToEnd {
  /// Every key of the manual, pressed in the real program and checked on the screen.
  @Suite struct KeyTourTests {
    /// Forty photos over two months, the first the newest, so that they fill more than one screen.
    private let folder: TemporaryFolder

    init() throws { folder = try Photos.folder(40) }

    private func open(
      _ arguments: [String] = [], columns: Int = 120, rows: Int = 40
    ) throws -> TerminalSession {
      let session = try Program.pick(
        arguments, in: folder, columns: columns, rows: rows, profile: .trueColor)
      try session.waitForLibrary("40 photos")
      try session.waitForCursor(on: "1.jpg")
      // The sidebar's width depends on its names: the number of photos per row is known then.
      if columns >= 100 { try session.waitForText("Albums") }
      return session
    }

    /// The number of photos per row.
    private func width(of session: TerminalSession) -> Int {
      // Each of these photos was taken on a different day, which is shown above it.
      session.virtual.characters(inRow: 1).split { !$0.isNumber }.count
    }

    /// Keys, and the photo that each leads to; `w` is the number of photos per row.
    private typealias Step = (key: String, target: (Int) -> Int)

    @Test func `Each movement key goes where the manual says`() throws {
      let session = try open()
      let w = width(of: session)
      #expect(w >= 2)
      func key(_ key: SpecialKey) -> String { key.sequence(applicationCursorKeys: true) }
      let steps: [Step] = [
        (key(.right), { _ in 2 }), (key(.left), { _ in 1 }), (key(.down), { 1 + $0 }), (key(.up), { _ in 1 }),
        ("l", { _ in 2 }), ("h", { _ in 1 }), ("j", { 1 + $0 }), ("k", { _ in 1 }),
        (key(.end), { _ in 40 }), (key(.home), { _ in 1 }), ("G", { _ in 40 }), ("g", { _ in 1 }),
      ]
      for (number, step) in steps.enumerated() {
        session.send(step.key)
        try session.waitForCursor(on: "\(step.target(w)).jpg")
        #expect(session.exitStatus == nil, "step \(number)")
      }
    }

    @Test(arguments: [
      (
        SpecialKey.pageDown.sequence(applicationCursorKeys: true),
        SpecialKey.pageUp.sequence(applicationCursorKeys: true)
      ),
      ("\u{6}", "\u{2}"),
    ])
    func `A page down moves to other photos, a page up back`(down: String, up: String) throws {
      let session = try open()
      session.send(down)
      try session.waitForNoCursor(on: "1.jpg")
      session.send(up)
      try session.waitForCursor(on: "1.jpg")
    }

    @Test func `All are picked up to the limit, and none`() throws {
      let session = try open(["--limit", "3"])
      session.send("a")
      try session.waitForText("limit of 3 reached")
      session.press(.end)  // a key press dismisses the notice
      try session.waitForText("3 of 3 picked")
      session.press(.space)
      try session.waitForText("limit of 3 reached")
      session.send("u")
      try session.waitForText("0 of 3 picked")
      session.press(.space)
      try session.waitForText("1 of 3 picked")
      try session.waitForCursor(on: "40.jpg")
      session.press(.space)
      try session.waitForText("0 of 3 picked")
      // A cleared selection does not confirm the photo under the cursor.
      session.press(.enter)
      try session.waitForText("Nothing picked")
      session.press(.space)
      try session.waitForText("1 of 3 picked")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/40.jpg"])
    }

    @Test func `With a limit of one a pick replaces the last`() throws {
      let session = try open()
      session.press(.space)
      try session.waitForText("1 of 1 picked")
      session.press(.right)
      session.press(.space)
      try session.waitForText(" ✓ ")
      try session.waitForCursor(on: "2.jpg")
      #expect(session.virtual.text.contains("1 of 1 picked"))
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/2.jpg"])
    }

    @Test func `Tab cycles through the panes`() throws {
      let session = try open()
      session.press(.tab)
      // In the sidebar a slash searches for an album.
      session.send("/")
      try session.waitForText("part of the title")
      session.press(.escape)
      try session.waitForNoText("part of the title")
      session.press(.backTab)
      session.press(.right)
      try session.waitForCursor(on: "2.jpg")
      #expect(session.virtual.text.contains("40 photos"))
    }

    @Test func `The preview is hidden, shown and fills the screen`() throws {
      let session = try open()
      try session.waitForText("400×300")
      session.send("p")
      // Without it the metadata takes one line.
      try session.waitForText("1.jpg · ")
      session.send("p")
      try session.waitForNoText("1.jpg · ")
      session.send("o")
      try session.waitForNoText("Albums")
      session.press(.right)
      try session.waitForText("2.jpg")
      session.send("o")
      try session.waitForText("Albums")
      try session.waitForCursor(on: "2.jpg")
      #expect(session.virtual.text.contains("400×300"))
    }

    @Test func `Thumbnails become smaller and larger`() throws {
      let session = try open()
      let usual = width(of: session)
      session.send("-")
      try session.waitUntil("more beside each other") { _ in width(of: session) == usual + 1 }
      session.send("+")
      try session.waitUntil("the usual number again") { _ in width(of: session) == usual }
      session.send("+")
      try session.waitUntil("fewer beside each other") { _ in width(of: session) == usual - 1 }
    }

    @Test func `Hidden photos are shown and hidden again`() throws {
      let folder = try Photos.folder(4)
      try folder.write(try TestPhoto(width: 40, height: 30, date: .day(1)).bytes(), to: "private/5.jpg")
      try folder.write([], to: "private/.nomedia")
      let session = try Program.pick([], in: folder, profile: .trueColor)
      try session.waitForText("4 photos")
      session.send(".")
      try session.waitForText("5 photos")
      session.press(.end)
      try session.waitForCursor(on: "5.jpg")
      session.send(".")
      try session.waitForText("4 photos")
      try session.waitForNoCursor(on: "5.jpg")
    }

    @Test func `Limited access is managed`() throws {
      let folder = try Photos.folder(4)
      let session = try Program.pick(
        ["--authorize", "limited", "--allow", "\(folder.path)/1.jpg"], in: folder, profile: .trueColor)
      try session.waitForText("Limited access · 1 of 4 photos")
      session.send("m")
      try session.waitForText("1 allowed")
      session.press(.right)
      session.press(.space)
      try session.waitForText("2 allowed")
      session.press(.enter)
      try session.waitForText("Limited access · 2 of 4 photos")
      try session.waitForText("2 photos ")
      session.press(.end)
      try session.waitForCursor(on: "2.jpg")
    }

    @Test func `Ctrl-L redraws the screen`() throws {
      let session = try open()
      try session.waitForIdle()
      let before = session.virtual.text
      _ = session.virtual.feed(Array("\u{1B}[2J\u{1B}[Hgarbage".utf8))
      #expect(session.virtual.text.hasPrefix("garbage"))
      session.pressControl("l")
      try session.waitUntil("the screen as it was") { $0.text == before }
    }

    @Test func `Escape closes what is open, then cancels`() throws {
      let session = try open()
      session.send("?")
      try session.waitForText("Type to filter")
      session.press(.end)
      try session.waitForText("zoom in full screen")
      session.press(.escape)
      try session.waitForNoText("zoom in full screen")
      session.send("o")
      try session.waitForNoText("Albums")
      session.press(.escape)
      try session.waitForText("Albums")
      session.press(.escape)
      try session.expectExit(.exited(130))
      #expect(session.standardOutputBytes.isEmpty)
      #expect(session.isGivenBack)
    }

    @Test func `Two escapes at once count as two`() throws {
      let session = try open()
      session.send("?")
      try session.waitForText("Esc closes")
      session.send("\u{1B}\u{1B}")
      try session.expectExit(.exited(130))
    }

    @Test func `The wheel scrolls the grid`() throws {
      let session = try open()
      // Each of these photos was taken on a different day, which is shown above it; the cursor's frame does not count.
      func days(_ screen: VirtualTerminal) -> [Character] {
        screen.characters(inRow: 1).filter { $0.isLetter || $0.isNumber }
      }
      try session.waitForIdle()
      let first = days(session.virtual)
      for _ in 0..<4 { session.click(row: 5, column: 30, button: 65) }
      try session.waitUntil("another part") { days($0) != first }
      for _ in 0..<6 { session.click(row: 5, column: 30, button: 64) }
      try session.waitUntil("the first part") { days($0) == first }
    }
  }
}

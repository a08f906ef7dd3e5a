import Fixtures
import TestTerminal
import Testing

extension EndToEnd {
  /// Pictures stand where they belong and nowhere else, and nothing is written over them.
  @Suite struct GhostTests {
    /// The cells of the thumbnails and the preview are covered by whole pictures.
    private func expectWhole(_ session: TerminalSession, _ what: Comment) {
      for picture in session.virtual.pictures {
        #expect(picture.damagedCells == 0, what)
      }
      #expect(session.virtual.brokenSixels.isEmpty, what)
      #expect(session.virtual.pictureCellsOnlyErased == 0, what)
      #expect(session.virtual.picturesOutsideUpdates == 0, what)
      #expect(session.virtual.scrollCount == 0, what)
    }

    /// The same screen from a fresh start: pictures at the same places, the same text.
    private func expectLikeFreshStart(
      _ session: TerminalSession, _ folder: TemporaryFolder, keys: (TerminalSession) -> Void
    ) throws {
      let fresh = try Program.pick(
        ["--limit", "9"], in: folder, columns: session.virtual.columns, rows: session.virtual.rows)
      try fresh.waitForGrid(30)
      keys(fresh)
      fresh.settle(quiet: 1)
      try session.waitUntil("the pictures of a fresh screen") { screen in
        Set(screen.pictures.map(\.area)) == Set(fresh.virtual.pictures.map(\.area))
      }
      session.settle()
      let isSameText = session.virtual.text == fresh.virtual.text
      #expect(isSameText, "\(session.virtual.text)\n-- fresh:\n\(fresh.virtual.text)")
      let ghosts = Set(session.virtual.pictureCells()).symmetricDifference(fresh.virtual.pictureCells())
      #expect(ghosts.isEmpty)
    }

    @Test func movingScrollingHelpAndResizeLeaveNothingBehind() throws {
      let folder = try Photos.folder(30)
      defer { withExtendedLifetime(folder) {} }
      let session = try Program.pick(["--limit", "9"], in: folder)
      try session.waitForGrid(30)
      session.settle()
      expectWhole(session, "at the start")

      session.press(.right)
      session.press(.down)
      session.settle()
      expectWhole(session, "after moves")

      session.press(.pageDown)
      session.press(.pageDown)
      session.settle()
      expectWhole(session, "after scrolling")

      session.send("?")
      try session.waitForText("any key closes")
      session.settle()
      let help = try #require(session.virtual.find("any key closes"))
      #expect(session.virtual.picture(atRow: help.row, column: help.column) == nil)
      expectWhole(session, "with help open")
      session.press(.escape)
      try session.waitForNoText("any key closes")
      session.settle()
      expectWhole(session, "after help")

      session.press(.home)
      session.settle()
      try expectLikeFreshStart(session, folder) { $0.press(.home) }

      session.resize(columns: 90, rows: 30)
      try session.waitUntil("the smaller screen") { !$0.text.contains("Library") }
      session.settle()
      expectWhole(session, "after shrinking")
      try expectLikeFreshStart(session, folder) { $0.press(.home) }

      session.resize(columns: 150, rows: 44)
      try session.waitForText("Library")
      session.settle()
      expectWhole(session, "after growing")
      try expectLikeFreshStart(session, folder) { $0.press(.home) }

      session.send("o")
      session.settle()
      #expect(session.virtual.pictures.count == 1)
      expectWhole(session, "in full screen")
      session.send("o")
      session.settle()
      try expectLikeFreshStart(session, folder) { $0.press(.home) }
    }

    @Test func aMoveCostsNoPicturesOfTheGridAndIdleCostsNothing() throws {
      let folder = try Photos.folder(12)
      defer { withExtendedLifetime(folder) {} }
      let session = try Program.pick(["--limit", "3"], in: folder)
      try session.waitForGrid(12)
      session.settle(quiet: 1.5)
      session.send("p")  // no preview: only captions change
      session.settle(quiet: 0.8)
      let pictures = session.virtual.pictureHistory.count
      let bytes = session.bytesWritten
      session.settle(quiet: 0.5)
      #expect(session.bytesWritten == bytes)
      session.press(.right)
      try session.waitForCursor(on: "2.jpg")
      session.settle()
      #expect(session.virtual.pictureHistory.count == pictures)
      #expect(session.bytesWritten - bytes < 1024)
    }
  }
}

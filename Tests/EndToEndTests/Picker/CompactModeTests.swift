import Fixtures
import TestTerminal
import Testing

extension EndToEnd {
  @Suite struct CompactModeTests {
    private func rows(_ screen: VirtualTerminal) -> [Int] { Set(screen.pictures.map(\.row)).sorted() }

    @Test func `There is one row of thumbnails with a preview above it if there is room`() throws {
      let folder = try Photos.folder(30)
      let session = try Program.pick(
        ["--mode", "compact", "--limit", "3"], in: folder, columns: 80, rows: 24)
      try session.waitForGrid(30)
      try session.waitForCursor(on: "1.jpg")
      try session.waitForIdle()
      #expect(rows(session.virtual).count == 2)
      #expect(session.virtual.text.contains("━━"))
      session.press(.right, times: 4)
      try session.waitForCursor(on: "5.jpg")
      session.press(.space)
      try session.waitForText("1 of 3 picked")
      session.resize(columns: 38, rows: 9)
      try session.waitForText("1 of 3 ")
      try session.waitForText("╭")
      try session.waitForIdle()
      #expect(rows(session.virtual).count == 1)
      session.send("p")
      try session.waitForNoText("╭")
      try session.waitForIdle()
      #expect(session.virtual.pictures.count == 1)
      session.resize(columns: 19, rows: 5)
      try session.waitForText("tpick needs 20×6")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/5.jpg"])
    }
  }
}

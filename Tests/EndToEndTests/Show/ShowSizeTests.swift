import Fixtures
import Glibc
import Pixels
import TestTerminal
import Testing

extension Commands {
  /// The default size of `tpick show`.
  @Suite struct ShowSizeTests {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      let photo = TestPhoto(TestPicture.make(width: 320, height: 240), date: .day(1))
      try folder.write(try photo.bytes(), to: "1.jpg")
    }

    @Test func `At the bottom of the window earlier pictures move up with the text`() throws {
      let session = try TerminalSession(
        Program.path, ["show", "--size", "20x9"] + Array(repeating: "\(folder.path)/1.jpg", count: 3),
        environment: Program.environment(), columns: 80, rows: 20, profile: .kitty,
        standardOutput: .terminal)
      try session.expectExit(.exited(0))
      #expect(session.virtual.kittyPlacements.last?.area.row == 11)
      #expect(session.virtual.cursor.row == 19)
    }

    @Test func `A picture as high as the window leaves a row for the prompt`() throws {
      try folder.write(try TestPhoto(TestPicture.make(width: 300, height: 1200)).bytes(), to: "high.jpg")
      let session = try TerminalSession(
        Program.path, ["show", "\(folder.path)/high.jpg"], environment: Program.environment(), columns: 80,
        rows: 20, profile: .kitty, standardOutput: .terminal)
      try session.expectExit(.exited(0))
      let area = try #require(session.virtual.kittyPlacements.first?.area)
      #expect(area.row == 0 && area.rows == 19)
      #expect(session.virtual.cursor == TerminalPosition(row: 19, column: 0))
    }

    /// The lines of blocks written into a pipe.
    private func lines(_ environment: [String: String]) throws -> [[Character]] {
      let result = try Program.run(
        ["show", "--graphics", "ascii", "\(folder.path)/1.jpg"], environment: environment)
      #expect(result.status == .exited(0))
      return result.lines.map(Array.init)
    }

    @Test func `fzf's preview is filled`() throws {
      let lines = try lines(["FZF_PREVIEW_COLUMNS": "16", "FZF_PREVIEW_LINES": "30"])
      #expect(lines.count == 6 && lines.allSatisfy { $0.count == 16 })
    }

    @Test(arguments: [("0", "30"), ("16", "-1"), ("10001", "30"), ("wide", "30")])
    func `An impossible preview size is ignored`(columns: String, rows: String) throws {
      let preview = ["FZF_PREVIEW_COLUMNS": columns, "FZF_PREVIEW_LINES": rows]
      #expect(try lines(preview) == lines([:]))
    }
  }
}

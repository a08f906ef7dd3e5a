import Fixtures
import Foundation
import TestTerminal
import Testing

extension EndToEnd {
  /// `y` copies paths to the terminal's clipboard.
  @Suite struct ClipboardTests {
    @Test func `The terminal gets the path in one sequence, and the screen is unchanged`() throws {
      let folder = try TemporaryFolder()
      for (number, name) in ["ä b.jpg", "c.jpg"].enumerated() {
        try folder.write(
          try TestPhoto(width: 64, height: 48, date: .day(9 - number)).bytes(), to: name)
      }
      let session = try Program.pick(["-n", "0"], in: folder, profile: .sixel)
      try session.waitForGrid(2)
      session.send("y")
      try session.waitForText("Copied the path to the clipboard")
      let copies = session.virtual.otherCommands.filter { $0.starts(with: "52;".utf8) }
      let path = Data("\(folder.path)/ä b.jpg".utf8).base64EncodedString()
      #expect(copies.map { String(decoding: $0, as: UTF8.self) } == ["52;c;\(path)"])
      #expect(session.virtual.pictureAreas.count >= 2)
      session.send("q")
      try session.expectExit(.exited(130))
    }
  }
}

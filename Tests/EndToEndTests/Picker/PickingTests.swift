import Fixtures
import Glibc
import TestTerminal
import Testing

extension EndToEnd {
  @Suite struct PickingTests {
    @Test func `Two picks are printed in picking order`() throws {
      let folder = try Photos.folder(6)
      let session = try Program.pick(["--limit", "3", "--filter", "images"], in: folder)
      try session.waitForGrid(6)
      session.press(.right)
      try session.waitForCursor(on: "2.jpg")
      session.press(.right)
      session.press(.space)
      try session.waitForText("1 of 3 picked")
      session.press(.left)
      session.press(.space)
      try session.waitForText("2 of 3 picked")
      try session.waitForPick(1, onTile: 2)
      try session.waitForPick(2, onTile: 1)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/3.jpg", "\(folder.path)/2.jpg"])
      #expect(session.isGivenBack)
    }

    @Test func `If all picks have disappeared nothing is printed, and the status says so`() throws {
      let folder = try TemporaryFolder()
      try Photos.write(2, to: folder)
      for name in ["1.jpg", "2.jpg"] {
        try folder.write(try folder.bytes(of: name), to: "outer/inner/\(name)")
        folder.remove(name)
      }
      let source = "\(folder.path)/outer/inner"
      let session = try Program.pick(["--limit", "2", source])
      try session.waitForGrid(2)
      session.press(.space)
      session.press(.right)
      session.press(.space)
      try session.waitForText("2 of 2 picked")
      // The picker gets no event for a folder above the source.
      try folder.rename("outer", to: "elsewhere")
      session.press(.enter)
      try session.expectExit(.exited(1))
      #expect(session.standardOutputBytes.isEmpty)
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      for name in ["1.jpg", "2.jpg"] { #expect(errors.contains("\(source)/\(name): no longer exists")) }
    }

    @Test func `The limit is shown and enforced`() throws {
      let folder = try Photos.folder(4)
      let session = try Program.pick(["--limit", "2"], in: folder)
      try session.waitForGrid(4)
      for _ in 0..<3 {
        session.press(.space)
        session.press(.right)
      }
      session.press(.left)
      try session.waitForText("2 of 2 picked")
      session.press(.space)
      try session.waitForText("limit of 2 reached")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/1.jpg", "\(folder.path)/2.jpg"])
    }

    @Test func `Enter uses the photo under the cursor`() throws {
      let folder = try Photos.folder(3)
      let session = try Program.pick([], in: folder)
      try session.waitForGrid(3)
      session.press(.right)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/2.jpg"])
    }

    @Test(arguments: ["\u{1B}", "q", "\u{3}"])
    func `Canceling prints nothing`(key: String) throws {
      let folder = try Photos.folder(2)
      let session = try Program.pick(["--limit", "2"], in: folder)
      try session.waitForGrid(2)
      session.send(key)
      try session.expectExit(.exited(130))
      #expect(session.standardOutputBytes.isEmpty)
      #expect(session.isGivenBack)
    }

    @Test(arguments: [("\u{1B}", "Esc"), ("q", "q"), ("\u{3}", "^C")])
    func `A single key press does not lose picks`(key: String, name: String) throws {
      let folder = try Photos.folder(3)
      let session = try Program.pick(["--limit", "3"], in: folder)
      try session.waitForGrid(3)
      session.press(.space)
      session.press(.right)
      session.press(.space)
      try session.waitForText("2 of 3 picked")
      session.send(key)
      try session.waitForText("\(name) again to discard 2 picks")
      // Another key dismisses the question.
      session.press(.left)
      try session.waitForText("2 of 3 picked")
      session.send("u")
      try session.waitForText("0 of 3 picked")
      session.send("U")
      try session.waitForText("Undone: 2 picked")
      session.send("\u{12}")
      try session.waitForText("Redone: 0 picked")
      session.send("U")
      try session.waitForText("Undone: 2 picked")
      session.send(key)
      try session.waitForText("\(name) again to discard 2 picks")
      session.send(key)
      try session.expectExit(.exited(130))
      #expect(session.standardOutputBytes.isEmpty)
      #expect(session.isGivenBack)
    }

    @Test func `A signal asks no question`() throws {
      let folder = try Photos.folder(2)
      let session = try Program.pick(["--limit", "2"], in: folder)
      try session.waitForGrid(2)
      session.press(.space)
      try session.waitForText("1 of 2 picked")
      session.signal(SIGTERM)
      try session.expectExit(.signalled(SIGTERM))
      #expect(session.standardOutputBytes.isEmpty)
      #expect(session.isGivenBack)
    }

    @Test func `Input and output may both be redirected`() throws {
      let folder = try Photos.folder(2)
      let names = Array("\(folder.path)/2.jpg\n\(folder.path)/gone.jpg\n".utf8)
      let session = try Program.pick(["-"], standardInput: .bytes(names))
      try session.waitForGrid(1)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/2.jpg"])
      #expect(String(decoding: session.standardErrorBytes, as: UTF8.self).contains("gone.jpg: No such file"))
    }

    @Test func `An empty folder is reported`() throws {
      let folder = try TemporaryFolder()
      let session = try Program.pick([], in: folder)
      try session.waitForText("No photos here")
      session.press(.enter)
      try session.expectExit(.exited(1))
      #expect(session.standardOutputBytes.isEmpty)
    }

    @Test func `A filter without matches is named`() throws {
      let folder = try Photos.folder(1)
      let session = try Program.pick(["--filter", "videos"], in: folder)
      try session.waitForText("Nothing here matches “videos only”")
      session.press(.enter)
      try session.expectExit(.exited(1))
    }

    @Test func `Options that avoid the screen apply only to their own case`() throws {
      let folder = try Photos.folder(1)
      let none = try Program.pick(["--select-1", "--filter", "videos"], in: folder)
      try none.waitForText("Nothing here matches “videos only”")
      none.press(.enter)
      try none.expectExit(.exited(1))
      let one = try Program.pick(["--exit-0"], in: folder)
      try one.waitForGrid(1)
      one.press(.enter)
      try one.expectExit(.exited(0))
      #expect(one.outputLines == ["\(folder.path)/1.jpg"])
    }

    @Test func `An album is chosen in the sidebar`() throws {
      let folder = try TemporaryFolder()
      for (album, day) in [("beach", 3), ("town", 2)] {
        try folder.write(
          try TestPhoto(width: 200, height: 150, date: .day(day)).bytes(), to: "\(album)/\(album).jpg")
      }
      let session = try Program.pick([], in: folder)
      try session.waitForGrid(2)
      session.press(.tab)
      session.press(.down, times: 3)  // past Recently Added and the first folder
      try session.waitForText("1 photo ")
      session.press(.enter)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/town/town.jpg"])
    }
  }
}

import Fixtures
import Glibc
import Metadata
import TestTerminal
import Testing

extension EndToEnd {
  /// The running picker follows changes on disk.
  @Suite struct FollowingTests {
    private func photo(_ day: Int) throws -> [UInt8] {
      try TestPhoto(width: 200, height: 150, date: .day(day, month: 12)).bytes()
    }

    @Test func `A new photo appears, also in a new folder`() throws {
      let folder = try Photos.folder(2)
      let session = try Program.pick(["--limit", "9"], in: folder)
      try session.waitForGrid(2)
      session.press(.right)
      try session.waitForCursor(on: "2.jpg")
      try folder.write(try photo(30), to: "arrived.jpg")
      try session.waitForGrid(3)
      // The cursor stays with its photo.
      try session.waitForCursor(on: "2.jpg")
      try folder.write(try photo(29), to: "later/deep/second.jpg")
      try session.waitForGrid(4)
      try session.waitForText("deep")
      session.press(.home)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/arrived.jpg"])
    }

    @Test func `A folder that disappears is reported, and its photos return with it`() throws {
      let folder = try TemporaryFolder()
      for day in 1...2 { try folder.write(try photo(day), to: "year/trip/\(day).jpg") }
      let session = try Program.pick(["--limit", "9", "\(folder.path)/year/trip"])
      try session.waitForGrid(2)
      try folder.rename("year/trip", to: "away")
      try session.waitForText("no longer there")
      try folder.rename("away", to: "year/trip")
      try session.waitForGrid(2)
      try session.waitForNoText("no longer there")
      // Also if the folders around it disappear, and it is a different one.
      folder.remove("year")
      try session.waitForText("no longer there")
      for day in 1...3 { try folder.write(try photo(day), to: "year/trip/\(day).jpg") }
      try session.waitForGrid(3)
    }

    @Test func `More events than the system's queue holds lose no photo`() throws {
      let folder = try Photos.folder(2)
      try folder.makeFolder("busy")
      let session = try Program.pick(["--limit", "9"], in: folder)
      try session.waitForGrid(2)
      session.signal(SIGSTOP)
      // Three events per file, and the system's queue holds some sixteen thousand (fs.inotify.max_queued_events).
      for number in 0..<9000 {
        try folder.write([], to: "busy/\(number).txt")
        folder.remove("busy/\(number).txt")
      }
      try folder.write(try photo(30), to: "arrived.jpg")
      session.signal(SIGCONT)
      try session.waitForGrid(3)
    }

    @Test func `A deleted photo disappears from grid and selection with a notice`() throws {
      let folder = try Photos.folder(4)
      let session = try Program.pick(["--limit", "3"], in: folder)
      try session.waitForGrid(4)
      session.press(.space)
      session.press(.right)
      session.press(.space)
      try session.waitForText("2 of 3 picked")
      folder.remove("1.jpg")
      try session.waitForText("1.jpg is gone from the disk and no longer picked")
      session.press(.home)  // a key press dismisses the notice
      try session.waitForText("1 of 3 picked")
      folder.remove("4.jpg")
      try session.waitForText("1 photo is gone")
      try session.waitUntil("the grid without them") { screen in
        screen.tiles.count == 2 && screen.text.contains("2 photos")
      }
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/2.jpg"])
    }

    @Test func `A renamed photo stays picked and is printed under its new name`() throws {
      let folder = try Photos.folder(3)
      let session = try Program.pick(["--limit", "2"], in: folder)
      try session.waitForGrid(3)
      session.press(.right)
      session.press(.space)
      try session.waitForPick(1, onTile: 1)
      try folder.rename("2.jpg", to: "other.jpg")
      try session.waitForCursor(on: "other.jpg")
      try session.waitForPick(1, onTile: 1)
      #expect(session.virtual.text.contains("1 of 2 picked"))
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/other.jpg"])
    }

    @Test func `The named album is open`() throws {
      let folder = try TemporaryFolder()
      for (album, day) in [("beach", 3), ("town", 2), ("town/old", 1)] {
        try folder.write(try photo(day), to: "\(album)/of-\(day).jpg")
      }
      let session = try Program.pick(["--album", "Town"], in: folder)
      // Including everything below it.
      try session.waitForGrid(2)
      #expect(session.virtual.text.contains("of-2.jpg"))
      #expect(!session.virtual.text.contains("of-3.jpg"))
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/town/of-2.jpg"])
    }

    @Test func `An unknown album is an error, and no other is shown in its place`() throws {
      let session = try Program.pick(["--album", "Madrid"], in: try Photos.folder(2))
      try session.expectExit(.exited(2))
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(errors.contains("--album: no album is named 'Madrid'"))
      #expect(session.standardOutputBytes.isEmpty)
    }

    @Test func `An album that is unknown once access is granted ends the picker`() throws {
      let session = try Program.pick(
        ["--album", "Madrid", "--authorize", "notDetermined", "--client", "mailer", "--purpose", "x"],
        in: try Photos.folder(2))
      try session.waitForText("Allow Full Access")
      session.press(.up)
      session.press(.enter)
      try session.expectExit(.exited(2))
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(errors.contains("--album: no album, or more than one, is named 'Madrid'"))
    }

    @Test func `An initial search narrows the grid and follows the disk`() throws {
      let folder = try Photos.folder(3)
      try folder.write(try photo(20), to: "harbour/one.jpg")
      let session = try Program.pick(["--query", "harbour"], in: folder)
      try session.waitForText("“harbour”")
      try session.waitForGrid(1)
      #expect(!session.virtual.text.contains("2.jpg"))
      try folder.write(try photo(21), to: "harbour/two.jpg")
      try session.waitForGrid(2)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/harbour/two.jpg"])
    }

    @Test func `A search without results says so`() throws {
      let folder = try Photos.folder(2)
      let session = try Program.pick(["--query", "nowhere"], in: folder)
      try session.waitForText("Nothing found for “nowhere”")
      session.press(.enter)
      try session.expectExit(.exited(1))
    }
  }
}

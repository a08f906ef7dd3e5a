import Fixtures
import TestTerminal
import Testing

extension EndToEnd {
  /// How many photos of a realistic library a screen shows, counted on the screen.
  @Suite struct PhotosInSightTests {
    /// 371 photos of five years, one to four per day.
    private static let library = Result {
      let folder = try SharedFolders.make()
      var (number, day) = (0, 0)
      while number < 371 {
        for _ in 0..<min(1 + day % 4, 371 - number) {
          number += 1
          let photo = TestPhoto(
            width: 160, height: 120,
            date: .day(1 + day * 7 % 28, month: 1 + day * 5 % 12, year: 2020 + day % 5))
          try folder.write(try photo.bytes(), to: "IMG_\(number).JPG")
        }
        day += 1
      }
      return folder
    }

    /// The tiles of the grid, including those only partly visible in the last row.
    private func tiles(_ screen: VirtualTerminal) -> Int {
      let pictures = screen.pictureAreas.filter { $0.rows > 1 }
      let preview = pictures.filter { $0.columns >= 24 }
      return pictures.count - preview.count
    }

    private func open(_ columns: Int, _ rows: Int) throws -> TerminalSession {
      let folder = try Self.library.get()
      let session = try Program.pick([folder.path], columns: columns, rows: rows)
      try session.waitForText("371 photos")
      try session.waitForIdle()
      return session
    }

    @Test(arguments: [(80, 24, 18), (100, 30, 18), (120, 40, 24), (200, 60, 60)])
    func `A window is full of photos`(columns: Int, rows: Int, least: Int) throws {
      let session = try open(columns, rows)
      try session.waitUntil("\(least) photos") { tiles($0) >= least }
      if columns >= 100 { #expect(session.virtual.text.contains("Library")) }
      if columns >= 120 { #expect(session.virtual.pictureAreas.contains { $0.columns >= 24 }) }
    }

    @Test func `At the smallest size sixty and more fit beside albums and preview`() throws {
      let session = try open(120, 40)
      for _ in 0..<24 { session.send("-") }
      try session.waitUntil("sixty photos") { tiles($0) >= 60 }
      #expect(session.virtual.text.contains("Library"))
    }

    @Test func `The size is restored in the next run, except in one without configuration`() throws {
      let home = try TemporaryFolder()
      let folder = try Self.library.get()
      func start(_ arguments: [String] = []) throws -> TerminalSession {
        let session = try Program.pick(
          arguments + [folder.path], columns: 80, rows: 24, profile: .trueColor,
          environment: ["XDG_STATE_HOME": home.path])
        try session.waitForText("371 photos")
        try session.waitForIdle()
        return session
      }
      /// The columns where the tiles of the first row begin: their days are above them.
      func days(_ session: TerminalSession) -> String { String(session.virtual.characters(inRow: 1)) }
      var session = try start()
      let usual = days(session)
      session.send("-")
      try session.waitUntil("smaller ones") { _ in days(session) != usual }
      try session.waitForIdle()
      let smaller = days(session)
      session.send("q")
      try session.expectExit(.exited(130))
      session = try start()
      #expect(days(session) == smaller)
      session.send("q")
      _ = try session.waitForExit()
      session = try start(["--no-config"])
      #expect(days(session) == usual)
      session.send("q")
      _ = try session.waitForExit()
    }
  }
}

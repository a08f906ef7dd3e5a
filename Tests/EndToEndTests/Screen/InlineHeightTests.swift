import Fixtures
import TestTerminal
import Testing

extension EndToEnd {
  /// `--height`: a picker below the cursor, which leaves the rest of the screen unchanged; `--width`.
  @Suite(.timeLimit(.minutes(120))) struct InlineHeightTests {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      for day in 1...9 {
        let photo = TestPhoto(width: 80, height: 60, date: .day(day, month: 5, year: 2023))
        try folder.write(try photo.bytes(), to: "\(day).jpg")
      }
    }

    /// A picker after some lines of a shell.
    private func open(
      _ height: String, after lines: Int = 12, profile: TerminalProfile = .sixel, columns: Int = 100,
      rows: Int = 40, options: [String] = []
    ) throws -> TerminalSession {
      let script = "seq 1 \(lines) > /dev/tty; exec \"$@\""
      return try TerminalSession(
        "/bin/sh", ["-c", script, "sh", Program.path, "--height", height] + options + [folder.path],
        environment: Program.environment(), columns: columns, rows: rows, profile: profile, cell: (5, 10))
    }

    /// The rows above the picker, without trailing blanks.
    private func lines(_ session: TerminalSession, _ count: Int) -> [String] {
      (0..<count).map { row in
        var line = session.virtual.characters(inRow: row)
        while line.last == " " { line.removeLast() }
        return String(line)
      }
    }

    private static let profiles: [TerminalProfile] = [.sixel, .kitty, .iterm, .trueColor]

    @Test(arguments: profiles)
    func `It is shown below the existing lines, and removed completely`(profile: TerminalProfile) throws {
      let session = try open("50%", profile: profile)
      try session.waitForText("9 photos")
      try session.waitForText("9.jpg")
      let above = (1...12).map(String.init)
      #expect(lines(session, 12) == above)
      #expect(session.virtual.characters(inRow: 12).starts(with: " Recents"))
      #expect(!session.virtual.altScreenActive)
      if profile.graphics.isEmpty == false {
        try session.waitUntil("pictures") { $0.pictureAreas.count >= 9 }
        #expect(session.virtual.pictureAreas.allSatisfy { $0.row > 12 && $0.row + $0.rows <= 32 })
      }
      session.press(.right)
      try session.waitForText("8.jpg")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/8.jpg"])
      #expect(lines(session, 13) == above + [""])
      #expect(session.virtual.pictureAreas.isEmpty)
      #expect(session.virtual.text.split(whereSeparator: \.isWhitespace).map(String.init) == above)
      #expect(session.virtual.cursor == TerminalPosition(row: 12, column: 0))
      #expect(session.isGivenBack)
    }

    @Test func `At the bottom the lines above move up`() throws {
      let session = try open("10", after: 50)
      try session.waitForLibrary("9 photos")
      #expect(lines(session, 30) == (21...50).map(String.init))
      #expect(session.virtual.characters(inRow: 30).starts(with: " Recents"))
      session.press(.escape)
      try session.expectExit(.exited(130))
      #expect(lines(session, 31) == (21...50).map(String.init) + [""])
    }

    @Test func `Text in the line of the cursor stays`() throws {
      let session = try TerminalSession(
        "/bin/sh",
        [
          "-c", "printf 'half a line' > /dev/tty; exec \"$@\"", "sh", Program.path, "--height", "20",
          folder.path,
        ],
        environment: Program.environment(), columns: 100, rows: 40, cell: (5, 10))
      try session.waitForLibrary("9 photos")
      #expect(lines(session, 1) == ["half a line"])
      session.press(.escape)
      try session.expectExit(.exited(130))
      #expect(session.virtual.text.contains("half a line"))
    }

    @Test func `Mouse positions match what is shown`() throws {
      let session = try open("60%", columns: 120)
      try session.waitUntil("all thumbnails") { $0.tiles.count == 9 }
      // The albums beside them may still have been unknown.
      try session.waitForIdle()
      let third = session.virtual.tiles[2]
      session.click(row: third.row, column: third.column)
      try session.waitForText("7.jpg")
      // A press above does not go to the picker.
      session.click(row: 2, column: third.column)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/7.jpg"])
    }

    @Test func `After a resize it takes the same fraction of the window`() throws {
      let session = try open("50%", options: ["-n0"])
      try session.waitForText("9 photos")
      session.press(.space)
      try session.waitForText("1 picked")
      session.resize(columns: 110, rows: 60)
      try session.waitUntil("more rows") {
        $0.characters(inRow: 12).starts(with: " Recents") && $0.characters(inRow: 41).contains("?")
      }
      // Output in transit for a larger window would move the lines of a smaller one.
      try session.waitForIdle()
      #expect(lines(session, 12) == (1...12).map(String.init))
      session.resize(columns: 110, rows: 20)
      // How far the terminal moves its lines up is its own decision; the picker's rows appear once.
      try session.waitUntil("fewer rows") { screen in
        let tops = (0..<20).filter { screen.characters(inRow: $0).starts(with: " Recents") }
        return tops.count == 1 && screen.characters(inRow: tops[0] + 9).contains("?")
      }
      let top = (0..<20).first { session.virtual.characters(inRow: $0).starts(with: " Recents") } ?? 0
      #expect(lines(session, top) == (1...12).suffix(top).map(String.init))
      #expect(lines(session, 20).dropFirst(top + 10).joined() == "")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/9.jpg"])
      #expect(session.isGivenBack)
    }

    @Test func `A program that replaces it for a while writes above it`() throws {
      let session = try open("50%", options: ["--bind", "x=execute(sh -c 'seq 101 103 > /dev/tty')"])
      try session.waitForLibrary("9 photos")
      session.send("x")
      try session.waitForText("103")
      try session.waitUntil("the picker below") { $0.characters(inRow: 15).starts(with: " Recents") }
      #expect(lines(session, 15) == ((1...12).map(String.init) + ["101", "102", "103"]))
      session.press(.escape)
      try session.expectExit(.exited(130))
      #expect(lines(session, 16).last == "")
    }

    @Test(arguments: [15, 2]) func `A signal removes it completely`(signal: Int32) throws {
      let session = try open("50%")
      try session.waitForText("9 photos")
      session.signal(signal)
      _ = try session.waitForExit()
      #expect(
        session.virtual.text.split(whereSeparator: \.isWhitespace).map(String.init)
          == (1...12).map(String.init))
      #expect(session.isGivenBack)
    }

    @Test func `If the terminal does not report its cursor the whole screen is used`() throws {
      var profile = TerminalProfile.sixel
      profile.answersQueries = false
      let session = try open("50%", profile: profile)
      try session.waitForLibrary("9 photos")
      #expect(session.virtual.altScreenActive)
      session.press(.escape)
      try session.expectExit(.exited(130))
      #expect(lines(session, 12) == (1...12).map(String.init))
    }

    @Test(arguments: [("60", 60), ("50%", 60), ("5", 20), ("500", 120)])
    func `With a width it uses the columns at the left`(width: String, columns: Int) throws {
      let session = try open("50%", columns: 120, options: ["--width", width])
      try session.waitForText("9.jpg")
      try session.waitUntil("pictures in these columns") { screen in
        let areas = screen.pictureAreas
        return !areas.isEmpty && areas.allSatisfy { $0.column + $0.columns <= columns }
      }
      try session.waitForIdle()
      for row in 12..<32 {
        let right = session.virtual.characters(inRow: row).dropFirst(columns)
        #expect(right.allSatisfy { $0 == " " })
      }
      #expect(lines(session, 12) == (1...12).map(String.init))
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.isGivenBack)
    }

    @Test func `A width alone leaves the rest of the whole screen blank, and the mouse there is ignored`()
      throws
    {
      let session = try TerminalSession(
        Program.path, ["--width", "70", folder.path], environment: Program.environment(), columns: 140,
        rows: 40, cell: (5, 10))
      try session.waitForText("9 photos")
      try session.waitUntil("all thumbnails") { $0.pictureAreas.count >= 9 }
      #expect(session.virtual.altScreenActive)
      #expect(session.virtual.pictureAreas.allSatisfy { $0.column + $0.columns <= 70 })
      session.click(row: (session.virtual.pictureAreas.map(\.row).min() ?? 2), column: 100)
      session.resize(columns: 50, rows: 40)
      try session.waitUntil("the narrower window") { screen in
        !screen.pictureAreas.isEmpty && screen.pictureAreas.allSatisfy { $0.column + $0.columns <= 50 }
      }
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/9.jpg"])
    }

    @Test(arguments: ["0", "x", "101%"])
    func `An invalid width is a usage error`(width: String) throws {
      let result = try Program.run(["--width", width, folder.path])
      #expect(result.status == .exited(64))
      #expect(result.errors.contains("--width: '\(width)' is not a number of columns such as 80"))
    }

    @Test(arguments: ["0", "x", "101%", "-3", "~40%"])
    func `An invalid height is a usage error`(height: String) throws {
      let result = try Program.run(["--height", height, folder.path])
      #expect(result.status == .exited(64))
      #expect(result.errors.contains("--height: '\(height)' is not a number of rows such as 15"))
    }
  }
}

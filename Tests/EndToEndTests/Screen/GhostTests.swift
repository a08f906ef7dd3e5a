import Fixtures
import Glibc
import Pixels
import TestTerminal
import Testing

extension EndToEnd {
  /// Pictures are where they belong and nowhere else, and nothing is written over them.
  @Suite struct GhostTests {
    private let caches: TemporaryFolder

    init() throws { caches = try TemporaryFolder() }

    /// Expects that complete pictures cover the cells of the thumbnails and the preview.
    private func expectWhole(_ session: TerminalSession, _ what: Comment, isSynchronized: Bool = true) {
      for picture in session.virtual.pictures {
        #expect(session.virtual.damagedCells(of: picture).isEmpty, what)
      }
      #expect(session.virtual.brokenSixels.isEmpty, what)
      #expect(session.virtual.kittyFaults.isEmpty, what)
      #expect(session.virtual.picturesNotUnderstood == 0, what)
      #expect(session.virtual.pictureCellsOnlyErased == 0, what)
      #expect(!isSynchronized || session.virtual.picturesOutsideUpdates == 0, what)
      #expect(session.virtual.scrollCount == 0, what)
    }

    /// Expects the same screen as after a fresh start: pictures at the same positions, the same text.
    private func expectLikeFreshStart(
      _ session: TerminalSession, _ folder: TemporaryFolder, keys: (TerminalSession) -> Void
    ) throws {
      // Without caches, so that no index is checked while the screen is examined.
      let cache = "\(caches.path)/\(session.bytesWritten)"
      let fresh = try Program.pick(
        ["--limit", "9"], in: folder, columns: session.virtual.columns, rows: session.virtual.rows,
        profile: session.virtual.profile, environment: ["XDG_CACHE_HOME": cache])
      try fresh.waitForGrid(30)
      try fresh.waitForLibrary()
      try visitAlbums(session)
      try visitAlbums(fresh)
      keys(fresh)
      try fresh.waitForIdle()
      try session.waitForIdle()
      #expect(session.virtual.pictureAreas == fresh.virtual.pictureAreas)
      let isSameText = session.virtual.text == fresh.virtual.text
      #expect(isSameText, "\(session.virtual.text)\n-- fresh:\n\(fresh.virtual.text)")
      let ghosts = Set(session.virtual.pictureCells()).symmetricDifference(fresh.virtual.pictureCells())
      #expect(ghosts.isEmpty)
    }

    /// Goes to the albums and back.
    ///
    /// In a first run they are as narrow as the photos beside them require, if photos were visible before the albums
    /// were found, until the user goes there.
    private func visitAlbums(_ session: TerminalSession) throws {
      session.press(.tab)
      try session.waitForText("Tab photos")
      session.press(.tab)
      try session.waitForNoText("Tab photos")
      try session.waitForIdle()
    }

    @Test func `Without synchronized output a row's text arrives with its pictures and overwrites none`()
      throws
    {
      let folder = try Photos.detailed(60)
      let session = try Program.pick(
        ["--limit", "9"], in: folder, columns: 120, rows: 40, profile: .xterm)
      try session.waitForGrid(60)
      try session.waitForIdle()
      session.press(.pageDown)
      try session.waitForIdle()
      session.press(.pageUp)
      try session.waitForIdle()
      let start = session.bytesWritten
      session.press(.pageDown)
      try session.waitForIdle()
      expectWhole(session, "after scrolling", isSynchronized: false)
      // The screen after every picture.
      let replay = VirtualTerminal(columns: 120, rows: 40, profile: .xterm)
      replay.feed(Array(session.rawOutput[..<start]))
      let before = replay.text.split(separator: "\n", omittingEmptySubsequences: false)
      let after = session.virtual.text.split(separator: "\n", omittingEmptySubsequences: false)
      let changed = before.indices.filter { before[$0] != after[$0] }
      var isTextAhead: [Bool] = []
      var rest = session.rawOutput[start...]
      while let next = rest.dropFirst().firstRange(of: Array("\u{1B}P".utf8))?.lowerBound {
        replay.feed(Array(rest[..<next]))
        let now = replay.text.split(separator: "\n", omittingEmptySubsequences: false)
        isTextAhead.append(changed.allSatisfy { now[$0] == after[$0] })
        rest = rest[next...]
      }
      #expect(isTextAhead.count >= 8)
      // Text of later rows arrives only after the first pictures; with the last ones all of it is there.
      #expect(isTextAhead.firstIndex(of: true).map { $0 >= 4 } ?? false)
      session.send("?")
      try session.waitForText("Esc closes")
      session.press(.escape)
      try session.waitForNoText("Esc closes")
      try session.waitForIdle()
      expectWhole(session, "after help", isSynchronized: false)
      session.send("o")
      try session.waitForIdle()
      session.press(.escape)
      try session.waitForIdle()
      expectWhole(session, "after full screen", isSynchronized: false)
    }

    @Test(arguments: [TerminalProfile.sixel, .kitty, .iterm])
    func `Moving, scrolling, help and resizing leave no remains`(profile: TerminalProfile) throws {
      let folder = try Photos.folder(30)
      let session = try Program.pick(["--limit", "9"], in: folder, profile: profile)
      try session.waitForGrid(30)
      try session.waitForIdle()
      expectWhole(session, "at the start")

      session.press(.right)
      try session.waitForCursor(on: "2.jpg")
      session.press(.down)
      try session.waitForNoCursor(on: "2.jpg")
      try session.waitForIdle()
      expectWhole(session, "after moves")

      session.press(.pageDown)
      session.press(.pageDown)
      try session.waitForNoCursor(on: "1.jpg")
      try session.waitForIdle()
      expectWhole(session, "after scrolling")

      session.send("?")
      try session.waitForText("Esc closes")
      try session.waitForIdle()
      let help = try #require(session.virtual.find("Esc closes"))
      let place = TerminalPosition(row: help.row, column: help.column)
      #expect(!session.virtual.pictureAreas.contains { $0.contains(place) })
      expectWhole(session, "with help open")
      session.press(.escape)
      try session.waitForNoText("Esc closes")
      try session.waitForIdle()
      expectWhole(session, "after help")

      session.press(.home)
      try session.waitForCursor(on: "1.jpg")
      try expectLikeFreshStart(session, folder) { $0.press(.home) }

      session.resize(columns: 90, rows: 30)
      try session.waitUntil("the smaller screen") { !$0.text.contains("Library") }
      try session.waitForIdle()
      expectWhole(session, "after shrinking")
      try expectLikeFreshStart(session, folder) { $0.press(.home) }

      session.resize(columns: 150, rows: 44)
      try session.waitForText("Library")
      try session.waitForIdle()
      expectWhole(session, "after growing")
      try expectLikeFreshStart(session, folder) { $0.press(.home) }

      session.send("o")
      try session.waitUntil("the photo alone") { $0.pictureAreas.count == 1 }
      try session.waitForIdle()
      #expect(session.virtual.pictureAreas.count == 1)
      expectWhole(session, "in full screen")
      session.send("o")
      try session.waitForText("Library")
      try expectLikeFreshStart(session, folder) { $0.press(.home) }
    }

    @Test(arguments: [TerminalProfile.sixel, .kitty, .iterm])
    func `Album posters stay, wherever the highlight moves`(profile: TerminalProfile) throws {
      let folder = try TemporaryFolder()
      let albums = ["Alps", "Atlantic", "Desert", "Lisbon", "Porto", "Sintra"]
      for (index, album) in albums.enumerated() { try Photos.write(2 + index, to: folder, in: album) }
      // Expandable albums have marks before their posters: the highlight is on both sides of them.
      try Photos.write(1, to: folder, in: "Alps/Eiger")
      let session = try Program.pick(["--limit", "3"], in: folder, profile: profile)
      try session.waitForText("Sintra")
      let posters = { (screen: VirtualTerminal) in screen.pictureAreas.count { $0.rows == 1 } }
      try session.waitUntil("the posters") { posters($0) == albums.count + 1 && !$0.text.contains("⋯") }
      try session.waitForIdle()
      expectWhole(session, "at the start")
      let areas = Set(session.virtual.pictureAreas.filter { $0.rows == 1 })
      for keys: [SpecialKey] in [
        [.tab], [.down], [.down], [.down], [.down], [.up], [.pageDown], [.pageUp], [.end], [.home], [.tab],
      ] {
        for key in keys { session.press(key) }
        try session.waitForIdle()
        expectWhole(session, "after \(keys)")
        #expect(Set(session.virtual.pictureAreas.filter { $0.rows == 1 }) == areas, "after \(keys)")
      }
    }

    @Test(arguments: [TerminalProfile.sixel, .kitty, .iterm])
    func `The smallest thumbnails and those of the strip stay below a cursor that moves between them`(
      profile: TerminalProfile
    ) throws {
      let folder = try Photos.folder(60)
      let session = try Program.pick(["--limit", "9"], in: folder, columns: 80, profile: profile)
      try session.waitForText("60 photos")
      for _ in 0..<12 { session.send("-") }
      try session.waitUntil("small ones") { $0.pictureAreas.count > 40 && !$0.text.contains("⋯") }
      try session.waitForIdle()
      expectWhole(session, "at the start")
      for key in [SpecialKey.right, .right, .down, .left, .down, .up] {
        session.press(key)
        try session.waitForIdle()
        expectWhole(session, "after \(key)")
      }
      for _ in 0..<3 {
        session.press(.space)
        session.press(.right)
      }
      session.send("r")
      try session.waitForText("· pick ")
      try session.waitForIdle()
      for key in [SpecialKey.left, .left, .right] {
        session.press(key)
        try session.waitForIdle()
        expectWhole(session, "after \(key) in the strip")
      }
    }

    @Test(arguments: [TerminalProfile.sixel, .kitty, .iterm, .trueColor])
    func `A move in a full grid costs one frame of text, and idling costs nothing`(
      profile: TerminalProfile
    ) throws {
      let folder = try Photos.folder(40)
      let session = try Program.pick(
        ["--limit", "3"], in: folder, columns: 160, rows: 45, profile: profile)
      try session.waitForText("40 photos")
      try session.waitForText("400×300")
      session.send("p")
      try session.waitForText("1.jpg · ")
      try session.waitForIdle()
      #expect(!session.virtual.text.contains("⋯"))
      if profile.name != "trueColor" { #expect(session.virtual.pictureAreas.count > 20) }
      let pictures = session.virtual.drawnPictures
      var (bytes, frames) = (session.bytesWritten, session.virtual.synchronizedFrames)
      for (key, name) in [(SpecialKey.right, "2.jpg"), (.right, "3.jpg"), (.left, "2.jpg"), (.down, nil)] {
        session.press(key)
        if let name { try session.waitForCursor(on: name) } else { try session.waitForNoCursor(on: "2.jpg") }
        try session.waitForIdle()
        // Nothing was sent before the key, or there would be more than its frame.
        #expect(session.virtual.synchronizedFrames == frames + 1, "\(key)")
        #expect((1..<1024).contains(session.bytesWritten - bytes), "\(key)")
        (bytes, frames) = (session.bytesWritten, session.virtual.synchronizedFrames)
      }
      #expect(session.virtual.drawnPictures == pictures)
      // A pick sends its number, and its thumbnail with a frame; unpicking redraws the thumbnail.
      session.press(.space)
      try session.waitForText("1 of 3 picked")
      try session.waitForIdle()
      #expect(session.virtual.drawnPictures - pictures <= (profile.graphics.isEmpty ? 0 : 1))
      let picked = session.virtual.drawnPictures
      session.press(.space)
      try session.waitForText("0 of 3 picked")
      try session.waitForIdle()
      #expect(session.virtual.drawnPictures - picked <= (profile.graphics.isEmpty ? 0 : 1))
      expectWhole(session, "after the pick was taken back")
    }

    @Test func `Pictures that would queue behind others are not sent`() throws {
      let folder = try TemporaryFolder()
      for number in 1...3 {
        let photo = TestPhoto(TestScene.make(PixelSize(width: 800, height: 600)), date: .day(10 - number))
        try folder.write(try photo.bytes(), to: "\(number).jpg")
      }
      let session = try Program.pick([], in: folder)
      try session.waitForGrid(3)
      try session.waitForIdle()
      session.holdAnswers = true
      let began = ContinuousClock.now
      session.send("o")
      try session.waitUntil("the question behind the picture") { _ in session.heldAnswerCount > 0 }
      let drawn = session.virtual.pictureHistory.count
      session.press(.right, times: 2)
      try session.waitForText("3.jpg")
      try session.waitForIdle()
      // After five seconds an answer counts as lost: such a slow machine proves nothing here.
      if began.duration(to: .now) < .seconds(4) { #expect(session.virtual.pictureHistory.count == drawn) }
      session.releaseAnswers()
      try session.waitUntil("the picture") { $0.pictureHistory.count > drawn }
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(folder.path)/3.jpg"])
      #expect(session.takeUnreadInput().isEmpty && session.isGivenBack)
    }

    @Test func `A picture that returns is not sent to kitty again`() throws {
      let folder = try Photos.folder(12)
      let session = try Program.pick(["--limit", "9"], in: folder, profile: .kitty)
      try session.waitForGrid(12)
      try session.waitForIdle()
      let areas = session.virtual.pictureAreas
      session.send("?")
      try session.waitForText("Esc closes")
      // For photos that the panel cuts off a part is sent.
      try session.waitForIdle()
      #expect(session.virtual.pictureAreas.count < areas.count)
      let transmissions = session.virtual.kittyTransmissions
      session.press(.escape)
      try session.waitUntil("the pictures again") { $0.pictureAreas == areas }
      #expect(session.virtual.kittyTransmissions == transmissions)
    }

    @Test func `Albums that open and close beside the photos send none of them to kitty again`() throws {
      let folder = try Photos.folder(60)
      let session = try Program.pick(["--limit", "9"], in: folder, columns: 80, rows: 24, profile: .kitty)
      try session.waitForGrid(60)
      try session.waitForIdle()
      let (areas, sent) = (session.virtual.pictureAreas, session.virtual.kittyTransmissions)
      var posters = 0
      for _ in 0..<2 {
        session.press(.tab)
        try session.waitForText("Enter show")
        try session.waitForIdle()
        expectWhole(session, "beside the albums")
        let shown = session.virtual.pictureAreas
        // Pictures of albums are one row high, and new the first time.
        posters = max(posters, shown.count { $0.rows == 1 })
        #expect(shown.count { $0.rows > 1 } < areas.count && shown.count { $0.rows > 1 } > 4)
        #expect(session.virtual.kittyTransmissions == sent + posters)
        session.press(.tab)
        try session.waitUntil("the photos as before") { $0.pictureAreas == areas }
        #expect(session.virtual.kittyTransmissions == sent + posters)
      }
    }

    /// kitty draws no background over a picture, at whatever depth that is.
    @Test func `In kitty pictures leave the cells of their marks to text`() throws {
      let folder = try Photos.folder(12)
      let session = try Program.pick(["--limit", "9", "--sort", "name"], in: folder, profile: .kitty)
      try session.waitForGrid(12)
      try session.waitForIdle()
      let before = session.virtual.kittyPlacements.count
      session.press(.space)
      try session.waitForText("1 of 9 picked")
      try session.waitUntil("the mark, in no picture") { screen in
        (1..<screen.rows - 1).contains { row in
          let line = screen.characters(inRow: row)
          return line.indices.dropFirst(18).dropLast(2).contains { column in
            let place = TerminalPosition(row: row, column: column + 1)
            return String(line[column..<column + 3]) == " 1 "
              && !screen.kittyPlacements.contains { $0.area.contains(place) }
          }
        }
      }
      #expect(session.virtual.kittyPlacements.count > before)
      session.press(.space)
      try session.waitUntil("whole pictures") { $0.kittyPlacements.count == before }
      session.send("q")
      try session.expectExit(.exited(130))
      #expect(session.virtual.kittyCommands.allSatisfy { $0["z"] == nil })
      #expect(session.virtual.kittyFaults.isEmpty)
    }

    @Test func `kitty is left without pictures`() throws {
      let folder = try Photos.folder(6)
      let session = try Program.pick([], in: folder, profile: .kitty)
      try session.waitForGrid(6)
      session.press(.enter)
      try session.expectExit(.exited(0))
      let numbers = Set(session.virtual.kittyCommands.filter { $0.action == "t" }.compactMap { $0["i"] })
      #expect(numbers.count >= 2 && session.virtual.kittyImages.isEmpty)
      let freed = session.virtual.kittyCommands.filter { $0.action == "d" && $0["d"] == "I" }
      #expect(Set(freed.compactMap { $0["i"] }) == numbers)
      #expect(session.virtual.kittyCommands.allSatisfy { $0.action == "q" || $0["q"] == "2" })
    }

    @Test func `Without shared memory kitty's pictures are sent in temporary files`() throws {
      let folder = try Photos.folder(6)
      var profile = TerminalProfile.kitty
      profile.kittyMedia = "dt"
      let session = try Program.pick([], in: folder, profile: profile)
      try session.waitForGrid(6)
      session.press(.enter)
      try session.expectExit(.exited(0))
      let sent = session.virtual.kittyCommands.filter { $0["f"] != nil && $0.action == "t" }
      #expect(!sent.isEmpty && sent.allSatisfy { $0["t"] == "t" })
      #expect(session.virtual.kittyFaults == [])
      #expect(session.virtual.picturesOutsideUpdates == 0)
      var left = glob_t()
      defer { globfree(&left) }
      let names = "/tmp/tpick-tty-graphics-protocol-\(session.processIdentifier)-*"
      #expect(glob(names, 0, nil, &left) == GLOB_NOMATCH)
    }

    @Test func `Over a network kitty's pictures are sent inline`() throws {
      let folder = try Photos.folder(6)
      let session = try Program.pick([], in: folder, profile: .kitty, environment: ["SSH_TTY": "/dev/pts/9"])
      try session.waitForGrid(6)
      session.press(.enter)
      try session.expectExit(.exited(0))
      let sent = session.virtual.kittyCommands.filter { $0["f"] != nil && $0.action == "t" }
      #expect(!sent.isEmpty && sent.allSatisfy { $0["t"] == "d" })
      #expect(session.virtual.kittyFaults == [])
      #expect(session.virtual.picturesOutsideUpdates == 0)
    }

    /// When lines move up by one the terminal could scroll them, and a picture beside them.
    @Test func `The terminal is never scrolled`() throws {
      let folder = try Photos.folder(2)
      let session = try Program.pick(["--graphics", "none"], in: folder, columns: 80, rows: 14)
      try session.waitForText("2 photos")
      session.send("?")
      try session.waitForText("Esc closes")
      for _ in 0..<8 {
        let before = session.virtual.text
        session.press(.down)
        try session.waitUntil("the next line of the help") { $0.text != before }
      }
      #expect(session.virtual.scrollCount == 0)
    }
  }
}

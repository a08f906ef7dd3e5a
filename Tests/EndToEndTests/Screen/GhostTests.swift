import Fixtures
import Glibc
import Pixels
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
      #expect(session.virtual.kittyFaults.isEmpty, what)
      #expect(session.virtual.picturesNotUnderstood == 0, what)
      #expect(session.virtual.pictureCellsOnlyErased == 0, what)
      #expect(session.virtual.picturesOutsideUpdates == 0, what)
      #expect(session.virtual.scrollCount == 0, what)
    }

    /// The same screen from a fresh start: pictures at the same places, the same text.
    private func expectLikeFreshStart(
      _ session: TerminalSession, _ folder: TemporaryFolder, keys: (TerminalSession) -> Void
    ) throws {
      let fresh = try Program.pick(
        ["--limit", "9"], in: folder, columns: session.virtual.columns, rows: session.virtual.rows,
        profile: session.virtual.profile)
      try fresh.waitForGrid(30)
      keys(fresh)
      fresh.settle(quiet: 1)
      try session.waitUntil("the pictures of a fresh screen") { screen in
        screen.pictureAreas == fresh.virtual.pictureAreas
      }
      session.settle()
      let isSameText = session.virtual.text == fresh.virtual.text
      #expect(isSameText, "\(session.virtual.text)\n-- fresh:\n\(fresh.virtual.text)")
      let ghosts = Set(session.virtual.pictureCells()).symmetricDifference(fresh.virtual.pictureCells())
      #expect(ghosts.isEmpty)
    }

    @Test(arguments: [TerminalProfile.sixel, .kitty, .iterm])
    func movingScrollingHelpAndResizeLeaveNothingBehind(profile: TerminalProfile) throws {
      let folder = try Photos.folder(30)
      defer { withExtendedLifetime(folder) {} }
      let session = try Program.pick(["--limit", "9"], in: folder, profile: profile)
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
      try session.waitForText("key closes")
      session.settle()
      let help = try #require(session.virtual.find("key closes"))
      let place = TerminalPosition(row: help.row, column: help.column)
      #expect(!session.virtual.pictureAreas.contains { $0.contains(place) })
      expectWhole(session, "with help open")
      session.press(.escape)
      try session.waitForNoText("key closes")
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
      #expect(session.virtual.pictureAreas.count == 1)
      expectWhole(session, "in full screen")
      session.send("o")
      session.settle()
      try expectLikeFreshStart(session, folder) { $0.press(.home) }
    }

    @Test(arguments: [TerminalProfile.sixel, .kitty, .iterm, .trueColor])
    func aMoveInAFullGridCostsTextAloneAndIdleCostsNothing(profile: TerminalProfile) throws {
      let folder = try Photos.folder(40)
      defer { withExtendedLifetime(folder) {} }
      let session = try Program.pick(
        ["--limit", "3"], in: folder, columns: 160, rows: 45, profile: profile)
      try session.waitForText("40 photos")
      try session.waitUntil("the pictures") { !$0.text.contains("···") }
      session.settle(quiet: 2)
      session.send("p")  // no preview: only captions change
      session.settle(quiet: 2.5)
      if profile.name != "trueColor" { #expect(session.virtual.pictureAreas.count > 20) }
      let pictures = session.virtual.pictureHistory.count + session.virtual.kittyTransmissions
      var bytes = session.bytesWritten
      session.settle(quiet: 0.8)
      #expect(session.bytesWritten == bytes)
      for (key, name) in [(SpecialKey.right, "2.jpg"), (.right, "3.jpg"), (.left, "2.jpg"), (.down, nil)] {
        session.press(key)
        if let name { try session.waitForCursor(on: name) }
        session.settle()
        #expect((1..<1024).contains(session.bytesWritten - bytes), "\(key)")
        bytes = session.bytesWritten
      }
      #expect(session.virtual.pictureHistory.count + session.virtual.kittyTransmissions == pictures)
    }

    @Test func picturesThatWouldQueueBehindOthersAreNotSent() throws {
      let folder = try TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      for number in 1...3 {
        let photo = TestPhoto(TestScene.make(PixelSize(width: 800, height: 600)), date: .day(10 - number))
        try folder.write(try photo.bytes(), to: "\(number).jpg")
      }
      let session = try Program.pick([], in: folder)
      try session.waitForGrid(3)
      session.settle(quiet: 1)
      session.holdAnswers = true
      let began = ContinuousClock.now
      session.send("o")
      try session.waitUntil("the question behind the picture") { _ in session.heldAnswerCount > 0 }
      let drawn = session.virtual.pictureHistory.count
      session.press(.right, times: 2)
      try session.waitForText("3.jpg")
      session.settle(quiet: 0.5)
      // After five seconds an answer counts as lost: a machine that is as slow as that shows nothing here.
      if began.duration(to: .now) < .seconds(4) { #expect(session.virtual.pictureHistory.count == drawn) }
      session.releaseAnswers()
      try session.waitUntil("the picture") { $0.pictureHistory.count > drawn }
      session.press(.enter)
      #expect(try session.waitForExit() == .exited(0))
      #expect(session.outputLines == ["\(folder.path)/3.jpg"])
      #expect(session.takeUnreadInput().isEmpty && session.isGivenBack)
    }

    @Test func whatComesBackIsNotSentToKittyAgain() throws {
      let folder = try Photos.folder(12)
      defer { withExtendedLifetime(folder) {} }
      let session = try Program.pick(["--limit", "9"], in: folder, profile: .kitty)
      try session.waitForGrid(12)
      session.settle(quiet: 1)
      let (transmissions, areas) = (session.virtual.kittyTransmissions, session.virtual.pictureAreas)
      session.send("?")
      try session.waitForText("key closes")
      session.settle()
      #expect(session.virtual.pictureAreas.count < areas.count)
      session.press(.escape)
      try session.waitUntil("the pictures again") { $0.pictureAreas == areas }
      #expect(session.virtual.kittyTransmissions == transmissions)
    }

    @Test func kittyIsLeftWithoutPictures() throws {
      let folder = try Photos.folder(6)
      defer { withExtendedLifetime(folder) {} }
      let session = try Program.pick([], in: folder, profile: .kitty)
      try session.waitForGrid(6)
      session.settle()
      let numbers = Set(session.virtual.kittyCommands.filter { $0.action == "t" }.compactMap { $0["i"] })
      session.press(.enter)
      #expect(try session.waitForExit() == .exited(0))
      let freed = session.virtual.kittyCommands.filter { $0.action == "d" && $0["d"] == "I" }
      #expect(Set(freed.compactMap { $0["i"] }) == numbers)
      #expect(session.virtual.kittyCommands.allSatisfy { $0.action == "q" || $0["q"] == "2" })
    }

    @Test func withoutSharedMemoryKittysPicturesComeInTemporaryFiles() throws {
      let folder = try Photos.folder(6)
      defer { withExtendedLifetime(folder) {} }
      var profile = TerminalProfile.kitty
      profile.kittyMedia = "dt"
      let session = try Program.pick([], in: folder, profile: profile)
      try session.waitForGrid(6)
      session.settle()
      let sent = session.virtual.kittyCommands.filter { $0["f"] != nil && $0.action == "t" }
      #expect(!sent.isEmpty && sent.allSatisfy { $0["t"] == "t" })
      #expect(session.virtual.kittyFaults.isEmpty && session.virtual.picturesOutsideUpdates == 0)
      session.press(.enter)
      #expect(try session.waitForExit() == .exited(0))
      var left = glob_t()
      defer { globfree(&left) }
      let names = "/tmp/tpick-tty-graphics-protocol-\(session.processIdentifier)-*"
      #expect(glob(names, 0, nil, &left) == GLOB_NOMATCH)
    }

    @Test func overALinkKittysPicturesComeInline() throws {
      let folder = try Photos.folder(6)
      defer { withExtendedLifetime(folder) {} }
      let session = try Program.pick([], in: folder, profile: .kitty, environment: ["SSH_TTY": "/dev/pts/9"])
      try session.waitForGrid(6)
      session.settle()
      let sent = session.virtual.kittyCommands.filter { $0["f"] != nil && $0.action == "t" }
      #expect(!sent.isEmpty && sent.allSatisfy { $0["t"] == "d" })
      #expect(session.virtual.kittyFaults.isEmpty && session.virtual.picturesOutsideUpdates == 0)
    }

    /// Where lines move up by one the terminal could scroll them, and a picture beside them.
    @Test func theTerminalIsNeverScrolled() throws {
      let folder = try Photos.folder(2)
      defer { withExtendedLifetime(folder) {} }
      let session = try Program.pick(["--graphics", "none"], in: folder, columns: 80, rows: 14)
      try session.waitForText("2 photos")
      session.send("?")
      for _ in 0..<8 {
        session.settle(quiet: 0.1)
        session.press(.down)
      }
      session.settle()
      #expect(session.virtual.scrollCount == 0)
    }
  }
}

import Fixtures
import Glibc
import Pixels
import TestTerminal
import Testing

extension Commands {
  /// `tpick show --animate`: animations play at the cursor.
  @Suite struct AnimateTests {
    private static let colors: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes files `a.gif` and `a.png` that repeat three colors within one loop.
    private func writeAnimations(plays: Int, delay: Int = 60, rounds: Int = 1) throws {
      let size = PixelSize(width: 80, height: 60)
      let animation = HandmadeAnimation(
        size: size, plays: plays,
        (0..<rounds).flatMap { _ in Self.colors.map { .init($0, size: size, delay: delay) } })
      try folder.write(animation.gif, to: "a.gif")
      try folder.write(animation.png(), to: "a.png")
    }

    private static func show(
      _ files: [String], profile: TerminalProfile, arguments: [String] = []
    ) throws -> TerminalSession {
      try TerminalSession(
        Program.path, ["show", "--animate", "--size", "8x3"] + arguments + files,
        environment: Program.environment(), columns: 40, rows: 12, profile: profile,
        standardOutput: .terminal)
    }

    /// Which of the colors the picture in the first cells has; nil if there is none.
    private static func color(on screen: VirtualTerminal, row: Int = 0) -> Int? {
      let seen: TerminalRGB?
      if let placement = screen.kittyPlacements.last {
        seen = placement.pixels.color(x: 5, y: 5)
      } else if let picture = screen.picture(atRow: row, column: 0) {
        seen = picture.meanColor(at: TerminalPosition(row: row, column: 0))
      } else {
        let image = screen.image(TerminalRectangle(row: row, column: 0, rows: 1, columns: 1))
        seen = TerminalRGB(image.rgb[0], image.rgb[1], image.rgb[2])
      }
      guard let seen else { return nil }
      return colors.firstIndex { color in
        zip(color, [seen.red, seen.green, seen.blue]).allSatisfy { abs(Int($0) - Int($1)) < 20 }
      }
    }

    static let profiles: [TerminalProfile] = [.kitty, .sixel, .trueColor, .dumb]

    @Test(arguments: profiles.dropLast(), ["gif", "png"])
    func `An endless animation plays until a key is pressed`(profile: TerminalProfile, format: String) throws
    {
      try writeAnimations(plays: 0)
      let session = try Self.show(["\(folder.path)/a.\(format)"], profile: profile)
      for color in [0, 1, 2, 0, 2] {
        try session.waitUntil("color \(color)") { Self.color(on: $0) == color }
      }
      #expect(!session.virtual.modes.cursorVisible)
      #expect(!session.echoes && !session.isCanonical)
      session.send("x")
      try session.expectExit(.exited(0))
      #expect(session.virtual.cursor == TerminalPosition(row: 3, column: 0))
      #expect(session.virtual.pictureAreas.allSatisfy { $0.row == 0 && $0.column == 0 })
      #expect(session.virtual.picturesOutsideUpdates == 0 && session.virtual.kittyFaults.isEmpty)
      #expect(session.virtual.scrollCount == 0)
      #expect(session.virtual.kittyImages.count <= 1)
      #expect(Self.color(on: session.virtual) != nil)
      #expect(session.isGivenBack && session.takeUnreadInput().isEmpty)
    }

    @Test(arguments: profiles)
    func `A finite animation stops at its last frame`(profile: TerminalProfile) throws {
      try writeAnimations(plays: 2)
      let session = try Self.show(["\(folder.path)/a.gif"], profile: profile)
      try session.expectExit(.exited(0))
      if profile.name != "dumb" { #expect(Self.color(on: session.virtual) == 2) }
      #expect(session.virtual.cursor == TerminalPosition(row: 3, column: 0))
      #expect(session.isGivenBack && session.takeUnreadInput().isEmpty)
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `A signal ends it, and restores the terminal`(number: Int32) throws {
      try writeAnimations(plays: 0)
      let session = try Self.show(["\(folder.path)/a.gif"], profile: .kitty)
      try session.waitUntil("the second color") { Self.color(on: $0) == 1 }
      if number == SIGINT { session.pressControl("c") } else { session.signal(number) }
      try session.expectExit(.signalled(number))
      #expect(session.virtual.cursor == TerminalPosition(row: 3, column: 0))
      #expect(session.isGivenBack && session.takeUnreadInput().isEmpty)
    }

    @Test func `The last frame of one stays while the next one plays`() throws {
      try writeAnimations(plays: 2)
      let files = Array(repeating: "\(folder.path)/a.gif", count: 3)
      let session = try Self.show(files, profile: .kitty)
      try session.expectExit(.exited(0))
      let placements = session.virtual.kittyPlacements
      #expect(placements.map(\.area.row) == [0, 3, 6])
      #expect(placements.allSatisfy { $0.pixels.color(x: 5, y: 5).blue > 235 })
      #expect(session.virtual.kittyImages.count == 3 && session.virtual.kittyFaults.isEmpty)
      #expect(session.isGivenBack)
    }

    @Test func `A key pressed before an animation starts does not stop it`() throws {
      try writeAnimations(plays: 0)
      try folder.write(try ShowSignalTests.noise.get(), to: "b.jpg")
      let files = ["a.gif", "b.jpg", "a.png"].map { "\(folder.path)/\($0)" }
      let session = try TerminalSession(
        Program.path, ["show", "--animate", "--size", "120x30"] + files, environment: Program.environment(),
        profile: .sixel, standardOutput: .terminal)
      try session.waitUntil("the second color") { Self.color(on: $0) == 1 }
      session.send("x")
      // Between the two the terminal has the shell's modes: it reads lines.
      try session.waitUntil("the beginning of the still") { _ in session.isCanonical }
      session.send("x\n")
      let shown = session.virtual.pictureHistory.count
      try session.waitUntil("some more pictures") { $0.pictureHistory.count > shown + 5 }
      #expect(!session.isCanonical)
      session.signal(SIGTERM)
      try session.expectExit(.signalled(SIGTERM))
      #expect(session.isGivenBack)
    }

    @Test func `When suspended it restores the terminal, and resumes below`() throws {
      try writeAnimations(plays: 0)
      let command =
        "'\(Program.path)' show --animate --size 8x3 '\(folder.path)/a.gif'; echo status $?; fg; echo again $?"
      let session = try TerminalSession(
        "/bin/bash", ["-m", "-c", command], environment: Program.environment(), columns: 40, rows: 12,
        profile: .sixel, standardOutput: .terminal, standardError: .terminal)
      try session.waitUntil("the second color") { Self.color(on: $0) == 1 }
      session.pressControl("z")
      try session.waitForText("status 148")
      try session.waitUntil("it plays again") { screen in
        !session.isCanonical && (4...8).contains { Self.color(on: screen, row: $0) == 2 }
      }
      session.send("x")
      try session.waitForText("again 0")
      try session.expectExit(.exited(0))
      #expect(session.isGivenBack)
    }

    @Test func `At the bottom of the window it makes room once`() throws {
      try writeAnimations(plays: 2)
      let files = Array(repeating: "\(folder.path)/a.gif", count: 5)
      let session = try Self.show(files, profile: .sixel)
      try session.expectExit(.exited(0))
      #expect(session.virtual.cursor == TerminalPosition(row: 11, column: 0))
      #expect(Self.color(on: session.virtual, row: 8) == 2)
      #expect(session.virtual.pictureHistory.allSatisfy { !$0.touchedLastRow })
    }

    @Test func `A terminal that can't keep up is not sent what it can't draw`() throws {
      try writeAnimations(plays: 1, delay: 20, rounds: 30)
      let session = try Self.show(["\(folder.path)/a.gif"], profile: .kitty)
      try session.waitUntil("a picture") { !$0.kittyPlacements.isEmpty }
      session.holdAnswers = true
      let began = ContinuousClock.now
      try session.waitUntil("the question behind a picture") { _ in session.heldAnswerCount > 0 }
      let count = session.virtual.kittyTransmissions
      // A terminal that keeps up gets frames meanwhile, however many of them a slow machine leaves out.
      let size = PixelSize(width: 80, height: 60)
      let endless = HandmadeAnimation(
        size: size, plays: 0, Self.colors.map { .init($0, size: size, delay: 20) })
      try folder.write(endless.gif, to: "endless.gif")
      let other = try Self.show(["\(folder.path)/endless.gif"], profile: .kitty)
      try other.waitUntil("20 pictures") { $0.kittyTransmissions >= 20 }
      try session.waitForIdle()
      // After two seconds an answer counts as lost: such a slow machine proves nothing here.
      if began.duration(to: .now) < .seconds(1.5) { #expect(session.virtual.kittyTransmissions == count) }
      session.releaseAnswers()
      try session.expectExit(.exited(0))
      #expect(session.virtual.kittyTransmissions < 80)
      #expect(Self.color(on: session.virtual) == 2)
    }

    @Test func `Still pictures are shown beside animations, and broken files are reported`() throws {
      try writeAnimations(plays: 1)
      try folder.write(try TestPhoto(width: 80, height: 60).bytes(), to: "b.jpg")
      try folder.write(Array("GIF89a".utf8), to: "c.gif")
      let files = ["b.jpg", "a.gif", "b.jpg", "c.gif"].map { "\(folder.path)/\($0)" }
      let session = try Self.show(files, profile: .sixel)
      try session.expectExit(.exited(2))
      #expect(String(decoding: session.standardErrorBytes, as: UTF8.self).contains("c.gif"))
      // In name order.
      #expect(Set(session.virtual.pictures.map(\.row)) == [0, 3, 6])
      #expect(Self.color(on: session.virtual, row: 0) != 2 && Self.color(on: session.virtual, row: 3) == 2)
      #expect(session.isGivenBack)
    }

    @Test func `A file that can't be played is reported, and the next one plays`() throws {
      try writeAnimations(plays: 1)
      // Its tables announce frames that do not exist.
      try folder.write(HandmadeMovie().bytes, to: "empty.mov")
      let session = try Self.show(["\(folder.path)/empty.mov", "\(folder.path)/a.gif"], profile: .sixel)
      try session.expectExit(.exited(2))
      #expect(String(decoding: session.standardErrorBytes, as: UTF8.self).contains("empty.mov: "))
      #expect(Self.color(on: session.virtual) == 2)
      #expect(session.isGivenBack)
    }

    @Test func `The named version of a video plays`() throws {
      for (name, color) in [("walk.mov", "red"), ("walk-edited.mov", "blue")] {
        try folder.run([
          "ffmpeg", "-f", "lavfi", "-i", "color=c=\(color):s=80x60:r=10:d=0.3", "-c:v", "mpeg4", "-q:v", "2",
          name,
        ])
      }
      let files = ["walk.mov", "walk-edited.mov"].map { "\(folder.path)/\($0)" }
      let both = try Self.show(files, profile: .sixel)
      try both.expectExit(.exited(0))
      #expect(Set([0, 3].map { Self.color(on: both.virtual, row: $0) }) == [0, 2])
    }

    @Test func `A terminal that stops answering is soon not queried anymore`() throws {
      try writeAnimations(plays: 0)
      let session = try Self.show(["\(folder.path)/a.gif"], profile: .kitty)
      try session.waitUntil("a picture") { !$0.kittyPlacements.isEmpty }
      session.holdAnswers = true
      try session.waitUntil("a question behind a picture") { _ in session.heldAnswerCount > 0 }
      let shown = session.virtual.kittyTransmissions
      try session.waitUntil("10 more pictures") { $0.kittyTransmissions >= shown + 10 }
      // The answers to two queries.
      #expect(session.heldAnswerCount == 2 * "\u{1B}[0n".utf8.count)
      session.send("x")
      try session.expectExit(.exited(0))
      #expect(session.isGivenBack)
    }

    @Test func `When its terminal disappears it ends as by a hangup`() throws {
      try writeAnimations(plays: 0, delay: 60_000)
      // The kernel notifies only the session leader, here a shell that does not pass it on.
      let command =
        "trap '' HUP; '\(Program.path)' show --animate --size 8x3 '\(folder.path)/a.gif'; echo $? >&2"
      let session = try TerminalSession(
        "/bin/sh", ["-c", command], environment: Program.environment(), columns: 40, rows: 12,
        profile: .sixel, standardOutput: .terminal)
      try session.waitUntil("the first color") { Self.color(on: $0) == 0 }
      session.hangUp()
      try session.expectExit(.exited(0))
      #expect(String(decoding: session.standardErrorBytes, as: UTF8.self).hasSuffix("\(128 + SIGHUP)\n"))
    }

    @Test func `A video plays once`() throws {
      // Long enough that also a busy machine draws one between the first and the last.
      let source = "color=c=black:s=160x96:r=10:d=3,geq=lum='26+6*N':cb=128:cr=128"
      try folder.run(["ffmpeg", "-f", "lavfi", "-i", source, "-c:v", "mpeg4", "a.mp4"])
      let session = try Self.show(["\(folder.path)/a.mp4"], profile: .kitty)
      try session.expectExit(.exited(0))
      #expect(session.standardErrorBytes.isEmpty)
      #expect(session.virtual.kittyTransmissions > 2 && session.virtual.kittyFaults.isEmpty)
      // The brightest frame is the last one.
      let color = try #require(session.virtual.kittyPlacements.last).pixels.color(x: 5, y: 5)
      #expect(color.green > 180)
      #expect(session.isGivenBack && session.takeUnreadInput().isEmpty)
    }

    @Test func `Into a pipe only the first frame is written, with a message`() throws {
      try writeAnimations(plays: 0)
      let result = try Program.run(
        ["show", "--animate", "--graphics", "sixel", "--size", "8x3", "\(folder.path)/a.gif"])
      #expect(result.status == .exited(0))
      #expect(result.errors.contains("standard output is not a terminal"))
      #expect(result.output.count { $0 == UInt8(ascii: "q") } == 1)
    }

    @Test func `Without the option the first frame is shown still`() throws {
      try writeAnimations(plays: 0)
      let session = try TerminalSession(
        Program.path, ["show", "--size", "8x3", "\(folder.path)/a.gif"], environment: Program.environment(),
        columns: 40, rows: 12, profile: .sixel, standardOutput: .terminal)
      try session.expectExit(.exited(0))
      #expect(Self.color(on: session.virtual) == 0 && session.virtual.pictureHistory.count == 1)
    }
  }
}

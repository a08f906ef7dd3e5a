import Fixtures
import Glibc
import Pixels
import TestTerminal
import Testing

extension EndToEnd {
  /// A terminal that accepts no more output, as over a hanging connection: signals end the program anyway.
  @Suite struct StalledTerminalTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let leavingScreen = Array("\u{1B}[?1049l".utf8)

    private static let inlineKitty = {
      var profile = TerminalProfile.kitty
      profile.kittyMedia = "d"
      return profile
    }()

    /// A picker whose terminal accepts no output while a picture is being sent.
    private func stalledPicker(_ profile: TerminalProfile) throws -> TerminalSession {
      for name in ["a.jpg", "b.jpg"] { try folder.write(try Commands.ShowSignalTests.noise.get(), to: name) }
      let session = try Program.pick([], in: folder, profile: profile)
      try session.waitForGrid(2)
      try session.waitForIdle()
      session.send("o")
      try session.waitForNoText("Library")
      try session.waitForIdle()
      session.press(.right)
      try session.stall()
      return session
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func `A signal ends the picker while its picture is not read`(number: Int32) throws {
      let session = try stalledPicker(.sixel)
      session.signal(number)
      try session.expectExit(.signalled(number))
      #expect(session.echoes && session.isCanonical)
      // Nothing more could be written: only what was in transit arrives.
      session.takesOutput = true
      try session.waitForExit()
      #expect(!session.rawOutput.contains(Self.leavingScreen))
    }

    @Test(arguments: [TerminalProfile.sixel, inlineKitty])
    func `A terminal that resumes reading after the signal is restored`(profile: TerminalProfile) throws {
      let session = try stalledPicker(profile)
      session.signal(SIGTERM)
      session.takesOutput = true
      try session.expectExit(.signalled(SIGTERM))
      #expect(session.isGivenBack)
      #expect(session.virtual.title.isEmpty && session.virtual.pictureAreas.isEmpty)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func `A signal ends show while its picture is not read`(number: Int32) throws {
      try folder.write(try Commands.ShowSignalTests.noise.get(), to: "a.jpg")
      let session = try TerminalSession(
        Program.path, ["show", "\(folder.path)/a.jpg"], environment: Program.environment(), profile: .sixel,
        standardOutput: .terminal)
      session.holdAnswers = true
      try session.waitUntil("the questions") { _ in session.heldAnswerCount > 0 && !session.isCanonical }
      session.takesOutput = false
      session.releaseAnswers()
      try session.stall()
      session.signal(number)
      try session.expectExit(.signalled(number))
      #expect(session.echoes && session.isCanonical)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func `A signal ends an animation while it is not read`(number: Int32) throws {
      let size = PixelSize(width: 2000, height: 1000)
      let colors: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 255]]
      let animation = HandmadeAnimation(size: size, plays: 0, colors.map { .init($0, size: size, delay: 20) })
      try folder.write(animation.gif, to: "a.gif")
      // The blocks of one picture exceed the pseudo-terminal's buffer.
      let session = try TerminalSession(
        Program.path, ["show", "--animate", "\(folder.path)/a.gif"], environment: Program.environment(),
        columns: 400, rows: 101, profile: .trueColor, cell: (5, 10), standardOutput: .terminal)
      try session.waitUntil("the playing") { !$0.modes.cursorVisible }
      try session.stall()
      session.signal(number)
      try session.expectExit(.signalled(number))
      #expect(session.echoes && session.isCanonical)
    }
  }
}

import Fixtures
import Glibc
import Pixels
import TestTerminal
import Testing

extension Commands {
  /// `tpick show` on a terminal: however it ends, the shell gets a usable terminal.
  @Suite struct ShowSignalTests {
    /// A photo of noise, whose sixels are more than a terminal accepts at once.
    static let noise = Result {
      let size = PixelSize(width: 1200, height: 760)
      var generator = SeededGenerator(seed: 7)
      let bytes = (0..<size.area * 4).map { $0 % 4 == 3 ? 255 : UInt8.random(in: 0...255, using: &generator) }
      return try TestPhoto(PixelBuffer(size: size, bytes: bytes)).bytes()
    }

    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try folder.write(try Self.noise.get(), to: "a.jpg")
    }

    private func show() throws -> TerminalSession {
      try TerminalSession(
        Program.path, ["show", "\(folder.path)/a.jpg"], environment: Program.environment(), profile: .sixel,
        standardOutput: .terminal)
    }

    private static let sixels = Array("\u{1B}P0;1;0q".utf8)

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func `A signal during the queries restores the terminal`(number: Int32) throws {
      let session = try show()
      session.holdAnswers = true
      try session.waitUntil("the questions") { _ in session.heldAnswerCount > 0 && !session.isCanonical }
      if number == SIGINT { session.pressControl("c") } else { session.signal(number) }
      try session.expectExit(.signalled(number))
      #expect(session.isGivenBack)
      #expect(session.virtual.pictureHistory.isEmpty)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `A signal in the middle of a picture ends its sequence`(number: Int32) throws {
      let session = try show()
      // One read is far from all of it.
      try session.waitUntil("the beginning of the picture") { _ in session.rawOutput.contains(Self.sixels) }
      session.signal(number)
      try session.expectExit(.signalled(number))
      #expect(session.rawOutput.suffix(7) == Array("\u{18}\u{1B}\\\u{1B}[0m".utf8)[...])
      #expect(session.isGivenBack)
    }

    @Test func `Suspended in the middle of a picture it finishes the picture first`() throws {
      let command =
        "'\(Program.path)' show --size 120x30 '\(folder.path)/a.jpg'; echo status $?; fg; echo again $?"
      let session = try TerminalSession(
        "/bin/bash", ["-m", "-c", command], environment: Program.environment(), profile: .sixel,
        standardOutput: .terminal, standardError: .terminal)
      try session.waitUntil("the beginning of the picture") { _ in session.rawOutput.contains(Self.sixels) }
      session.pressControl("z")
      try session.waitForText("status 148")
      try session.waitForText("again 0")
      #expect(session.virtual.pictureHistory.count == 1)
      try session.expectExit(.exited(0))
      #expect(session.isGivenBack)
    }
  }
}

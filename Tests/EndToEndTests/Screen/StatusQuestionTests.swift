import Fixtures
import Pixels
import TestTerminal
import Testing

extension EndToEnd {
  /// The query whether all pictures are drawn (DSR 5): sent after pictures if the terminal answers it.
  @Suite struct StatusQuestionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func profile(answersStatus: Bool) -> TerminalProfile {
      var profile = TerminalProfile.sixel
      profile.answersStatus = answersStatus
      return profile
    }

    /// How often the program has sent the query.
    private static func questions(in session: TerminalSession) -> Int {
      String(decoding: session.rawOutput, as: UTF8.self).count(of: "\u{1B}[5n")
    }

    @Test(arguments: [true, false])
    func `A terminal that does not answer the first one is never queried again`(answersStatus: Bool) throws {
      for name in ["a.jpg", "b.jpg", "c.jpg"] {
        try folder.write(try Commands.ShowSignalTests.noise.get(), to: name)
      }
      let session = try Program.pick(
        ["--sort", "name"], in: folder, columns: 200, rows: 60,
        profile: Self.profile(answersStatus: answersStatus))
      try session.waitForGrid(3)
      for name in ["b.jpg", "c.jpg"] {
        session.press(.right)
        try session.waitForCursor(on: name)
        try session.waitForGrid(3)
        try session.waitForIdle()
      }
      let count = Self.questions(in: session)
      #expect(answersStatus ? count > 1 : count == 1)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.takeUnreadInput().isEmpty)
    }

    @Test(arguments: [true, false])
    func `Moving pictures do not wait for answers of such a terminal`(answersStatus: Bool) throws {
      let size = PixelSize(width: 80, height: 60)
      let colors: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 255]]
      let animation = HandmadeAnimation(size: size, plays: 3, colors.map { .init($0, size: size, delay: 20) })
      try folder.write(animation.gif, to: "a.gif")
      let session = try Program.play(
        "a.gif", in: folder, profile: Self.profile(answersStatus: answersStatus))
      try session.expectExit(.exited(0))
      let count = Self.questions(in: session)
      #expect(answersStatus ? count > 1 : count == 1)
      #expect(session.isGivenBack && session.takeUnreadInput().isEmpty)
    }
  }
}

extension String {
  /// How often a text occurs in it.
  fileprivate func count(of text: String) -> Int {
    split(separator: text, omittingEmptySubsequences: false).count - 1
  }
}

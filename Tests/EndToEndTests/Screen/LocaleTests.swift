import Fixtures
import TestTerminal
import Testing

extension EndToEnd {
  /// The screen in a locale with only ASCII characters.
  @Suite struct LocaleTests {
    private static func folder() throws -> TemporaryFolder {
      let folder = try TemporaryFolder()
      for (day, name) in ["Zürich.jpg", "Östlich/東京.jpg", "Östlich/plain.jpg"].enumerated() {
        try folder.write(try TestPhoto(width: 64, height: 48, date: .day(20 - day)).bytes(), to: name)
      }
      return folder
    }

    /// Keys, and the text on the screen afterwards.
    private static let steps: [(keys: String, text: String)] = [
      (" ", "1 of 3 picked"), ("\u{1B}OC", "????.jpg"), ("f", "Type to filter"), ("\u{1B}", "Esc leave"),
      ("?", "Esc closes"), ("\u{1B}", "Esc leave"), ("i", "Kind      photo"), ("i", "64x48"), ("/z", "found"),
      ("\u{1B}", "Esc leave"), ("s", "oldest first"), ("\u{1B}", "Esc leave"), ("o", "zoom"), ("o", "Albums"),
      ("q", "again to discard 1 pick"),
    ]

    @Test(arguments: [TerminalProfile.sixel, .kitty, .trueColor])
    func `With LC_ALL=C all text is ASCII`(profile: TerminalProfile) throws {
      let session = try Program.pick(
        ["--limit", "3"], in: try Self.folder(), profile: profile, environment: ["LC_ALL": "C"])
      try session.waitForText("3 photos")
      for (keys, text) in Self.steps {
        session.send(keys)
        try session.waitForText(text)
        try session.waitForIdle()
        let strange = session.virtual.text.filter { !$0.isASCII }
        #expect(strange.isEmpty, "after \(keys): \(strange)")
      }
      session.send("q")
      try session.expectExit(.exited(130))
    }

    @Test func `Without any locale the terminal is assumed to support Unicode`() throws {
      let session = try Program.pick(
        [], in: try Self.folder(), profile: .trueColor, environment: ["LC_ALL": "", "LANG": ""])
      try session.waitForText("Zürich.jpg")
      session.send("q")
      try session.expectExit(.exited(130))
    }
  }
}

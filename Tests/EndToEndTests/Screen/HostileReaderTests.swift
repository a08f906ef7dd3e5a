import Fixtures
import TestTerminal
import Testing

extension EndToEnd {
  /// A helper compromised or killed by a file while the picker shows its folder.
  @Suite struct HostileReaderTests {
    private let home: TemporaryFolder
    private let library: TemporaryFolder

    init() throws {
      home = try TemporaryFolder()
      library = try TemporaryFolder()
    }

    /// A file that the library takes for a GIF, and the stand-in for a command.
    private static func file(_ words: String) -> [UInt8] {
      Array("GIF89a".utf8) + [16, 0, 12, 0, 0, 0, 0] + Array(words.utf8)
    }

    /// The helper's behavior when it draws a file, and when it reads its metadata.
    private static let faults = [
      "draw die", "draw exit", "draw nonsense", "draw endless", "draw flood", "draw two answers",
      "draw another's answer", "draw mapped still", "draw no width", "draw one row more", "draw absurd width",
      "draw facts instead", "draw unreadable", "die", "nonsense", "flood",
    ]

    @Test
    func `Every file that harms the helper is shown as ✕, all others normally, and the picker continues`()
      throws
    {
      for (index, words) in Self.faults.enumerated() {
        try library.write(Self.file("picture \(index)"), to: "\(index)a.gif")
        try library.write(Self.file(words), to: "\(index)b.gif")
      }
      let count = Self.faults.count
      let session = try Program.pick(
        ["--limit", "0", library.path], columns: 200, rows: 60,
        environment: [
          "XDG_CACHE_HOME": "\(home.path)/cache", "XDG_DATA_HOME": "\(home.path)/data",
          "TPICK_READER": Program.sibling("codec-stand-in"),
        ])
      try session.waitUntil("\(count) broken tiles and \(count) pictures") { screen in
        screen.text.contains("\(2 * count) photos")
          && screen.text.count { $0 == "✕" } >= count && screen.pictureAreas.count >= count
      }
      session.send("a")
      session.press(.enter)
      try session.expectExit(.exited(0))
      // A file that harms the helper once stays a photo: the next run may succeed.
      #expect(session.outputLines.count == 2 * count)
    }
  }
}

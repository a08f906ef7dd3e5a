import Fixtures
import TestTerminal
import Testing

extension EndToEnd {
  /// A helper that a file has taken over, or killed, while the picker shows its folder.
  @Suite struct HostileReaderTests {
    private let home: TemporaryFolder
    private let library: TemporaryFolder

    init() throws {
      home = try TemporaryFolder()
      library = try TemporaryFolder()
    }

    /// A file that the library takes for a GIF, and the stand-in for words.
    private static func file(_ words: String) -> [UInt8] {
      Array("GIF89a".utf8) + [16, 0, 12, 0, 0, 0, 0] + Array(words.utf8)
    }

    /// What the helper does when it is to draw a file, and when it is to say what a file is.
    private static let faults = [
      "draw die", "draw exit", "draw nonsense", "draw endless", "draw flood", "draw two answers",
      "draw another's answer", "draw mapped still", "draw no width", "draw one row more", "draw absurd width",
      "draw facts instead", "draw unreadable", "die", "nonsense", "flood",
    ]

    @Test func `Every file that harms the helper is ✕, all others are there, and the picker goes on`() throws
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
      #expect(try session.waitForExit() == .exited(0))
      // What harms the helper once is a photo still: the next run may know better.
      #expect(session.outputLines.count == 2 * count)
    }
  }
}

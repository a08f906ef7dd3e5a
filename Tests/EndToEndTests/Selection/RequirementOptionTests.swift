import Fixtures
import TestTerminal
import Testing

extension EndToEnd {
  /// `--min-duration`, `--max-duration`, `--max-bytes` and the limits by kind.
  @Suite struct RequirementOptionTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path }

    /// A photo, a video of 2 seconds and one of 20.
    init() throws {
      folder = try TemporaryFolder()
      try folder.write(try TestPhoto(width: 32, height: 24, date: .day(1)).bytes(), to: "1.jpg")
      for (name, frames) in [("2.mov", 60), ("3.mov", 600)] as [(String, UInt32)] {
        var movie = HandmadeMovie()
        movie.frameCount = frames
        try folder.write(movie.bytes, to: name)
      }
    }

    private static let all = ["1.jpg", "2.mov", "3.mov"]

    @Test(arguments: [
      (["--min-duration", "3s"], ["1.jpg", "3.mov"]), (["--min-duration", "2"], all),
      (["--max-duration", "0:10"], ["1.jpg", "2.mov"]), (["--max-duration", "0m10s"], ["1.jpg", "2.mov"]),
      (["--max-duration", "1min"], all),
      (["--min-duration", "1s", "--max-duration", "10s", "-f", "videos"], ["2.mov"]),
      (["--max-bytes", "1"], []), (["--max-bytes", "1MB"], all),
    ])
    func `list leaves out what does not match`(arguments: [String], expected: [String]) throws {
      let result = try Program.run(["list", "--sort", "name"] + arguments + [path])
      #expect(result.lines == expected.map { "\(path)/\($0)" })
      #expect(result.status == .exited(expected.isEmpty ? 1 : 0))
      #expect(result.errors.isEmpty)
    }

    @Test(arguments: [
      (
        ["--min-duration", "long"],
        "--min-duration: 'long' is not a duration; expected one such as 60s, 1:30 or 1m30s"
      ),
      (["--max-duration", "1:75"], "--max-duration: '1:75' is not a duration"),
      (["--max-duration", "1m75s"], "--max-duration: '1m75s' is not a duration"),
      (["--min-duration", "-1"], "--min-duration: '-1' is not a duration"),
      (["--max-duration", "1234567890123456h"], "--max-duration: '1234567890123456h' is not a duration"),
      (["--max-bytes", "-1"], "--max-bytes: '-1' is not a file size; expected one such as 500kB or 10MB"),
      (
        ["--min-duration", "1m30s", "--max-duration", "60s"],
        "--min-duration: longer than --max-duration"
      ),
    ])
    func `Invalid values are usage errors`(arguments: [String], words: String) throws {
      for command in [["list"], []] {
        let result = try Program.run(command + arguments + [path])
        #expect(result.status == .exited(64))
        #expect(result.errors.contains(words))
      }
    }

    @Test(arguments: ["--limit-videos", "--limit-images"])
    func `A limit is a number`(option: String) throws {
      let result = try Program.run([option, "two", path])
      #expect(result.status == .exited(64))
      #expect(
        result.errors.contains("\(option): 'two' is not a number of photos; expected a whole number"))
    }

    @Test func `A single match is picked without a screen`() throws {
      let result = try Program.run(["--select-1", "-f", "videos", "--min-duration", "10s", path])
      #expect(result.lines == ["\(path)/3.mov"])
      let none = try Program.run(["--exit-0", "-f", "videos", "--min-duration", "1h", path])
      #expect(none.status == .exited(1))
    }

    @Test func `Other files are refused with the reason, and so is one more of a kind`() throws {
      let session = try Program.pick(
        [
          "--limit", "3", "--limit-videos", "1", "--max-bytes", "1MB", "--min-duration", "1s", "--sort",
          "name",
        ],
        in: folder)
      try session.waitForCursor(on: "1.jpg")
      session.press(.right)
      try session.waitForCursor(on: "2.mov")
      try session.waitForText("0:02")
      session.press(.space)
      try session.waitForText("1 of 3 picked")
      session.press(.right)
      session.press(.space)
      try session.waitForText("limit of 1 video reached")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(path)/2.mov"])
      let strict = try Program.pick(["--max-duration", "10s", "--sort", "name"], in: folder)
      try strict.waitForCursor(on: "1.jpg")
      strict.press(.end)
      try strict.waitForCursor(on: "3.mov")
      try strict.waitForText("0:20")
      try strict.waitForLibrary()
      strict.press(.space)
      try strict.waitForText("3.mov can't be picked: it is longer than 0:10")
      strict.press(.escape)
      try strict.expectExit(.exited(130))
    }
  }
}

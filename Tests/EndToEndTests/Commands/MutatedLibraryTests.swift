import Fixtures
import TestTerminal
import Testing

extension Commands {
  /// A short round of what Tests/Tools/mutated-library does at length: the same files in every run.
  @Suite struct MutatedLibraryTests {
    @Test func `A library of damaged files of every format is listed and drawn`() throws {
      let (home, library) = (try TemporaryFolder(), try TemporaryFolder())
      let files = try MutatedLibrary(seed: 7)
      for number in 0..<300 {
        let file = files.file(number)
        try library.write(file.bytes, to: file.name)
      }
      let environment = ["XDG_CACHE_HOME": "\(home.path)/cache", "XDG_DATA_HOME": "\(home.path)/data"]
      let listed = try Program.run(
        ["list", "--format", "jsonl", "--fields", "all", library.path], environment: environment,
        timeout: 400)
      #expect(listed.status == .exited(0))
      #expect(listed.lines.count > 100 && listed.lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
      let drawn = try Program.run(
        ["cache", "warm", "--format", "json", library.path], environment: environment,
        timeout: 400)
      #expect(drawn.status == .exited(0))
      // Every file was examined, and undrawable ones are counted.
      #expect(drawn.output.starts(with: #"{"assets":"#.utf8) && !drawn.lines.isEmpty)
    }
  }
}

import Fixtures
import Foundation
import Glibc
import TestTerminal
import Testing

extension Commands {
  /// A dead disk: FUSE is asked for a file and never answers.
  ///
  /// Takes as long as the timeout for such disks.
  @Suite(.enabled(if: DeadDisk.isAvailable, "FUSE is not available here")) struct DeadDiskTests {
    private func write(_ name: String, in folder: TemporaryFolder) throws {
      try folder.write(try TestPhoto(width: 32, height: 24).bytes(), to: name)
    }

    @Test func `Files and folders that never answer are named, the others listed, and the program ends`()
      throws
    {
      let disk = try DeadDisk()
      defer { disk.end() }
      for name in ["unlisted/a.jpg", "x/unread.jpg", "x/unopened.jpg", "x/b.jpg", "y/c.jpg"] {
        try write(name, in: disk.content)
      }
      let result = try Program.run(["list", disk.path], timeout: 120)
      #expect(result.status == .exited(0))
      #expect(Set(result.lines) == ["\(disk.path)/x/b.jpg", "\(disk.path)/y/c.jpg"])
      let silent = ["unlisted", "x/unread.jpg", "x/unopened.jpg"]
      #expect(
        Set(result.errors.split(separator: "\n").map(String.init))
          == Set(silent.map { "tpick: \(disk.path)/\($0): does not answer" }))
    }

    @Test func `A source that does not answer is an error if it is the only one`() throws {
      let disk = try DeadDisk(isDead: true)
      defer { disk.end() }
      let result = try Program.run(["list", disk.path], timeout: 120)
      #expect(result.status == .exited(2))
      #expect(result.lines.isEmpty)
      #expect(result.errors == "tpick: \(disk.path): does not answer\n")
    }

    /// Two commands that write to a disk, from a folder that answers.
    private func writing(
      onto disk: DeadDisk, from good: TemporaryFolder
    ) -> [(
      option: String, words: [String]
    )] {
      [
        ("--export", ["list", good.path, "--export", "\(disk.path)/copies"]),
        ("--output", ["list", good.path, "--output", "\(disk.path)/list.txt"]),
        (
          "--writable",
          [
            "run", "--writable", disk.path, "--authorize", "limited", "--allow", good.path, "--",
            "ls",
          ]
        ),
      ]
    }

    @Test
    func
      `What is to be written onto a disk that does not answer is an error, and the program ends`()
      throws
    {
      let disk = try DeadDisk(isDead: true)
      defer { disk.end() }
      let good = try TemporaryFolder()
      try write("a.jpg", in: good)
      for (option, words) in writing(onto: disk, from: good) {
        let result = try Program.run(words, timeout: 120)
        #expect(result.status == .exited(2), "\(option) \(result.errors)")
        #expect(result.errors.contains("does not answer"), "\(option) \(result.errors)")
      }
    }

    @Test func `A signal ends a command that waits to write to a disk`() throws {
      let disk = try DeadDisk(isDead: true)
      defer { disk.end() }
      let good = try TemporaryFolder()
      try write("a.jpg", in: good)
      for (option, words) in writing(onto: disk, from: good).prefix(2) {
        let session = try TerminalSession(
          Program.path, words, environment: Program.environment(), columns: 80, rows: 24)
        try session.waitUntil("a probe of \(option)") { _ in
          Self.hasProbe(session.processIdentifier)
        }
        session.signal(SIGINT)
        try session.expectExit(.signalled(SIGINT), "\(option)")
      }
    }

    /// Whether a process has a child that probes a file system.
    private static func hasProbe(_ process: pid_t) -> Bool {
      let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return processes.contains { name in
        let stat = (try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8)) ?? ""
        guard let end = stat.range(of: "(tpick-probe) ")?.upperBound else { return false }
        return stat[end...].split(separator: " ").dropFirst().first == "\(process)"
      }
    }

    @Test func `The picker reports a source that does not answer, shows the others, and ends`()
      throws
    {
      let disk = try DeadDisk(isDead: true)
      defer { disk.end() }
      let good = try TemporaryFolder()
      for number in 1...3 { try write("\(number).jpg", in: good) }
      let session = try Program.pick(["--limit", "2", disk.path], in: good)
      try session.waitForText("disk: does not answer")
      try session.waitForGrid(3)
      session.press(.space)
      try session.waitForText("1 of 2 picked")
      session.send("q")
      try session.waitForText("again to discard")
      session.send("q")
      try session.expectExit(.exited(130))
    }
  }
}

import Fixtures
import Glibc
import TestTerminal
import Testing

extension Commands {
  /// A disk dies: FUSE is asked for a file and never answers.
  ///
  /// Takes as long as such a disk is waited for.
  @Suite(.enabled(if: DeadDisk.isAvailable, "FUSE can't be used here")) struct DeadDiskTests {
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

    @Test func `A source that does not answer is an error where it is the only one`() throws {
      let disk = try DeadDisk(isDead: true)
      defer { disk.end() }
      let result = try Program.run(["list", disk.path], timeout: 120)
      #expect(result.status == .exited(2))
      #expect(result.lines.isEmpty)
      #expect(result.errors == "tpick: \(disk.path): does not answer\n")
    }

    @Test func `The picker tells of a source that does not answer, shows the others, and ends`() throws {
      let disk = try DeadDisk(isDead: true)
      defer { disk.end() }
      let good = try TemporaryFolder()
      for number in 1...3 { try write("\(number).jpg", in: good) }
      let session = try Program.pick(["--limit", "2", disk.path], in: good)
      try session.waitForText("disk: does not answer")
      try session.waitForGrid(3)
      session.press(.space)
      try session.waitForText("1 of 2 selected")
      session.send("q")
      try session.waitForText("again discards")
      session.send("q")
      #expect(try session.waitForExit() == .exited(130))
    }
  }
}

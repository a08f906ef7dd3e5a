import Fixtures
import Foundation
import TestTerminal
import Testing

extension Outputs {
  /// `--export`: the results as copies.
  @Suite(.timeLimit(.minutes(30))) struct ExportCommandTests {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      for day in 1...3 {
        let photo = TestPhoto(width: 80, height: 60, date: .day(day, month: 5, year: 2023))
        try folder.write(try photo.bytes(), to: "in/\(day).jpg")
        try folder.setModificationTime(1_600_000_000 + day, of: "in/\(day).jpg")
      }
    }

    private var input: String { "\(folder.path)/in" }
    private var target: String { "\(folder.path)/out" }

    private func names() -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: target)) ?? []).sorted()
    }

    private func list(_ options: [String]) throws -> Program.Output {
      try Program.run(["list", "--sort", "name", "--export", target] + options + [input])
    }

    @Test func `What was picked is copied, and the copy's path printed`() throws {
      let session = try Program.pick(["--export", target, input])
      try session.waitForGrid(3)
      session.press(.right)
      try session.waitForText("2.jpg")
      session.press(.enter)
      #expect(try session.waitForExit() == .exited(0))
      #expect(session.outputLines == ["\(target)/2.jpg"])
      #expect(FileManager.default.contentsEqual(atPath: "\(input)/2.jpg", andPath: "\(target)/2.jpg"))
      let date =
        try FileManager.default.attributesOfItem(atPath: "\(target)/2.jpg")[.modificationDate] as? Date
      #expect(date == Date(timeIntervalSince1970: 1_600_000_002))
      #expect(session.isGivenBack)
    }

    @Test func `Copies are called as the template says, and every format tells of them`() throws {
      let result = try list(["--name", "{date:%Y-%m-%d}_{stem}", "--format", "jsonl"])
      #expect(result.status == .exited(0))
      let expected = (1...3).map { "2023-05-0\($0)_\($0).jpg" }
      #expect(names() == expected)
      let paths = try result.lines.map { line in
        try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["path"] as? String
      }
      #expect(paths == expected.map { "\(target)/\($0)" })
    }

    @Test func `Nothing is overwritten`() throws {
      #expect(try list([]).lines == (1...3).map { "\(target)/\($0).jpg" })
      #expect(try list(["-n", "2"]).lines == ["\(target)/1 (2).jpg", "\(target)/2 (2).jpg"])
      #expect(names() == ["1 (2).jpg", "1.jpg", "2 (2).jpg", "2.jpg", "3.jpg"])
    }

    @Test func `All files of a photo go together`() throws {
      try folder.write(Array("<x:xmpmeta/>".utf8), to: "in/2.xmp")
      #expect(try list(["--resources", "all", "--name", "x{stem}"]).status == .exited(0))
      #expect(names() == ["x1.jpg", "x2.jpg", "x2.xmp", "x3.jpg"])
      #expect(try Data(contentsOf: URL(fileURLWithPath: "\(target)/x2.xmp")) == Data("<x:xmpmeta/>".utf8))
    }

    @Test(arguments: [
      (["--name", "x"], "--name: only together with --export"),
      (["--resources", "all"], "--resources: only together with --export"),
      (["--export", "out", "--name", "a/{stem}"], "has a slash, a line break or a NUL"),
      (["--export", "out", "--name", "{nothing}"], "--name: "),
      (["--export", "out", "--name", ""], "--name: "),
      (["--export", ""], "--export: the name of a folder"),
      (["--export", "out", "--resources", "x"], "unknown value 'x'"),
    ])
    func `What makes no sense is wrong usage`(options: [String], message: String) throws {
      for command in [["list"], []] {
        let result = try Program.run(command + options + [input])
        #expect(result.status == .exited(64) && result.errors.contains(message))
      }
    }

    @Test func `Names with line breaks need NUL, those of copies only`() throws {
      try folder.write(try folder.bytes(of: "in/1.jpg"), to: "in/a\nb.jpg")
      let result = try list([])
      #expect(result.status == .exited(2) && result.lines.count == 3)
      #expect(result.errors.contains("a\\x0Ab.jpg: has a line break in its copy's name: use --print0"))
      folder.remove("out")
      #expect(try list(["--name", "x"]).status == .exited(0))
      #expect(names().count == 4)
      folder.remove("out")
      #expect(try list(["-0"]).status == .exited(0))
      #expect(names().contains("a\nb.jpg"))
      #expect(try Program.run(["list", "--export", "\(target)\nx", input]).status == .exited(64))
    }

    @Test func `A file that is too large is an error like any other`() throws {
      let photo = try folder.bytes(of: "in/1.jpg")
      try folder.write(photo + [UInt8](repeating: 0, count: 3 << 20), to: "in/2.jpg")
      let session = try TerminalSession(
        "/bin/sh",
        [
          "-c", "ulimit -f 2000; exec \"$@\"", "sh", Program.path, "list", "--sort", "name", "--export",
          target, input,
        ],
        environment: Program.environment())
      #expect(try session.waitForExit() == .exited(2))
      #expect(session.outputLines == ["\(target)/1.jpg", "\(target)/3.jpg"])
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(errors.contains("\(input)/2.jpg: not copied to \(target): File too large"))
      #expect(names() == ["1.jpg", "3.jpg"])
    }

    @Test(arguments: ["/proc/tpick", "in/1.jpg", "in/1.jpg/x", "/dev/null"])
    func `A folder that can't be had is an error, and nothing is printed`(place: String) throws {
      let path = place.hasPrefix("/") ? place : "\(folder.path)/\(place)"
      let result = try Program.run(["list", "--export", path, input])
      #expect(result.status == .exited(2) && result.output.isEmpty)
      #expect(result.errors.hasPrefix("tpick: --export: \(path)"))
    }

    @Test(.enabled(if: hasNamespaces, "needs user namespaces"))
    func `A full disk is told, with what was copied`() throws {
      let photo = try TestPhoto(width: 80, height: 60, date: .day(1, month: 5, year: 2023)).bytes()
      for name in ["a.jpg", "b.jpg", "c.jpg"] {
        try folder.write(photo + [UInt8](repeating: 0, count: 600_000), to: "large/\(name)")
      }
      try folder.makeFolder("out")
      let script = """
        mount -t tmpfs -o size=2m tmpfs "$1" && head -c 900000 /dev/zero > "$1/other"
        "$2" list --sort name --export "$1" -n 1 "$3"; echo "status $?"
        "$2" list --sort name --export "$1" "$3"; echo "status $?"; ls -A "$1"
        """
      let session = try TerminalSession(
        "/usr/bin/unshare",
        ["-rm", "/bin/sh", "-c", script, "sh", target, Program.path, "\(folder.path)/large"],
        environment: Program.environment())
      #expect(try session.waitForExit() == .exited(0))
      #expect(
        session.outputLines == ["\(target)/a.jpg", "status 0", "status 2", "a.jpg", "other"])
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(errors.contains("are needed and") && errors.contains("are free"))
    }

    private static let hasNamespaces: Bool = {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
      process.arguments = ["-rm", "true"]
      process.standardError = FileHandle.nullDevice
      guard (try? process.run()) != nil else { return false }
      process.waitUntilExit()
      return process.terminationStatus == 0
    }()

    @Test(arguments: [SIGKILL, SIGTERM, SIGINT])
    func `Whenever it ends, what is there is whole`(signal: Int32) throws {
      let photo = try TestPhoto(width: 80, height: 60, date: .day(1, month: 5, year: 2023)).bytes()
      for number in 0..<12 {
        try folder.write(
          photo + [UInt8](repeating: UInt8(number), count: 2_000_000), to: "many/\(number).jpg")
      }
      // Its index is there then: most of the time of each run goes into copying.
      #expect(try Program.run(["list", "\(folder.path)/many"]).status == .exited(0))
      for _ in 0..<(signal == SIGKILL ? 50 : 10) {
        folder.remove("out")
        let session = try TerminalSession(
          Program.path, ["list", "--export", target, "\(folder.path)/many"],
          environment: Program.environment())
        usleep(UInt32.random(in: 0..<120_000))
        session.signal(signal)
        let status = try session.waitForExit()
        #expect(status == .exited(0) || status == .signalled(signal))
        for name in names() {
          #expect(
            FileManager.default.contentsEqual(
              atPath: "\(folder.path)/many/\(name)", andPath: "\(target)/\(name)"),
            "\(name)")
        }
      }
    }
  }
}

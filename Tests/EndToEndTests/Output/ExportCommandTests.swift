import Fixtures
import Foundation
import TestScheduling
import TestTerminal
import Testing

extension Outputs {
  /// `--export`: copies of the results.
  @Suite(.timeLimit(.minutes(120))) struct ExportCommandTests {
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

    @Test func `Picked photos are copied, and the paths of the copies printed`() throws {
      let session = try Program.pick(["--export", target, input])
      try session.waitForGrid(3)
      session.press(.right)
      try session.waitForText("2.jpg")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["\(target)/2.jpg"])
      #expect(FileManager.default.contentsEqual(atPath: "\(input)/2.jpg", andPath: "\(target)/2.jpg"))
      let date =
        try FileManager.default.attributesOfItem(atPath: "\(target)/2.jpg")[.modificationDate] as? Date
      #expect(date == Date(timeIntervalSince1970: 1_600_000_002))
      #expect(session.isGivenBack)
    }

    @Test func `Copies are named by the template, and every format lists them`() throws {
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

    @Test func `All files of a photo are copied together`() throws {
      try folder.write(Array("<x:xmpmeta/>".utf8), to: "in/2.xmp")
      #expect(try list(["--resources", "all", "--name", "x{stem}"]).status == .exited(0))
      #expect(names() == ["x1.jpg", "x2.jpg", "x2.xmp", "x3.jpg"])
      #expect(try Data(contentsOf: URL(fileURLWithPath: "\(target)/x2.xmp")) == Data("<x:xmpmeta/>".utf8))
    }

    @Test(arguments: [
      (["--name", "x"], "--name: requires --export"),
      (["--existing", "skip"], "--existing: requires --export"),
      (["--export", "out", "--existing", "x"], "unknown value 'x'"),
      (["--export", "out", "--name", "{stem}/{date:%Y}"], "has a slash, a line break or a NUL"),
      (["--export", "out", "--name", "{date:%Y}/../{stem}"], "has a slash, a line break or a NUL"),
      (["--resources", "all", "--strip", "all"], "--strip: can't be used with --resources all"),
      (["--export", "out", "--name", "a/{stem}"], "has a slash, a line break or a NUL"),
      (["--export", "out", "--name", "{nothing}"], "--name: "),
      (["--export", "out", "--name", ""], "--name: "),
      (["--export", ""], "--export: expected the name of a folder"),
      (["--export", "out", "--resources", "x"], "unknown value 'x'"),
    ])
    func `Contradictory options are a usage error`(options: [String], message: String) throws {
      for command in [["list"], []] {
        let result = try Program.run(command + options + [input])
        #expect(result.status == .exited(64) && result.errors.contains(message))
      }
    }

    @Test func `Only names of copies with line breaks require NUL`() throws {
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

    @Test func `A file that is too large is an ordinary error`() throws {
      let photo = try folder.bytes(of: "in/1.jpg")
      try folder.write(photo + [UInt8](repeating: 0, count: 3 << 20), to: "in/2.jpg")
      let session = try TerminalSession(
        "/bin/sh",
        [
          "-c", "ulimit -f 2000; exec \"$@\"", "sh", Program.path, "list", "--sort", "name", "--export",
          target, input,
        ],
        environment: Program.environment())
      try session.expectExit(.exited(2))
      #expect(session.outputLines == ["\(target)/1.jpg", "\(target)/3.jpg"])
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(errors.contains("\(input)/2.jpg: not copied to \(target): File too large"))
      #expect(names() == ["1.jpg", "3.jpg"])
    }

    @Test(arguments: ["/proc/tpick", "in/1.jpg", "in/1.jpg/x", "/dev/null"])
    func `A folder that can't be created is an error, and nothing is printed`(place: String) throws {
      let path = place.hasPrefix("/") ? place : "\(folder.path)/\(place)"
      let result = try Program.run(["list", "--export", path, input])
      #expect(result.status == .exited(2) && result.output.isEmpty)
      #expect(result.errors.hasPrefix("tpick: --export: \(path)"))
    }

    @Test(.enabled(if: hasNamespaces, "needs user namespaces"))
    func `A full disk is reported, with the copies made so far`() throws {
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
      try session.expectExit(.exited(0))
      #expect(
        session.outputLines == ["\(target)/a.jpg", "status 0", "status 2", "a.jpg", "other"])
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(errors.contains("are needed and") && errors.contains("are free"))
    }

    /// Makes the calls that name files fail as on mounts that do not support them.
    private func withoutLinks(_ failure: String, unnamed: Bool) throws -> String {
      let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <stdarg.h>
        int linkat(int a, const char *b, int c, const char *d, int e) { errno = \(failure); return -1; }
        int renameat2(int a, const char *b, int c, const char *d, unsigned e) { errno = EINVAL; return -1; }
        int openat(int folder, const char *path, int flags, ...) {
          va_list rest;
          va_start(rest, flags);
          unsigned mode = va_arg(rest, unsigned);
          va_end(rest);
          if (!\(unnamed ? 1 : 0) && (flags & O_TMPFILE) == O_TMPFILE) { errno = EOPNOTSUPP; return -1; }
          int (*next)(int, const char *, int, ...) = dlsym(RTLD_NEXT, "openat");
          return next(folder, path, flags, mode);
        }
        """
      try folder.write(Array(source.utf8), to: "shim.c")
      let library = "\(folder.path)/shim-\(failure)-\(unnamed).so"
      try folder.run("clang", "-shared", "-fPIC", "-o", library, "shim.c", "-ldl")
      return library
    }

    @Test(arguments: ["EIO", "ENOSYS", "EPERM"], [true, false])
    func `Without support for links, copies get their names anyway`(
      failure: String, unnamed: Bool
    ) throws {
      let environment = ["LD_PRELOAD": try withoutLinks(failure, unnamed: unnamed)]
      let arguments = ["list", "--sort", "name", "--export", target, input]
      let result = try Program.run(arguments, environment: environment)
      #expect(result.status == .exited(0), "\(result.errors)")
      #expect(result.lines == (1...3).map { "\(target)/\($0).jpg" })
      #expect(
        try Program.run(arguments, environment: environment).lines
          == (1...3).map { "\(target)/\($0) (2).jpg" })
      #expect(names().count == 6)
      let more = try Program.run(arguments + ["--existing", "replace"], environment: environment)
      #expect(more.status == .exited(0) && names().count == 6)
      for day in 1...3 {
        #expect(
          FileManager.default.contentsEqual(atPath: "\(input)/\(day).jpg", andPath: "\(target)/\(day).jpg"))
      }
    }

    @Test func `Nightly runs into a folder below the source leave as many files as the first one`() throws {
      for night in 0..<4 {
        let result = try Program.run([
          "list", "--sort", "name", "--existing", "skip", "--name", "{date:%Y/%m}/{stem}", "--export",
          "\(input)/backup", input,
        ])
        #expect(result.status == .exited(0))
        #expect(result.lines == (1...3).map { "\(input)/backup/2023/05/\($0).jpg" })
        #expect(result.errors.contains("already in it: not copied") == (night > 0), "\(result.errors)")
      }
      let files = try FileManager.default.subpathsOfDirectory(atPath: input).filter { $0.hasSuffix(".jpg") }
      #expect(files.count == 6)
      let itself = try Program.run(["list", "--export", input, input])
      #expect(itself.status == .exited(2) && itself.output.isEmpty)
    }

    @Test func `Without matches no folder is created`() throws {
      for arguments in [["list"], ["--select-1", "--exit-0"]] {
        let result = try Program.run(arguments + ["--export", target, "--filter", "videos", input])
        #expect(result.status == .exited(1) && result.output.isEmpty)
        #expect(access(target, F_OK) != 0)
      }
    }

    @Test(arguments: [SIGINT, SIGTERM]) func `An interrupted export prints the complete copies`(
      signal: Int32
    ) throws {
      let photo = try TestPhoto(width: 80, height: 60, date: .day(1, month: 5, year: 2023)).bytes()
      for number in 10..<40 {
        try folder.write(
          photo + [UInt8](repeating: UInt8(number), count: 3_000_000), to: "many/\(number).jpg")
      }
      for format in ["paths", "json"] {
        folder.remove("out")
        let session = try TerminalSession(
          Program.path,
          ["list", "--sort", "name", "--format", format, "--export", target, "\(folder.path)/many"],
          environment: Program.environment())
        // Some exist by then.
        #expect(eventually { names().count >= 2 })
        session.signal(signal)
        let status = try session.waitForExit()
        #expect(status == .signalled(signal) || status == .exited(0))
        let there = names().map { "\(target)/\($0)" }
        if format == "paths" {
          #expect(session.outputLines == there)
        } else {
          let json =
            try JSONSerialization.jsonObject(with: Data(session.standardOutputBytes)) as? [String: Any]
          let paths = (json?["assets"] as? [[String: Any]])?.compactMap { $0["path"] as? String }
          #expect(paths == there)
        }
      }
    }

    @Test func `All files of a photo are printed without copies, too`() throws {
      let photo = try folder.bytes(of: "in/1.jpg")
      for name in ["live/a.jpg", "live/b.jpg"] { try folder.write(photo, to: name) }
      try folder.write(Array("<x:xmpmeta/>".utf8), to: "live/a.xmp")
      try folder.write(Array("<x:xmpmeta/>".utf8), to: "live/b.xmp")
      let live = "\(folder.path)/live"
      func list(_ options: [String]) throws -> [String] {
        try Program.run(["list", "--sort", "name"] + options + [live]).lines
      }
      let files = ["a.jpg", "a.xmp", "b.jpg", "b.xmp"].map { "\(live)/\($0)" }
      #expect(try list(["--resources", "all"]) == files)
      #expect(try list(["--resources", "primary"]) == [files[0], files[2]])
      #expect(try list(["--resources", "all", "--format", "uris"]) == files.map { "file://\($0)" })
      #expect(
        try list(["--resources", "all", "--format", "{name}"]) == ["a.jpg", "a.xmp", "b.jpg", "b.xmp"])
      #expect(try list(["--resources", "all", "--format", "ids"]).count == 2)
      #expect(try list(["--resources", "all", "--format", "jsonl"]).count == 2)
      let picked = try Program.run(["--select-1", "--resources", "all", "\(live)/a.jpg", "\(live)/a.xmp"])
      #expect(picked.lines == Array(files[..<2]))
    }

    @Test func `A converted copy has the date and permissions of its file`() throws {
      for (name, options) in [
        ("1.jpg", ["--max-size", "40"]), ("2.jpg", ["--strip", "all"]), ("3.jpg", ["--accept", "image/png"]),
      ] {
        chmod("\(input)/\(name)", 0o600)
        let paths = try Program.run(["list", "--export", target] + options + ["\(input)/\(name)"]).lines
        let made = try Program.run(["list"] + options + ["\(input)/\(name)"]).lines
        for path in paths + made {
          var facts = stat()
          #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
          #expect(facts.st_mtim.tv_sec == 1_600_000_000 + (Int(name.prefix(1)) ?? 0))
        }
        #expect(paths.count == 1 && made.count == 1)
      }
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
    func `Whenever it is killed, existing copies are complete`(signal: Int32) throws {
      let photo = try TestPhoto(width: 80, height: 60, date: .day(1, month: 5, year: 2023)).bytes()
      for number in 0..<12 {
        try folder.write(
          photo + [UInt8](repeating: UInt8(number), count: 2_000_000), to: "many/\(number).jpg")
      }
      // The index exists by then, so most of the time of each run is spent on copying.
      #expect(try Program.run(["list", "\(folder.path)/many"]).status == .exited(0))
      for _ in 0..<(signal == SIGKILL ? TestSize.count(20, long: 50) : TestSize.count(5, long: 10)) {
        folder.remove("out")
        let session = try TerminalSession(
          Program.path, ["list", "--export", target, "\(folder.path)/many"],
          environment: Program.environment())
        // Any moment of its work will do for the test.
        session.waitUntilWritten(Int.random(in: 0..<12 * 2_000_000))
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

import Fixtures
import Foundation
import Glibc
import TestTerminal
import Testing

extension Outputs {
  /// `tpick run`: a command that sees the photos it was granted.
  @Suite(.enabled(if: SandboxFolder.hasNamespaces, Comment(rawValue: SandboxFolder.skipReason)))
  struct RunCommandTests {
    private let sandbox: SandboxFolder

    init() throws { sandbox = try SandboxFolder() }

    @Test func `Named photos are granted without a picker, and nothing else of their folder is visible`()
      throws
    {
      let folder = sandbox.photos
      let size = try sandbox.folder.bytes(of: "library/trip/a.jpg").count
      let result = try sandbox.script("wc -c < \"$1\"; ls -a '\(folder)' /photos; exit 0")
      #expect(result.status == .exited(0), "\(result.errors)")
      #expect(result.lines.first == "\(size)")
      #expect(result.lines.filter { $0.hasSuffix(".jpg") } == ["a.jpg"])
      let other = try sandbox.script(
        "cat '\(folder)/b.jpg' || ls '\(folder)' || ln '\(folder)/b.jpg' /tmp/b || find / -name b.jpg 2>/dev/null | grep ."
      )
      #expect(other.status != .exited(0) && other.output.isEmpty)
      #expect(sandbox.stages.isEmpty)
    }

    @Test func `The bound file is the original, byte for byte`() throws {
      let result = try sandbox.script("cat \"$@\"", granting: ["b.jpg", "a.jpg"])
      let expected = try ["a.jpg", "b.jpg"].flatMap { try sandbox.folder.bytes(of: "library/trip/\($0)") }
      #expect(result.output == expected, "\(result.errors)")
    }

    @Test func `The exit status is the command's`() throws {
      for (script, status) in [("exit 7", Int32(7)), ("kill -TERM $$", 143), ("kill -KILL $$", 137)] {
        #expect(try sandbox.script(script).status == .exited(status), "\(script)")
      }
      let missing = try sandbox.run(["no-such-program-here"])
      #expect(missing.status == .exited(127))
      #expect(missing.errors.contains("run: no-such-program-here: No such file or directory"))
      #expect(try sandbox.run(["/photos"]).status == .exited(126))
    }

    @Test func `Paths replace {}, and a list of them is available too`() throws {
      let result = try sandbox.run(
        ["sh", "-c", "printf '%s\\n' \"$@\"; cat \"$TPICK_GRANTED\"", "sh", "{}", "x{}"], ["--sort", "name"],
        granting: ["a.jpg", "c.jpg"])
      #expect(
        result.lines == [
          "/photos/a.jpg", "/photos/c.jpg", "x{}", "/photos/a.jpg", "/photos/c.jpg",
        ])
    }

    @Test func `Names inside are unique, without control characters`() throws {
      let names = ["a\u{1B}[2J\nb.jpg", "é.jpg", "-n.jpg"]
      let special = try SandboxFolder(names)
      try special.folder.write(
        try special.folder.bytes(of: "library/trip/é.jpg"), to: "library/trip/deeper/é.jpg")
      let result = try special.run(["ls", "-1", "/photos"], granting: names + ["deeper"])
      #expect(Set(result.lines) == ["a_[2J_b.jpg", "é.jpg", "é (2).jpg", "-n.jpg"], "\(result.errors)")
    }

    @Test func `Without location copies are granted, as --strip location makes them`() throws {
      try sandbox.folder.run(
        "exiftool", "-q", "-overwrite_original", "-GPSLatitude=38.7", "-GPSLatitudeRef=N",
        sandbox.photo("a.jpg"))
      let command = ["exiftool", "-n", "-s3", "-GPSLatitude", "{}"]
      let with = try sandbox.run(command)
      #expect(with.lines == ["38.7"], "\(with.errors)")
      for options in [
        ["--location", "off"], ["--strip", "location"], ["--location", "off", "--strip", "captions"],
      ] {
        let without = try sandbox.run(command, options)
        #expect(without.status == .exited(0) && without.lines.isEmpty, "\(without.errors)")
        #expect(try sandbox.run(["ls", "/photos"], options).lines == ["a.jpg"])
      }
    }

    @Test func `Results can only be written into their folder`() throws {
      try sandbox.folder.makeFolder("out")
      let result = try sandbox.script(
        "cp \"$1\" /results/copy.jpg && touch /made /photos/made /usr/made 2>/dev/null",
        ["--writable", "\(sandbox.path)/out"])
      #expect(result.status == .exited(1))
      #expect(try sandbox.folder.bytes(of: "out/copy.jpg") == sandbox.folder.bytes(of: "library/trip/a.jpg"))
      #expect(try sandbox.script("ls /results").status != .exited(0))
    }

    /// A bwrap that runs a command between the checks and its start.
    private func meddling(_ line: String) throws -> [String: String] {
      let script =
        "#!/bin/sh\ncase \"$*\" in *--args*) \(line);; esac\nexec /usr/bin/bwrap \"$@\"\n"
      try sandbox.folder.write(Array(script.utf8), to: "bin/bwrap")
      try sandbox.folder.setPermissions(0o755, of: "bin/bwrap")
      return ["PATH": "\(sandbox.path)/bin:/usr/bin:/bin"]
    }

    @Test(.enabled(if: access("/usr/bin/bwrap", X_OK) == 0, "bwrap is elsewhere"))
    func `A folder or photo that was replaced after its check is not exposed`() throws {
      let path = sandbox.path
      try sandbox.folder.makeFolder("out")
      try sandbox.folder.write(Array("secret".utf8), to: "hidden/secret")
      for swap in ["mv '\(path)/hidden' '\(path)/out'", "ln -s '\(path)/hidden' '\(path)/out'"] {
        let result = try sandbox.run(
          ["sh", "-c", "cat /results/secret; ls /results"], ["--writable", "\(path)/out"],
          environment: meddling("mv '\(path)/out' '\(path)/checked'; \(swap)"))
        #expect(result.status == .exited(126) && result.output.isEmpty, "\(result.errors)")
        #expect(
          result.errors.contains("/results: was replaced after it was checked")
        )
        try sandbox.folder.run(
          "sh", "-c",
          "test -h '\(path)/out' && rm '\(path)/out' || mv '\(path)/out' '\(path)/hidden'; mv '\(path)/checked' '\(path)/out'"
        )
      }
      // Unchanged ones are available.
      let usual = try sandbox.run(
        ["sh", "-c", "echo made > /results/made"], ["--writable", "\(path)/out"],
        environment: meddling(":"))
      #expect(usual.status == .exited(0), "\(usual.errors)")
      let photo = sandbox.photo("a.jpg")
      let original = try sandbox.folder.bytes(of: "library/trip/a.jpg")
      // If blocks can be shared the photo is shown as it was when it was granted.
      let swapped = try sandbox.run(
        ["sh", "-c", "cat /photos/a.jpg"],
        environment: meddling(
          "cp '\(sandbox.photo("b.jpg"))' '\(photo).new'; mv '\(photo).new' '\(photo)'"))
      #expect(
        swapped.output == original
          || swapped.output.isEmpty && swapped.status == .exited(126)
            && swapped.errors.contains("/photos/a.jpg: was replaced")
      )
    }

    @Test func `The command starts in an empty home of its own`() throws {
      let result = try sandbox.script(
        "pwd; ls -A; touch x && ls; echo \"$HOME $USER\"; id -un; env | grep -c SECRET")
      #expect(result.lines == ["/home/user", "x", "/home/user user", "user", "0"])
    }

    @Test func `Standard streams are passed through`() throws {
      let result = try Program.run(
        rawArguments: sandbox.arguments([], granting: ["a.jpg"], ["sh", "-c", "cat; echo words >&2"]).map {
          Array($0.utf8)
        },
        environment: sandbox.environment(), input: .bytes(Array("in".utf8)))
      #expect(result.output == Array("in".utf8) && result.errors == "words\n")
    }

    @Test func `Errors are reported before the user is asked`() throws {
      let cases: [([String], Int32, String)] = [
        (["run", sandbox.photos], 64, "expected a command"),
        (["run", "-", "--", "ls"], 64, "standard input"),
        (["run", "--location", "maybe", sandbox.photos, "--", "ls"], 64, "--location"),
        (
          ["run", "--location", "off", "--representation", "current", sandbox.photos, "--", "ls"], 64,
          "--location off"
        ),
        (
          [
            "run", "--writable", "/nowhere", "--authorize", "limited", "--allow", sandbox.photo("a.jpg"),
            "--", "ls",
          ], 2, "--writable: /nowhere"
        ),
        (
          ["run", "--authorize", "limited", "--allow", "\(sandbox.path)/no.jpg", sandbox.photos, "--", "ls"],
          2, "no.jpg"
        ),
      ]
      for (arguments, status, words) in cases {
        let result = try Program.run(arguments, environment: sandbox.environment())
        #expect(result.status == .exited(status) && result.output.isEmpty, "\(arguments) \(result.errors)")
        #expect(result.errors.contains(words), "\(result.errors)")
      }
      #expect(sandbox.stages.isEmpty)
    }

    @Test func `Without bubblewrap, or if it can't make a sandbox, tpick says what is missing`() throws {
      try sandbox.folder.makeFolder("bin")
      let missing = try sandbox.run(["ls"], environment: ["PATH": "\(sandbox.path)/bin"])
      #expect(missing.status == .exited(2))
      #expect(missing.errors.contains("bwrap not found") && missing.errors.contains("bubblewrap"))
      let script = "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n"
      try sandbox.folder.write(Array(script.utf8), to: "bin/bwrap")
      try sandbox.folder.setPermissions(0o755, of: "bin/bwrap")
      let forbidden = try sandbox.run(["ls"], environment: ["PATH": "\(sandbox.path)/bin:/usr/bin:/bin"])
      #expect(forbidden.status == .exited(2))
      #expect(
        forbidden.errors.contains(
          "can't make a sandbox: bwrap: No permissions to create new namespace"))
    }

    @Test func `A signal to tpick reaches the command, and nothing is left`() throws {
      let arguments = sandbox.arguments(
        [], granting: ["a.jpg"],
        ["sh", "-c", "trap 'echo caught; exit 9' TERM; echo ready; while :; do sleep 0.1; done"])
      let session = try TerminalSession(
        Program.path, arguments, environment: Program.environment(sandbox.environment()), standardInput: .null
      )
      try session.waitUntil("the command") { _ in session.outputLines.contains("ready") }
      #expect(sandbox.stages.count == 1)
      session.signal(SIGTERM)
      try session.expectExit(.exited(9))
      #expect(session.outputLines == ["ready", "caught"])
      #expect(sandbox.stages.isEmpty)
    }

    @Test func `Leftovers of a killed tpick are removed by the next one, and its command ends with it`()
      throws
    {
      let session = try TerminalSession(
        Program.path,
        sandbox.arguments([], granting: ["a.jpg"], ["sh", "-c", "echo ready; exec sleep 1000"]),
        environment: Program.environment(sandbox.environment()), standardInput: .null)
      try session.waitUntil("the command") { _ in session.outputLines.contains("ready") }
      session.signal(SIGKILL)
      try session.waitForExit()
      #expect(sandbox.stages.count == 1)
      #expect(try sandbox.run(["true"]).status == .exited(0))
      #expect(sandbox.stages.isEmpty)
    }

    @Test func `The picker comes first, and the command gets the picks`() throws {
      let session = try TerminalSession(
        Program.path, ["run", "-n0", "--graphics", "none", sandbox.photos, "--", "ls", "{}"],
        environment: Program.environment(sandbox.environment()), columns: 80, rows: 24)
      try session.waitForText("3 photos")
      // The first line says who gets the photos.
      try session.waitForText("ls {} will see your picks")
      session.send("a")
      try session.waitForText("3 picked")
      session.send("\r")
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["/photos/a.jpg", "/photos/b.jpg", "/photos/c.jpg"])
      #expect(session.isGivenBack)
      let cancelled = try TerminalSession(
        Program.path, ["run", "--graphics", "none", sandbox.photos, "--", "echo", "ran"],
        environment: Program.environment(sandbox.environment()), columns: 80, rows: 24)
      try cancelled.waitForText("3 photos")
      cancelled.send("q")
      try cancelled.expectExit(.exited(130))
      #expect(cancelled.standardOutputBytes.isEmpty && sandbox.stages.isEmpty)
    }
  }
}

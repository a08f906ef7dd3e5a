import Fixtures
import Foundation
import TestTerminal
import Testing

extension Commands {
  /// Behavior if the kernel can't confine the programs that read untrusted files.
  @Suite struct ConfinementTests {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try folder.makeFolder("in")
      try folder.run("convert", "-size", "40x30", "gradient:", "\(folder.path)/in/a.tif")
      let script = "#!/bin/sh\nexec '\(Program.sibling("tpick-codecs"))' --unconfined \"$@\"\n"
      try folder.write(Array(script.utf8), to: "helper")
      try folder.setPermissions(0o700, of: "helper")
    }

    /// - Parameter isAllowed: Whether the configuration allows it.
    private func run(
      _ arguments: [String], isAllowed: Bool, _ more: [String: String] = [:]
    ) throws -> Program.Output {
      if isAllowed {
        try folder.write(Array("unconfined-decoding = true\n".utf8), to: "config/tpick/config.toml")
      }
      return try Program.run(
        arguments,
        environment: [
          "TPICK_CODECS": "\(folder.path)/helper", "XDG_CONFIG_HOME": "\(folder.path)/config",
        ].merging(more) { $1 })
    }

    @Test func `A picture is refused with a remedy, and shown if the configuration allows it`() throws {
      let show = ["show", "--graphics", "blocks", "--size", "10x4", "\(folder.path)/in/a.tif"]
      let refused = try run(show, isAllowed: false)
      #expect(refused.status != .exited(0) && refused.output.isEmpty)
      #expect(refused.errors.contains("a.tif") && refused.errors.contains("can't confine"))
      #expect(refused.errors.contains("unconfined-decoding = true"))
      let shown = try run(show, isAllowed: true)
      #expect(shown.status == .exited(0) && !shown.output.isEmpty && shown.errors.isEmpty)
    }

    @Test func `Metadata is refused like pictures`() throws {
      try folder.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1", "-c:v", "mpeg4",
        "\(folder.path)/in/a.avi")
      let list = ["list", "--format", "{name} {width}", "\(folder.path)/in/a.avi"]
      let refused = try run(list, isAllowed: false)
      #expect(refused.errors.contains("unconfined-decoding = true"))
      #expect(refused.lines == ["a.avi 0"])
      let told = try run(list, isAllowed: true)
      #expect(told.lines == ["a.avi 64"] && told.errors.isEmpty)
      let info = ["info", "--format", "{name} {width}", "\(folder.path)/in/a.avi"]
      #expect(try run(info, isAllowed: true).lines == ["a.avi 64"])
    }

    @Test func `FFmpeg is run only if the configuration allows it`() throws {
      try folder.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1", "-c:v", "mpeg4",
        "\(folder.path)/a.avi")
      let export = [
        "list", "--export", "\(folder.path)/out", "--strip", "all", "\(folder.path)/a.avi",
      ]
      let refused = try run(export, isAllowed: false)
      #expect(refused.status == .exited(2) && refused.lines.isEmpty)
      #expect(refused.errors.contains("this system can't confine ffmpeg"))
      let made = try run(export, isAllowed: true)
      #expect(made.status == .exited(0) && made.lines == ["\(folder.path)/out/a.avi"])
    }

    /// Tries to access other files than its input and output, and prints the results.
    private static let reaching = """
      #!/bin/sh
      here="${0%/*}"
      worked=""
      attempt() { if "$@" >/dev/null 2>&1; then worked="$worked $1"; fi; }
      attempt kill -0 $PPID
      attempt mkdir "$here/made"
      attempt chmod 700 "$here/ffmpeg"
      attempt ln -s a "$here/link"
      attempt touch "$here/touched"
      attempt cat "$here/../private"
      attempt setsid true
      attempt unshare -u true
      echo "worked:$worked."
      exit 1

      """

    @Test func `A program in place of FFmpeg reaches no other file and no other process`() throws {
      try folder.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1", "-c:v", "mpeg4",
        "\(folder.path)/a.avi")
      try folder.write(Array("secret".utf8), to: "private")
      for (name, script) in [("ffprobe", "#!/bin/sh\n"), ("ffmpeg", Self.reaching)] {
        try folder.write(Array(script.utf8), to: "bin/\(name)")
        try folder.setPermissions(0o755, of: "bin/\(name)")
      }
      let path = ["PATH": "\(folder.path)/bin:/usr/bin:/bin"]
      let export = ["list", "--export", "\(folder.path)/out", "--strip", "all", "\(folder.path)/a.avi"]
      let confined = try Program.run(export, environment: path)
      #expect(confined.errors.contains("ffmpeg can't convert it: worked:."), "\(confined.errors)")
      let free = try run(export, isAllowed: true, path)
      for word in ["kill", "mkdir", "chmod", "ln", "touch", "cat"] {
        #expect(free.errors.contains(" \(word)"), "\(free.errors)")
      }
    }

    @Test func `The bug report shows how the helper is confined`() throws {
      let session = try TerminalSession(
        Program.path, ["show", "--probe"], environment: Program.environment(), profile: .kitty)
      try session.expectExit(.exited(0))
      #expect(session.outputLines.contains { $0.hasPrefix("tpick-codecs: seccomp, ") })
      let unconfined = try TerminalSession(
        Program.path, ["show", "--probe"],
        environment: Program.environment(["TPICK_CODECS": "\(folder.path)/helper"]), profile: .kitty)
      try unconfined.expectExit(.exited(0))
      #expect(unconfined.outputLines.contains("tpick-codecs: not confined"))
    }

    @Test func `Messages of a compromised helper are escaped and shortened`() throws {
      let box = [0, 0, 0, 12] + Array("ftypheic".utf8)
      try folder.write(box + Array("unreadable with control characters".utf8), to: "in/a.heic")
      let shown = try Program.run(
        ["show", "--graphics", "blocks", "--size", "10x4", "\(folder.path)/in/a.heic"],
        environment: ["TPICK_CODECS": Program.sibling("codec-stand-in")])
      #expect(shown.errors.contains("a.heic: "))
      #expect(!shown.errors.utf8.contains(0x1B) && !shown.errors.utf8.contains(0x07))
      #expect(shown.errors.utf8.count < 3000)
    }
  }
}

import Fixtures
import Foundation
import TestTerminal
import Testing

extension Outputs {
  /// `W`: the user's own player.
  @Suite struct PlayerTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path }

    init() throws {
      folder = try TemporaryFolder()
      try folder.write([], to: "photos/.keep")
      try folder.run([
        "ffmpeg", "-f", "lavfi", "-i", "color=red:s=64x48:r=10:d=1", "-c:v", "mpeg4",
        "photos/-an ; odd 'name.mp4",
      ])
      // Appends its arguments to a file, each followed by NUL.
      let script = """
        #!/bin/sh
        printf '%s\\0' "$@" >> '\(path)/noted'
        test -t 1 && test -t 2 && echo ON-TERMINAL
        echo READY
        read -r line < /dev/tty
        printf '\\033[31mNo sound device\\033[0m\\r\\n\\r\\n' >&2
        exit ${line:-0}
        """
      try folder.write(Array(script.utf8), to: "bin/stand-in")
      try folder.setPermissions(0o755, of: "bin/stand-in")
    }

    private func open(_ configuration: String?, path search: String? = nil) throws -> TerminalSession {
      if let configuration { try folder.write(Array(configuration.utf8), to: "config/tpick/config.toml") }
      var environment = ["XDG_CONFIG_HOME": "\(path)/config"]
      if let search { environment["PATH"] = search }
      let session = try TerminalSession(
        Program.path, ["--graphics", "none", "\(path)/photos"], environment: Program.environment(environment),
        columns: 120, rows: 24, standardOutput: .pipe)
      try session.waitForText("1 video")
      return session
    }

    private func noted() -> [String] {
      ((try? folder.bytes(of: "noted")) ?? []).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `The player gets the file as one argument and the terminal, which the picker takes again`()
      throws
    {
      let session = try open("player = \"'\(path)/bin/stand-in' --quiet 'two words'\"")
      session.send("W")
      try session.waitForText("READY")
      #expect(noted() == ["--quiet", "two words", "\(path)/photos/-an ; odd 'name.mp4"])
      #expect(session.isGivenBack && session.echoes && session.isCanonical)
      #expect(String(decoding: session.rawOutput, as: UTF8.self).contains("ON-TERMINAL"))
      session.send("0\r")
      try session.waitForText("1 video")
      #expect(!session.isGivenBack)
      session.send("q")
      try session.expectExit(.exited(130))
      #expect(session.isGivenBack)
    }

    @Test func `A player that fails is reported with its last line`() throws {
      let session = try open("player = \"\(path)/bin/stand-in\"")
      session.send("W")
      try session.waitForText("READY")
      session.send("3\r")
      try session.waitForText("stand-in: No sound device")
      session.send("q")
      try session.expectExit(.exited(130))
    }

    @Test func `Without a player the last line names the setting`() throws {
      let session = try open(nil, path: "\(path)/bin")
      session.send("W")
      try session.waitForText("install mpv or ffplay, or set player in the configuration")
      session.send("q")
      try session.expectExit(.exited(130))
      let other = try open("player = \"no-such-player\"")
      other.send("W")
      try other.waitForText("no-such-player: No such file or directory; set player in the configuration")
      other.send("q")
      try other.expectExit(.exited(130))
    }
  }
}

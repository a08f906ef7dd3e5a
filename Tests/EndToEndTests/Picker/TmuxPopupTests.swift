import Fixtures
import Foundation
import Glibc
import TestTerminal
import Testing

extension EndToEnd {
  /// `--tmux`: the picker in a popup of a real tmux.
  @Suite struct TmuxPopupTests {
    /// A shell in a pane of a separate tmux.
    struct Pane {
      let session: TerminalSession
      let folder: TemporaryFolder

      /// - Parameters:
      ///   - script: The shell's script; `$P` is the program.
      ///   - files: Further files in the working directory, which exist before the shell starts, as does a pipe
      ///     named `wait`.
      init(
        _ script: String, photos: Int = 3, files: [String: [UInt8]] = [:], environment: [String: String] = [:]
      ) throws {
        folder = try Photos.folder(photos)
        for (name, bytes) in files { try folder.write(bytes, to: name) }
        guard mkfifo("\(folder.path)/wait", 0o600) == 0 else { throw FixtureError("no pipe") }
        try folder.write(Array("echo the pane\n\(script)\necho $? > status\n".utf8), to: "script")
        try folder.write(Array(Self.settings.utf8), to: "tmux.conf")
        var own = ["P": Program.path, "SHELL": "/bin/sh"]
        own.merge(environment) { $1 }
        session = try TerminalSession(
          "/usr/bin/env",
          [
            "tmux", "-S", "\(folder.path)/tmux", "-f", "\(folder.path)/tmux.conf", "new-session", "-x", "120",
            "-y", "40", "/bin/sh", "script",
          ], environment: Program.environment(own), profile: .sixel, workingDirectory: folder.path,
          standardOutput: .terminal, standardError: .terminal, owning: [folder])
      }

      private static let settings = "set -g status off\nset -g default-terminal tmux-256color\n"

      /// The text of a file in the folder, empty if there is none.
      func text(_ name: String) -> String {
        String(
          decoding: FileManager.default.contents(atPath: "\(folder.path)/\(name)") ?? Data(), as: UTF8.self)
      }

      func waitFor(_ name: String) throws -> String {
        try session.waitUntil("the file \(name)") { _ in text(name).hasSuffix("\n") }
        return text(name)
      }

      /// Waits until the shell has ended, and tmux with it.
      /// - Returns: The status of the last command.
      func end() throws -> String {
        try session.expectExit(.exited(0))
        return text("status").trimmingCharacters(in: .newlines)
      }

      /// Runs a tmux command from outside.
      func tmux(_ words: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["tmux", "-S", "\(folder.path)/tmux"] + words
        try process.run()
        process.waitUntilExit()
      }
    }

    @Test func `Result, status and screen are the same as without a popup`() throws {
      let pane = try Pane(#""$P" --tmux . > out; s=$?; read go < wait; (exit $s)"#)
      try pane.session.waitForText("3 photos")
      // Within its frame, over the contents of the pane.
      #expect(pane.session.virtual.text.contains("┌"))
      #expect(pane.session.virtual.text.contains("the pane"))
      pane.session.press(.right)
      pane.session.press(.enter)
      try pane.session.waitUntil("the pane alone") {
        $0.text.trimmingCharacters(in: .whitespacesAndNewlines) == "the pane"
      }
      try pane.folder.write(Array("go\n".utf8), to: "wait")
      #expect(try pane.end() == "0")
      #expect(pane.text("out") == "./2.jpg\n")
      #expect(pane.session.isGivenBack)
    }

    @Test func `Pictures are blocks there, whatever the outer terminal supports`() throws {
      let pane = try Pane(#""$P" --tmux . > out"#)
      try pane.session.waitForLibrary("3 photos")
      try pane.session.waitUntil("blocks") { $0.text.contains { "▀▄▌▐█▖▗▘▝".contains($0) } }
      pane.session.press(.escape)
      #expect(try pane.end() == "130")
      #expect(pane.session.virtual.drawnPictures == 0)
      #expect(pane.text("out").isEmpty)
    }

    @Test func `Names with quotes, line breaks and expansions are passed unchanged`() throws {
      let name = "a'b \"c\" $(touch ran) `touch ran`; #{pane_id} \\ \nd*"
      let pane = try Pane(
        #"export WEIRD="$W"; "$P" --tmux --print0 --bind 'alt-e=execute-silent(sh key)' "$W" > out"#,
        files: [
          "key": Array(#"printf '%s\n' "$WEIRD" "$PWD" > env"#.utf8),
          "\(name)/x.jpg": try TestPhoto(width: 40, height: 30, date: .day(1)).bytes(),
        ], environment: ["W": name])
      try pane.session.waitForText("1 photo ")
      pane.session.send("\u{1B}e")
      try pane.session.waitUntil("what the program of the key has written") { _ in
        pane.text("env") == "\(name)\n\(pane.folder.path)\n"
      }
      pane.session.press(.enter)
      #expect(try pane.end() == "0")
      #expect(pane.text("out") == "\(name)/x.jpg\0")
      #expect(!FileManager.default.fileExists(atPath: "\(pane.folder.path)/ran"))
    }

    @Test func `Standard input is the caller's, also while its writer continues`() throws {
      let pane = try Pane(#"(echo 1.jpg; read go < wait; echo 3.jpg) | "$P" --tmux - > out"#)
      try pane.session.waitForText("1 photo ")
      try pane.session.waitForText("reading…")
      try pane.folder.write(Array("go\n".utf8), to: "wait")
      try pane.session.waitForText("2 photos")
      pane.session.press(.end)
      pane.session.press(.enter)
      #expect(try pane.end() == "0")
      #expect(pane.text("out") == "3.jpg\n")
    }

    @Test func `Messages and exit status come from the popup`() throws {
      let pane = try Pane(#""$P" --tmux --sort nonsense . 2> errors"#)
      #expect(try pane.end() == "64")
      #expect(pane.text("errors").hasPrefix("tpick: --sort: "), "\(pane.text("errors"))")
    }

    @Test func `A command that replaces the picker runs in the pane`() throws {
      let pane = try Pane(
        #"tty > mine; "$P" --tmux . --exec sh -c 'tty > its; printf "%s\n" "$@" > arguments; exit 9' sh"#)
      try pane.session.waitForText("3 photos")
      pane.session.press(.enter)
      #expect(try pane.end() == "9")
      #expect(pane.text("arguments") == "./1.jpg\n")
      #expect(!pane.text("mine").isEmpty && pane.text("its") == pane.text("mine"))
    }

    @Test func `A missing command has the shells' status`() throws {
      let pane = try Pane(#""$P" --tmux --bind 'alt-b=become(not-there {})' . 2> errors"#)
      try pane.session.waitForText("3 photos")
      pane.session.send("\u{1B}b")
      #expect(try pane.end() == "127")
      #expect(pane.text("errors").contains("not-there: No such file"))
    }

    @Test func `A popup that is closed from outside counts as canceled`() throws {
      let pane = try Pane(#""$P" --tmux . > out 2> errors"#)
      try pane.session.waitForText("3 photos")
      try pane.tmux("display-popup", "-C")
      let status = try pane.end()
      #expect(status == "130", "\(pane.text("errors"))")
      #expect(pane.text("out").isEmpty)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGKILL])
    func `A signal ends the popup with its caller`(signal: Int32) throws {
      let pane = try Pane(
        #""$P" --tmux . > out & echo $! > pid; wait $!; echo $? > ended; read go < wait"#)
      try pane.session.waitForText("3 photos")
      let process = try #require(Int32(try pane.waitFor("pid").trimmingCharacters(in: .newlines)))
      #expect(kill(process, signal) == 0)
      #expect(try pane.waitFor("ended") == "\(128 + signal)\n")
      try pane.session.waitUntil("the pane without the popup") {
        !$0.text.contains("3 photos") && !$0.text.contains("┌") && $0.text.contains("the pane")
      }
      try pane.folder.write(Array("go\n".utf8), to: "wait")
      _ = try pane.end()
      #expect(pane.text("out").isEmpty)
    }

    @Test func `A closed pipe ends it as without a popup`() throws {
      let pane = try Pane(#"mkfifo results; (exec 3< results; exec 3<&-) & "$P" --tmux . > results"#)
      try pane.session.waitForText("3 photos")
      pane.session.press(.enter)
      #expect(try pane.end() == "\(128 + SIGPIPE)")
    }

    @Test func `Ctrl-Z leaves the picker in the popup usable`() throws {
      let pane = try Pane(#""$P" --tmux . > out"#)
      try pane.session.waitForText("3 photos")
      pane.session.pressControl("z")
      pane.session.press(.right)
      try pane.session.waitForCursor(on: "2.jpg")
      pane.session.press(.enter)
      #expect(try pane.end() == "0")
      #expect(pane.text("out") == "./2.jpg\n")
    }

    @Test func `The cursor can be followed from a popup`() throws {
      let pane = try Pane(#""$P" --tmux --selection follow . > out"#)
      try pane.session.waitUntil("the first photo") { _ in pane.text("out") == "./1.jpg\n" }
      pane.session.press(.right)
      try pane.session.waitUntil("the second photo") { _ in pane.text("out") == "./1.jpg\n./2.jpg\n" }
      try pane.session.waitForLibrary()
      pane.session.press(.escape)
      #expect(try pane.end() == "130")
    }

    @Test(arguments: [
      ("--tmux=left,40%", 0, 0, 48, 40), ("--tmux=bottom,50%", 0, 20, 120, 20),
      ("--tmux 50%,30", 29, 4, 60, 30),
    ])
    func `The popup is placed where the option says`(
      option: String, column: Int, row: Int, width: Int, height: Int
    ) throws {
      let pane = try Pane("\"$P\" \(option) . > out")
      try pane.session.waitForText("3 photos")
      func character(_ row: Int, _ column: Int) -> Character? {
        pane.session.virtual.characters(inRow: row).dropFirst(column).first
      }
      #expect(character(row, column) == "┌")
      #expect(character(row, column + width - 1) == "┐")
      #expect(character(row + height - 1, column) == "└")
      pane.session.press(.escape)
      #expect(try pane.end() == "130")
    }

    @Test func `Inside a popup the option is ignored`() throws {
      let pane = try Pane(#"tmux display-popup -E -w 100% -h 100% '"$P" --tmux . > out; echo $? > inner'"#)
      try pane.session.waitForText("3 photos")
      pane.session.press(.enter)
      _ = try pane.end()
      #expect(pane.text("out") == "./1.jpg\n" && pane.text("inner") == "0\n")
    }

    @Test func `Outside tmux the option is ignored`() throws {
      let session = try Program.pick(["--tmux"], in: try Photos.folder(2))
      try session.waitForGrid(2)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines.count == 1)
    }

    @Test(arguments: [
      ("echo 'unknown command: display-popup' >&2; exit 1", "popups need tmux 3.2 or later"),
      ("echo 'no current client' >&2; exit 1", "tmux can't open a popup: no current client"),
      ("exit 0", "another popup or a menu is open"),
    ])
    func `If tmux can't open a popup the reason is reported`(script: String, words: String) throws {
      let folder = try TemporaryFolder()
      try folder.write(Array("#!/bin/sh\n\(script)\n".utf8), to: "tmux")
      try folder.setPermissions(0o755, of: "tmux")
      let run = try Program.run(
        ["--tmux", "/"],
        environment: ["TMUX": "/tmp/none,1,0", "TMUX_PANE": "%0", "PATH": "\(folder.path):/usr/bin:/bin"])
      #expect(run.status == .exited(2))
      #expect(run.errors.contains("tpick: --tmux: ") && run.errors.contains(words), "\(run.errors)")
    }

    @Test(arguments: ["--tmux=middle", "--tmux=101%", "--tmux=center,1,2,3"])
    func `An invalid placement is a usage error`(option: String) throws {
      let run = try Program.run([option])
      #expect(run.status == .exited(64))
      #expect(run.errors.contains("expected [center|top|bottom|left|right][,WIDTH[%]][,HEIGHT[%]]"))
    }

    @Test func `The socket's name alone starts nothing`() throws {
      let run = try Program.run(["--popup-socket", "tpick-popup-none"])
      #expect(run.status == .exited(2))
      #expect(run.errors.contains("the process that opened the popup has ended"))
    }
  }
}

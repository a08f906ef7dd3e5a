import Fixtures
import Foundation
import TestTerminal
import Testing

extension EndToEnd {
  /// A sandboxed command as a job of a shell on a terminal.
  @Suite(.enabled(if: SandboxFolder.hasNamespaces, Comment(rawValue: SandboxFolder.skipReason)))
  struct SandboxJobTests {
    private let sandbox: SandboxFolder

    init() throws { sandbox = try SandboxFolder() }

    private func start(
      _ command: [String], standardOutput: StandardOutput = .terminal
    ) throws -> TerminalSession {
      try TerminalSession(
        Program.path, sandbox.arguments([], granting: ["a.jpg"], command),
        environment: Program.environment(sandbox.environment()), columns: 80, rows: 24,
        standardOutput: standardOutput, standardError: standardOutput)
    }

    @Test func `Ctrl-C goes to the command, which may continue`() throws {
      let session = try start([
        "sh", "-c", "trap 'echo caught; exit 5' INT; echo ready; while :; do sleep 0.1; done",
      ])
      try session.waitForText("ready")
      session.pressControl("c")
      try session.expectExit(.exited(5))
      #expect(session.virtual.text.contains("caught"))
      let ended = try start(["sh", "-c", "echo ready; exec sleep 1000"])
      try ended.waitForText("ready")
      ended.pressControl("c")
      try ended.expectExit(.exited(130))
      #expect(sandbox.stages.isEmpty)
    }

    @Test func `The terminal's size is available, and follows changes`() throws {
      let session = try start(["sh", "-c", "stty size; read line; stty size"])
      try session.waitForText("24 80")
      session.resize(columns: 100, rows: 30)
      session.send("\r")
      try session.waitForText("30 100")
      try session.expectExit(.exited(0))
    }

    @Test func `A full-screen program works, and restores the terminal`() throws {
      let session = try start(["vim", "-Nu", "NONE", "-n", "-c", "file somename", "{}"])
      try session.waitForText("somename")
      session.send(":q!\r")
      try session.expectExit(.exited(0))
      #expect(session.isGivenBack)
    }

    @Test func `Ctrl-Z stops the command, and fg continues it`() throws {
      let session = try TerminalSession(
        "/bin/bash", ["--norc", "--noprofile", "--noediting", "-i"],
        environment: Program.environment(sandbox.environment(["PS1": "$ "])), columns: 100, rows: 30,
        standardOutput: .terminal, standardError: .terminal)
      let words = sandbox.arguments([], granting: ["a.jpg"], ["sh", "-c", "echo re'a'dy; cat; echo e'n'ded"])
      let line = ([Program.path] + words).map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(
        separator: " ")
      session.send("\(line)\r")
      try session.waitForText("ready")
      func cats() -> [String] {
        Self.states(ofProcessesCalled: "cat", inSession: session.processIdentifier)
      }
      // A shell that is stopped before it has started cat starts none.
      try session.waitUntil("cat to run") { _ in cats() == ["S"] }
      session.pressControl("z")
      try session.waitForText("Stopped")
      // Until the signal has reached cat it reads input, as in every shell.
      try session.waitUntil("cat to be stopped") { _ in cats() == ["T"] }
      session.send("echo sh'e'll\r")
      try session.waitForText("shell")
      session.send("fg\r")
      session.send("typed\r")
      try session.waitUntil("the echo of cat") { $0.text.components(separatedBy: "typed").count == 3 }
      session.pressControl("d")
      try session.waitForText("ended")
      session.send("echo st'a'tus $?; exit\r")
      try session.waitForText("status 0")
      #expect(sandbox.stages.isEmpty)
    }

    /// The states of processes from /proc (proc(5), `stat`).
    private static func states(ofProcessesCalled name: String, inSession session: pid_t) -> [String] {
      let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return processes.filter { pid_t($0) != nil }.compactMap { process in
        guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
          let end = stat.range(of: "(\(name)) ")?.upperBound
        else { return nil }
        let fields = stat[end...].split(separator: " ")
        return fields.count > 3 && pid_t(fields[3]) == session ? String(fields[0]) : nil
      }
    }

    @Test func `A shell inside manages jobs of its own`() throws {
      let session = try start(["bash", "--norc", "--noprofile", "--noediting", "-i"])
      try session.waitForText("bash-")
      session.send("sh -c 'echo re\"a\"dy; exec sleep 1000'\r")
      try session.waitForText("ready")
      session.pressControl("c")
      try session.waitUntil("the next prompt") { $0.text.components(separatedBy: "bash-").count == 3 }
      session.send("echo st'a'tus $?\r")
      try session.waitForText("status 130")
      session.send("exit 3\r")
      try session.expectExit(.exited(3))
    }
  }
}

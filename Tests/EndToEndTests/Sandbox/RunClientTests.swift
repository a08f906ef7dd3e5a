import Fixtures
import Foundation
import TestTerminal
import Testing

extension EndToEnd {
  /// A command that gets a client's stored permissions.
  @Suite(.enabled(if: SandboxFolder.hasNamespaces, Comment(rawValue: SandboxFolder.skipReason)))
  struct RunClientTests {
    private let sandbox: SandboxFolder
    private static let client = ["--client", "mailer", "--purpose", "Attach photos"]

    init() throws { sandbox = try SandboxFolder() }

    private var environment: [String: String] {
      sandbox.environment(["XDG_STATE_HOME": "\(sandbox.path)/state"])
    }

    private func access(_ arguments: String...) throws {
      let result = try Program.run(["access"] + arguments, environment: environment)
      #expect(result.status == .exited(0), "\(result.errors)")
    }

    private var arguments: [String] {
      ["run", "--graphics", "none"] + Self.client + [sandbox.photos, "--", "ls", "/photos"]
    }

    @Test func `Limited access grants the allowed photos without a question`() throws {
      try access("grant", "--client", "mailer", "--allow", sandbox.photo("b.jpg"))
      let result = try Program.run(arguments, environment: environment)
      #expect(result.status == .exited(0), "\(result.errors)")
      #expect(result.lines == ["b.jpg"])
    }

    @Test func `Full access grants all sources`() throws {
      try access("grant", "--client", "mailer")
      let result = try Program.run(arguments, environment: environment)
      #expect(result.lines == ["a.jpg", "b.jpg", "c.jpg"])
    }

    @Test func `Without access nothing runs, and the message says how to get it`() throws {
      let undetermined = try TerminalSession(
        "/usr/bin/setsid", ["-w", Program.path] + arguments, environment: Program.environment(environment))
      try undetermined.expectExit(.exited(77))
      try access("revoke", "--client", "mailer")
      let denied = try Program.run(arguments, environment: environment)
      #expect(denied.status == .exited(77) && denied.output.isEmpty)
      #expect(denied.errors.contains("tpick access grant --client mailer"))
      #expect(sandbox.stages.isEmpty)
    }

    @Test func `Nothing stored: the user is asked once, and the selected photos are granted`() throws {
      let session = try TerminalSession(
        Program.path, arguments, environment: Program.environment(environment), columns: 100, rows: 30)
      try session.waitForText("“mailer” would like to see your photos")
      session.send("s")
      try session.waitForText("Choose the photos that mailer may see")
      try session.waitForText("3 photos")
      session.press(.space)
      try session.waitForText("1 allowed")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["a.jpg"])
      let again = try Program.run(arguments, environment: environment)
      #expect(again.lines == ["a.jpg"])
    }

    @Test(arguments: [("f", Int32(0), ["a.jpg", "b.jpg", "c.jpg"]), ("d", 77, [])])
    func `Full access and denial are possible answers, too`(
      key: String, status: Int32, names: [String]
    ) throws {
      let session = try TerminalSession(
        Program.path, arguments, environment: Program.environment(environment), columns: 100, rows: 30)
      try session.waitForText("“mailer” would like to see your photos")
      session.send(key)
      if status != 0 {
        try session.waitForText("Access was denied")
        session.press(.enter)
      }
      try session.expectExit(.exited(status))
      #expect(session.outputLines == names)
    }

    @Test func `The user decides about a portal request, and sees everything`() throws {
      try access("grant", "--client", "mailer", "--allow", sandbox.photo("b.jpg"))
      let script = "ls /photos; echo one; tpick > /dev/null; ls /photos"
      let session = try TerminalSession(
        Program.path,
        ["run", "--graphics", "none"] + Self.client + [sandbox.photos, "--", "sh", "-c", script],
        environment: Program.environment(environment), columns: 100, rows: 30)
      try session.waitForText("3 photos")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == ["b.jpg", "one", "a.jpg", "b.jpg"])
      // Photos granted to the sandbox are not stored.
      #expect(
        try Program.run(["list"] + Self.client + [sandbox.photos], environment: environment).lines
          == [sandbox.photo("b.jpg")])
    }
  }
}

import Fixtures
import Foundation
import Glibc
import TestTerminal
import Testing

extension EndToEnd {
  /// Decisions about a client, in one run of the program and the next.
  @Suite struct StoredPermissionTests {
    private let folder: TemporaryFolder
    private let home: TemporaryFolder
    private static let client = ["--client", "mailer", "--purpose", "Attach photos"]

    init() throws {
      folder = try TemporaryFolder()
      home = try TemporaryFolder()
      try Photos.write(4, to: folder)
    }

    private var environment: [String: String] {
      [
        "XDG_STATE_HOME": "\(home.path)/state", "XDG_CACHE_HOME": "\(home.path)/cache",
        "XDG_DATA_HOME": "\(home.path)/data",
      ]
    }

    private func run(_ arguments: String...) throws -> Program.Output {
      try Program.run(arguments, environment: environment)
    }

    private func list() throws -> Program.Output {
      try Program.run(["list", "--sort", "name"] + Self.client + [folder.path], environment: environment)
    }

    private func pick(_ arguments: [String] = [], _ client: [String] = client) throws -> TerminalSession {
      try Program.pick(["--sort", "name"] + client + arguments + [folder.path], environment: environment)
    }

    private func paths(_ numbers: Int...) -> [String] { numbers.map { "\(folder.path)/\($0).jpg" } }

    private var store: String { "\(home.path)/state/tpick/permissions.toml" }

    @Test func `Nothing stored: the prompt asks, and without a screen nothing is printed`() throws {
      let result = try list()
      #expect(result.status == .exited(77) && result.output.isEmpty)
      #expect(result.errors.contains("tpick access grant --client mailer"))
      let session = try pick()
      try session.waitForText("“mailer” would like to see your photos")
      try session.waitForText("“Attach photos”")
      #expect(session.virtual.pictures.isEmpty)
      session.press(.escape)
      try session.expectExit(.exited(130))
      // Leaving without an answer decides nothing.
      #expect(try run("access", "status").output.isEmpty)
    }

    @Test func `Full access is remembered`() throws {
      let session = try pick()
      try session.waitForText("Allow Full Access")
      session.send("f")
      try session.waitForGrid(4)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(try list().lines == paths(1, 2, 3, 4))
      let again = try pick()
      try again.waitForGrid(4)
      #expect(!again.virtual.text.contains("would like"))
      again.press(.escape)
      try again.expectExit(.exited(130))
      // Another program has its own question.
      let other = try pick([], ["--client", "blog", "--purpose", "x"])
      try other.waitForText("“blog” would like to see your photos")
      other.press(.escape)
      try other.expectExit(.exited(130))
    }

    @Test func `Selected photos are remembered, and later choices as well`() throws {
      let session = try pick()
      try session.waitForText("Select Photos…")
      session.send("s")
      try session.waitForText("Choose the photos that mailer may see")
      try session.waitForGrid(4)
      session.press(.space)
      try session.waitForText("1 allowed")
      session.press(.enter)
      try session.waitForText("Limited access · 1 of 4 photos")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines == paths(1))
      #expect(try list().lines == paths(1))
      let again = try pick()
      try again.waitForText("Limited access · 1 of 4 photos")
      again.send("m")
      try again.waitForText("Choose the photos that mailer may see")
      try again.waitForText("1 allowed")
      again.press(.end)
      again.press(.space)
      try again.waitForText("2 allowed")
      again.press(.enter)
      try again.waitForText("2 of 4 photos")
      again.press(.escape)
      try again.expectExit(.exited(130))
      #expect(try list().lines == paths(1, 4))
    }

    @Test func `Denied: the screen names the command that resets it`() throws {
      let session = try pick()
      try session.waitForText("Don't Allow")
      session.press(.enter)
      try session.waitForText("tpick access grant --client mailer")
      session.press(.enter)
      try session.expectExit(.exited(77))
      #expect(try list().status == .exited(77))
      #expect(try run("access", "grant", "--client", "mailer").status == .exited(0))
      #expect(try list().lines.count == 4)
      #expect(try run("access", "reset", "--client", "mailer").status == .exited(0))
      #expect(try list().status == .exited(77))
    }

    @Test func `Restricted: a policy that the user can't change here`() throws {
      #expect(try run("access", "grant", "--client", "mailer").status == .exited(0))
      let text = try String(contentsOfFile: store, encoding: .utf8)
      try text.replacingOccurrences(of: "\"authorized\"", with: "\"restricted\"")
        .write(toFile: store, atomically: false, encoding: .utf8)
      #expect(try list().status == .exited(77))
      let session = try pick()
      try session.waitForText("A policy on this machine")
      #expect(!session.virtual.text.contains("tpick access grant"))
      session.press(.enter)
      try session.expectExit(.exited(77))
    }

    @Test func `An empty limited selection can be changed`() throws {
      #expect(
        try run("access", "grant", "--client", "mailer", "--allow", "\(folder.path)/1.jpg").lines == paths(1))
      folder.remove("1.jpg")
      let result = try list()
      #expect(result.status == .exited(1) && result.output.isEmpty)
      let session = try pick()
      try session.waitForText("No photos allowed yet")
      session.send("m")
      try session.waitForText("Choose the photos that mailer may see")
      session.press(.escape)
      try session.waitForText("No photos allowed yet")
      session.press(.escape)
      try session.expectExit(.exited(130))
    }

    @Test func `A decision made elsewhere reaches an open picker`() throws {
      #expect(try run("access", "grant", "--client", "mailer").status == .exited(0))
      let session = try pick()
      try session.waitForGrid(4)
      #expect(try run("access", "grant", "--client", "mailer", "--allow", paths(2)[0]).status == .exited(0))
      try session.waitForText("Limited access · 1 of 4 photos")
      try session.waitForGrid(1)
      #expect(try run("access", "grant", "--client", "mailer", "--allow", paths(3)[0]).status == .exited(0))
      try session.waitForText("2 of 4 photos")
      #expect(try run("access", "revoke", "--client", "mailer").status == .exited(0))
      try session.waitForText("may not see your photos")
      session.press(.enter)
      try session.expectExit(.exited(77))
      #expect(session.standardOutputBytes.isEmpty)
    }

    @Test func `A photo stays allowed under another name, but its old name does not`() throws {
      #expect(try run("access", "grant", "--client", "mailer", "--allow", paths(1)[0]).status == .exited(0))
      #expect(try list().lines == paths(1))
      try folder.rename("1.jpg", to: "moved.jpg")
      try folder.write(try folder.bytes(of: "2.jpg"), to: "1.jpg")
      #expect(try list().lines == ["\(folder.path)/moved.jpg"])
      #expect(try String(contentsOfFile: store, encoding: .utf8).contains("moved.jpg"))
      // Replaced as programs save: by another file with its name.
      try folder.write(try folder.bytes(of: "3.jpg"), to: "new")
      try folder.rename("new", to: "moved.jpg")
      #expect(try list().output.isEmpty)
      // A deleted photo is removed from the store.
      #expect(try run("access", "grant", "--client", "mailer", "--allow", paths(2)[0]).status == .exited(0))
      folder.remove("2.jpg")
      #expect(try list().output.isEmpty)
      #expect(try !String(contentsOfFile: store, encoding: .utf8).contains("/2.jpg"))
    }

    @Test(arguments: ["it's me", "x'\u{301};touch pwned #", "-n", "$(touch pwned)", "a b"])
    func `The command in the message gives access to this client, with any special characters in its name`(
      name: String
    ) throws {
      let arguments = ["list", "--client=\(name)", "--purpose", "x", folder.path]
      let result = try Program.run(arguments, environment: environment)
      let hint = try #require(result.errors.split(separator: "to allow it: ").last).dropLast()
      #expect(hint.hasPrefix("tpick access grant --client"))
      let script = "cd \(home.path); tpick() { \(Program.path) \"$@\"; }; \(hint)"
      let session = try TerminalSession(
        "/bin/sh", ["-c", script], environment: Program.environment(environment))
      try session.expectExit(.exited(0))
      #expect(!FileManager.default.fileExists(atPath: "\(home.path)/pwned"))
      #expect(try Program.run(arguments, environment: environment).lines.count == 4)
    }

    @Test func `A simulated state for one run is not stored`() throws {
      #expect(try run("access", "revoke", "--client", "mailer").status == .exited(0))
      let session = try pick(["--authorize", "notDetermined"])
      try session.waitForText("would like to see")
      session.send("f")
      try session.waitForGrid(4)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(try list().status == .exited(77))
    }

    @Test func `A deleted photo leaves the store, unless its folder is empty now`() throws {
      try folder.write(try TestPhoto(width: 32, height: 24, date: .day(9)).bytes(), to: "trip/5.jpg")
      let allowed = paths(1, 2) + ["\(folder.path)/trip/5.jpg"]
      let grant = try run(
        "access", "grant", "--client", "mailer", "--allow", allowed[0], "--allow", allowed[1], "--allow",
        allowed[2])
      #expect(grant.status == .exited(0))
      folder.remove("1.jpg")
      // A disk that is not mounted leaves an empty folder, too.
      folder.remove("trip/5.jpg")
      #expect(try list().lines == paths(2))
      let status = try run("access", "status", "--client", "mailer").lines
      #expect(status.first == "mailer  limited, 2 photos")
      #expect(Set(status.dropFirst()) == ["  \(allowed[1])", "  \(allowed[2])"])
    }

    @Test func `Save access alone shows nothing`() throws {
      #expect(try run("access", "grant", "--client", "mailer", "--level", "addOnly").status == .exited(0))
      #expect(try list().status == .exited(77))
      #expect(try run("access", "status").output.contains("may save".utf8))
    }

    @Test(arguments: [
      (["--client", "mailer"], "--purpose"), (["--client", "mailer", "--purpose", " "], "--purpose"),
      (["--client", " ", "--purpose", "x"], "--client"), (["--client", "a ", "--purpose", "x"], "blank"),
      (["--client", "a\u{1B}[31m", "--purpose", "x"], "invisible"),
      (["--client", "a\u{200B}", "--purpose", "x"], "invisible"),
      (["--client", "a\nb", "--purpose", "x"], "invisible"),
      (["--client", "a\u{3164}", "--purpose", "x"], "invisible"), (["--purpose", "x"], "--client"),
      (["--client", String(repeating: "n", count: 201), "--purpose", "x"], "200"),
      (["--client", "m", "--purpose", String(repeating: "p", count: 1001)], "1000"),
    ])
    func `A client without a purpose, or with an unreadable name, is a usage error`(
      arguments: [String], word: String
    ) throws {
      for command in [["list"], ["albums"], []] {
        let result = try Program.run(command + arguments + [folder.path], environment: environment)
        #expect(result.status == .exited(64))
        #expect(result.errors.contains(word))
      }
    }

    @Test func `Client names and purposes can't control the terminal`() throws {
      let session = try pick([], ["--client", "ab", "--purpose", "c\u{1B}]0;x\u{7}d\u{202E}e"])
      try session.waitForText("would like to see your photos")
      let text = session.virtual.text
      #expect(text.contains("]0;x"))
      session.send("d")
      try session.waitForText("Access was denied")
      session.press(.enter)
      try session.expectExit(.exited(77))
      let status = try run("access", "status")
      #expect(!status.output.contains(0x1B) || !status.lines[0].contains("\u{1B}[31m"))
    }
  }
}

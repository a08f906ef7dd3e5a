import Fixtures
import Foundation
import Glibc
import TestTerminal
import Testing

extension EndToEnd {
  /// `tpick access`: what scripts and users read, and what is refused.
  @Suite struct AccessCommandTests {
    private let folder: TemporaryFolder
    private let home: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      home = try TemporaryFolder()
      try Photos.write(3, to: folder)
    }

    private var environment: [String: String] {
      [
        "XDG_STATE_HOME": "\(home.path)/state", "XDG_CACHE_HOME": "\(home.path)/cache",
        "XDG_DATA_HOME": "\(home.path)/data",
      ]
    }

    private func access(_ arguments: String...) throws -> Program.Output {
      try Program.run(["access"] + arguments, environment: environment)
    }

    private struct Document: Decodable, Equatable {
      struct Photo: Decodable, Equatable {
        var localIdentifier: String
        var path: String?
      }
      struct Client: Decodable, Equatable {
        var client: String
        var purpose: String?
        var readWrite: String
        var addOnly: String
        var allowed: [Photo]
        var decided: String?
      }
      var version: Int
      var clients: [Client]
      var added: [Photo]?
    }

    private func document(_ output: Program.Output) throws -> Document {
      #expect(output.status == .exited(0))
      #expect(try SchemaValidator.problems(of: output.output, "accessDocument") == "")
      return try JSONDecoder().decode(Document.self, from: Data(output.output))
    }

    @Test func `Each action as JSON`() throws {
      var answer = try document(
        access("grant", "--client", "mailer", "--allow", "\(folder.path)/2.jpg", "--format", "json"))
      #expect(
        answer.clients.map(\.readWrite) == ["limited"] && answer.clients.map(\.addOnly) == ["authorized"])
      #expect(answer.added?.map(\.path) == ["\(folder.path)/2.jpg"])
      #expect(answer.clients[0].decided?.hasSuffix("Z") == true)
      // Earlier permissions stay, and only new ones are printed.
      answer = try document(access("grant", "--client", "mailer", "--allow", folder.path, "--format", "json"))
      #expect(answer.added?.count == 2 && answer.clients[0].allowed.count == 3)
      answer = try document(access("status", "--format", "json"))
      #expect(answer.clients.map(\.client) == ["mailer"] && answer.added == nil && answer.version == 1)
      answer = try document(access("status", "--client", "nobody", "--format", "json"))
      #expect(answer.clients.map(\.readWrite) == ["notDetermined"] && answer.clients[0].decided == nil)
      answer = try document(access("revoke", "--client", "mailer", "--format", "json"))
      #expect(answer.clients.map(\.readWrite) == ["denied"] && answer.clients[0].allowed.isEmpty)
      answer = try document(access("grant", "--client", "mailer", "--format", "json"))
      #expect(answer.clients.map(\.readWrite) == ["authorized"])
      answer = try document(access("reset", "--all", "--format", "json"))
      #expect(
        answer.clients.map(\.client) == ["mailer"] && answer.clients.map(\.readWrite) == ["notDetermined"])
      #expect(try document(access("status", "--format", "json")).clients.isEmpty)
      let again = try access("reset", "--client", "mailer")
      #expect(again.status == .exited(1))
      #expect(again.errors.hasPrefix("tpick: mailer: no stored permission"))
      let all = try access("reset", "--all")
      #expect(all.status == .exited(1) && all.errors.hasPrefix("tpick: permissions: none stored"))
    }

    @Test func `As text, a client takes one line, followed by its photos if it is named`() throws {
      _ = try access("grant", "--client", "mailer", "--allow", "\(folder.path)/2.jpg")
      _ = try access("revoke", "--client", "my blog")
      #expect(try access("status").lines == ["mailer   limited, 1 photo", "my blog  denied"])
      #expect(
        try access("status", "--client", "mailer").lines == [
          "mailer  limited, 1 photo", "  \(folder.path)/2.jpg",
        ])
    }

    @Test func `Photos are chosen on the screen, and newly allowed ones are printed`() throws {
      _ = try access("grant", "--client", "mailer", "--allow", "\(folder.path)/1.jpg")
      let session = try Program.pick(
        ["access", "select", "--client", "mailer", folder.path], environment: environment)
      try session.waitForText("Choose the photos that mailer may see")
      try session.waitForText("1 allowed")
      session.send("a")
      try session.waitForText("3 allowed")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.outputLines.sorted() == ["\(folder.path)/2.jpg", "\(folder.path)/3.jpg"])
      #expect(session.isGivenBack)
      #expect(try access("status").lines == ["mailer  limited, 3 photos"])
    }

    @Test func `A client with full access is restricted to the chosen photos, and Esc changes nothing`()
      throws
    {
      _ = try access("grant", "--client", "mailer")
      let cancelled = try Program.pick(
        ["access", "select", "--client", "mailer", folder.path], environment: environment)
      try cancelled.waitForGrid(3)
      cancelled.press(.escape)
      try cancelled.expectExit(.exited(130))
      #expect(try access("status").lines == ["mailer  authorized"])
      let session = try Program.pick(
        ["access", "select", "--client", "mailer", "--format", "json", folder.path], environment: environment)
      try session.waitForGrid(3)
      session.press(.enter)
      try session.expectExit(.exited(0))
      let answer = try JSONDecoder().decode(Document.self, from: Data(session.standardOutputBytes))
      #expect(answer.clients.map(\.readWrite) == ["limited"] && answer.added?.isEmpty == true)
      #expect(try access("status").lines == ["mailer  limited, 0 photos"])
    }

    @Test(
      arguments: [
        ([], 64, "one of status, grant, revoke, reset, select"), (["frobnicate"], 64, "frobnicate"),
        (["grant"], 64, "--client"), (["reset"], 64, "--all"),
        (["reset", "--all", "--client", "x"], 64, "--all"),
        (["grant", "--client", ""], 64, "--client"),
        (["grant", "--client", "x", "--level", "all"], 64, "readWrite"),
        (["grant", "--client", "x", "--level", "addOnly", "--allow", "/"], 64, "--allow"),
        (["grant", "--client", "x", "--allow", "/nowhere"], 2, "/nowhere"),
        (["grant", "--client", "x", "--allow", "/etc/hostname"], 2, "/etc/hostname"),
        (["status", "--format", "yaml"], 64, "yaml"),
        (["select", "--client", "x", "--authorize", "limited"], 64, "authorize"),
      ] as [([String], Int32, String)])
    func `Errors are reported, and nothing is decided`(
      arguments: [String], status: Int32, word: String
    ) throws {
      let result = try Program.run(["access"] + arguments, environment: environment)
      #expect(result.status == .exited(status))
      #expect(result.errors.contains(word), "\(result.errors)")
      #expect(result.output.isEmpty)
      #expect(try access("status").output.isEmpty)
    }

    @Test func `An unreadable store is an error with a hint for every command, and stays unchanged`() throws {
      try home.write(Array("version = 1\n[[clients]\n".utf8), to: "state/tpick/permissions.toml")
      let before = try home.bytes(of: "state/tpick/permissions.toml")
      for arguments in [
        ["access", "status"], ["access", "grant", "--client", "x"], ["access", "reset", "--all"],
        ["list", "--client", "x", "--purpose", "y", folder.path],
        ["--client", "x", "--purpose", "y", folder.path],
        ["access", "select", "--client", "x", folder.path],
      ] {
        let result = try Program.run(arguments, environment: environment)
        #expect(result.status == .exited(2))
        #expect(result.errors.contains("permissions.toml") && result.errors.contains("remove it"))
      }
      #expect(try home.bytes(of: "state/tpick/permissions.toml") == before)
      // Without a client the store is not read.
      #expect(try Program.run(["list", folder.path], environment: environment).lines.count == 3)
    }
  }
}

import AssetLibrary
import Fixtures
import SystemPackage
import Testing

@testable import Permissions

@Suite struct PermissionDocumentTests {
  private static let names = [
    "mailer", "it's \"me\"", "a.b.c", "новая программа", "two\nlines", "tab\tand \u{1B}[31mred",
    "\u{202E}txt",
    "[[clients]]", "#", "\u{10FEFF}",
  ]

  private static func client(_ random: inout some RandomNumberGenerator, _ name: String) -> ClientPermission {
    func status(_ random: inout some RandomNumberGenerator) -> AuthorizationStatus {
      AuthorizationStatus.allCases.randomElement(using: &random) ?? .denied
    }
    let allowed = (0..<Int.random(in: 0...6, using: &random)).map { number in
      let bytes = (0..<Int.random(in: 1...20, using: &random)).map { _ in
        UInt8.random(in: 1...255, using: &random)
      }
      return AllowedAsset(
        LocalIdentifier("id\(number)"),
        successorFile: Bool.random(using: &random) ? .random(in: 0 ... .max, using: &random) : nil,
        path: Bool.random(using: &random)
          ? FilePath(bytes: Array("/".utf8) + bytes.filter { $0 != 0x2F }) : nil)
    }
    return ClientPermission(
      client: name, purpose: names.randomElement(using: &random), readWrite: status(&random),
      addOnly: status(&random), allowed: allowed,
      decided: Bool.random(using: &random)
        ? AssetDate(wallSeconds: .random(in: 0...4_000_000_000, using: &random), utcOffset: 0) : nil)
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `A written document is read back unchanged, whatever it contains`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let clients = Self.names.shuffled(using: &random).prefix(.random(in: 0...5, using: &random)).map {
      Self.client(&random, $0)
    }
    let read = try PermissionDocument.clients(PermissionDocument.text(clients))
    #expect(read == clients.sorted { $0.client < $1.client })
  }

  @Test func `Ten thousand allowed photos are handled`() throws {
    let allowed = (0..<10_000).map {
      AllowedAsset(LocalIdentifier("\($0)"), path: FilePath("/home/a.b/\($0).x.y.jpg"))
    }
    let client = ClientPermission(client: "mailer", readWrite: .limited, allowed: allowed)
    #expect(try PermissionDocument.clients(PermissionDocument.text([client])) == [client])
  }

  private static let client = "[[clients]]\nname = \"m\"\nread-write = \"limited\"\nadd-only = \"denied\"\n"

  @Test(arguments: [
    "", "version = 0", "version = \"1\"", "version = 1\nother = 2", "version = 1\nclients = 3",
    "version = 1\n[[clients]]\nread-write = \"limited\"", "version = 1\n[[clients]]\nname = \"m\"",
    "version = 1\n\(client)color = 1", "version = 1\n\(client)\(client)", "version = 1\n\(client)allowed = 1",
    "version = 1\n\(client)allowed = [\"a\"]", "version = 1\n\(client)allowed = [[\"a\"]]",
    "version = 1\n\(client)allowed = [[\"a\", \"nowhere\"]]",
    "version = 1\n\(client)allowed = [[\"a\", \"\", \"xyz\"]]",
    "version = 1\n\(client)allowed = [[\"a\", \"\"], [\"a\", \"\"]]", "version = 1\n\(client)purpose = 1",
    "version = 1\n\(client)decided = \"today\"", "version = 1\n[clients", "\u{FEFF}\0",
    "version = 1\n[[clients]]\nname = \"m\"\nread-write = \"all\"\nadd-only = \"denied\"",
  ])
  func `A malformed document is rejected`(text: String) {
    #expect(throws: PermissionDocument.Problem.self) { try PermissionDocument.clients(Array(text.utf8)) }
  }

  @Test func `A newer version is reported as such`() {
    #expect(throws: PermissionDocument.Problem.newer(2)) {
      try PermissionDocument.clients(Array("version = 2\nwhatever = true".utf8))
    }
  }
}

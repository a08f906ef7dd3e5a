import Fixtures
import Foundation
import TestTerminal
import Testing

extension Commands {
  /// `tpick changes`: the differences since a token as JSON lines.
  @Suite struct ChangesCommandTests {
    private let folder: TemporaryFolder
    private let home: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      home = try TemporaryFolder()
      for (name, day) in [("a.jpg", 1), ("trip/b.jpg", 2)] {
        try folder.write(try TestPhoto(width: 32, height: 24, date: .day(day)).bytes(), to: name)
      }
    }

    private var environment: [String: String] {
      [
        "XDG_STATE_HOME": "\(home.path)/state", "XDG_CACHE_HOME": "\(home.path)/cache",
        "XDG_DATA_HOME": "\(home.path)/data", "XDG_CONFIG_HOME": "\(home.path)/config",
        "XDG_PICTURES_DIR": folder.path,
      ]
    }

    /// Runs `tpick changes` and checks every line against the schema.
    private func changes(
      _ arguments: String..., status: Int32 = 0, errors: String = ""
    ) throws -> (lines: [[String: String]], token: String) {
      let output = try Program.run(["changes"] + arguments, environment: environment)
      #expect(output.status == .exited(status), "\(arguments): \(output.errors)")
      #expect(errors.isEmpty ? output.errors.isEmpty : output.errors.contains(errors), "\(output.errors)")
      var lines: [[String: String]] = []
      for line in output.output.split(separator: 0x0A) {
        #expect(try SchemaValidator.problems(of: Array(line), "changesLine") == "")
        lines.append(try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: String]))
      }
      let token = lines.popLast()?["token"]
      #expect(lines.allSatisfy { $0["token"] == nil })
      return (lines, token ?? "")
    }

    @Test func `A script gets the changes of a library between its calls`() throws {
      let start = try changes("--since", "start")
      #expect(start.lines.map { $0["change"] } == ["inserted", "inserted"])
      #expect(
        Set(start.lines.compactMap { $0["path"] }) == ["\(folder.path)/a.jpg", "\(folder.path)/trip/b.jpg"])
      let same = try changes("--since", start.token, folder.path, status: 1)
      #expect(same.lines.isEmpty)
      // Tokens count calls, so that they don't reveal the number of changes.
      #expect(same.token != start.token)
      #expect(try changes("--since", same.token, status: 1).lines.isEmpty)
      try folder.rename("trip", to: "journey")
      let odd: [UInt8] = Array("new ".utf8) + [0xFF, 0x0A] + Array(".jpg".utf8)
      try folder.write(try TestPhoto(width: 32, height: 24, date: .day(3)).bytes(), to: odd)
      _ = try Program.run(["mark", "--favorite", "\(folder.path)/a.jpg"], environment: environment)
      _ = try Program.run(["albums", "create", "Sea"], environment: environment)
      let later = try changes("--since", start.token)
      let byKind = Dictionary(grouping: later.lines) { $0["change"] ?? "" }
      #expect(byKind["moved"]?.map { $0["previousPath"] } == ["\(folder.path)/trip/b.jpg"])
      #expect(byKind["moved"]?.map { $0["path"] } == ["\(folder.path)/journey/b.jpg"])
      #expect(byKind["updated"]?.map { $0["path"] } == ["\(folder.path)/a.jpg"])
      #expect(byKind["inserted"]?.compactMap { $0["album"] } == ["Sea"])
      let bytes =
        byKind["inserted"]?.compactMap { $0["pathBytes"] }.compactMap { Data(base64Encoded: $0) } ?? []
      #expect(bytes.map(Array.init) == [folder.path(of: odd)])
      #expect(byKind.values.joined().count == 4)
    }

    @Test func `Hidden photos are included, several changes are one line, and what came and went is none`()
      throws
    {
      func run(_ arguments: String...) throws {
        let output = try Program.run(arguments, environment: environment)
        #expect(output.status == .exited(0), "\(output.errors)")
      }
      try run("mark", "--hidden", "\(folder.path)/a.jpg")
      try run("albums", "create", "Sea", "Land")
      let start = try changes("--since", "start")
      #expect(
        Set(start.lines.compactMap { $0["path"] }) == ["\(folder.path)/a.jpg", "\(folder.path)/trip/b.jpg"])
      #expect(Set(start.lines.compactMap { $0["album"] }) == ["Sea", "Land"])
      try run("mark", "--favorite", "\(folder.path)/a.jpg")
      try run("mark", "--no-hidden", "--date", "2031-05-03", "\(folder.path)/a.jpg")
      try run("albums", "rename", "Land", "Hills")
      try run("albums", "add", "Hills", "\(folder.path)/a.jpg")
      try run("albums", "create", "Gone")
      try run("albums", "delete", "Gone", "Sea")
      try folder.write(try TestPhoto(width: 32, height: 24, date: .day(3)).bytes(), to: "c.jpg")
      folder.remove("c.jpg")
      let later = try changes("--since", start.token).lines
      #expect(later.count == 3, "\(later)")
      let updated = later.filter { $0["change"] == "updated" }
      #expect(updated.compactMap { $0["path"] } == ["\(folder.path)/a.jpg"])
      #expect(updated.compactMap { $0["album"] } == ["Hills"])
      // An album that is gone has neither a title nor a path.
      let deleted = later.filter { $0["change"] == "deleted" }
      #expect(deleted.map { Set($0.keys) } == [["change", "localIdentifier"]])
    }

    @Test func `Errors about tokens name the problem and a remedy`() throws {
      _ = try changes("--since", "yesterday", status: 64, errors: "use start")
      _ = try changes("--since", "0123456789abcdef-3", status: 2, errors: "--since start")
      let start = try changes("--since", "start")
      _ = try changes("--since", start.token, "\(folder.path)/trip", status: 2, errors: "same sources")
      _ = try changes(status: 64, errors: "--since")
      _ = try changes("--since", start.token, "\(folder.path)/none", status: 2, errors: "none")
      _ = try changes(
        "--since", "start", folder.path, "\(folder.path)/none", status: 2, errors: "while a source is missing"
      )
      _ = try changes("--since", "start", "--filter", "images", status: 64, errors: "--filter and --query")
    }

    @Test func `A client gets only changes of photos that it may see`() throws {
      let limited = ["--authorize", "limited", "--allow", "\(folder.path)/a.jpg"]
      let start = try changes("--since", "start", limited[0], limited[1], limited[2], limited[3])
      #expect(start.lines.map { $0["path"] } == ["\(folder.path)/a.jpg"])
      try folder.write(try TestPhoto(width: 32, height: 24, date: .day(3)).bytes(), to: "c.jpg")
      #expect(
        try changes("--since", start.token, limited[0], limited[1], limited[2], limited[3], status: 1).lines
          .isEmpty)
      let denied = try Program.run(
        ["changes", "--since", "start", "--authorize", "denied"], environment: environment)
      #expect(denied.status == .exited(77))
      #expect(denied.output.isEmpty)
    }
  }
}

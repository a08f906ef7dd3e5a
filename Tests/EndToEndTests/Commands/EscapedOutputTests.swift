import Fixtures
import Foundation
import TestTerminal
import Testing

extension Commands {
  /// File names can neither control the terminal nor forge lines, whichever command prints them.
  @Suite struct EscapedOutputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let names = [
      "c1\u{9B}2J.jpg", "del\u{7F}.jpg", "escape\u{1B}[2J.jpg", "override\u{202E}gpj.jpg",
      "paragraph\u{2029}.jpg",
    ]

    private static let escapedNames = [
      "c1\\u009B2J.jpg", "del\\x7F.jpg", "escape\\x1B[2J.jpg", "override\\u202Egpj.jpg",
      "paragraph\\u2029.jpg",
    ]

    private func writeNames() throws {
      let photo = try TestPhoto(width: 32, height: 24, date: .day(1)).bytes()
      for name in Self.names { try folder.write(photo, to: "album\u{9B}\u{202E}/\(name)") }
    }

    /// The terminal output of a command without a screen, including its messages.
    private static func shown(_ arguments: [String]) throws -> String {
      let session = try TerminalSession(
        Program.path, arguments, environment: Program.environment(), standardOutput: .terminal,
        standardError: .terminal)
      try session.waitForExit()
      // The line discipline turns line ends into CR LF.
      return String(decoding: session.rawOutput, as: UTF8.self).replacing("\r\n", with: "\n")
    }

    private static func isActing(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x0A: false
      case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }

    @Test func `On a terminal paths and JSON contain no control characters`() throws {
      try writeNames()
      let list = try Self.shown(["list", folder.path])
      #expect(list.split(separator: "\n").count == Self.names.count)
      for name in Self.escapedNames { #expect(list.contains("/\(name)\n")) }
      for format in ["json", "jsonl"] {
        let shown = try Self.shown(["list", "--format", format, folder.path])
        #expect(!shown.unicodeScalars.contains(where: Self.isActing))
        #expect(shown.contains("c1\\u009B2J.jpg") && shown.contains("del\\u007F.jpg"))
      }
      #expect(!list.unicodeScalars.contains(where: Self.isActing))
      struct Document: Decodable {
        struct Asset: Decodable { var path: String }
        var assets: [Asset]
      }
      let shown = try Self.shown(["list", "--format", "json", folder.path])
      let paths = try JSONDecoder().decode(Document.self, from: Data(shown.utf8)).assets.map(\.path)
      #expect(Set(paths) == Set(Self.names.map { "\(folder.path)/album\u{9B}\u{202E}/\($0)" }))
    }

    @Test func `In JSON such characters are escaped wherever it is written`() throws {
      try writeNames()
      struct Line: Decodable { var path: String }
      let lines = try Program.run(["list", "--format", "jsonl", folder.path]).lines
      let paths = try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)).path }
      #expect(Set(paths) == Set(Self.names.map { "\(folder.path)/album\u{9B}\u{202E}/\($0)" }))
      for arguments in [
        ["list", "--format", "json", folder.path], ["list", "--format", "jsonl", folder.path],
        ["albums", "--format", "json", folder.path], ["albums", "--format", "jsonl", folder.path],
        ["info", "--format", "json"] + paths, ["info", "--format", "jsonl"] + paths,
      ] {
        let result = try Program.run(arguments)
        #expect(result.status == .exited(0))
        let text = String(decoding: result.output, as: UTF8.self)
        #expect(text.contains("\\u009B") && !text.unicodeScalars.contains(where: Self.isActing))
      }
    }

    @Test func `On a terminal invalid UTF-8 is escaped byte by byte`() throws {
      try folder.write(
        try TestPhoto(width: 32, height: 24).bytes(), to: [0x61, 0xFF, 0xFE] + Array(".jpg".utf8))
      #expect(try Self.shown(["list", folder.path]) == "\(folder.path)/a\\xFF\\xFE.jpg\n")
    }

    @Test func `On a terminal albums, metadata and messages contain no control characters`() throws {
      try writeNames()
      let files = Self.names.map { "\(folder.path)/album\u{9B}\u{202E}/\($0)" }
      let commands = [
        ["albums", folder.path], ["albums", "--format", "json", folder.path],
        ["albums", "--format", "jsonl", folder.path], ["info"] + files,
        ["info", "--format", "json"] + files, ["info", "--format", "jsonl"] + files,
        ["list", "\(folder.path)/missing\u{9B}\u{202E}\r\n"], ["list", "--sort", "odd\u{9B}", folder.path],
        ["show", "\(folder.path)/missing\u{9B}\u{2028}.jpg"],
      ]
      for command in commands {
        let shown = try Self.shown(command)
        #expect(shown.lowercased().contains("\\u009b"), "\(command)")
        // show queries the terminal first; queries of colors end with BEL.
        let queries: [Unicode.Scalar] = command[0] == "show" ? ["\u{1B}", "\u{7}"] : []
        let isClean = !shown.unicodeScalars.contains { Self.isActing($0) && !queries.contains($0) }
        #expect(isClean, "\(command)")
        if command[0] != "show" { #expect(!shown.contains("\u{1B}"), "\(command)") }
      }
    }

    @Test func `Picked names are escaped on a terminal`() throws {
      try folder.write(try TestPhoto(width: 32, height: 24).bytes(), to: "c1\u{9B}2J.jpg")
      let session = try Program.pick([], in: folder, standardOutput: .terminal)
      try session.waitForGrid(1)
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(session.virtual.text.contains("/c1\\u009B2J.jpg"))
      let isClean = !String(decoding: session.rawOutput, as: UTF8.self).unicodeScalars.contains("\u{9B}")
      #expect(isClean)
    }

    @Test func `No name or caption forges a line of albums and metadata`() throws {
      let photo = try TestPhoto(width: 32, height: 24).bytes()
      try folder.write(photo, to: "trip\r\n 99  forged/1.jpg")
      let albums = try Program.run(["albums", "--type", "folders", folder.path])
      #expect(albums.status == .exited(0))
      #expect(!albums.lines.contains { $0.hasPrefix(" 99") })
      #expect(String(decoding: albums.output, as: UTF8.self).contains("trip\\x0D\\x0A 99  forged\n"))

      try folder.write(photo, to: "x\r\ntitle         forged\r.jpg")
      try folder.write(photo, to: "photo.jpg")
      let caption = "-XMP-dc:Description=Boats\r\nrating        ★\rpeople        Ana\u{85}in it"
      try folder.run("exiftool", caption, "photo.jpg")
      let info = try Program.run(
        ["info", "\(folder.path)/x\r\ntitle         forged\r.jpg", "\(folder.path)/photo.jpg"])
      #expect(info.status == .exited(0))
      let text = String(decoding: info.output, as: UTF8.self)
      #expect(!text.unicodeScalars.contains { Self.isActing($0) })
      let starts = Set(info.lines.map { $0.prefix { $0 != " " } })
      #expect(starts.isDisjoint(with: ["title", "rating", "people"]))
      #expect(text.contains("caption       Boats rating        ★ people        Ana in it\n"))
    }
  }
}

import Fixtures
import Foundation
import TestTerminal
import Testing

extension Outputs {
  /// File names with every byte, through every format and back.
  @Suite struct NameRoundTripTests {
    private let folder: TemporaryFolder
    /// The paths sorted by bytes.
    private let paths: [[UInt8]]

    init() throws {
      folder = try TemporaryFolder()
      let photo = try TestPhoto(width: 16, height: 12, date: .day(1)).bytes()
      let bytes = (1...255).map { UInt8($0) }.filter { $0 != UInt8(ascii: "/") }
      let suffix = Array(".jpg".utf8)
      var names = bytes.map { [0x78, $0] + suffix }
      for part in [bytes.prefix(128), bytes.suffix(126)] { names.append([0x79] + part + suffix) }
      names += ["-0.jpg", "$(touch x);'\"`.jpg", "{path}%20 .jpg", "~.jpg"].map { Array($0.utf8) }
      for name in names { try folder.write(photo, to: name) }
      let root = Array(folder.path.utf8) + [0x2F]
      paths = names.map { root + $0 }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func run(_ arguments: [String], more: [[UInt8]] = [], input: [UInt8]? = nil) throws -> [UInt8] {
      let result = try Program.run(
        rawArguments: arguments.map { Array($0.utf8) } + more, input: input.map { .bytes($0) } ?? .null)
      #expect(result.status == .exited(0), "\(result.errors)")
      return result.output
    }

    private func sorted(_ list: [UInt8]) -> [[UInt8]] {
      list.split(separator: 0).map(Array.init).sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Output formats for names, and converters to NUL-separated paths or lines.
    static let ways: [(arguments: [String], converter: String?, isNulSeparated: Bool)] = [
      (["-0"], nil, true),
      (["--format", #"{path}\0"#], nil, true),
      (["--format", #"{folder}/{name}\0"#], nil, true),
      (["--format", #"{folder}/{stem}.{extension}"#, "-0"], nil, true),
      (["--format", "uris"], nil, false),
      (["--format", "{uri}"], nil, false),
      (
        ["--format", "jsonl"],
        "for l in data.splitlines():\n a = json.loads(l)\n out.write((base64.b64decode(a['pathBytes']) "
          + "if 'pathBytes' in a else a['path'].encode()) + b'\\0')", true
      ),
      (
        ["--format", "json", "--fields", "path,resources"],
        "for a in json.loads(data)['assets']:\n a = a['resources'][0]\n out.write((base64.b64decode(a['pathBytes']) "
          + "if 'pathBytes' in a else a['path'].encode()) + b'\\0')", true
      ),
      (
        ["--format", "json"], "for a in json.loads(data)['assets']: out.write(a['uri'].encode() + b'\\n')",
        false
      ),
      (["--format", "ids"], nil, false),
    ]

    /// Prepares an output format as input.
    private func list(
      by way: (arguments: [String], converter: String?, isNulSeparated: Bool)
    ) throws -> [UInt8] {
      let output = try run(["list"] + way.arguments + [folder.path])
      guard let converter = way.converter else { return output }
      let prologue = "import base64, json, sys\ndata, out = sys.stdin.buffer.read(), sys.stdout.buffer\n"
      return try Consumer.run([Program.python, "-c", prologue + converter], input: output)
    }

    @Test(arguments: ways.indices)
    func `Names are read back as sources`(way: Int) throws {
      let way = Self.ways[way]
      let list = try list(by: way)
      // On standard input, and as arguments.
      let again = try run(["list", "-0", "-"] + (way.isNulSeparated ? ["--read0"] : []), input: list)
      #expect(sorted(again) == paths)
      let words = list.split(separator: way.isNulSeparated ? 0 : 0x0A).map { Array($0) }
      #expect(words.count == paths.count)
      #expect(sorted(try run(["list", "-0", "--"], more: words)) == paths)
    }

    @Test(arguments: ways.indices.filter { [0, 4, 6].contains($0) } + [-1])
    func `Names are read back as a saved selection`(way: Int) throws {
      let list = way < 0 ? try run(["list", "--format", "ids", folder.path]) : try list(by: Self.ways[way])
      try folder.write(list, to: "picks.txt")
      let session = try Program.pick(
        ["-n0", "-0", "--graphics", "none", "--preselect-from", "\(folder.path)/picks.txt", folder.path],
        columns: 80, rows: 24)
      try session.waitForText("\(paths.count) picked")
      session.press(.enter)
      try session.expectExit(.exited(0))
      #expect(sorted(session.standardOutputBytes) == paths)
    }

    @Test func `Line-based lists leave out names they can't hold, and say so`() throws {
      let result = try Program.run(["list", folder.path])
      #expect(result.status == .exited(2))
      let whole = paths.filter { !$0.contains(0x0A) && !$0.contains(0x0D) }
      #expect(whole.count == paths.count - 3)
      let lines = result.output.split(separator: 0x0A).map { Array($0) }
      #expect(lines.sorted { $0.lexicographicallyPrecedes($1) } == whole)
      #expect(result.errors.split(separator: "\n").filter { $0.contains("use --print0") }.count == 3)
      // By the same rule, with xargs.
      let names = try Consumer.run(["xargs", "-d", "\\n", "stat", "-c", "%i", "--"], input: result.output)
      #expect(names.split(separator: 0x0A).count == whole.count)
    }
  }
}

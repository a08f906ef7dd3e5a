import Fixtures
import Foundation
import TestScheduling
import TestTerminal
import Testing

extension Outputs {
  /// Every format with every selection and every source: other programs read the output and find the right files.
  @Suite struct OutputMatrixTests {
    /// A format, and the program that converts its output into inode numbers.
    struct Format: Sendable, CustomTestStringConvertible {
      var name: String
      var arguments: [String]
      /// The program, which reads the output: from standard input, or from the files named by its last words.
      var consumer: [String]
      /// Whether it reads several outputs, one per file, and prints a line with a dash after each.
      var readsFiles = false
      /// The same with jq, if that is installed.
      var filter: String?
      /// The terminator of an item.
      var terminator: UInt8 = 0x0A
      /// The schema's name for the document, or its lines.
      var definition: String?
      var isLines = false

      var testDescription: String { name }
    }

    /// A Python program that prints the inode numbers of files.
    /// - Parameter paths: An expression for the paths in `data`.
    private static func python(_ paths: String) -> [String] {
      let program = """
        import base64, json, os, sys, urllib.parse
        def path(a): return base64.b64decode(a['pathBytes']) if 'pathBytes' in a else a['path'].encode()
        for name in sys.argv[1:]:
            data = open(name, 'rb').read()
            for p in \(paths): print(os.stat(p).st_ino)
            print('-')
        """
      return [Program.python, "-c", program]
    }

    private static let stat = ["stat", "-c", "%i", "--"]

    static let formats = [
      Format(name: "paths", arguments: [], consumer: ["xargs", "-d", "\\n"] + stat),
      Format(name: "paths, NUL", arguments: ["--print0"], consumer: ["xargs", "-0"] + stat, terminator: 0),
      Format(
        name: "uris", arguments: ["--format", "uris"],
        consumer: python(
          "[urllib.parse.unquote_to_bytes(u[7:]) for u in data.decode('ascii').splitlines()]"),
        readsFiles: true),
      Format(
        name: "json", arguments: ["--format", "json"],
        consumer: python("[path(a) for a in json.loads(data)['assets']]"), readsFiles: true,
        filter: ".assets[]",
        definition: "document"),
      Format(
        name: "jsonl", arguments: ["--format", "jsonl"],
        consumer: python("[path(json.loads(l)) for l in data.splitlines()]"), readsFiles: true,
        filter: ".", definition: "asset", isLines: true),
      Format(
        name: "jsonl, all fields", arguments: ["--format", "jsonl", "--fields", "all"],
        consumer: python("[path(json.loads(l)) for l in data.splitlines()]"), readsFiles: true,
        filter: ".", definition: "allFields", isLines: true),
      Format(
        name: "template", arguments: ["--format", #"{width}\t{date:%Y}\t{path}\n"#],
        consumer: python("[l.split(b'\\t', 2)[2] for l in data.split(b'\\n')[:-1]]"), readsFiles: true),
      Format(
        name: "template, NUL", arguments: ["--format", #"{path}\0"#], consumer: ["xargs", "-0"] + stat,
        terminator: 0),
    ]

    /// A source of photos, and the picked ones in screen order.
    struct Source: Sendable {
      var name: String
      var arguments: [String]
      var input: [UInt8]?
      var photos: [String]
      var environment: [String: String] = [:]
    }

    private static func sources() throws -> [Source] {
      let folder = try SharedFolders.make()
      let photo = try TestPhoto(width: 32, height: 24, date: .day(1)).bytes()
      let names = ["1.jpg", "sub/2 ü.jpg", "sub/3.jpg", "sub/4.jpg"]
      for name in names { try folder.write(photo, to: name) }
      let paths = names.map { "\(folder.path)/\($0)" }
      let environment = ["XDG_CACHE_HOME": "\(folder.path)/.cache", "XDG_DATA_HOME": "\(folder.path)/.data"]
      let demo = try Program.run(
        ["list", "--demo", "--sort", "name"], environment: environment, timeout: 400)
      return [
        Source(name: "folder", arguments: [folder.path], photos: paths),
        Source(name: "file", arguments: Array(paths[1...2]), photos: Array(paths[1...2])),
        Source(
          name: "standard input", arguments: ["-"], input: Array(paths.joined(separator: "\n").utf8),
          photos: paths),
        Source(name: "album", arguments: ["--album", "sub", folder.path], photos: Array(paths[1...])),
        Source(name: "demo", arguments: ["--demo"], photos: demo.lines, environment: environment),
      ]
    }

    private static let made = Result { try sources() }

    private func inodes(_ paths: some Sequence<String>) throws -> [String] {
      try paths.map { path in
        let number = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber]
        return "\(try #require(number as? Int))"
      }
    }

    /// The output for a source, and the inode numbers of the files that it must lead to.
    private struct Printed {
      var source: String
      var output: [UInt8]
      var expected: [String]
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// What a program that reads files finds in each output.
    private func read(_ outputs: [[UInt8]], by program: [String]) throws -> [[String]] {
      let folder = try TemporaryFolder()
      let paths = try outputs.enumerated().map { number, output in
        try folder.write(output, to: "\(number)")
        return "\(folder.path)/\(number)"
      }
      let read = try Self.lines(Consumer.run(program + paths))
      return read.split(separator: "-", omittingEmptySubsequences: false).dropLast().map(Array.init)
    }

    /// Checks that other programs read all outputs of a format.
    private func check(_ printed: [Printed], _ format: Format) throws {
      let found =
        format.readsFiles
        ? try read(printed.map(\.output), by: format.consumer)
        : try printed.map { try Self.lines(Consumer.run(format.consumer, input: $0.output)) }
      try #require(found.count == printed.count)
      for (each, found) in zip(printed, found) { #expect(found == each.expected, "\(each.source)") }
      if let filter = format.filter, Recipes.has("jq") {
        let program = filter + #" | .path + "\u0000""#
        let command = "jq -j \"$1\" | xargs -0 stat -c %i --"
        for each in printed {
          let read = try Consumer.run(["sh", "-c", command, "sh", program], input: each.output)
          #expect(Self.lines(read) == each.expected, "jq, \(each.source)")
        }
      }
      guard let definition = format.definition else { return }
      let problems = try SchemaValidator.problems(
        ofEach: printed.map(\.output), definition, isLines: format.isLines)
      #expect(problems.isEmpty, "\(problems)")
    }

    @Test(arguments: formats)
    func `Lists are readable by other programs`(format: Format) throws {
      let printed = try Self.made.get().map { source in
        let result = try Program.run(
          rawArguments: (["list", "--sort", "name"] + format.arguments + source.arguments).map {
            Array($0.utf8)
          },
          environment: source.environment, input: source.input.map { .bytes($0) } ?? .null)
        #expect(result.status == .exited(0), "\(source.name): \(result.errors)")
        return Printed(source: source.name, output: result.output, expected: try inodes(source.photos))
      }
      try check(printed, format)
    }

    /// The last printed selection; each is followed by an empty item.
    private func lastBlock(of output: [UInt8], _ format: Format) throws -> [UInt8] {
      if format.name == "json" {
        return Array(try #require(output.split(separator: 0x0A).last)) + [0x0A]
      }
      let end = [format.terminator, format.terminator]
      #expect(output.suffix(2) == end[...])
      let body = Array(output.dropLast())
      let start = body.dropLast().indices.last {
        body[$0] == format.terminator && body[$0 + 1] == format.terminator
      }
      return start.map { Array(body[($0 + 2)...]) } ?? body
    }

    private static let selections = ["default", "ordered", "continuous", "continuousAndOrdered"]

    /// The sources for a format and a selection: two of the five, so that each format and each selection meets all of
    /// them; all in long test runs.
    private func sources(for format: Format, _ selection: String) throws -> [Source] {
      let all = try Self.made.get()
      guard !TestSize.isLong else { return all }
      let row = try #require(Self.formats.firstIndex { $0.name == format.name })
      let column = try #require(Self.selections.firstIndex(of: selection))
      return [0, 1].map { all[(row + 2 * column + $0) % all.count] }
    }

    @Test(arguments: formats, selections)
    func `Picks are readable by other programs`(format: Format, selection: String) throws {
      let printed = try sources(for: format, selection).map { source in
        let (first, second) = (source.photos[0], source.photos[1])
        let session = try Program.pick(
          ["-n0", "--sort", "name", "--graphics", "none", "--selection", selection]
            + ["--preselect", second, "--preselect", first] + format.arguments + source.arguments,
          columns: 80, rows: 24, environment: source.environment,
          standardInput: source.input.map { .bytes($0) } ?? .terminal)
        try session.waitForText("2 picked")
        session.press(.enter)
        try session.expectExit(.exited(0), "\(source.name)")
        let output =
          selection.hasPrefix("continuous")
          ? try lastBlock(of: session.standardOutputBytes, format) : session.standardOutputBytes
        let isOrdered = selection.lowercased().hasSuffix("ordered")
        return Printed(
          source: source.name, output: output,
          expected: try inodes(isOrdered ? [second, first] : [first, second]))
      }
      try check(printed, format)
    }

    @Test func `Picked identifiers can be passed back to pick the same photos`() throws {
      for source in try Self.made.get() {
        let listed = try Program.run(
          rawArguments: (["list", "--sort", "name", "--format", "ids"] + source.arguments).map {
            Array($0.utf8)
          },
          environment: source.environment, input: source.input.map { .bytes($0) } ?? .null)
        #expect(listed.lines.count == source.photos.count)
        let file = try TemporaryFolder()
        try file.write(Array(listed.lines.reversed().joined(separator: "\n").utf8), to: "picks")
        let session = try Program.pick(
          ["-n0", "--graphics", "none", "--preselect-from", "\(file.path)/picks"] + source.arguments,
          columns: 80, rows: 24, environment: source.environment,
          standardInput: source.input.map { .bytes($0) } ?? .terminal)
        try session.waitForText("\(source.photos.count) picked")
        session.press(.enter)
        try session.expectExit(.exited(0))
        #expect(session.outputLines == source.photos.reversed(), "\(source.name)")
      }
    }
  }
}

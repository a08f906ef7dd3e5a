import Fixtures
import Foundation
import Glibc
import TestScheduling
import TestTerminal
import Testing

extension Outputs {
  /// Failures during the conversion of results.
  @Suite(.timeLimit(.minutes(120))) struct ConversionFaultTests {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      for (number, picture) in try Self.pictures.get().enumerated() {
        try folder.write(picture, to: "in/\(number).png")
      }
    }

    /// Noise: each becomes a JPEG of some 200 kB.
    private static let pictures = Result {
      let workshop = try TemporaryFolder()
      return try (0..<6).map { number in
        let name = "\(number).png"
        try workshop.run(
          "convert", "-size", "640x480", "-seed", "\(number)", "plasma:", "+noise", "Random", name)
        return try workshop.bytes(of: name)
      }
    }

    private var input: String { "\(folder.path)/in" }
    private var target: String { "\(folder.path)/out" }

    private func names(_ folder: String) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    /// The arguments that convert all of them.
    private func conversion(into folder: String) -> [String] {
      ["list", "--sort", "name", "--accept", "image/jpeg", "--export", folder, input]
    }

    /// Runs a script in a namespace where it may mount.
    private func runInNamespace(_ script: String, _ arguments: [String]) throws -> TerminalSession {
      let session = try TerminalSession(
        "/usr/bin/unshare", ["-rm", "/bin/sh", "-c", script, "sh"] + arguments,
        environment: Program.environment())
      try session.expectExit(.exited(0))
      return session
    }

    private static let hasNamespaces =
      (try? Consumer.run(["unshare", "-rm", "true"], readsErrors: true)) != nil

    @Test(arguments: [SIGKILL, SIGTERM, SIGINT])
    func `Whenever it is killed, existing files are complete`(signal: Int32) throws {
      let whole = "\(folder.path)/whole"
      #expect(try Program.run(conversion(into: whole)).status == .exited(0))
      #expect(names(whole).count == 6)
      let count = try names(whole).reduce(0) { try $0 + folder.bytes(of: "whole/\($1)").count }
      for _ in 0..<(signal == SIGKILL ? TestSize.count(12, long: 50) : TestSize.count(4, long: 10)) {
        folder.remove("out")
        let session = try TerminalSession(
          Program.path, conversion(into: target), environment: Program.environment())
        // Any moment of its work will do for the test.
        session.waitUntilWritten(Int.random(in: 0..<count))
        session.signal(signal)
        let status = try session.waitForExit()
        #expect(status == .exited(0) || status == .signalled(signal))
        for name in names(target) {
          #expect(
            FileManager.default.contentsEqual(atPath: "\(whole)/\(name)", andPath: "\(target)/\(name)"),
            "\(name)")
        }
      }
    }

    @Test(.enabled(if: hasNamespaces, "needs user namespaces"))
    func `On a full disk the rest is reported, and nothing is incomplete`() throws {
      try folder.makeFolder("out")
      let script = """
        mount -t tmpfs -o size=900k tmpfs "$1" && shift 1
        "$@"; echo "status $?"; ls -A "$0"
        """
      let session = try runInNamespace(
        script.replacing("\"$0\"", with: "'\(target)'"), [target, Program.path] + conversion(into: target))
      let lines = session.outputLines
      let status = try #require(lines.firstIndex(of: "status 2"))
      let copies = lines[..<status].compactMap { $0.split(separator: "/").last.map(String.init) }
      #expect(!copies.isEmpty && copies.count < 6)
      #expect(Array(lines[(status + 1)...]) == copies)
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(errors.contains("No space left on device"))
      #expect(errors.contains("\(copies.count) of 6 photos were copied"))
    }

    @Test(.enabled(if: hasNamespaces, "needs user namespaces"), arguments: [true, false])
    func `A folder that can't be written is an error`(converts: Bool) throws {
      try folder.makeFolder("out")
      let options = converts ? conversion(into: target) : ["list", "--export", target, input]
      let session = try runInNamespace(
        "mount -t tmpfs -o ro tmpfs \"$1\" && shift 1; \"$@\"; echo \"status $?\"",
        [target, Program.path] + options)
      #expect(session.outputLines == ["status 2"])
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(errors.contains("--export: \(target): Read-only file system"))
    }

    @Test func `A broken picture is named, and the rest continues`() throws {
      let bytes = try folder.bytes(of: "in/2.png")
      try folder.write(Array(bytes.prefix(60)), to: "in/2.png")
      let output = try Program.run(conversion(into: target))
      #expect(output.status == .exited(2))
      #expect(names(target) == [0, 1, 3, 4, 5].map { "\($0).jpg" })
      #expect(output.errors.contains("2.png") && output.errors.contains("5 of 6 photos were copied"))
    }
  }
}

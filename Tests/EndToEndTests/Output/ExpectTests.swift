import Fixtures
import Foundation
import TestTerminal
import Testing

extension Outputs {
  /// `--expect`: the key that ended the picker.
  @Suite struct ExpectTests {
    private func pick(
      _ arguments: [String], _ keys: String
    ) throws -> (status: TestTerminal.ExitStatus, output: [UInt8]) {
      let session = try Program.pick(
        ["--graphics", "none"] + arguments, in: try Photos.folder(2), columns: 80)
      try session.waitForText("2 photos")
      session.send(keys)
      return (try session.waitForExit(), session.standardOutputBytes)
    }

    private func lines(_ bytes: [UInt8]) -> [String] {
      String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n").map {
        $0.hasPrefix("/") ? "/" + ($0.split(separator: "/").last ?? "") : $0
      }
    }

    @Test(arguments: [
      ("ctrl-o,alt-x,f2", "\u{F}", "ctrl-o"), ("ctrl-o,alt-x,f2", "\u{1B}x", "alt-x"),
      ("ctrl-o,alt-x,f2", "\u{1B}OQ", "f2"), ("f12", "\u{1B}[24~", "f12"),
      ("ctrl-space", "\u{0}", "ctrl-space"),
      ("ctrl-o", "\r", ""), ("enter", "\r", "enter"), ("a", "a", "a"), ("Ctrl-O", "\u{F}", "ctrl-o"),
      ("esc", "\u{1B}", "escape"),
    ])
    func `The key is the first line`(expected: String, sent: String, name: String) throws {
      let result = try pick(["--expect", expected], sent)
      #expect(result.status == .exited(0))
      #expect(lines(result.output) == [name, "/1.jpg", ""])
    }

    @Test func `It is the first item of every format`() throws {
      let nul = try pick(["--expect", "ctrl-o", "-0"], "\u{F}")
      #expect(nul.output.split(separator: 0).first == Array("ctrl-o".utf8)[...])
      #expect(nul.output.last == 0)
      let template = try pick(["--expect", "ctrl-o", "--format", #"{name}\0"#], "\u{F}")
      #expect(template.output == Array("ctrl-o\u{0}1.jpg\u{0}".utf8))
      for (keys, name) in [("\u{F}", "ctrl-o"), ("\r", "")] {
        let json = try pick(["--expect", "ctrl-o", "--format", "json"], keys)
        let document = try #require(
          try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any])
        #expect(document["key"] as? String == name)
        #expect((document["assets"] as? [Any])?.count == 1)
        #expect(try SchemaValidator.problems(of: json.output, "document").isEmpty)
      }
      let jsonl = try pick(["--expect", "ctrl-o", "--format", "jsonl"], "\u{F}")
      #expect(jsonl.output.starts(with: "{\"key\":\"ctrl-o\"}\n{".utf8))
      let first = Array(jsonl.output.prefix { $0 != 0x0A })
      #expect(try SchemaValidator.problems(of: first, "key").isEmpty)
    }

    @Test func `Canceling prints no key, and select-1 an empty one`() throws {
      let cancelled = try pick(["--expect", "ctrl-o"], "q")
      #expect(cancelled.status == .exited(130))
      #expect(cancelled.output.isEmpty)
      let folder = try Photos.folder(1)
      let one = try Program.run(["--select-1", "--expect", "ctrl-o", folder.path])
      #expect(one.status == .exited(0))
      #expect(String(decoding: one.output, as: UTF8.self) == "\n\(folder.path)/1.jpg\n")
    }

    @Test(arguments: [
      (["--expect", "ctrl-i"], "'ctrl-i' is not a key that terminals send"),
      (["--expect", "ctrl-o,"], "'' is not a key"),
      (["--expect", "hyper-x"], "expected a character, ctrl- and a letter"),
      (
        ["--expect", "f1", "--selection", "continuous", "-n0"],
        "--expect: can't be used with --selection continuous"
      ),
    ])
    func `An invalid key is a usage error`(arguments: [String], message: String) throws {
      let result = try Program.run(arguments + ["/"])
      #expect(result.status == .exited(64))
      #expect(result.errors.contains(message), "\(result.errors)")
    }
  }
}

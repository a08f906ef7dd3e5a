import Fixtures
import Metadata
import TestScheduling
import Testing

@testable import CodecProtocol

/// When a helper is started, kept, abandoned and not restarted.
@Suite(.onOwnThreads, .timeLimit(.minutes(120))) struct HelperPoolTests {
  private func answer(_ helper: CodecClient, to words: String) -> String {
    do {
      return try helper.facts(ofBytes: Array(words.utf8)).title ?? "no words"
    } catch { return "\(error)" }
  }

  private func decode(
    _ helper: CodecClient, _ words: String, isCancelled: () -> Bool = { false }
  ) throws(CodecError) -> DecodedPicture? {
    try NamelessFile(words).withDescriptor { (file) throws(CodecError) in
      try helper.decode(file, DecodeRequest(targetWidth: 8, targetHeight: 4), isCancelled: isCancelled)
    }
  }

  @Test func `Only consecutive failed starts are counted`() throws {
    let script = try HelperScript(before: "case $n in 1|2|4|5) exit 1;; esac")
    let helper = CodecClient(program: script.path)
    #expect((0..<3).map { _ in answer(helper, to: "a") } == [missing, missing, "a"])
    // The fourth start is for the file that crashed the third helper.
    #expect(["die", "b", "c"].map { answer(helper, to: $0) } == [missing, missing, "c"])
    #expect(script.startCount == 6)
  }

  @Test func `After three failed starts there is no fourth`() throws {
    let script = try HelperScript(before: "case $n in 1|2|3) exit 1;; esac")
    let helper = CodecClient(program: script.path)
    for _ in 0..<5 { #expect(answer(helper, to: "a") == missing) }
    #expect(script.startCount == 3)
  }

  @Test func `A start whose request was canceled serves the next one`() throws {
    let script = try HelperScript(before: "while [ ! -e go ]; do sleep 0.01; done")
    let helper = CodecClient(program: script.path)
    #expect(try decode(helper, "a", isCancelled: { script.startCount > 0 }) == nil)
    try script.touch("go")
    #expect(try decode(helper, "a") != nil)
    #expect(script.startCount == 1)
  }

  @Test func `A new helper that crashes or hangs on its first file is not retried`() throws {
    let script = try HelperScript()
    let helper = CodecClient(program: script.path)
    #expect(throws: CodecError.died) { try decode(helper, "die") }
    #expect(script.startCount == 1)
    #expect(try decode(helper, "a") != nil)
    #expect(script.startCount == 2)
    // A client of its own: work with a deadline must not depend on one this short.
    let hurried = CodecClient(program: script.path, decodeDeadline: .milliseconds(300))
    #expect(throws: CodecError.hung) { try decode(hurried, "hang") }
    #expect(script.startCount == 3)
  }

  @Test func `A program that sends more than its greeting is no helper`() throws {
    let greeting = WireWriter.frame {
      CodecAnswer.ready(version: CodecAnswer.version, .claimed).write(to: &$0)
    }
    let octal = (greeting + [0x58]).map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }.joined()
    let script = try HelperScript("/bin/cat", before: "printf '\(octal)' >&0")
    let helper = CodecClient(program: script.path, deadline: .seconds(2))
    #expect(answer(helper, to: "a") == missing)
  }

  @Test(arguments: ["two answers", "another's answer", "an answer with a descriptor"])
  func `A helper that sends anything besides the answer is abandoned`(words: String) {
    let helper = CodecClient(program: Program.standIn)
    _ = answer(helper, to: words)
    // It sends nothing more.
    #expect(answer(helper, to: "a") == "a")
    #expect(throws: CodecError.died) { try decode(helper, words) }
    #expect(throws: Never.self) { try decode(helper, "a") }
  }
}

/// The text of a missing helper's error.
private let missing = "\(CodecError.missing(.codecs))"

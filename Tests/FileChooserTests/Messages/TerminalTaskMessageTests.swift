import Testing

@testable import FileChooser

@Suite struct TerminalTaskMessageTests {
  @Test(arguments: [
    TerminalTaskMessage.Task.run([Array("tpick".utf8), [], [0xFF, 0x0A]]),
    .ask(PathQuestion(kind: .saving, folder: Array("/f".utf8), names: [[0xFE]]), results: Array("/r".utf8)),
    .ask(PathQuestion(kind: .folder, folder: Array("/f".utf8)), results: Array("/r".utf8)),
  ]) func `A task is transmitted unchanged`(_ task: TerminalTaskMessage.Task) throws {
    let read = try #require(TerminalTaskMessage.task(of: TerminalTaskMessage.bytes(of: task, title: "a\tb")))
    #expect(read.task == task)
    #expect(read.title == "a\tb")
  }

  @Test(arguments: ["", "\0", "t\0run\0", "t\0run\0tpick", "t\0other\0x\0", "t\0ask\0/r\0nothing\0/\0"])
  func `Other bytes are no task`(_ text: String) {
    #expect(TerminalTaskMessage.task(of: Array(text.utf8)) == nil)
  }

  @Test func `A status is complete or absent`() {
    for status: Int32 in [0, 1, 130, 255] {
      #expect(TerminalTaskMessage.status(of: TerminalTaskMessage.bytes(ofStatus: status)) == status)
    }
    for text in ["", "1", "12", "x\n", "\n"] {
      #expect(TerminalTaskMessage.status(of: Array(text.utf8)) == nil)
    }
  }
}

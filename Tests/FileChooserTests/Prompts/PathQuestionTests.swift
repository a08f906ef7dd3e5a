import Testing

@testable import FileChooser

@Suite struct PathQuestionTests {
  private static func question(
    _ method: ChooserRequest.Method, change: (inout ChooserRequest) -> Void
  ) -> String {
    var request = ChooserRequest(method: method, handle: "/h")
    change(&request)
    let question = PathQuestion(request, defaultFolder: Array("/d".utf8))
    let words = [question.folder] + question.names
    return ([question.kind.rawValue] + words.map { String(decoding: $0, as: UTF8.self) }).joined(
      separator: "|")
  }

  @Test func `The question for a path`() {
    #expect(Self.question(.openFile) { _ in } == "file|/d")
    #expect(Self.question(.openFile) { $0.allowsSeveral = true } == "files|/d")
    #expect(
      Self.question(.openFile) { request in
        request.wantsFolder = true
        request.currentFolder = Array("/c".utf8)
      } == "folder|/c")
    #expect(Self.question(.saveFile) { $0.currentFolder = Array("relative".utf8) } == "saving|/d")
    #expect(Self.question(.saveFile) { $0.currentName = "n" } == "saving|/d|n")
    #expect(Self.question(.saveFile) { $0.currentFile = Array("/a/b".utf8) } == "saving|/a|b")
    #expect(Self.question(.saveFile) { $0.currentFile = Array("/b".utf8) } == "saving|/|b")
    #expect(
      Self.question(.saveFiles) { $0.names = [Array("../a".utf8), Array("b".utf8)] }
        == "savingSeveral|/d|a|b")
  }

  @Test(arguments: [
    ("/x", "/x"), ("x/y", "/f/x/y"), ("~", "/h"), ("~/x", "/h/x"), ("~x", "/f/~x"),
  ]) func `The typed answer`(_ typed: String, _ path: String) {
    let result = PathAnswer.path(Array(typed.utf8), in: Array("/f".utf8), home: Array("/h".utf8))
    #expect(String(decoding: result, as: UTF8.self) == path)
  }

  @Test(arguments: [
    ("a.jpg", ["b"], "a.jpg"), ("a.jpg", ["a.jpg"], "a (2).jpg"),
    ("a.jpg", ["a.jpg", "a (2).jpg"], "a (3).jpg"), ("a", ["a"], "a (2)"), (".a", [".a"], ".a (2)"),
  ]) func `A free name`(_ name: String, _ taken: [String], _ free: String) {
    let result = PathAnswer.freeName(Array(name.utf8)) {
      taken.contains(String(decoding: $0, as: UTF8.self))
    }
    #expect(String(decoding: result, as: UTF8.self) == free)
  }
}

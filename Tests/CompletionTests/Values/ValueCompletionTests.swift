import AssetLibrary
import PickerUI
import Results
import Testing

@testable import Completion

/// Composite values: lists, searches, templates, key bindings.
@Suite struct ValueCompletionTests {
  private func texts(_ option: String, _ text: String, of command: [String] = []) throws -> [String] {
    try ProgramTable.completer().answer(words: command + ["--\(option)"], current: text).candidates.map(
      \.text)
  }

  @Test(arguments: [
    ("disable", "pre", ["preview", "preview,"]),
    ("disable", "search,pre", ["search,preview", "search,preview,"]),
    ("disable", "search,collections,actions,staging,", ["search,collections,actions,staging,preview"]),
    ("fields", "foc", ["focalLength", "focalLength,"]), ("fields", "+cam", ["+camera", "+camera,"]),
    ("fields", "path,CAM", ["path,camera", "path,camera,"]), ("fields", "al", ["all", "altitude", "albums"]),
    ("accept", "image/jpe", ["image/jpeg", "image/jpeg,"]),
    ("expect", "ctrl-o,f1", ["ctrl-o,f1", "ctrl-o,f10", "ctrl-o,f11", "ctrl-o,f12"]),
    ("format", "js", ["json", "jsonl"]), ("format", "{pat", ["{path}"]),
    ("format", "{path:", ["{path:sh}", "{path:json}", "{path:csv}"]), ("format", "{path:j", ["{path:json}"]),
    ("format", "{path} {lat", ["{path} {latitude}"]),
    ("format", "{{pat", ["{{pat"]),
    (
      "name", "",
      ResultTemplate.fieldNames.reduce(into: []) { if !$0.contains("{\($1)}") { $0.append("{\($1)}") } }
    ),
    ("query", "cam", ["camera:"]), ("query", "lisbon -cam", ["lisbon -camera:"]),
    ("query", "type:vid", ["type:videos"]),
    ("query", "(ratio:p", ["(ratio:portrait"]), ("query", "album:\"two wo", []),
    ("bind", "ctrl-o", ["ctrl-o="]),
    (
      "bind", "x=tog",
      ["x=toggle", "x=toggle-next", "x=toggle-previous", "x=toggle-preview", "x=toggle-loop"]
    ),
    ("bind", "x:execute-", ["x:execute-silent("]),
  ])
  func `Typed text is continued`(option: String, text: String, candidates: [String]) throws {
    #expect(try texts(option, text) == candidates)
  }

  @Test func `The position of a popup can be left out`() throws {
    let completer = try ProgramTable.completer()
    let free = completer.answer(words: ["--tmux"], current: "")
    #expect(free.candidates.map(\.text).prefix(2) == ["center", "top"])
    #expect(free.own == .files)
    #expect(
      completer.answer(words: [], current: "--tmux=le").candidates.map(\.text) == ["left", "left,"])
    #expect(
      completer.answer(words: ["--tmux", "left,50%", "list", "--sort"], current: "ne").candidates.map(\.text)
        == ["newest"])
  }

  @Test func `Every offered key is valid`() {
    for name in BindingCompletion.keys { #expect(Key(name: name) != nil, "\(name)") }
  }

  @Test func `Every offered field is valid`() {
    for name in ResultTemplate.fieldNames {
      #expect(throws: Never.self) { try ResultTemplate(Array("{\(name)}".utf8)) }
    }
    for name in FieldSelection.names { #expect(throws: Never.self) { try FieldSelection(name) } }
  }

  @Test func `Every offered type can be accepted`() {
    for type in AcceptedFiles.types { #expect(throws: Never.self) { try AcceptedTypes(parsing: type) } }
  }

  @Test func `Every offered value of a term is understood`() {
    let vocabulary = SearchVocabulary()
    for name in SearchQuery.termNames {
      for candidate in QueryCompletion.answer("\(name):").candidates {
        #expect(throws: Never.self, "\(candidate.text)") {
          try SearchQuery(parsing: candidate.text, in: vocabulary)
        }
      }
    }
  }
}

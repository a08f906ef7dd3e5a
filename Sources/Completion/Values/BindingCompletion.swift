import PickerUI

/// Completes `KEY=ACTION`, and names of keys.
enum BindingCompletion {
  static let keys = Key.documentedNames

  /// What a binding can become.
  static func answer(_ text: String) -> CompletionAnswer {
    guard let separator = text.dropFirst().firstIndex(where: { $0 == "=" || $0 == ":" }) else {
      let matches = keys.filter { Candidate($0).begins(with: text) }
      return CompletionAnswer(matches.map { Candidate("\($0)=") }, continues: true)
    }
    let head = text[...separator]
    let typed = text[text.index(after: separator)...]
    let programs = ProgramKey.Kind.allCases.map { "\($0.rawValue)(" }
    let matches = (["ignore"] + Command.allCases.map(\.name) + programs).filter {
      Candidate($0).begins(with: typed)
    }
    return CompletionAnswer(
      matches.map { Candidate(head + $0) }, continues: matches.count == 1 && matches[0].hasSuffix("("))
  }
}

import Results

/// Completes the fields of templates.
enum TemplateCompletion {
  /// What a template can become; behind a field it can always go on.
  static func answer(_ text: String) -> CompletionAnswer {
    guard let open = text.lastIndex(of: "{"), !text[open...].contains("}"),
      // Doubled braces stand for themselves.
      text[..<open].reversed().prefix(while: { $0 == "{" }).count.isMultiple(of: 2)
    else { return CompletionAnswer([Candidate(text)], continues: true) }
    let head = text[...open]
    let partial = text[open...].dropFirst()
    if let colon = partial.firstIndex(of: ":"),
      ResultTemplate.fieldNames.contains(String(partial[..<colon]))
    {
      let ends = TemplateQuoting.allCases.map { Candidate("\(head)\(partial[...colon])\($0.rawValue)}") }
      return CompletionAnswer(ends.filter { $0.begins(with: text) }, continues: true)
    }
    var names: [String] = []
    for name in ResultTemplate.fieldNames where !names.contains(name) && Candidate(name).begins(with: partial)
    {
      names.append(name)
    }
    return CompletionAnswer(names.map { Candidate("\(head)\($0)}") }, continues: true)
  }
}

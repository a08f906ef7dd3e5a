import Results

/// The value of `--format` where a template does as well as the name of a format.
enum FormatArgument<Name: WordArgument & Sendable>: Sendable {
  case named(Name)
  case template(ResultTemplate)

  /// The formats that have a name.
  static var names: [String] { Name.choices.map(\.word) }

  /// - Throws: `ArgumentProblem` for what is neither.
  init(_ word: String) throws(ArgumentProblem) {
    let bytes = ArgumentBytes.bytes(word)
    if ResultTemplate.isTemplate(bytes) {
      do {
        self = .template(try ResultTemplate(bytes))
      } catch {
        throw ArgumentProblem("\(error)")
      }
    } else if let name = Name.choice(word) {
      self = .named(name)
    } else {
      let problem = ArgumentProblem(word, isNoneOf: Self.names, kind: "format")
      throw ArgumentProblem("\(problem), or a template such as '{path}\\t{date}'")
    }
  }
}

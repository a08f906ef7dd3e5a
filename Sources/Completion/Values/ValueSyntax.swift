import AssetLibrary
import MediaFormats
import PickerUI
import Results
import TerminalGraphics

/// The syntax of the value of an option.
package enum ValueSyntax {
  case words([String])
  case wordList([String])
  /// Fields of JSON, separated by commas.
  case fieldList
  case filter, query, album, binding, keyList, tmux
  /// One of the names of formats, or a template.
  case format([String])
  case template
  case files, directories
  /// Free text; the words are independent examples.
  case free(examples: [String])
  /// A command with its arguments, completed by the shell.
  case command
  /// Unknown.
  case unknown

  /// Chooses the syntax by the name of the option if the option has a syntax of its own, else by its
  /// declaration.
  package init(of option: CommandArgument) {
    if let own = Self.own(option) {
      self = own
    } else if let examples = Self.examples[option.longName] {
      self = .free(examples: examples)
    } else if !option.words.isEmpty {
      self = .words(option.words)
    } else if option.completionKind?.directory != nil {
      self = .directories
    } else {
      self = option.completionKind?.file != nil ? .files : .unknown
    }
  }

  private static func own(_ option: CommandArgument) -> ValueSyntax? {
    switch option.longName {
    case "filter": .filter
    case "query": .query
    case "album": .album
    case "bind": .binding
    case "expect": .keyList
    case "tmux": .tmux
    case "exec": .command
    case "name": .template
    case "fields": .fieldList
    case "disable", "strip", "type": .wordList(option.words)
    case "accept": .wordList(AcceptedFiles.types)
    case "format":
      option.completionKind?.list.map { $0.values.contains("json") } ?? false ? .format(option.words) : nil
    default: nil
    }
  }

  /// Example values that show the syntax.
  private static let examples: [String: [String]] = [
    "limit": ["0", "1"], "limit-images": [], "limit-videos": [], "min-duration": ["3s", "1min"],
    "max-duration": ["60s", "5min"], "max-bytes": ["500kB", "10MB"], "quality": ["75", "85", "95"],
    "max-size": ["1024", "2048", "2MB"], "height": ["40%", "15"], "width": ["50%", "80"], "client": [],
    "purpose": [],
    "fingerprint": [], "since": ["start"], "timeout": ["5", "30"],
    "date": ["2019-05-03T12:00+02:00", "original"], "place": ["38.72,-9.14", "none", "original"],
    "cell-size": ["8x16", "10x20"], "size": ["40x20", "80x24"], "grid": ["2x2", "4x3"],
  ]

  /// Whether the value of the option is optional.
  var isOptional: Bool {
    if case .tmux = self { true } else { false }
  }

  /// Whether a word after an option with an optional value is its value.
  func admits(_ word: String) -> Bool {
    guard case .tmux = self else { return true }
    return PopupPlacement.isMeant(by: word)
  }

  private static let places = PopupPlacement.Position.allCases.map(\.rawValue)

  /// The completions of a value.
  func answer(_ text: String) -> CompletionAnswer {
    switch self {
    case .words(let words), .free(let words): CompletionAnswer(Self.matching(words, text))
    case .wordList(let words): CompletionAnswer(WordListCompletion(words: words).candidates(text))
    case .fieldList:
      CompletionAnswer(
        WordListCompletion(
          words: FieldSelection.names, details: AssetField.inJSON.map { ($0.name, $0.help) },
          leadingPlus: true
        ).candidates(text))
    case .filter: CompletionAnswer(FilterCompletion.candidates(text))
    case .query: QueryCompletion.answer(text)
    case .binding: BindingCompletion.answer(text)
    case .keyList: CompletionAnswer(WordListCompletion(words: BindingCompletion.keys).candidates(text))
    case .tmux:
      CompletionAnswer(
        WordListCompletion(words: text.contains(",") ? ["50%", "80%"] : Self.places, isSet: false).candidates(
          text))
    case .format(let names):
      text.contains("{") ? TemplateCompletion.answer(text) : CompletionAnswer(Self.matching(names, text))
    case .template: TemplateCompletion.answer(text.isEmpty ? "{" : text)
    case .files: CompletionAnswer(own: .files)
    case .directories: CompletionAnswer(own: .directories)
    case .command: CompletionAnswer(own: .command(before: 0))
    case .album, .unknown: CompletionAnswer()
    }
  }

  private static func matching(_ words: [String], _ text: String) -> [Candidate] {
    words.map { Candidate($0) }.filter { $0.begins(with: text) }
  }
}

/// The types that `--accept` can list.
enum AcceptedFiles {
  /// Kinds first, then the types of the formats.
  static var types: [String] {
    var types = ["image/*", "video/*"]
    for type in FileFormat.allCases.compactMap(\.mimeType) where !types.contains(type) { types.append(type) }
    return types
  }
}

/// Completes `KEY=ACTION`, and names of keys.
enum BindingCompletion {
  static let keys = Key.documentedNames

  /// The completions of a binding.
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

/// Completes filters inside their grammar (`PickerFilter.init(parsing:)`).
enum FilterCompletion {
  private static let functions = [
    Candidate("any(", "one of these"), Candidate("all(", "all of these"), Candidate("not(", "none of these"),
  ]

  private static let names = PickerFilter.Name.allCases.map { Candidate($0.rawValue) }

  /// The completions of a filter.
  ///
  /// If only one name matches, it is offered with each mark that may follow, and a function with all its
  /// possible arguments: shells close quotes after the only candidate, but the filter is to be continued.
  static func candidates(_ text: String) -> [Candidate] {
    let start =
      text.lastIndex { ",(!)".contains($0) || $0.isWhitespace }.map { text.index(after: $0) }
      ?? text.startIndex
    let head = String(text[..<start])
    let partial = text[start...]
    let depth = head.reduce(0) { depth, mark in depth + (mark == "(" ? 1 : mark == ")" ? -1 : 0) }
    let isBehindList = head.last { !$0.isWhitespace } == ")"
    guard depth >= 0, !isBehindList || partial.isEmpty else { return [] }
    if isBehindList { return ends(of: head, depth) }
    let matches = (names + functions).filter { $0.begins(with: partial) }
    guard matches.count == 1, let only = matches.first else {
      return matches.map { Candidate(head + $0.text, $0.detail) }
    }
    return only.text.hasSuffix("(") ? candidates(head + only.text) : ends(of: head + only.text, depth)
  }

  /// The marks that may follow a name or a list.
  private static func ends(of text: String, _ depth: Int) -> [Candidate] {
    depth == 0
      ? [Candidate(text), Candidate("\(text),", "or another")]
      : [Candidate("\(text))", "the end of the list"), Candidate("\(text),", "and another")]
  }
}

/// Completes the terms of searches.
enum QueryCompletion {
  /// The completions of a search.
  static func answer(_ text: String) -> CompletionAnswer {
    // Free text between quotes can't be completed.
    guard text.count(where: { $0 == "\"" }).isMultiple(of: 2) else { return CompletionAnswer() }
    let start =
      text.lastIndex { $0.isWhitespace || $0 == "(" }.map { text.index(after: $0) } ?? text.startIndex
    let sign = text[start...].hasPrefix("-") ? "-" : ""
    let head = text[..<start] + sign
    let term = text[start...].dropFirst(sign.count)
    if let colon = term.firstIndex(of: ":") {
      let values = SearchQuery.help(ofTerm: String(term[..<colon]))?.values ?? []
      let opening = head + term[...colon]
      let matches = values.filter { Candidate($0).begins(with: term[term.index(after: colon)...]) }
      return CompletionAnswer(matches.map { Candidate(opening + $0) }, continues: true)
    }
    let matches = SearchQuery.termNames.filter { Candidate($0).begins(with: term) }
    return CompletionAnswer(
      matches.map { Candidate("\(head)\($0):", SearchQuery.help(ofTerm: $0)?.help) }, continues: true)
  }
}

/// Completes the fields of templates.
private enum TemplateCompletion {
  /// The completions of a template; after a field it can always continue.
  static func answer(_ text: String) -> CompletionAnswer {
    guard let open = text.lastIndex(of: "{"), !text[open...].contains("}"),
      // Doubled braces are literal braces.
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
    let fields = AssetField.inTemplates.filter { Candidate($0.name).begins(with: partial) }
    return CompletionAnswer(
      fields.map { Candidate("\(head)\($0.name)}", $0.field.help) }, continues: true)
  }
}

/// Completes lists of words separated by commas.
private struct WordListCompletion {
  var words: [String]
  /// Short descriptions of words.
  var details: [(word: String, text: String)] = []
  /// Whether a `+` may precede the first word, for additional fields.
  var leadingPlus = false
  /// Whether a word may occur only once.
  var isSet = true

  /// The completions of a list.
  ///
  /// If only one word matches, it is offered with and without a comma, so that shells leave quotes open.
  func candidates(_ text: String) -> [Candidate] {
    let start =
      text.lastIndex(of: ",").map { text.index(after: $0) }
      ?? (leadingPlus && text.hasPrefix("+") ? text.index(after: text.startIndex) : text.startIndex)
    let head = text[..<start]
    let partial = text[start...]
    let listed = Set(isSet ? head.drop { $0 == "+" }.split(separator: ",").map { $0.lowercased() } : [])
    let left = words.filter { !listed.contains($0.lowercased()) }
    let matches = left.filter { Candidate($0).begins(with: partial) }
    guard matches.count == 1, let only = matches.first, left.count > 1, only != FieldSelection.everything
    else {
      return matches.map { Candidate(head + $0, detail(of: $0)) }
    }
    return [Candidate(head + only, detail(of: only)), Candidate("\(head)\(only),", "and another")]
  }

  private func detail(of word: String) -> String? { details.first { $0.word == word }?.text }
}

import Results

/// What can stand where the value of an option is expected.
package enum ValueSyntax {
  case words([String])
  case wordList([String], leadingPlus: Bool)
  case filter, query, album, binding, keyList, tmux
  /// The name of a format, or a template if there is no name.
  case format([String])
  case template
  case files, directories
  /// Anything; the words are examples, each good for itself.
  case free(examples: [String])
  /// A command with its arguments, which the shell knows better.
  case command
  /// Nothing is known of it.
  case unknown

  /// By the name of the option where its grammar is one of its own, else by its declaration.
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
    case "fields": .wordList(FieldSelection.names, leadingPlus: true)
    case "disable", "type": .wordList(option.words, leadingPlus: false)
    case "accept": .wordList(AcceptedFiles.types, leadingPlus: false)
    case "format":
      option.completionKind?.list.map { $0.values.contains("json") } ?? false ? .format(option.words) : nil
    default: nil
    }
  }

  /// Values that say how such a value is written.
  private static let examples: [String: [String]] = [
    "limit": ["0", "1"], "limit-images": [], "limit-videos": [], "min-duration": ["3s", "1min"],
    "max-duration": ["60s", "5min"], "max-bytes": ["500kB", "10MB"], "quality": ["75", "85", "95"],
    "max-size": ["1024", "2048", "2MB"], "height": ["40%", "15"], "client": [], "purpose": [],
    "fingerprint": [], "timeout": ["5", "30"],
    "cell-size": ["8x16", "10x20"], "size": ["40x20", "80x24"], "grid": ["2x2", "4x3"],
  ]

  /// Whether the option can do without a value.
  var isOptional: Bool {
    if case .tmux = self { true } else { false }
  }

  /// Whether a word behind an option that can do without a value is one.
  func admits(_ word: String) -> Bool {
    guard case .tmux = self else { return true }
    let first = word.split(separator: ",", omittingEmptySubsequences: false).first.map(String.init) ?? ""
    return Self.places.contains(first.lowercased())
      || !first.isEmpty && first.allSatisfy { $0.isNumber || $0 == "%" }
  }

  private static let places = ["center", "top", "bottom", "left", "right"]

  /// What a value can become.
  func answer(_ text: String) -> CompletionAnswer {
    switch self {
    case .words(let words), .free(let words): CompletionAnswer(Self.matching(words, text))
    case .wordList(let words, let leadingPlus):
      CompletionAnswer(WordListCompletion(words: words, leadingPlus: leadingPlus).candidates(text))
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

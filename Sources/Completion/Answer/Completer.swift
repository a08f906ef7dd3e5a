import MediaFormats

/// Computes the completions of a word on the command line.
package struct Completer {
  /// The library that a command line refers to.
  package struct Library: Hashable, Sendable {
    /// The paths; empty for the user's pictures folder.
    package var sources: [String]
    package var isDemo: Bool
    /// Whether the line ignores the configuration.
    package var ignoresConfiguration = false
    /// The configuration named on the line; nil = the default one.
    package var configuration: String?
  }

  private let table: CommandTable
  private let standard: String
  private let albums: (Library) -> [Candidate]

  /// - Parameters:
  ///   - standard: the name of the default subcommand.
  ///   - albums: returns the names of a library's albums; called only if an album is expected.
  package init(_ table: CommandTable, standard: String, albums: @escaping (Library) -> [Candidate]) {
    self.table = table
    self.standard = standard
    self.albums = albums
  }

  package func answer(for line: CompletionLine) -> CompletionAnswer {
    answer(words: Array(line.words.dropFirst()), current: line.current)
  }

  /// - Parameters:
  ///   - words: the words before the cursor, without the program.
  ///   - current: the word at the cursor, up to the cursor.
  package func answer(words: [String], current: String) -> CompletionAnswer {
    let call = CompletionCall(words, current: current, table: table, standard: standard)
    var answer: CompletionAnswer
    switch call.subject {
    case .execWord(let before): answer = CompletionAnswer(own: .command(before: before))
    case .value(let option, let prefix, let text):
      answer = value(of: option, text, call)
      // Shells complete a command only in separate words.
      if case .command = answer.own, !prefix.isEmpty { answer.own = nil }
      answer.prefix = prefix
    case .optionName(let typed): answer = CompletionAnswer(options(call, typed))
    case .helpTopic(let typed):
      answer = CompletionAnswer(call.command.children.map(\.candidate).filter { $0.begins(with: typed) })
    case .word(let typed, let mayBeSubcommand):
      answer = word(typed, mayBeSubcommand, call)
    }
    answer.candidates.removeAll { !$0.isOneLine }
    return answer
  }

  private func value(of option: CommandArgument, _ text: String, _ call: CompletionCall) -> CompletionAnswer {
    guard case .album = ValueSyntax(of: option) else { return ValueSyntax(of: option).answer(text) }
    let isDemo = call.given.contains { $0.name == "demo" }
    let sources = call.positionals.filter { $0 != "-" }
    // Paths on standard input are not known during completion.
    guard isDemo || sources.isEmpty == call.positionals.isEmpty else { return CompletionAnswer() }
    var library = Library(sources: isDemo ? [] : sources, isDemo: isDemo)
    library.ignoresConfiguration = call.given.contains { $0.name == "no-config" }
    library.configuration = call.given.last { $0.name == "config" }?.value
    let names = albums(library).filter {
      $0.begins(with: text)
    }
    return names.isEmpty && text.contains("/") ? CompletionAnswer(own: .directories) : CompletionAnswer(names)
  }

  /// The options that can still be given.
  private func options(_ call: CompletionCall, _ typed: String) -> [Candidate] {
    call.command.options.filter { $0.isRepeating || !call.isGiven($0) }.flatMap { option in
      // Short options are listed only after a single dash.
      option.spellings.filter { $0.hasPrefix("--") || typed == "-" }.map { Candidate($0, option.summary) }
    }.filter { $0.begins(with: typed) }
  }

  private func word(_ typed: String, _ mayBeSubcommand: Bool, _ call: CompletionCall) -> CompletionAnswer {
    var candidates: [Candidate] = []
    if let optional = call.optional { candidates += ValueSyntax(of: optional).answer(typed).candidates }
    if mayBeSubcommand {
      candidates += call.subcommands.map(\.candidate).filter { $0.begins(with: typed) }
    }
    guard let positional = call.command.positional else { return CompletionAnswer(candidates) }
    if !positional.words.isEmpty {
      let isFirst = call.positionals.isEmpty
      candidates += isFirst ? positional.words.map { Candidate($0) }.filter { $0.begins(with: typed) } : []
      return CompletionAnswer(candidates)
    }
    var answer = CompletionAnswer(candidates)
    answer.own = Self.takesMedia.contains(call.command.name) ? .filesEnding(Self.suffixes) : .files
    return answer
  }

  /// The commands that accept only photos and videos.
  private static let takesMedia: Set<String> = ["info", "show"]

  private static var suffixes: [String] { FileFormat.allCases.flatMap(\.suffixes) }
}

extension CommandTable.Command {
  fileprivate var candidate: Candidate { Candidate(commandName, abstract) }
}

/// The parsed words before the cursor: the command, its arguments, and what the next word belongs to.
struct CompletionCall {
  /// The role of the word at the cursor.
  enum Subject {
    /// The value of an option; `prefix` is the part of the word before it, such as `--sort=`.
    case value(CommandArgument, prefix: String, text: String)
    /// A word of the command of `--exec`, with the number of its words before the cursor.
    case execWord(before: Int)
    case optionName(String)
    /// The name of a subcommand, as the argument of `help`.
    case helpTopic(String)
    case word(String, mayBeSubcommand: Bool)
  }

  private static let exec = "exec"

  private(set) var command: CommandTable.Command
  private(set) var subject = Subject.word("", mayBeSubcommand: false)
  /// The options before the cursor by their long names, with their values.
  private(set) var given: [(name: String, value: String?)] = []
  /// The words that are neither options nor their values.
  private(set) var positionals: [String] = []
  /// The option before the cursor whose value is optional: the word at the cursor may be its value.
  private(set) var optional: CommandArgument?
  /// The option before the cursor that expects a value.
  private var pending: CommandArgument?
  private var isBehindTerminator = false
  private var asksForHelp = false
  /// The subcommand that is used if none is named.
  private let standard: CommandTable.Command?
  private let root: CommandTable.Command
  private var hasSubcommand = false

  /// - Parameters:
  ///   - words: the words before the cursor, without the program.
  ///   - standard: the name of the default subcommand.
  init(_ words: [String], current: String, table: CommandTable, standard: String) {
    root = table.command
    self.standard = table.command.child(named: standard)
    command = self.standard ?? table.command
    var index = 0
    while index < words.count {
      if !isBehindTerminator, pending == nil, words[index] == "--\(Self.exec)",
        option("--\(Self.exec)") != nil
      {
        given.append((Self.exec, nil))
        let behind = words[(index + 1)...]
        guard let end = behind.firstIndex(of: ";") else {
          subject = .execWord(before: behind.count)
          return
        }
        index = end
      } else {
        take(words[index])
      }
      index += 1
    }
    subject = subject(current)
  }

  /// Whether an option was given.
  func isGiven(_ option: CommandArgument) -> Bool { given.contains { $0.name == option.longName } }

  /// The option with a spelling; options may precede the subcommand.
  private func option(_ spelling: String) -> CommandArgument? {
    if let own = command.option(spelling) { return own }
    return hasSubcommand ? nil : root.all.lazy.compactMap { $0.option(spelling) }.first
  }

  private mutating func take(_ word: String) {
    if let option = pending {
      given.append((option.longName, word))
      pending = nil
    } else if let option = optional, ValueSyntax(of: option).admits(word) {
      given.append((option.longName, word))
      optional = nil
    } else {
      optional = nil
      if isBehindTerminator || word == "-" || !word.hasPrefix("-") {
        takePositional(word)
      } else if word == "--" {
        isBehindTerminator = true
      } else if word.hasPrefix("--") {
        takeLong(word)
      } else {
        takeShort(word)
      }
    }
  }

  private mutating func takePositional(_ word: String) {
    if positionals.isEmpty, !isBehindTerminator {
      if word == CommandTable.Command.help, !hasSubcommand {
        asksForHelp = true
        command = root
        return
      }
      let parent = hasSubcommand || asksForHelp ? command : root
      if let child = parent.child(named: word) {
        command = child
        hasSubcommand = true
        return
      }
    }
    positionals.append(word)
  }

  private mutating func takeLong(_ word: String) {
    if let equals = word.firstIndex(of: "=") {
      guard let option = option(String(word[..<equals])) else { return }
      given.append((option.longName, String(word[word.index(after: equals)...])))
    } else if let option = option(word) {
      expectValue(of: option)
    }
  }

  /// Parses short options; the last one may take the rest of the word or the next word as its value.
  private mutating func takeShort(_ word: String) {
    for (place, letter) in word.dropFirst().enumerated() {
      guard let option = option("-\(letter)") else { return }
      if option.kind == .option, place + 2 < word.count {
        given.append((option.longName, String(word.dropFirst(place + 2))))
        return
      }
      expectValue(of: option)
    }
  }

  private mutating func expectValue(of option: CommandArgument) {
    if option.kind == .flag {
      given.append((option.longName, nil))
    } else if ValueSyntax(of: option).isOptional {
      optional = option
    } else {
      pending = option
    }
  }

  private func subject(_ current: String) -> Subject {
    if let pending { return .value(pending, prefix: "", text: current) }
    if asksForHelp { return .helpTopic(current) }
    if !isBehindTerminator, current.hasPrefix("-") {
      if let equals = current.firstIndex(of: "="), let option = option(String(current[..<equals])),
        option.kind == .option
      {
        return .value(
          option, prefix: "\(current[...equals])", text: String(current[current.index(after: equals)...]))
      }
      if !current.hasPrefix("--"), current.count > 2, let option = option(String(current.prefix(2))),
        option.kind == .option
      {
        return .value(option, prefix: String(current.prefix(2)), text: String(current.dropFirst(2)))
      }
      return .optionName(current)
    }
    return .word(current, mayBeSubcommand: positionals.isEmpty && !isBehindTerminator)
  }

  /// The subcommands that the next word may be.
  var subcommands: [CommandTable.Command] { hasSubcommand ? command.children : root.children }
}

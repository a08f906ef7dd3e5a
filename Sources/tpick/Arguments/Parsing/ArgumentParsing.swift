import ArgumentParser
import AssetLibrary
import Completion

/// Runs the argument parser, and rewords its errors.
enum ArgumentParsing {
  /// The options that may be repeated.
  private static let repeatable: Set<String> = ["--preselect", "--allow", "--filter", "--bind"]

  /// The command of a call with its options; for the picker, the options from the environment come first.
  /// - Throws: the parser's errors; `failure` interprets them.
  static func command(of call: SubcommandCall) throws -> any ParsableCommand {
    guard let command = call.commands.last, !call.asksForHelp else {
      return try call.root.parseAsRoot(call.rootArguments)
    }
    var arguments = call.arguments
    let asksForHelp = arguments.contains { ["--help", "-h", "--version"].contains($0) }
    if command._commandName == SubcommandName.pick.rawValue, !asksForHelp {
      arguments = try DefaultOptions.words(of: command) + arguments
    }
    if command._commandName == SubcommandName.run.rawValue, !asksForHelp || arguments.contains("--") {
      arguments = RunArguments.folded(arguments)
    }
    return try command.parseAsRoot(ArgumentFolding.folded(arguments, repeatable: repeatable))
  }

  /// Interprets an error; if help or the version was requested, prints it and exits.
  static func failure(_ error: any Error, of call: SubcommandCall) -> Failure {
    if let failure = error as? Failure { return failure }
    let command = call.commands.last ?? call.root
    // The parser takes a name such as -beach.jpg for short options, one of which (h) requests help.
    if let word = strayWord(command, call.arguments) {
      return .usage("unknown option '\(word)'; for a file of that name write ./\(word)")
    }
    if command.exitCode(for: error) == .success {
      guard StandardStream.output.write(Array((command.fullMessage(for: error) + "\n").utf8)) else {
        return .error("standard output: can't be written")
      }
      ExitStatus.success.end()
    }
    if case .unknownOption(let option)? = ParserFault(error),
      let unknown = unknownOption(option, command, call.root)
    {
      return .usage(unknown)
    }
    return .usage(ParserFault.message(of: error, command))
  }

  /// The first argument with a single dash that is no option, such as a file name `-beach.jpg`; nil if there
  /// is none.
  ///
  /// The parser takes each letter after a single dash for a short option. It looks for `h`, the request for
  /// help, before it checks whether the other options exist: `-beach.jpg` would print the help and exit with
  /// 0.
  private static func strayWord(_ command: any ParsableCommand.Type, _ arguments: [String]) -> String? {
    guard arguments.contains(where: isOfLetters), let table = CommandTable(json: command._dumpHelp()) else {
      return nil
    }
    let valued = table.valuedOptions
    let known = Set(table.command.options.flatMap(\.spellings)).union(["-h", "-help"])
    var index = 0
    while index < arguments.count {
      let word = arguments[index]
      index += 1
      if word == "--" { return nil }
      if valued.contains(word) {
        index += 1
        continue
      }
      guard isOfLetters(word), !known.contains(word) else { continue }
      // The letters before an option that takes a value: the rest of the word is that option and its value.
      let letters = word.dropFirst().prefix { !valued.contains("-\($0)") }
      if !letters.allSatisfy({ known.contains("-\($0)") }) { return word }
      // If the option is the last letter, its value is the next word.
      if letters.count == word.count - 2 { index += 1 }
    }
    return nil
  }

  /// Whether a word is a short option, or a group of them.
  private static func isOfLetters(_ word: String) -> Bool {
    word.count > 2 && word.hasPrefix("-") && !word.hasPrefix("--")
  }

  /// The message for an unknown option: the nearest option, or the command that has it.
  private static func unknownOption(
    _ option: String, _ command: any ParsableCommand.Type, _ root: any ParsableCommand.Type
  ) -> String? {
    guard option.hasPrefix("--"), let all = CommandTable(json: root._dumpHelp()),
      let own = CommandTable(json: command._dumpHelp())
    else { return nil }
    let names = own.command.options.flatMap(\.spellings).filter { $0.hasPrefix("--") }
    if let owner = all.command.all.first(where: { $0.options.contains { $0.spellings.contains(option) } }) {
      return "unknown option '\(option)'; it is one of tpick \(owner.name)"
    }
    let nearest = NearestWord.of(option, in: names)
    return "unknown option '\(option)'" + (nearest.map { "; did you mean \($0)?" } ?? "")
  }
}

/// The kind of a parser error.
///
/// The parser has no public type for it, only a sentence. Its private type is read by reflection: the name of
/// the case and its payload. If a version of the parser differs, the kind is unknown, and its sentence is
/// printed unchanged (Docs/Decisions/0038-what-the-parser-leaves.md).
enum ParserFault {
  /// With its dashes, without a value.
  case unknownOption(String)
  /// An invalid value; the option is nil for an argument, the reason is nil if the option has a list of
  /// values.
  case value(String, option: String?, reason: (any Error)?)

  init?(_ error: any Error) {
    guard let fault = Mirror(reflecting: error).descendant("parserError"),
      let found = Mirror(reflecting: fault).children.first
    else { return nil }
    let parts = Array(Mirror(reflecting: found.value).children)
    switch (found.label, parts.count) {
    case ("unknownOption", 2):
      guard let option = Self.spelling(parts[1].value) else { return nil }
      self = .unknownOption(option)
    case ("unableToParseValue", 5):
      guard let value = parts[2].value as? String else { return nil }
      let name = Mirror(reflecting: parts[1].value).children.first?.value
      self = .value(value, option: name.flatMap(Self.spelling), reason: parts[4].value as? any Error)
    default: return nil
    }
  }

  /// The message for a parser error, reworded if a value is invalid: "--sort: unknown value 'nwest'; did you
  /// mean newest? Values are newest, oldest".
  static func message(of error: any Error, _ command: any ParsableCommand.Type) -> String {
    guard case .value(let value, let option, let reason)? = ParserFault(error) else {
      // The parser lists alternatives, one per line. Folded words are unfolded.
      let lines = ArgumentFolding.words([command.message(for: error)]).joined(separator: " ")
        .split(whereSeparator: \.isNewline)
      return lines.map { $0.drop(while: \.isWhitespace) }.joined(separator: "; ")
    }
    let table = CommandTable(json: command._dumpHelp())?.command
    let argument = if let option { table?.option(option) } else { table?.positional }
    let name = option ?? "<\(argument?.valueName ?? "value")>"
    let words = ArgumentFolding.words([value]).joined(separator: " ")
    return "\(name): \(reason ?? ArgumentProblem(words, isNoneOf: argument?.words ?? []))"
  }

  /// The spelling of the parser's option names: `long("sort")` is "--sort", `short("n", …)` is "-n".
  private static func spelling(_ name: Any) -> String? {
    guard let (label, value) = Mirror(reflecting: name).children.first else { return nil }
    switch (label, value) {
    case ("long", let word as String): return "--\(word)"
    case ("longWithSingleDash", let word as String): return "-\(word)"
    case ("short", _):
      return (Mirror(reflecting: value).children.first?.value as? Character).map { "-\($0)" }
    default: return nil
    }
  }
}

/// Joins many arguments into one before the parser runs, and splits them afterwards.
///
/// The parser's work is quadratic in the number of arguments: 8,000 file names took 4.0 s and 4,000 pairs of
/// `--preselect` 2.5 s (version 1.8.2, optimized), and ten thousand file names are not unusual. Names are
/// folded only if they can't be anything else: a word without a dash after another such word, or after the
/// value of a repeatable option.
enum ArgumentFolding {
  /// Separates the words of one argument: the character for a NUL byte (`ArgumentBytes`), which no argument
  /// contains.
  private static let separator = ArgumentBytes.standIn(0)

  /// Arguments in which adjacent words of the same list are joined.
  /// - Parameter repeatable: the repeatable options with a value.
  static func folded(_ arguments: [String], repeatable: Set<String>) -> [String] {
    var lists = Lists()
    var result: [String] = []
    // Whether the next word is not an option's value.
    var isFree = true
    var isBehindTerminator = false
    var index = 0
    while index < arguments.count {
      let word = arguments[index]
      index += 1
      let isName = word == "-" || !word.utf8.starts(with: [UInt8(ascii: "-")])
      if isName, isFree, word != "-" {
        lists.append(word, to: nil)
        continue
      }
      if isFree, !isBehindTerminator {
        if repeatable.contains(word), index < arguments.count {
          lists.append(arguments[index], to: word)
          index += 1
          continue
        }
        if let equals = word.firstIndex(of: "="), repeatable.contains(String(word[..<equals])) {
          lists.append(String(word[word.index(after: equals)...]), to: String(word[..<equals]))
          continue
        }
      }
      result += lists.takeArguments() + [word]
      if word == "--" { isBehindTerminator = true }
      // A word after an option may be its value, which may be anything.
      isFree = isName || (word.utf8.starts(with: "--".utf8) && word.contains("="))
    }
    return result + lists.takeArguments()
  }

  /// The words of arguments that may be folded.
  static func words(_ arguments: [String]) -> [String] {
    arguments.flatMap { argument in
      argument.unicodeScalars.split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
    }
  }

  /// Joins words into one argument.
  static func joined(_ words: some Sequence<String>) -> String {
    words.joined(separator: String(separator))
  }

  /// Words that have been collected but not emitted yet.
  private struct Lists {
    private var words: [String] = []
    private var values: [(option: String, words: [String])] = []

    /// - Parameter option: the option that the word is a value of; nil for a positional word.
    mutating func append(_ word: String, to option: String?) {
      guard let option else { return words.append(word) }
      if let place = values.firstIndex(where: { $0.option == option }) {
        values[place].words.append(word)
      } else {
        values.append((option, [word]))
      }
    }

    mutating func takeArguments() -> [String] {
      defer { self = Lists() }
      return values.flatMap { [$0.option, ArgumentFolding.joined($0.words)] }
        + (words.isEmpty ? [] : [ArgumentFolding.joined(words)])
    }
  }
}

import ArgumentParser
import AssetLibrary
import Completion

/// Has the parser read the arguments, and says what it found wrong in the words of this program.
enum ArgumentParsing {
  /// The options of which many may be given.
  private static let repeatable: Set<String> = ["--preselect", "--allow", "--filter", "--bind"]

  /// The command of a call with its options; the picker has those of the environment as well, before its own.
  /// - Throws: the parser's errors; `failure` says what they mean.
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

  /// What an error means; where it is help or a version that was asked for, prints it and ends the program.
  static func failure(_ error: any Error, of call: SubcommandCall) -> Failure {
    if let failure = error as? Failure { return failure }
    let command = call.commands.last ?? call.root
    // The parser takes a name such as -beach.jpg for letters of options, of which h asks for help.
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

  /// The parser takes every letter behind one dash for an option, and one of them for its request for help, before it
  /// looks whether there are such options: `-beach.jpg` prints the help and ends with 0.
  ///
  /// The first word behind one dash that is neither a letter of an option nor several of them together, and that is no
  /// option's value; nil where there is none.
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
      // The letters up to one that takes the rest as its value.
      let letters = word.dropFirst().prefix { !valued.contains("-\($0)") }
      if !letters.allSatisfy({ known.contains("-\($0)") }) { return word }
      // The value is the next word where none stands behind the letter.
      if letters.count == word.count - 2 { index += 1 }
    }
    return nil
  }

  /// Whether a word is an option of one letter, or several of them.
  private static func isOfLetters(_ word: String) -> Bool {
    word.count > 2 && word.hasPrefix("-") && !word.hasPrefix("--")
  }

  /// What is said of an option that the command does not have: the nearest one, or whose it is.
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

/// What the parser found wrong, by its kind.
///
/// The parser has no public type for that, only a sentence. Its own is read by reflection: the name of the case and what
/// the case carries. Where a version of it is made otherwise, the kind is not known, and its sentence is told as it is
/// (Docs/Decisions/0038-what-the-parser-leaves.md).
enum ParserFault {
  /// With its dashes, without a value.
  case unknownOption(String)
  /// A value that is none of its option's, nil for an argument; what the option says of it, nil where it has words.
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

  /// What the parser found wrong, in the words of this program where a value is at fault: "--sort: unknown value 'nwest';
  /// did you mean newest? Values are newest, oldest".
  static func message(of error: any Error, _ command: any ParsableCommand.Type) -> String {
    guard case .value(let value, let option, let reason)? = ParserFault(error) else {
      // The parser lists what it may mean, a line each. Folded words are in it as they were folded.
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

  /// How a name of the parser is written: `long("sort")` as "--sort", `short("n", …)` as "-n".
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

/// Makes one argument of many, before the parser sees them, and many of one afterwards.
///
/// The parser's work is quadratic in the number of arguments: 8,000 file names took it 4.0 s and 4,000 pairs of
/// `--preselect` 2.5 s (version 1.8.2, optimized), and ten thousand file names are no rarity. Names are folded
/// where they can't be anything else: a word without a dash behind another such word, or behind the value of an option
/// that may be repeated.
enum ArgumentFolding {
  /// Stands between the words of one argument: the character for a NUL byte (`ArgumentBytes`), which none holds.
  private static let separator = ArgumentBytes.standIn(0)

  /// Arguments in which the words that belong to the same list and follow each other are one.
  /// - Parameter repeatable: the options with a value of which several may be given.
  static func folded(_ arguments: [String], repeatable: Set<String>) -> [String] {
    var lists = Lists()
    var result: [String] = []
    // Whether the next word is no option's value.
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
      // A word behind an option may be its value, which may be anything.
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

  /// One argument of many words.
  static func joined(_ words: some Sequence<String>) -> String {
    words.joined(separator: String(separator))
  }

  /// Words that were found and not given out yet.
  private struct Lists {
    private var words: [String] = []
    private var values: [(option: String, words: [String])] = []

    /// - Parameter option: the option whose value it is; nil for a word of its own.
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

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
    if let unknown = unknownOption(command, call.root, error) { return .usage(unknown) }
    return .usage(
      ParserMessage.restated(ArgumentFolding.words([command.message(for: error)]).joined(separator: " ")))
  }

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
    _ command: any ParsableCommand.Type, _ root: any ParsableCommand.Type, _ error: any Error
  ) -> String? {
    // "Unknown option '--limt'", and what the parser takes for the nearest.
    let text = command.message(for: error)
    guard text.hasPrefix("Unknown option '--"), let all = CommandTable(json: root._dumpHelp()),
      let own = CommandTable(json: command._dumpHelp())
    else { return nil }
    let option = String(text.dropFirst("Unknown option '".count).prefix { $0 != "'" && $0 != "=" })
    let names = own.command.options.flatMap(\.spellings).filter { $0.hasPrefix("--") }
    if let owner = all.command.all.first(where: { $0.options.contains { $0.spellings.contains(option) } }) {
      return "unknown option '\(option)'; it is one of tpick \(owner.name)"
    }
    let nearest = NearestWord.of(option, in: names)
    return "unknown option '\(option)'" + (nearest.map { "; did you mean \($0)?" } ?? "")
  }
}

/// What the parser says of wrong values, in the words of this program.
enum ParserMessage {
  /// The parser's message, with the option first where a value is at fault: "--sort: unknown value 'nwest'; did you mean
  /// newest? Values are newest, oldest".
  static func restated(_ text: String) -> String {
    // "The value 'nwest' is invalid for '--sort <order>'", then ": " and the reason, or ". " and the values.
    let (opening, middle) = ("The value '", "' is invalid for '")
    guard text.hasPrefix(opening), let split = text.firstRange(of: middle) else { return oneLine(text) }
    let value = text[text.index(text.startIndex, offsetBy: opening.count)..<split.lowerBound]
    let rest = text[split.upperBound...]
    guard let quote = rest.firstIndex(of: "'") else { return oneLine(text) }
    let option = rest[..<quote].prefix { $0 != " " }
    let reason = rest[quote...].dropFirst()
    if reason.hasPrefix(": ") { return oneLine("\(option): \(reason.dropFirst(2))") }
    return "\(option): \(ArgumentProblem(value, isNoneOf: values(in: reason)))"
  }

  /// A message of several lines in one: the parser lists what it may mean, "   or: " before each but the first.
  private static func oneLine(_ text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline).map { line in
      String(line.drop(while: \.isWhitespace))
    }
    return lines.dropFirst().reduce(lines.first ?? "") { text, line in
      line.hasPrefix("or: ") ? "\(text); or: \(line.dropFirst(4))" : "\(text) \(line)"
    }
  }

  /// The values in a sentence of the parser: "Please provide one of 'a', 'b' or 'c'.", or a list of lines "  - a".
  private static func values(in sentence: Substring) -> [String] {
    let lines = sentence.split(separator: "\n").filter { $0.hasPrefix("  - ") }.map {
      String($0.dropFirst(4))
    }
    return lines.isEmpty
      ? sentence.split(separator: "'", omittingEmptySubsequences: false).enumerated().filter {
        $0.offset % 2 == 1
      }
      .map { String($0.element) }
      : lines
  }
}

/// Makes one argument of many, before the parser sees them, and many of one afterwards.
///
/// The parser's work is quadratic in the number of arguments, and ten thousand file names are no rarity. Names are folded
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

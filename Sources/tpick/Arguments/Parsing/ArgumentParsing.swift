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

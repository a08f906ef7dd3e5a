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

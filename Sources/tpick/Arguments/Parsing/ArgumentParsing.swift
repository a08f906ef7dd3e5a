import ArgumentParser
import AssetLibrary

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
    if command._commandName == SubcommandName.pick.rawValue {
      arguments = TmuxArgument.folded(try DefaultOptions.words()) + arguments
    }
    return try command.parseAsRoot(ArgumentFolding.folded(arguments, repeatable: repeatable))
  }

  /// What an error means; where it is help or a version that was asked for, prints it and ends the program.
  static func failure(_ error: any Error, of call: SubcommandCall) -> Failure {
    if let failure = error as? Failure { return failure }
    let command = call.commands.last ?? call.root
    if command.exitCode(for: error) == .success {
      StandardStream.output.write(Array((command.fullMessage(for: error) + "\n").utf8))
      ExitStatus.success.end()
    }
    return .usage(message(ArgumentFolding.words([command.message(for: error)]).joined(separator: " ")))
  }

  /// The parser's message, with the option first where a value is at fault: "--sort: unknown value 'nwest'; did you mean
  /// newest? Values are newest, oldest".
  static func message(_ text: String) -> String {
    // "The value 'nwest' is invalid for '--sort <order>'", then ": " and the reason, or ". " and the values.
    let (opening, middle) = ("The value '", "' is invalid for '")
    guard text.hasPrefix(opening), let split = text.firstRange(of: middle) else { return text }
    let value = text[text.index(text.startIndex, offsetBy: opening.count)..<split.lowerBound]
    let rest = text[split.upperBound...]
    guard let quote = rest.firstIndex(of: "'") else { return text }
    let option = rest[..<quote].prefix { $0 != " " }
    let reason = rest[quote...].dropFirst()
    if reason.hasPrefix(": ") { return "\(option): \(reason.dropFirst(2))" }
    return "\(option): \(ArgumentProblem(value, isNoneOf: values(in: reason)))"
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

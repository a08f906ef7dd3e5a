import Results

/// Takes the command of `--exec` out of the arguments before the parser sees them: all words behind it up to a `;` or
/// the end, as `find` and `fd` have it.
enum ExecArguments {
  /// Arguments in which the words of the command are one value.
  static func folded(_ arguments: [String]) -> [String] {
    let sources = arguments.firstIndex(of: "--") ?? arguments.endIndex
    guard let option = arguments[..<sources].firstIndex(of: "--exec") else { return arguments }
    let words = arguments[(option + 1)...]
    let end = words.firstIndex(of: ";") ?? words.endIndex
    return Array(arguments[...option]) + [ArgumentFolding.joined(words[..<end])]
      + arguments[min(end + 1, arguments.endIndex)...]
  }

  /// The command of a value; nil for none.
  /// - Throws: `Failure` if no command is named, or if a placeholder is misplaced.
  static func command(_ value: String?) throws(Failure) -> CommandTemplate? {
    guard let value else { return nil }
    do {
      return try CommandTemplate(words: ArgumentFolding.words([value]).map(ArgumentBytes.bytes))
    } catch {
      throw .usage("--exec: \(error)")
    }
  }
}

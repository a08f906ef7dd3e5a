/// Splits the arguments of `run` before the parser sees them: all words behind the first `--` are the command's.
enum RunArguments {
  /// Arguments in which the command's words are one value, and so are the options and sources as they were given.
  static func folded(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    var folded = Array(arguments[..<end])
    // A value that is empty would be one word.
    if !folded.isEmpty { folded += ["--given", ArgumentFolding.joined(folded)] }
    let command = arguments[end...].dropFirst()
    if !command.isEmpty { folded += ["--command", ArgumentFolding.joined(command)] }
    return folded
  }
}

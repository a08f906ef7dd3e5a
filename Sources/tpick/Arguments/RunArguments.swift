/// Splits the arguments of `run` before the parser runs: all words after the first `--` belong to the command.
enum RunArguments {
  /// Joins the words of the command into one value, and adds the original options and sources as another one.
  static func folded(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    var folded = Array(arguments[..<end])
    // An empty value would count as one word.
    if !folded.isEmpty { folded += ["--given", ArgumentFolding.joined(folded)] }
    let command = arguments[end...].dropFirst()
    if !command.isEmpty { folded += ["--command", ArgumentFolding.joined(command)] }
    return folded
  }
}

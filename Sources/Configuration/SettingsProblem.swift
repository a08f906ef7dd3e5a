/// What is wrong with a configuration.
package enum SettingsProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// It is no TOML; lines and columns count from 1.
  case syntax(line: Int, column: Int, String)
  /// A key that means nothing, and those that would.
  case unknownKey(path: String, known: [String])
  /// A value that can't be taken, and why.
  case value(path: String, String)

  package var description: String {
    switch self {
    case .syntax(let line, let column, let words): "line \(line), column \(column): \(words)"
    case .unknownKey(let path, let known):
      "\(path): unknown key; known keys are \(known.joined(separator: ", "))"
    case .value(let path, let words): "\(path): \(words)"
    }
  }
}

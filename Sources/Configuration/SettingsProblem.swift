import AssetLibrary

/// A problem with a configuration.
package enum SettingsProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// A TOML syntax error; lines and columns count from 1.
  case syntax(line: Int, column: Int, String)
  /// An unknown key, with the known keys of its table.
  case unknownKey(path: String, known: [String])
  /// An invalid value, with the reason.
  case value(path: String, String)

  package var description: String {
    switch self {
    case .syntax(let line, let column, let reason): "line \(line), column \(column): \(reason)"
    case .unknownKey(let path, let known):
      "\(path): unknown key\(Self.hint(path, known)) keys are \(known.joined(separator: ", "))"
    case .value(let path, let reason): "\(path): \(reason)"
    }
  }

  /// The key that was probably meant.
  private static func hint(_ path: String, _ known: [String]) -> String {
    let key = path.split(separator: ".").last.map(String.init) ?? path
    return NearestWord.of(key, in: known).map { "; did you mean \($0)? Known" } ?? "; known"
  }
}

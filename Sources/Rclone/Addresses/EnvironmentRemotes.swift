import System
import FoundationEssentials

/// Reads remotes and their options from environment variables such as RCLONE_CONFIG_NAS_TYPE=webdav
/// (https://rclone.org/docs/#config-file).
enum EnvironmentRemotes {
  private static let prefix = "RCLONE_CONFIG_"

  /// Returns the options of a remote, keyed by option name in lower case.
  /// - Parameter variables: entries of the form `NAME=value`.
  static func options(of name: String, in variables: [[UInt8]]) -> [String: String] {
    let beginning = prefix + String(name.uppercased().map { $0 == "-" ? "_" : $0 }) + "_"
    var options: [String: String] = [:]
    for variable in variables where variable.starts(with: beginning.utf8) {
      let rest = variable.dropFirst(beginning.utf8.count)
      guard let equals = rest.firstIndex(of: UInt8(ascii: "=")), equals > rest.startIndex else { continue }
      let name = String(decoding: rest[..<equals], as: UTF8.self).lowercased()
      options[name] = String(decoding: rest[(equals + 1)...], as: UTF8.self)
    }
    return options
  }

  /// Returns the names, in lower case, of remotes whose type is set in the environment.
  static func names(in variables: [[UInt8]]) -> [String] {
    variables.compactMap { variable in
      guard variable.starts(with: prefix.utf8), let equals = variable.firstIndex(of: UInt8(ascii: "=")) else {
        return nil
      }
      let name = String(decoding: variable[..<equals].dropFirst(prefix.utf8.count), as: UTF8.self)
      let ending = "_TYPE"
      return name.hasSuffix(ending) && name.count > ending.count
        ? String(name.dropLast(ending.count)).lowercased() : nil
    }
  }
}

/// The options of remotes as rclone resolves them.
///
/// Variables in the environment take precedence over rclone's configuration file. Names are case-sensitive in
/// the file and case-insensitive in the environment.
package struct RemoteOptions: Sendable {
  var file: [String: [String: String]] = [:]
  /// Entries of the form `NAME=value`.
  var variables: [[UInt8]] = []

  /// The names of all known remotes, without colons.
  var keys: Set<String> {
    var names = Set(file.keys)
    let folded = Set(names.map { $0.lowercased() })
    // A remote defined in both places keeps the spelling of the file.
    names.formUnion(EnvironmentRemotes.names(in: variables).filter { !folded.contains($0) })
    return names
  }

  /// The options of a remote, whichever case its name has.
  subscript(name: String) -> [String: String] {
    (file[name] ?? [:]).merging(EnvironmentRemotes.options(of: name, in: variables)) { $1 }
  }

  /// Returns the backend type of a configured remote from rclone's file and the environment, without starting
  /// rclone; nil if the file is encrypted or neither sets a type.
  package static func configuredBackend(of name: String) -> String? { ofProcess[name]["type"] }

  private static let ofProcess = RemoteOptions(
    file: places().lazy.compactMap { FileManager.default.contents(atPath: $0) }.first.map { sections(of: $0) }
      ?? [:],
    variables: ProcessEnvironment.variables)

  /// The paths at which rclone searches its configuration file (https://rclone.org/docs/#config-config-file).
  private static func places() -> [String] {
    let environment = ProcessInfo.processInfo.environment
    if let place = environment["RCLONE_CONFIG"] { return [place] }
    let home = environment["HOME"] ?? ""
    let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "\(home)/.config"
    return ["\(folder)/rclone/rclone.conf", "\(home)/.config/rclone/rclone.conf", "\(home)/.rclone.conf"]
  }

  /// Parses the sections of a configuration file; empty if the file is encrypted.
  static func sections(of bytes: Data) -> [String: [String: String]] {
    var sections: [String: [String: String]] = [:]
    var section: String?
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let line = line.trimmed
      if line.hasPrefix("RCLONE_ENCRYPT_") { return [:] }
      if line.hasPrefix("["), line.hasSuffix("]") {
        section = String(line.dropFirst().dropLast())
      } else if let section, !line.hasPrefix("#"), !line.hasPrefix(";"), let equals = line.firstIndex(of: "=")
      {
        sections[section, default: [:]][String(line[..<equals].trimmed)] =
          String(line[line.index(after: equals)...].trimmed)
      }
    }
    return sections
  }
}

extension Substring {
  /// The text without leading and trailing whitespace.
  fileprivate var trimmed: Substring {
    let behind = drop(while: \.isWhitespace)
    return behind.prefix(
      upTo: behind.lastIndex { !$0.isWhitespace }.map { behind.index(after: $0) } ?? behind.startIndex)
  }
}

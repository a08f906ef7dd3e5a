import System

/// Decides which options of a remote may appear in messages: those that say where the remote is, if their
/// value can be parsed.
///
/// Values that can't be parsed are hidden, since they may contain a password.
enum RedactedOption {
  /// The maximum depth of remotes nested in remotes.
  ///
  /// Each level doubles the quotes of the level inside, so a command line can't hold more levels.
  fileprivate static let mostSteps = 64

  /// Returns the text to show for an option's value.
  /// - Returns: nil if the value must not be shown.
  static func text(of name: String, _ value: String, steps: Int = mostSteps) -> String? {
    switch name {
    case "url", "endpoint": AddressURL(value)?.text
    case "host": ServerEndpoint(value).map { _ in value }
    case "remote": remote(value, steps: steps)
    case "region", "provider": isWord(value) ? value : nil
    default: nil
    }
  }

  /// Returns the parts of an option's value that must not appear in messages.
  static func secrets(in name: String, _ value: String, steps: Int = mostSteps) -> [String] {
    switch name {
    case "url", "endpoint": AddressURL(value)?.secrets ?? [value]
    case "host": ServerEndpoint(value) == nil ? [value] : []
    case "remote":
      if let inner = RemoteSpecification(value) {
        steps > 0 ? inner.secrets(steps: steps - 1) : [value]
      } else {
        isPath(value) ? [] : [value]
      }
    case "region", "provider": isWord(value) ? [] : [value]
    default: value == "true" || value == "false" ? [] : [value]
    }
  }

  /// Returns the text to show for a nested remote or a local path.
  private static func remote(_ value: String, steps: Int) -> String? {
    guard let inner = RemoteSpecification(value) else { return isPath(value) ? value : nil }
    let path = String(Substring(value).utf8.dropFirst(inner.length)) ?? ""
    guard steps > 0, isPath(path) else { return nil }
    return inner.publicName(steps: steps - 1) + path
  }

  /// Whether the text has none of the characters that separate parts of a specification, so that it is not a
  /// malformed specification with a secret in it.
  private static func isPath(_ text: String) -> Bool { !text.utf8.contains { ",:=@'\"".utf8.contains($0) } }

  private static func isWord(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      }
    }
  }
}

/// A URL, or a host without a scheme, split into a part that may be shown and secrets.
private struct AddressURL {
  /// The URL without user, password and query.
  let text: String
  let secrets: [String]

  /// - Returns: nil if the host can't be distinguished from user and password with certainty.
  init?(_ value: String) {
    var rest = Substring(value)
    var scheme = ""
    if let end = value.firstRange(of: "://") {
      scheme = String(value[..<end.upperBound])
      guard value[..<end.lowerBound].utf8.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) }) else {
        return nil
      }
      rest = value[end.upperBound...]
    }
    let authority = rest.prefix { !"/?#".contains($0) }
    let behind = rest[authority.endIndex...]
    let path = behind.prefix { $0 != "?" && $0 != "#" }
    let query = behind[path.endIndex...]
    // A slash in a password would end the authority too early, and the "@" would follow it.
    guard !behind.contains("@") else { return nil }
    let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count <= 2, let place = parts.last, ServerEndpoint(String(place)) != nil else { return nil }
    text = RcloneMessage.cleaned(scheme + place + path)
    var secrets: [String] = []
    if parts.count == 2 {
      secrets.append(String(parts[0]))
      secrets += parts[0].split(separator: ":", maxSplits: 1).dropFirst().map(String.init)
    }
    if query.count > 1 { secrets.append(String(query.dropFirst())) }
    self.secrets = secrets + secrets.map { PercentEncoding.decodedText($0) }
  }
}

extension RemoteSpecification {
  /// The name for use in messages: includes only the options that say where the remote is, without users and
  /// passwords.
  var publicName: String { publicName(steps: RedactedOption.mostSteps) }

  fileprivate func publicName(steps: Int) -> String {
    let shown = options.compactMap { option in
      RedactedOption.text(of: option.name, option.value, steps: steps).map { ",\(option.name)=\($0)" }
    }
    return "\(name ?? ":" + (backend ?? ""))\(shown.joined()):"
  }

  /// All texts that must not appear in messages, in each form in which a message may contain them.
  var secrets: [String] { secrets(steps: RedactedOption.mostSteps) }

  fileprivate func secrets(steps: Int) -> [String] {
    options.flatMap { RedactedOption.secrets(in: $0.name, $0.value, steps: steps) }
  }
}

/// Collects texts that must be removed from messages.
enum SecretTexts {
  /// Shorter texts would match parts of ordinary words.
  private static let shortest = 4

  /// Returns each text in all its forms: unchanged, with doubled quotes as in nested remotes, escaped as in
  /// Go strings, and percent-encoded as in URLs.
  static func forms(of texts: [String]) -> [String] {
    var found: [String] = []
    for text in texts where text.utf8.count >= shortest {
      found.append(text)
      for quote in ["\"", "'"] where text.contains(quote) {
        found.append(text.replacing(quote, with: quote + quote))
        found.append(text.replacing(quote, with: quote + quote + quote + quote))
        found.append(text.replacing(quote, with: "\\" + quote))
      }
      let escaped = URLPath.escaped(text)
      if escaped != text { found.append(escaped) }
    }
    return found
  }

  /// Returns the secrets that rclone reads from the environment: passwords, keys, and the secret parts of
  /// URLs and nested remotes.
  /// - Parameter variables: entries of the form `NAME=value`.
  static func inEnvironment(_ variables: [[UInt8]]) -> [String] {
    variables.flatMap { variable -> [String] in
      guard variable.starts(with: "RCLONE_".utf8), let equals = variable.firstIndex(of: UInt8(ascii: "="))
      else { return [] }
      let name = String(decoding: variable[..<equals], as: UTF8.self).lowercased()
      let value = String(decoding: variable[(equals + 1)...], as: UTF8.self)
      for option in ["url", "endpoint", "remote"] where name.hasSuffix("_\(option)") {
        return RedactedOption.secrets(in: option, value)
      }
      return value != "true" && value != "false" && secretWords.contains(where: name.contains) ? [value] : []
    }
  }

  /// Words that mark an option as secret when its name contains one.
  private static let secretWords = ["pass", "secret", "token", "key", "auth", "credential", "upstreams"]
}

/// Prepares a word for messages if it looks like an address but can't be parsed as one.
package enum RedactedWord {
  /// Returns the part before the first option or user name, followed by "…"; the whole word if it has
  /// neither.
  package static func text(of word: String) -> String {
    guard word.contains(where: { ",=@".contains($0) }) else { return word }
    return "\(word.prefix { !",=@".contains($0) })…"
  }
}

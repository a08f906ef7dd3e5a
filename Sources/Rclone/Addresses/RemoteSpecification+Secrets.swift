import System

/// What of a remote's options others may read: what says where it is, as far as that can be parsed.
///
/// What can't be parsed is not shown: a password may be in it.
enum PublicOption {
  /// Remotes in remotes that are looked into: more than the length of a word has room for, whose quotes double each time.
  fileprivate static let mostSteps = 64

  /// How the value of an option is shown.
  /// - Returns: nil where it is not.
  static func text(of name: String, _ value: String, steps: Int = mostSteps) -> String? {
    switch name {
    case "url", "endpoint": PlaceURL(value)?.text
    case "host": ServerEndpoint(value).map { _ in value }
    case "remote": remote(value, steps: steps)
    case "region", "provider": isWord(value) ? value : nil
    default: nil
    }
  }

  /// Texts that must not be read in messages, where an option has a value.
  static func secrets(in name: String, _ value: String, steps: Int = mostSteps) -> [String] {
    switch name {
    case "url", "endpoint": PlaceURL(value)?.secrets ?? [value]
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

  /// A remote in a remote, or a path of this machine.
  private static func remote(_ value: String, steps: Int) -> String? {
    guard let inner = RemoteSpecification(value) else { return isPath(value) ? value : nil }
    let path = String(Substring(value).utf8.dropFirst(inner.length)) ?? ""
    guard steps > 0, isPath(path) else { return nil }
    return inner.publicName(steps: steps - 1) + path
  }

  /// Whether a text can be no part of a specification that was written wrongly.
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

/// A URL as options have it, or a host alone: where it leads, and what in it is secret.
private struct PlaceURL {
  /// Without users, passwords and what follows a question mark.
  let text: String
  let secrets: [String]

  /// - Returns: nil where a host can't be told for certain from what stands before it.
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
    // A slash in a password ends what is taken for the host.
    guard !behind.contains("@") else { return nil }
    let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count <= 2, let place = parts.last, ServerEndpoint(String(place)) != nil else { return nil }
    text = EngineText.cleaned(scheme + place + path)
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
  /// How it is called in messages: with those options only that say where it is, without users and passwords.
  var publicName: String { publicName(steps: PublicOption.mostSteps) }

  fileprivate func publicName(steps: Int) -> String {
    let shown = options.compactMap { option in
      PublicOption.text(of: option.name, option.value, steps: steps).map { ",\(option.name)=\($0)" }
    }
    return "\(name ?? ":" + (backend ?? ""))\(shown.joined()):"
  }

  /// What must not be read in messages, in each form in which a message may have it.
  var secrets: [String] { secrets(steps: PublicOption.mostSteps) }

  fileprivate func secrets(steps: Int) -> [String] {
    options.flatMap { PublicOption.secrets(in: $0.name, $0.value, steps: steps) }
  }
}

/// Texts that messages must not show.
enum SecretTexts {
  /// Shorter ones are parts of too many words.
  private static let shortest = 4

  /// All forms of texts: as they are, with their quotes doubled as in a remote in a remote, escaped as in Go's texts and as in URLs.
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

  /// What the environment tells rclone: passwords, keys, and what is secret in URLs and in remotes in remotes.
  /// - Parameter variables: each as `NAME=value`.
  static func inEnvironment(_ variables: [[UInt8]]) -> [String] {
    variables.flatMap { variable -> [String] in
      guard variable.starts(with: "RCLONE_".utf8), let equals = variable.firstIndex(of: UInt8(ascii: "="))
      else { return [] }
      let name = String(decoding: variable[..<equals], as: UTF8.self).lowercased()
      let value = String(decoding: variable[(equals + 1)...], as: UTF8.self)
      for option in ["url", "endpoint", "remote"] where name.hasSuffix("_\(option)") {
        return PublicOption.secrets(in: option, value)
      }
      return value != "true" && value != "false" && secretWords.contains(where: name.contains) ? [value] : []
    }
  }

  /// Words in the names of options whose values are secret.
  private static let secretWords = ["pass", "secret", "token", "key", "auth", "credential", "upstreams"]
}

/// How a word that may be an address is told, where it is none.
package enum PublicWord {
  /// What stands before its options, where it has some.
  package static func text(of word: String) -> String {
    guard word.contains(where: { ",=@".contains($0) }) else { return word }
    return "\(word.prefix { !",=@".contains($0) })…"
  }
}

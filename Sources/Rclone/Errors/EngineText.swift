/// What rclone says, made fit for users.
enum EngineText {
  private static let longest = 300

  /// The first line, without what acts on terminals, without secrets, and no longer than a message should be.
  /// - Parameter secrets: texts that must not be read in it.
  static func cleaned(_ text: String, hiding secrets: [String] = []) -> String {
    let line = text.drop { $0.isWhitespace }.prefix { !$0.isNewline }
    var words = String(
      String.UnicodeScalarView(
        line.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }))
    // The longest first: a shorter one may be a part of it.
    for secret in secrets.sorted(by: { $0.utf8.count > $1.utf8.count }) where !secret.isEmpty {
      words = replacing(secret, in: words)
    }
    words = withoutUsers(words)
    return words.count > longest ? words.prefix(longest) + "…" : words
  }

  /// The cause at the end of a chain of Go's errors, which are joined by ": ", sometimes over several lines.
  /// - Parameter secrets: texts that must not be read in it.
  static func cause(in text: String, hiding secrets: [String] = []) -> String {
    let lines = text.split(whereSeparator: \.isNewline).map { cleaned(String($0), hiding: secrets) }
    return lines.joined(separator: ": ").split(separator: ": ").last.map(String.init) ?? ""
  }

  private static func replacing(_ secret: String, in words: String) -> String {
    var (left, result) = (Array(words.utf8)[...], [UInt8]())
    let wanted = Array(secret.utf8)
    while let first = left.first {
      if left.starts(with: wanted) {
        result += Array("…".utf8)
        left = left.dropFirst(wanted.count)
      } else {
        result.append(first)
        left = left.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Without the user and password of URLs: "https://user:password@host/" becomes "https://host/".
  private static func withoutUsers(_ words: String) -> String {
    var (left, result) = (Array(words.utf8)[...], [UInt8]())
    let scheme = Array("://".utf8)
    while let first = left.first {
      guard left.starts(with: scheme) else {
        result.append(first)
        left = left.dropFirst()
        continue
      }
      result += scheme
      left = left.dropFirst(scheme.count)
      let authority = left.prefix { !" /?#\"'".utf8.contains($0) }
      if let at = authority.lastIndex(of: UInt8(ascii: "@")) { left = left[(at + 1)...] }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

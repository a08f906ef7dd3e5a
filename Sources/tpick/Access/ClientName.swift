/// The name of a program that asks for photos, as the user reads it in prompts and lists.
enum ClientName {
  /// In bytes; of a purpose five times as many.
  private static let longest = 200

  /// - Throws: `Failure` for a name that nobody could read.
  static func check(_ name: String) throws(Failure) {
    if name.allSatisfy(\.isWhitespace) { throw .usage("--client: the name of a program is expected") }
    if name.utf8.count > longest { throw .usage("--client: a name has \(longest) bytes at most") }
  }

  /// - Throws: `Failure` where none is given: the user is told why.
  static func check(purpose: String?, of name: String) throws(Failure) {
    guard let purpose, !purpose.allSatisfy(\.isWhitespace) else {
      throw .usage("--purpose: required with --client: say why '\(name)' requests access")
    }
    if purpose.utf8.count > 5 * longest { throw .usage("--purpose: it has \(5 * longest) bytes at most") }
  }

  /// The command by which the user gives a program access, as a shell takes it.
  static func grantCommand(for name: String) -> String {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.isASCII
        && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "._-+".unicodeScalars.contains($0))
    }
    let word =
      isPlain && name.first != "-"
      ? name : "'\(name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    return "tpick access grant --client \(word)"
  }
}

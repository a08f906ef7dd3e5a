/// A command line up to the cursor.
package struct CompletionLine: Sendable {
  package let shell: Shell
  /// The words before the one at the cursor, without quotes; the program is the first one.
  package let words: [String]
  /// The word at the cursor, up to the cursor, without quotes.
  package let current: String
  /// The word at the cursor as it was typed.
  let rawCurrent: String
  /// The words before it as they were typed.
  let rawWords: [String]

  /// - Parameter environment: returns the value of a variable in the shell's environment; nil if it is not set.
  package init(_ line: String, shell: Shell, environment: @escaping (String) -> String?) {
    self.shell = shell
    var raw = ShellText(shell: shell).rawWords(of: line)
    rawCurrent = raw.removeLast()
    // Variable assignments may precede the program.
    raw = Array(raw.drop(while: Self.isAssignment))
    rawWords = raw
    let expanding = ShellText(shell: shell, variable: environment)
    words = Self.withoutRedirections(raw).map { expanding.unquoted($0).text }
    current = ShellText(shell: shell).unquoted(rawCurrent).text
  }

  private static func isAssignment(_ word: String) -> Bool {
    guard let equals = word.firstIndex(of: "="), equals > word.startIndex else { return false }
    return word[..<equals].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }

  /// The words that the program gets: redirections such as `2> errors` belong to the shell.
  private static func withoutRedirections(_ words: [String]) -> [String] {
    var kept: [String] = []
    var isTarget = false
    for word in words {
      if isTarget {
        isTarget = false
        continue
      }
      let operation = word.drop { ("0"..."9").contains($0) || $0 == "&" }
      guard let first = operation.first, first == "<" || first == ">" else {
        kept.append(word)
        continue
      }
      isTarget = operation.allSatisfy { "<>|&".contains($0) }
    }
    return kept
  }
}

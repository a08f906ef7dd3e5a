/// Splits a command line into words as a shell does, without anything that a shell expands.
///
/// Blanks separate words; single quotes keep all between them, double quotes all but `\\"` and `\\\\`, and a backslash
/// the character behind it. `$`, backquotes, globs, `~`, `;`, `|` and `>` are characters like others.
package enum CommandWords {
  /// - Throws: `FormatError` for what is not finished.
  package static func words(of line: [UInt8]) throws(FormatError) -> [[UInt8]] {
    var words: [[UInt8]] = []
    // Nil between words.
    var word: [UInt8]?
    var rest = line[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x20, 0x09, 0x0A:
        if let word { words.append(word) }
        word = nil
      case UInt8(ascii: "'"), UInt8(ascii: "\""): word = (word ?? []) + (try quoted(by: byte, &rest))
      case UInt8(ascii: "\\"):
        guard let next = rest.popFirst() else {
          throw FormatError("there is nothing behind the last backslash")
        }
        word = (word ?? []) + [next]
      default: word = (word ?? []) + [byte]
      }
    }
    if let word { words.append(word) }
    return words
  }

  /// What stands up to the next quote.
  private static func quoted(by quote: UInt8, _ rest: inout ArraySlice<UInt8>) throws(FormatError) -> [UInt8]
  {
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == quote { return text }
      let escapes = quote == UInt8(ascii: "\"") && byte == UInt8(ascii: "\\")
      if escapes, let next = rest.first, next == quote || next == byte {
        text.append(next)
        rest.removeFirst()
      } else {
        text.append(byte)
      }
    }
    throw FormatError("a quote is not closed")
  }
}

extension CommandTemplate {
  /// A command as one line.
  /// - Throws: `FormatError` as for words, and for a quote that is not closed.
  package init(line: [UInt8]) throws(FormatError) {
    try self.init(words: try CommandWords.words(of: line))
  }
}

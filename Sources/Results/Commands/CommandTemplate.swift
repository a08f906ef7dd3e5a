/// A command to run on assets, as a list of arguments.
///
/// No shell interprets it: a file's name is one argument, whatever characters it contains.
package struct CommandTemplate: Hashable, Sendable {
  /// A placeholder for assets.
  ///
  /// It must be an argument of its own, as in POSIX's `find -exec`.
  package enum Placeholder: String, CaseIterable, Sendable {
    /// The path of the asset under the cursor; without one, the paths of all picks.
    case current = "{}"
    /// The paths of all picks.
    case picks = "{+}"
    /// The identifiers of all picks.
    case identifiers = "{ids}"
  }

  /// The values of the placeholders.
  package struct Values: Sendable {
    package var current: [[UInt8]]
    package var picks: [[UInt8]]
    package var identifiers: [[UInt8]]

    package init(current: [[UInt8]], picks: [[UInt8]], identifiers: [[UInt8]]) {
      self.current = current
      self.picks = picks
      self.identifiers = identifiers
    }
  }

  private let words: [[UInt8]]

  /// - Throws: `FormatError` if there is no word, or if a placeholder is only part of a word: in a shell
  ///   script, a file's name would be run as code.
  package init(words: [[UInt8]]) throws(FormatError) {
    guard words.first.map({ !$0.isEmpty }) ?? false else { throw FormatError("no command is named") }
    for word in words where Self.placeholder(word) == nil {
      let text = String(decoding: word, as: UTF8.self)
      for placeholder in Placeholder.allCases where text.contains(placeholder.rawValue) {
        throw FormatError(
          "'\(text)': \(placeholder.rawValue) has to be a word of its own; a script gets it as an argument: "
            + "sh -c 'ls -l \"$@\"' sh \(placeholder.rawValue)")
      }
    }
    self.words = words
  }

  private static func placeholder(_ word: [UInt8]) -> Placeholder? {
    Placeholder(rawValue: String(decoding: word, as: UTF8.self))
  }

  /// The placeholders that occur in the command.
  package var placeholders: Set<Placeholder> { Set(words.compactMap(Self.placeholder)) }

  /// The command's name for messages.
  package var name: String { String(decoding: words.first ?? [], as: UTF8.self) }

  /// Returns the arguments, starting with the command's name.
  /// - Parameter appends: whether the paths of the picks are appended if the command has no placeholder.
  package func arguments(_ values: Values, appends: Bool = false) -> [[UInt8]] {
    let filled = words.flatMap { word in
      switch Self.placeholder(word) {
      case .current: values.current
      case .picks: values.picks
      case .identifiers: values.identifiers
      case nil: [word]
      }
    }
    return appends && placeholders.isEmpty ? filled + values.picks : filled
  }
}

/// Splits a command line into words with the quoting of a shell, but without expansions.
///
/// Blanks separate words. Single quotes keep everything between them; double quotes keep everything except
/// `\"` and `\\`; a backslash keeps the next character. `$`, backquotes, globs, `~`, `;`, `|` and `>` are
/// ordinary characters.
package enum CommandWords {
  /// - Throws: `FormatError` for an unclosed quote or a backslash at the end.
  package static func words(of line: [UInt8]) throws(FormatError) -> [[UInt8]] {
    var words: [[UInt8]] = []
    // nil between words.
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

  /// Reads up to the closing quote.
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
  /// Parses a command from one line.
  /// - Throws: `FormatError` as for a list of words, and for incomplete quoting.
  package init(line: [UInt8]) throws(FormatError) {
    try self.init(words: try CommandWords.words(of: line))
  }
}

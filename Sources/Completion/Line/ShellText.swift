/// Text as a shell reads it: words and their quotes.
///
/// Sources: bash(1), QUOTING; zshmisc(1), QUOTING; fish's language reference, Quotes and Escaping characters.
struct ShellText {
  /// The quote that is open at the end of a text.
  enum Quote: Hashable {
    case single, double
    /// `$'…'`, with escapes as in C.
    case escaped
  }

  let shell: Shell
  /// Returns the value of a variable; nil if the variable is not set.
  ///
  /// The closure itself is nil if variables are not to be expanded.
  var variable: ((String) -> String?)?

  /// A word without its quotes, up to its end or the end of the text.
  func unquoted(_ raw: String) -> (text: String, open: Quote?) {
    var reader = Reader(raw, self)
    let word = reader.word()
    return (word?.text ?? "", reader.quote)
  }

  /// The words of a line as written; the last one is empty after a blank.
  func rawWords(of line: String) -> [String] {
    var reader = Reader(line, self)
    var words: [String] = []
    while let word = reader.word() { words.append(word.raw) }
    return reader.endsWithBlank || words.isEmpty ? words + [""] : words
  }

  /// Reads words one after the other.
  private struct Reader {
    private let style: ShellText
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private(set) var quote: Quote?
    private var text = String.UnicodeScalarView()

    init(_ line: String, _ style: ShellText) {
      self.style = style
      scalars = Array(line.unicodeScalars)
    }

    var endsWithBlank: Bool { quote == nil && (scalars.last.map(isBlank) ?? true) && !endsEscaped }

    /// Whether a backslash precedes the last character.
    private var endsEscaped: Bool {
      scalars.dropLast().reversed().prefix { $0 == "\\" }.count % 2 == 1
    }

    private func isBlank(_ scalar: Unicode.Scalar) -> Bool {
      scalar == " " || scalar == "\t" || scalar == "\n"
    }

    /// The next word; nil at the end.
    mutating func word() -> (raw: String, text: String)? {
      while index < scalars.count, isBlank(scalars[index]) { index += 1 }
      guard index < scalars.count else { return nil }
      let start = index
      text = String.UnicodeScalarView()
      expandTilde()
      while index < scalars.count, quote != nil || !isBlank(scalars[index]) { step() }
      return (Self.string(scalars[start..<index]), String(text))
    }

    private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars)
      return String(view)
    }

    private mutating func expandTilde() {
      guard let home = style.variable?("HOME"), scalars[index] == "~" else { return }
      let next = index + 1 < scalars.count ? scalars[index + 1] : "/"
      guard next == "/" || isBlank(next) else { return }
      text.append(contentsOf: home.unicodeScalars)
      index += 1
    }

    private mutating func step() {
      let scalar = scalars[index]
      index += 1
      switch (quote, scalar) {
      case (nil, "'"): quote = .single
      case (nil, "\""): quote = .double
      case (nil, "$") where style.shell != .fish && index < scalars.count && scalars[index] == "'":
        index += 1
        quote = .escaped
      case (.single, "'"), (.escaped, "'"), (.double, "\""): quote = nil
      case (_, "\\"): escape()
      case (nil, "$"), (.double, "$"): expand()
      default: text.append(scalar)
      }
    }

    private mutating func escape() {
      guard index < scalars.count else { return }
      let next = scalars[index]
      let isSpecial: Bool =
        switch quote {
        case nil: true
        case .single: style.shell == .fish && (next == "'" || next == "\\")
        case .double: next == "\"" || next == "\\" || next == "$" || next == "`" && style.shell != .fish
        case .escaped: next == "'" || next == "\"" || next == "\\"
        }
      if isSpecial {
        text.append(next)
        index += 1
      } else {
        text.append("\\")
      }
    }

    /// Replaces the name of a variable with its value, if expansion is wanted.
    private mutating func expand() {
      let isBraced = index < scalars.count && scalars[index] == "{"
      let start = index + (isBraced ? 1 : 0)
      let name = scalars[start...].prefix {
        $0 == "_" || $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0)
      }
      guard let variable = style.variable, !name.isEmpty, let value = variable(Self.string(name)) else {
        text.append("$")
        return
      }
      text.append(contentsOf: value.unicodeScalars)
      index = name.endIndex + (isBraced ? 1 : 0)
    }
  }
}

/// A shell that supports completion.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}

extension ShellText {
  /// Characters that bash leaves unchanged outside of quotes.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII || scalar.properties.isAlphabetic
      || "0123456789_./:=@%+,-".unicodeScalars.contains(scalar)
  }

  /// A text as written in bash and zsh after an open quote.
  static func quoted(_ text: some StringProtocol, in quote: Quote?) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch quote {
      case nil:
        if !isPlain(scalar) { result.append("\\") }
        result.append(scalar)
      // bash and zsh expand history in double quotes as well, and keep a backslash there.
      case .double where scalar == "!": result.append(contentsOf: "\"'!'\"".unicodeScalars)
      case .single where scalar == "'": result.append(contentsOf: "'\\''".unicodeScalars)
      case .double where "\"\\$`".unicodeScalars.contains(scalar),
        .escaped where "'\\".unicodeScalars.contains(scalar):
        result.append("\\")
        result.append(scalar)
      case .single, .double, .escaped: result.append(scalar)
      }
    }
    return String(result)
  }
}

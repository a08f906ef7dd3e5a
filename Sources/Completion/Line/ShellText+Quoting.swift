extension ShellText {
  /// What bash leaves as it is outside of quotes.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII || scalar.properties.isAlphabetic
      || "0123456789_./:=@%+,-".unicodeScalars.contains(scalar)
  }

  /// A text as it is written in bash and zsh where a quote is open already.
  static func quoted(_ text: some StringProtocol, in quote: Quote?) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch quote {
      case nil:
        if !isPlain(scalar) { result.append("\\") }
        result.append(scalar)
      // The history of bash and zsh is looked up in double quotes as well, and a backslash stays there.
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

import System

/// Writes values of TOML documents (toml.io, 1.0.0).
package enum TOMLText {
  /// A basic string: quotes, backslashes and what acts on a terminal are escaped.
  package static func quoted(_ text: String) -> String {
    "\""
      + text.unicodeScalars.map { scalar -> String in
        switch scalar {
        case "\"", "\\": return "\\\(scalar)"
        case _ where ControlCharacters.contains(scalar):
          let (digits, isShort) = (String(scalar.value, radix: 16), scalar.value < 0x10000)
          return (isShort ? "\\u" : "\\U")
            + String(repeating: "0", count: (isShort ? 4 : 8) - digits.count) + digits
        default: return String(scalar)
        }
      }.joined() + "\""
  }
}

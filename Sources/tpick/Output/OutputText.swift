import System

/// Escapes text of others for standard output and standard error.
enum OutputText {
  /// The text without characters that act on a terminal or begin a line, such as `\x1B` in their place; bytes that
  /// stand in for something (`ArgumentBytes`) are escaped, too.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      if let byte = ArgumentBytes.strayByte(scalar) {
        escaped += ControlCharacters.escape(byte: byte)
      } else if ControlCharacters.contains(scalar) {
        escaped += ControlCharacters.escape(scalar)
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
  }

  /// The same of bytes: invalid UTF-8 is escaped byte by byte.
  static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    Array(escaped(ArgumentBytes.text(bytes)).utf8)
  }

  /// Text in which several lines may stand as one line, such as a caption, escaped.
  static func line(_ text: String) -> String {
    escaped(text.split(whereSeparator: \.isNewline).joined(separator: " "))
  }
}

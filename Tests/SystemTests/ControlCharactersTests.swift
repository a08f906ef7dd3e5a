import System
import Testing

@Suite struct ControlCharactersTests {
  static let escapes: [(String, String)] = [
    ("\u{1B}[2J", "\\x1B[2J"), ("a\r\nb", "a\\x0D\\x0Ab"), ("\u{7F}", "\\x7F"), ("\u{9B}2J", "\\u009B2J"),
    ("\u{85}", "\\u0085"), ("a\u{202E}gpj.b", "a\\u202Egpj.b"), ("\u{200F}\u{061C}", "\\u200F\\u061C"),
    ("\u{2066}\u{2069}", "\\u2066\\u2069"), ("\u{2028}\u{2029}", "\\u2028\\u2029"),
    ("\u{E0041}", "\\U000E0041"), ("caf\u{65}\u{301} 写真 👩‍👩‍👧 \\x1B", "caf\u{65}\u{301} 写真 👩‍👩‍👧 \\x1B"),
  ]

  @Test(arguments: escapes)
  func `Terminal control characters are escaped, and nothing else`(text: String, escaped: String) {
    #expect(ControlCharacters.escaped(text) == escaped)
    #expect(ControlCharacters.escaped(escaped) == escaped)
  }

  @Test func `The table has all controls, separators and direction marks`() {
    let values = [0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069, 0x200E...0x200F, 0x61C...0x61C]
    for value in values.joined() {
      #expect(Unicode.Scalar(UInt32(value)).map(ControlCharacters.contains) == true, "\(value)")
    }
    for scalar in " ~\u{A0}\u{AD}\u{200D}\u{2027}\u{202F}é写👧".unicodeScalars {
      #expect(!ControlCharacters.contains(scalar))
    }
  }

  @Test func `A JSON document has the same meaning after escaping`() {
    let document = Array("{\"a\":\"\u{9B}\u{7F}\\n\u{202E}\u{E0041}é\",\n\t\"b\":1}\n".utf8)
    let escaped = ControlCharacters.escaped(json: document)
    let expected = "{\"a\":\"\\u009B\\u007F\\n\\u202E\\uDB40\\uDC41é\",\n\t\"b\":1}\n"
    #expect(String(decoding: escaped, as: UTF8.self) == expected)
    #expect(ControlCharacters.escaped(json: escaped) == escaped)
  }

  @Test(arguments: [
    "\u{7F}", "\u{80}", "\u{9F}", "\u{61C}", "\u{200E}", "\u{2028}", "\u{2066}", "\u{FFF9}", "\u{FFFB}",
    "\u{E0000}", "\u{E0FFF}",
  ])
  func `One such character is enough to escape a JSON document`(character: String) {
    let escaped = ControlCharacters.escaped(json: Array("\"a\(character)\"".utf8))
    #expect(escaped.starts(with: Array("\"a\\u".utf8)) && escaped.allSatisfy { $0 < 0x7F })
  }

  @Test(arguments: ["{}", "{\n\t\"a\": \" ~\"\n}", "\"20 °C – 5’\"", "\"\u{F0000}\u{A0}\u{FFFD}é写👧\""])
  func `A JSON document without such characters is unchanged`(document: String) {
    #expect(ControlCharacters.escaped(json: Array(document.utf8)) == Array(document.utf8))
  }
}

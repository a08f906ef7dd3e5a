import Results
import Testing

/// Commands that are run on assets.
@Suite struct CommandTemplateTests {
  private static let hostile = ["-rf", "$(touch x)", "a\nb", "'; ls \"", "{}", "{+}", ""].map {
    Array($0.utf8)
  }

  private static let values = CommandTemplate.Values(
    current: [Array("/a b".utf8)], picks: hostile, identifiers: [[0xFF], [0x31]])

  private static func bytes(_ words: [String]) -> [[UInt8]] { words.map { Array($0.utf8) } }

  @Test func `A placeholder becomes one argument per asset, whatever it contains`() throws {
    let template = try CommandTemplate(words: Self.bytes(["cmd", "{}", "-x", "{+}", "{ids}", "{}"]))
    let current = Array("/a b".utf8)
    #expect(
      template.arguments(Self.values)
        == [Array("cmd".utf8), current, Array("-x".utf8)] + Self.hostile + [[0xFF], [0x31], current])
    #expect(template.placeholders == [.current, .picks, .identifiers])
    #expect(template.name == "cmd")
  }

  @Test func `Without a placeholder the picks come last, if requested`() throws {
    let template = try CommandTemplate(words: Self.bytes(["ls", "-l", "--"]))
    #expect(template.arguments(Self.values) == Self.bytes(["ls", "-l", "--"]))
    #expect(template.arguments(Self.values, appends: true) == Self.bytes(["ls", "-l", "--"]) + Self.hostile)
    let placed = try CommandTemplate(words: Self.bytes(["ls", "{ids}"]))
    #expect(placed.arguments(Self.values, appends: true) == [Array("ls".utf8), [0xFF], [0x31]])
  }

  @Test(arguments: [
    ([], "no command"), ([""], "no command"),
    (["sh", "-c", "rm {}"], "'rm {}': {} has to be a word of its own"),
    (["x", "--file={+}"], "{+} has to be"), (["x", "{ids}."], "{ids} has to be"), (["{}x"], "{} has to be"),
  ])
  func `A placeholder within a word is rejected`(words: [String], message: String) {
    let error = #expect(throws: FormatError.self) { try CommandTemplate(words: Self.bytes(words)) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test func `Other braces are kept`() throws {
    let words = Self.bytes(["awk", "{print $1}", "{x}", "{ }"])
    #expect(try CommandTemplate(words: words).arguments(Self.values) == words)
  }

  @Test(arguments: [
    ("gimp {}", ["gimp", "C"]), ("  a\t b\n", ["a", "b"]), ("a '' \"\"", ["a", "", ""]),
    (#"x 'a b'"c d"e\ f"#, ["x", "a bc de f"]), (#"x "\"\\\n$HOME`a`" '\'"#, ["x", #""\\n$HOME`a`"#, "\\"]),
    ("x $(a);b|c>d * ~ #e &", ["x", "$(a);b|c>d", "*", "~", "#e", "&"]),
    ("sh -c 'ls \"$1\"' sh '{}'", ["sh", "-c", "ls \"$1\"", "sh", "C"]),
    (#"x "\\""#, ["x", "\\"]), (#"x it\'s"#, ["x", "it's"]), ("x é", ["x", "é"]),
  ])
  func `A line is split as in a shell, without expansion`(line: String, words: [String]) throws {
    let template = try CommandTemplate(line: Array(line.utf8))
    let values = CommandTemplate.Values(current: [Array("C".utf8)], picks: [], identifiers: [])
    #expect(template.arguments(values).map { String(decoding: $0, as: UTF8.self) } == words)
  }

  @Test(arguments: [
    ("", "no command"), ("  ", "no command"), ("a 'b", "a quote is not closed"),
    ("a \"b\\\"", "a quote is not closed"),
    ("a \\", "nothing behind the last backslash"), ("sh -c 'rm {}'", "{} has to be a word of its own"),
  ])
  func `An incomplete line is rejected`(line: String, message: String) {
    let error = #expect(throws: FormatError.self) { try CommandTemplate(line: Array(line.utf8)) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }
}

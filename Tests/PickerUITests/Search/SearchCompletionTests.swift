import Testing

@testable import PickerUI

@Suite struct SearchCompletionTests {
  /// Typed text ("|" = the cursor), and the parts of its term: the text before, the key, the value, the text after.
  static let terms: [(String, [String]?)] = [
    ("lis|", ["", "-", "lis", ""]), ("may lis|", ["may ", "-", "lis", ""]),
    ("lis| may", ["", "-", "lis", " may"]), ("-lis|", ["", "-", "lis", ""]),
    ("camera:|", ["", "camera", "", ""]), ("CAMERA:ca|", ["", "camera", "ca", ""]),
    ("-album:po|", ["", "album", "po", ""]), ("x camera:\"EOS 9|", ["x ", "camera", "EOS 9", ""]),
    ("\"two wo|", ["", "-", "two wo", ""]), ("\"a:b|", ["", "-", "a:b", ""]),
    ("(lis|", ["(", "-", "lis", ""]), ("a -(b or -lis|)", ["a -(b or ", "-", "lis", ")"]),
    ("-(lis|", ["-(", "-", "lis", ""]), ("((ext:h|", ["((", "ext", "h", ""]), ("(|", nil), ("-(|", nil),
    ("near:1,2:3|", ["", "near", "1,2:3", ""]),
    ("|", nil), ("lis |", nil), ("li|s", nil), ("-|", nil), ("\"|", nil), ("|lis", nil),
  ]

  @Test(arguments: terms)
  func `The term at the cursor is completed`(line: String, parts: [String]?) throws {
    let halves = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    let completion = SearchCompletion(LineEditor(halves[0], before: halves[1]))
    #expect(completion.map { [$0.before, $0.key ?? "-", $0.value, $0.after] } == parts)
    #expect(completion?.isExcluded ?? false == (parts != nil && line.contains(/(^| )-[a-z]/)))
  }

  @Test(arguments: [
    ("may lis|", "album:Lisbon", "may album:Lisbon |"), ("ca|", "camera:", "camera:|"),
    ("-ca| 2022", "camera:", "-camera:|2022"), ("lis| 2022", "album:Lisbon", "album:Lisbon |2022"),
    ("(a or lis|)", "album:Lisbon", "(a or album:Lisbon |)"),
    ("-(-lis|", "album:Lisbon", "-(-album:Lisbon |"),
    ("\"new y|", "album:\"New York\"", "album:\"New York\" |"),
  ])
  func `A suggestion replaces the term`(line: String, term: String, result: String) throws {
    let halves = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    let completion = try #require(SearchCompletion(LineEditor(halves[0], before: halves[1])))
    let editor = completion.replaced(by: term)
    let text = editor.characters[..<editor.cursor] + ["|"] + editor.characters[editor.cursor...]
    #expect(String(text) == result)
  }

  @Test(
    arguments: [
      ("Lisbon", "Lisbon"), ("New York", "\"New York\""), ("a:b", "\"a:b\""), ("", nil), ("6\" lens", nil),
    ] as [(String, String?)])
  func `Values with blanks and colons are quoted`(text: String, value: String?) {
    #expect(SearchCompletion.quoted(text) == value)
  }
}

import Testing

@testable import FileChooser

@Suite struct GlobPatternTests {
  @Test(arguments: [
    ("*", ["", "a", "a.b"], [String]()),
    ("a", ["a"], ["", "b", "A", "aa"]),
    ("a?c", ["abc", "aüc"], ["ac", "abbc"]),
    ("*.j*g", ["x.jpg", ".jg", "a.j.g"], ["x.jpe", "jpg"]),
    ("*aab", ["aaab"], ["aaa"]),
    ("*a*b*", ["ab", "xaxbx", "aab"], ["ba", "a", "xbay"]),
    ("[a-cx]", ["a", "b", "c", "x"], ["d", "-", ""]),
    ("[!a-c]", ["d"], ["a", "c"]),
    ("[^a]", ["b"], ["a"]),
    ("[]a]", ["]", "a"], ["b"]),
    ("[a-]", ["a", "-"], ["b"]),
    ("[c-a]", ["c", "-", "a"], ["b"]),
    ("[ab", ["[ab"], ["a", "b"]),
    ("\\*\\", ["*\\"], ["a\\"]),
  ]) func `A pattern matches`(_ pattern: String, _ names: [String], _ others: [String]) {
    for name in names { #expect(GlobPattern(pattern).matches(name), "\(name)") }
    for name in others { #expect(!GlobPattern(pattern).matches(name), "\(name)") }
  }

  @Test func `A pattern with any stem matches the end`() {
    #expect(GlobPattern("IMG_[0-9].jpg").anyStem == GlobPattern("*.jpg"))
    #expect(GlobPattern("a.[.].b").anyStem == GlobPattern("*.b"))
    #expect(GlobPattern("a[.]b").anyStem == GlobPattern("a[.]b"))
  }

  @Test func `Many stars take no time`() {
    let name = String(repeating: "a", count: 2000)
    #expect(!GlobPattern(String(repeating: "a*", count: 200) + "b").matches(name))
  }
}

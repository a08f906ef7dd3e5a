import Testing

@testable import Sandbox

/// Names and arguments of granted files.
@Suite struct GrantedNameTests {
  @Test(arguments: [
    ("IMG_1.JPG", "IMG_1.JPG"), ("a\nb.jpg", "a_b.jpg"), ("\u{1B}]0;x\u{7}.jpg", "_]0;x_.jpg"),
    ("é ü.jpg", "é ü.jpg"),
    ("\u{85}.jpg", "_.jpg"), ("\u{9B}1m", "_1m"), ("..", "photo"), ("", "photo"),
    ("\u{A0}.jpg", "\u{A0}.jpg"), ("-rf", "-rf"),
  ])
  func `A name is one line and a valid file name`(given: String, cleaned: String) {
    #expect(String(decoding: GrantedName.cleaned(Array(given.utf8)), as: UTF8.self) == cleaned)
  }

  @Test func `Bytes that are no text are kept`() {
    #expect(GrantedName.cleaned([0xFF, 0x80, 0x61]) == [0xFF, 0x80, 0x61])
  }

  @Test func `No name made from any bytes has a control character`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      let bytes = (0..<Int.random(in: 0...12, using: &generator)).map { _ in UInt8.random(in: 1...255) }
      let cleaned = GrantedName.cleaned(bytes)
      #expect(!cleaned.isEmpty && !cleaned.contains { $0 < 0x20 || $0 == 0x7F }, "\(bytes)")
      #expect(GrantedName.cleaned(cleaned) == cleaned, "\(bytes)")
    }
  }

  @Test func `An argument {} becomes all paths, and others are unchanged`() {
    let words = ["ls", "{}", "x{}", "--", "{}"].map { Array($0.utf8) }
    let paths = [Array("/photos/a b.jpg".utf8), Array("/photos/{}".utf8)]
    let expected = ["ls", "/photos/a b.jpg", "/photos/{}", "x{}", "--", "/photos/a b.jpg", "/photos/{}"]
    #expect(GrantedCommand(words: words).arguments(paths) == expected.map { Array($0.utf8) })
    #expect(GrantedCommand(words: words).arguments([]).count == 3)
  }
}

import AssetLibrary
import Fixtures
import Testing

@Suite struct TextPatternTests {
  static let folded: [(String, String)] = [
    ("", ""), ("IMG_1042.JPG", "img_1042.jpg"), ("Zürich", "zurich"), ("zu\u{308}rich", "zurich"),
    ("STRASSE", "strasse"), ("Straße", "strasse"), ("STRAẞE", "strasse"), ("Ærø", "aero"), ("Łódź", "lodz"),
    ("İstanbul", "istanbul"), ("ﬁn", "fin"), ("ΟΔΟΣ", "οδοσ"), ("οδός", "οδοσ"), ("Йод", "иод"),
    ("ＩＭＧ＿１", "img_1"), ("が", "か\u{3099}"), ("か\u{3099}", "か\u{3099}"), ("한글", "한글"),
    ("d’été", "d'ete"), ("\u{212A}", "k"), ("ᾳ", "α"),
  ]

  @Test(arguments: folded)
  func `Case and accents are ignored`(text: String, plain: String) {
    let expected =
      plain == "한글" ? TextPattern.fold("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}") : Array(plain.utf8)
    #expect(TextPattern.fold(text) == expected)
  }

  static let searches: [(String, String, Bool)] = [
    ("lisbon", "Trip to Lisbon", true), ("isbo", "Lisbon", true), ("LISBON", "lisbon", true),
    ("zurich", "Zürich", true), ("Zürich", "zurich", true), ("strasse", "Hauptstraße", true), ("", "", true),
    ("a", "", false), ("lisbon", "lisbo", false),
    // Fuzzy: four characters or more, from the start of a word, within twice the length.
    ("lsibon", "Lisbon", true), ("ilsbon", "Lisbon", true), ("lisbno", "Lisbon", true),
    ("lissbon", "Lisbon", true), ("lisboon", "Lisbon", true), ("llisbon", "Trip Lisbon", true),
    ("lisbonn", "Lisbon", true), ("lsib", "Lisbon", true), ("lsiobn", "Lisbon", false),
    ("züirch", "Zürich", true), ("zruich", "Zürich", true), ("adress", "Address", true),
    ("img124", "IMG_142", false), ("igm142", "img142.jpg", true), ("i1mg", "IMG1", false),
    ("sibon", "Lisbon", false), ("isbno", "Lisbon", false), ("fse", "Fes", false),
    ("lisbn", "Lisbon", true), ("lsbn", "Lisbon", true), ("lbn", "Lisbon", false), ("isbn", "Lisbon", false),
    ("lsbn", "in Lisbon", true), ("lsbn", "L12345678isbon", false), ("newyork", "New York", true),
    ("nwyk", "New York", true), ("москв", "Мос-ква", true),
    ("écle", "l'école", true),
    // Numbers stay together.
    ("img142", "IMG_0142", true), ("img142", "IMG_1042", false), ("2019", "20010905", false),
    ("2019", "IMG_2019", true), ("img1042", "IMG_1042", true), ("img042", "IMG_01042", true),
  ]

  @Test(arguments: searches)
  func `A word matches`(word: String, text: String, isFound: Bool) {
    #expect(TextPattern(word).matches(folded: TextPattern.fold(text)) == isFound)
  }

  @Test(arguments: [("lisb", true), ("lis", false), ("2019", false), ("a2019", true), ("日本東京", true)])
  func `Words of four or more characters with a letter match fuzzily`(word: String, isFuzzy: Bool) {
    #expect(TextPattern(word).isFuzzy == isFuzzy)
    #expect(!TextPattern(word, allowsFuzzy: false).isFuzzy)
  }

  @Test(arguments: [
    ("lis", "In Lisbon", "lis"), ("lsibon", "Trip Lisbon", "lisbon"), ("lissbon", "Lisbon", "lisbon"),
    ("igm142", "img142.jpg", "img142"), ("lisbn", "Lisbon", "lisbn"), ("nwyk", "New York", "nwyk"),
    ("zruich", "Zürich", "zurich"), ("oslo", "Lisbon", ""), ("lsiobn", "Lisbon", ""),
  ])
  func `The matched letters are those that were meant`(word: String, text: String, found: String) {
    let folded = TextPattern.fold(text)
    let letters = TextPattern(word).matchedOffsets(folded: folded).map { folded[$0] }
    #expect(String(decoding: letters, as: UTF8.self) == found)
  }

  @Test func `A phrase matches exactly`() {
    let phrase = TextPattern("EOS 90D", allowsFuzzy: false)
    #expect(phrase.matches(folded: TextPattern.fold("Canon EOS 90D")))
    #expect(!phrase.matches(folded: TextPattern.fold("Canon EOS Rebel 90D")))
  }

  @Test func `Every fuzzy match agrees with the definition`() {
    var random = SeededGenerator(seed: 11)
    let letters = Array("abä1 ")
    for _ in 0..<4000 {
      let text = String(
        (0..<Int.random(in: 0...14, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" }
      )
      let word = String(
        (0..<Int.random(in: 4...6, using: &random)).map { _ in
          letters.dropLast(2).randomElement(using: &random) ?? "a"
        })
      let (plainText, plainWord) = (TextPattern.fold(text), TextPattern.fold(word))
      let expected = Self.holds(plainText, plainWord)
      #expect(TextPattern(word).matches(folded: plainText) == expected, "\(word) in \(text)")
    }
  }

  /// Tries everything the definition allows.
  private static func holds(_ text: [UInt8], _ word: [UInt8]) -> Bool {
    if text.count >= word.count,
      (0...text.count - word.count).contains(where: { text[$0...].starts(with: word) })
    {
      return true
    }
    return text.indices.contains { start in
      guard start == 0 || text[start - 1] == UInt8(ascii: " ") else { return false }
      let slips = word.indices.dropFirst().flatMap { index -> [[UInt8]] in
        var (swapped, single) = (word, word)
        swapped.swapAt(index - 1, index)
        single.remove(at: index)
        return word[index] == word[index - 1] ? [single] : [swapped]
      }
      if slips.contains(where: { text[start...].starts(with: $0) }) { return true }
      guard text[start] == word[0] else { return false }
      var rest = word[...]
      for byte in text[start...].prefix(2 * word.count) where byte == rest.first { rest = rest.dropFirst() }
      return rest.isEmpty
    }
  }
}

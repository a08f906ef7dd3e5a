import AssetLibrary
import MediaFormats
import Testing

@Suite struct WordingTests {
  @Test(arguments: [(0, "0 photos"), (1, "1 photo"), (2, "2 photos"), (1001, "1001 photos")])
  func `A noun agrees with its number`(count: Int, words: String) {
    #expect(Wording.count(count, "photo") == words)
  }

  @Test func `A noun may have an irregular plural`() {
    #expect(Wording.count(1, "photo is", "photos are") == "1 photo is")
    #expect(Wording.count(3, "photo is", "photos are") == "3 photos are")
    #expect(Wording.noun(UInt64(1), "is", "are") == "is")
  }

  @Test func `Every format has the right article`() {
    let vowels: Set<FileFormat> = [
      .avif, .arw, .orf, .rw2, .srw, .mp4, .m4v, .matroska, .avi, .mpegTransport,
    ]
    for format in FileFormat.allCases {
      let article = vowels.contains(format) ? "an" : "a"
      #expect(Wording.withArticle(format.name) == "\(article) \(format.name)")
    }
  }

  @Test(arguments: [
    ("image", "an image"), ("video", "a video"), ("XMP packet", "an XMP packet"), ("ISO file", "an ISO file"),
    ("date", "a date"), ("", "a "),
  ])
  func `Other words have the right article`(words: String, expected: String) {
    #expect(Wording.withArticle(words) == expected)
  }

  @Test(arguments: [
    ("a.jpg", "a.jpg"), ("", "''"), (" ", "' '"), ("a ", "'a '"), (":", "':'"), ("file:", "'file:'"),
    ("a b", "a b"),
  ])
  func `A name with invisible ends is quoted`(name: String, shown: String) {
    #expect(Wording.name(name) == shown)
    #expect(AssetError(name, "no such file").description == "\(shown): no such file")
  }
}

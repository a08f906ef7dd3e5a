import Testing

@testable import AssetLibrary

@Suite struct NearestWordTests {
  private static let words = ["newest", "oldest", "name", "size", "added", "given"]

  @Test(arguments: [
    ("nwest", "newest"), ("NEWETS", "newest"), ("neweest", "newest"), ("nawest", "newest"), ("siez", "size"),
    ("add", "added"), ("oldset", "oldest"), ("giben", "given"),
  ])
  func `A typo is corrected to the intended word`(word: String, meant: String) {
    #expect(NearestWord.of(word, in: Self.words) == meant)
  }

  @Test(arguments: ["", "n", "random", "xyz", "sz", String(repeating: "newest", count: 100)])
  func `A word without a close match gets no correction`(word: String) {
    #expect(NearestWord.of(word, in: Self.words) == nil)
  }

  @Test func `If two words are equally close there is no correction`() {
    #expect(NearestWord.of("lise", in: ["list", "lisp"]) == nil)
    #expect(NearestWord.of("lise", in: ["list", "lisp", "lisse"]) == nil)
    #expect(NearestWord.of("ids", in: ["ids", "idx"]) == "ids")
    #expect(NearestWord.of("lsit", in: ["list", "list"]) == "list")
  }

  @Test func `Up to a third of the letters may be wrong`() {
    #expect(NearestWord.of("screnshot", in: ["screenshots"]) == "screenshots")
    #expect(NearestWord.of("jsn", in: ["json"]) == "json")
    #expect(NearestWord.of("jn", in: ["json"]) == nil)
  }
}

import Testing

@testable import AssetLibrary

@Suite struct NearestWordTests {
  private static let words = ["newest", "oldest", "name", "size", "added", "given"]

  @Test(arguments: [
    ("nwest", "newest"), ("NEWETS", "newest"), ("neweest", "newest"), ("nawest", "newest"), ("siez", "size"),
    ("add", "added"), ("oldset", "oldest"), ("giben", "given"),
  ])
  func `A slip leads to the word that was meant`(word: String, meant: String) {
    #expect(NearestWord.of(word, in: Self.words) == meant)
  }

  @Test(arguments: ["", "n", "random", "xyz", "sz", String(repeating: "newest", count: 100)])
  func `What is near to no word leads to none`(word: String) {
    #expect(NearestWord.of(word, in: Self.words) == nil)
  }

  @Test func `Where two words are as near none is taken for the one that was meant`() {
    #expect(NearestWord.of("lise", in: ["list", "lisp"]) == nil)
    #expect(NearestWord.of("lise", in: ["list", "lisp", "lisse"]) == nil)
    #expect(NearestWord.of("ids", in: ["ids", "idx"]) == "ids")
    #expect(NearestWord.of("lsit", in: ["list", "list"]) == "list")
  }

  @Test func `As many slips are forgiven as a third of the letters`() {
    #expect(NearestWord.of("screnshot", in: ["screenshots"]) == "screenshots")
    #expect(NearestWord.of("jsn", in: ["json"]) == "json")
    #expect(NearestWord.of("jn", in: ["json"]) == nil)
  }
}

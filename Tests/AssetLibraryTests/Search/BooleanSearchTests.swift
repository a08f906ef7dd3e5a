import AssetLibrary
import Fixtures
import Testing

/// Searches with `or`, `not` and parentheses.
@Suite struct BooleanSearchTests {
  /// Pairs of equivalent searches.
  @Test(arguments: [
    ("(a b)", "a b"), ("a (b) c", "a b c"), ("((a))", "a"), ("(a)(b)", "a b"), ("(a)b", "a b"),
    ("a or b c", "a or (b c)"), ("a b or c", "(a b) or c"), ("a OR b", "a or b"),
    ("not (a or b)", "-(a or b)"), ("not -(a or b)", "(a or b)"), ("not not (a or b)", "a or b"),
    ("-((a) or b)", "-(a or b)"), ("not may 2022 a", "-may 2022 a"),
    ("(type:video or rating:5)", "type:video or rating:5"), ("(camera:a) or b", "camera:a or b"),
    ("( near:1,2,3 )", "near:1,2,3"), ("(camera:\"a) b\")", "camera:\"a) b\""), ("(a(b))", "a(b)"),
    ("(may 2022)", "may 2022"), ("(a) may (2022)", "a may 2022".replacing(" 2022", with: " (2022)")),
  ])
  func `Parentheses group terms`(text: String, same: String) throws {
    #expect(try SearchQuery(parsing: text) == SearchQuery(parsing: same))
  }

  /// The time grows with the number of words, not with its square, which would be minutes.
  @Test func `A book that is pasted as a search is parsed in linear time`() throws {
    func time(words count: Int) throws -> Duration {
      try ProcessorTime.ofThread {
        let query = try SearchQuery(parsing: String(repeating: "a ", count: count))
        #expect(query.texts.count == count)
      }
    }
    // Ten times the words: quadratic time would be a hundred times as much.
    let short = try time(words: 3_000)
    #expect(try time(words: 30_000) < short * 40)
  }

  @Test func `Attribute conditions alone form one condition`() throws {
    let video = AssetPredicate.filter(.matching(.videos))
    let five = AssetPredicate.number(.rating, .equal, 5)
    #expect(try SearchQuery(parsing: "type:video or rating:5") == SearchQuery(predicate: .or([video, five])))
    #expect(
      try SearchQuery(parsing: "-(type:video rating:5)") == SearchQuery(predicate: .not(.and([video, five]))))
    #expect(
      try SearchQuery(parsing: "(type:video or rating:5) rating:5")
        == SearchQuery(predicate: .and([.or([video, five]), five])))
  }

  @Test func `Dates and kinds end at operators`() throws {
    let query = try SearchQuery(parsing: "12 may or 2022 not june")
    let group = try #require(query.groups.first)
    #expect(group.alternatives.map(\.texts.count) == [1, 2])
    #expect(group.alternatives.last?.texts.map(\.isExcluded) == [false, true])
    #expect(try SearchQuery(parsing: "(2022 photos) or videos").groups.first?.alternatives.count == 2)
  }

  /// Partly typed searches, and the searches they are evaluated as.
  @Test(arguments: [
    ("a or", "a"), ("a or ", "a"), ("a not", "a"), ("a (", "a"), ("a -(", "a"), ("or", ""), ("not", ""),
    ("(", ""), ("(a", "a"), ("(a or b", "a or b"), ("(a or", "a"), ("-(a or (b", "-(a or b)"),
    ("a (not", "a"), ("a or (", "a"),
  ])
  func `An unfinished end is ignored while typing`(text: String, same: String) throws {
    #expect(try SearchQuery(parsing: text, isComplete: false) == SearchQuery(parsing: same))
    #expect(throws: SearchQueryError.self) { try SearchQuery(parsing: text) }
  }

  @Test(arguments: ["a or or b", "()", ")", "not or a", "(or a)", "after:soon"])
  func `Other errors are reported while typing too`(text: String) {
    #expect(throws: SearchQueryError.self) { try SearchQuery(parsing: text, isComplete: false) }
  }

  @Test(arguments: [
    ("type:hidden", true), ("type:hidden or a", true), ("(a type:hidden) or b", true),
    ("-(type:hidden or a)", false), ("-(-type:hidden a)", true), ("-(a -(type:hidden b))", true),
    ("a or b", false),
  ])
  func `Any term can request hidden photos`(text: String, asks: Bool) throws {
    #expect(try SearchQuery(parsing: text).requestsHidden == asks)
    var options = FetchOptions()
    options.search = try SearchQuery(parsing: text)
    #expect(options.showsHidden == asks)
  }

  @Test func `No search with groups matches broken photos`() throws {
    var asset = Asset.photo("a")
    asset.defect = "the file is empty"
    var options = FetchOptions()
    options.search = try SearchQuery(parsing: "-(b or c)")
    #expect(!options.admits(asset))
  }

  @Test func `Excluded words are not highlighted as matches`() throws {
    let query = try SearchQuery(parsing: "ant (bee or -cow (dog or type:video)) -(elk or fox)")
    let words = query.foundTexts.map { String(decoding: $0.pattern.folded, as: UTF8.self) }
    #expect(words == ["ant", "bee", "dog"])
  }

  // MARK: Properties

  private static let words = [
    "ant", "bee", "cow", "2024", "photos", "videos", "rating:5", "type:video", "width:>3",
  ]

  /// A search of random terms.
  private static func search(_ depth: Int, _ random: inout SeededGenerator) -> String {
    if depth == 0 || Int.random(in: 0..<3, using: &random) == 0 {
      let word = words.randomElement(using: &random) ?? ""
      return ["", "", "-", "not "].randomElement(using: &random).map { $0 + word } ?? word
    }
    let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in search(depth - 1, &random) }
    let joined = parts.joined(separator: Bool.random(using: &random) ? " " : " or ")
    return ["(", "-(", "not ("].randomElement(using: &random).map { $0 + joined + ")" } ?? joined
  }

  private static func library() -> MemoryAssetStore {
    let store = MemoryAssetStore()
    for number in 0..<64 {
      let name = ["ant", "bee", "cow"].enumerated().filter { number >> $0.offset & 1 == 1 }.map(\.element)
      var asset = Asset.photo(name.joined(separator: " ") + " \(number)")
      if number & 8 != 0 { asset.mediaType = .video }
      if number & 16 != 0 { asset.rating = 5 }
      if number & 32 != 0 { asset.creationDate = AssetDate(year: 2023, month: 5, day: 1) }
      store.add(asset)
    }
    return store
  }

  private static func found(_ text: String, in store: MemoryAssetStore) throws -> Set<LocalIdentifier> {
    var options = FetchOptions()
    options.search = try SearchQuery(parsing: text)
    return Set(store.assets(in: nil, options: options).map(\.id))
  }

  @Test func `A search and its negation are disjoint and complete`() throws {
    let store = Self.library()
    let all = try Self.found("", in: store)
    var random = SeededGenerator(seed: 11)
    for _ in 0..<300 {
      let text = Self.search(3, &random)
      let (found, others) = (try Self.found(text, in: store), try Self.found("-(\(text))", in: store))
      #expect(found.isDisjoint(with: others), "\(text)")
      #expect(found.union(others) == all, "\(text)")
    }
  }

  @Test func `Or is the union, adjacent terms the intersection`() throws {
    let store = Self.library()
    var random = SeededGenerator(seed: 12)
    for _ in 0..<300 {
      let (a, b) = (Self.search(2, &random), Self.search(2, &random))
      let (first, second) = (try Self.found(a, in: store), try Self.found(b, in: store))
      #expect(try Self.found("(\(a)) or (\(b))", in: store) == first.union(second), "\(a) | \(b)")
      #expect(try Self.found("(\(a)) (\(b))", in: store) == first.intersection(second), "\(a) & \(b)")
    }
  }

  @Test func `Any text is either parsed or rejected`() throws {
    var random = SeededGenerator(seed: 13)
    let pieces = ["(", ")", "-", "or", "not", " ", " ", "a", "\"", ":", "may", "2022", "size:>2MB", "é"]
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      _ = try? SearchQuery(parsing: text)
      _ = try? SearchQuery(parsing: text, isComplete: false)
    }
  }
}

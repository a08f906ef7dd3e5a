import AssetLibrary
import Fixtures
import Testing

/// Words that denote a date or a kind.
@Suite struct DateSearchTests {
  /// A Thursday.
  private static let today = AssetDate(year: 2024, month: 5, day: 16, hour: 9)
  private static let vocabulary = SearchVocabulary(today: today)
  private static let german = SearchVocabulary(
    monthNames: [
      "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
      "November", "Dezember",
    ],
    shortMonthNames: [
      "Jan.", "Feb.", "Mär.", "Apr.", "Mai", "Jun.", "Jul.", "Aug.", "Sep.", "Okt.", "Nov.", "Dez.",
    ],
    language: "de", today: today)

  private static func days(_ from: (Int, Int, Int), _ until: (Int, Int, Int)) -> AssetPredicate {
    .and([
      .date(.creationDate, .greaterOrEqual, AssetDate(year: from.0, month: from.1, day: from.2)),
      .date(.creationDate, .less, AssetDate(year: until.0, month: until.1, day: until.2)),
    ])
  }

  private static func yearly(_ months: Int..., day: Int? = nil) -> AssetPredicate {
    .everyYear(.creationDate, months: months, day: day)
  }

  private static func kind(_ name: PickerFilter.Name) -> AssetPredicate { .filter(.matching(name)) }

  static let dates: [(String, AssetPredicate)] = [
    ("2022", days((2022, 1, 1), (2023, 1, 1))), ("2022-05", days((2022, 5, 1), (2022, 6, 1))),
    ("2022-12", days((2022, 12, 1), (2023, 1, 1))), ("2022-05-31", days((2022, 5, 31), (2022, 6, 1))),
    ("31.12.2022", days((2022, 12, 31), (2023, 1, 1))),
    ("may", yearly(5)), ("May", yearly(5)), ("september", yearly(9)),
    ("may 2022", days((2022, 5, 1), (2022, 6, 1))), ("2022 may", days((2022, 5, 1), (2022, 6, 1))),
    ("dec 2022", days((2022, 12, 1), (2023, 1, 1))), ("sept. 2022", days((2022, 9, 1), (2022, 10, 1))),
    ("12 may", yearly(5, day: 12)), ("may 12", yearly(5, day: 12)), ("12th of may", yearly(5, day: 12)),
    ("29 february", yearly(2, day: 29)), ("1. mar", yearly(3, day: 1)),
    ("12 may 2022", days((2022, 5, 12), (2022, 5, 13))),
    ("May 12, 2022", days((2022, 5, 12), (2022, 5, 13))),
    ("12 de may de 2022", days((2022, 5, 12), (2022, 5, 13))),
    ("29 feb 2024", days((2024, 2, 29), (2024, 3, 1))),
    ("today", days((2024, 5, 16), (2024, 5, 17))), ("yesterday", days((2024, 5, 15), (2024, 5, 16))),
    ("this week", days((2024, 5, 13), (2024, 5, 20))), ("last week", days((2024, 5, 6), (2024, 5, 13))),
    ("this month", days((2024, 5, 1), (2024, 6, 1))), ("last month", days((2024, 4, 1), (2024, 5, 1))),
    ("this year", days((2024, 1, 1), (2025, 1, 1))), ("last year", days((2023, 1, 1), (2024, 1, 1))),
    ("summer", yearly(6, 7, 8)), ("winter", yearly(12, 1, 2)),
    ("summer 2022", days((2022, 6, 1), (2022, 9, 1))), ("winter 2022", days((2022, 12, 1), (2023, 3, 1))),
    ("last summer", days((2023, 6, 1), (2023, 9, 1))), ("last winter", days((2023, 12, 1), (2024, 3, 1))),
    ("last spring", days((2023, 3, 1), (2023, 6, 1))), ("this spring", days((2024, 3, 1), (2024, 6, 1))),
    ("last autumn", days((2023, 9, 1), (2023, 12, 1))), ("last fall", days((2023, 9, 1), (2023, 12, 1))),
    ("last may", days((2023, 5, 1), (2023, 6, 1))), ("last april", days((2024, 4, 1), (2024, 5, 1))),
    ("this december", days((2024, 12, 1), (2025, 1, 1))),
  ]

  static let kinds: [(String, AssetPredicate)] = [
    ("video", kind(.videos)), ("Videos", kind(.videos)), ("favorite", kind(.favorites)),
    ("favourites", kind(.favorites)), ("portrait", kind(.depthEffectPhotos)),
    ("screenshots", kind(.screenshots)), ("live photos", kind(.livePhotos)), ("raw", kind(.raw)),
    ("screen recording", kind(.screenRecordings)), ("slow motion", kind(.slomoVideos)),
  ]

  @Test(arguments: dates + kinds)
  func `Words form one term for the date or kind they denote, or for themselves`(
    text: String, condition: AssetPredicate
  ) throws {
    let query = try SearchQuery(parsing: text, in: Self.vocabulary)
    let pattern = TextPattern(text, allowsFuzzy: false)
    #expect(query.texts == [TextTerm(pattern: pattern, condition: condition)])
    #expect(query.predicate == nil)
  }

  @Test(arguments: [(1, 2023), (2, 2023), (3, 2024), (12, 2024)])
  func `A winter across two years is the current one until it ends`(month: Int, year: Int) throws {
    let vocabulary = SearchVocabulary(today: AssetDate(year: 2024, month: month, day: 10))
    let query = try SearchQuery(parsing: "this winter", in: vocabulary)
    #expect(query.texts.map(\.condition) == [Self.days((year, 12, 1), (year + 1, 3, 1))])
  }

  @Test(arguments: [
    "jan", "mar", "12", "0", "1042", "9999", "2022-13", "2022-5", "2022-02-30", "31.2.2022", "32nd",
    "vide", "summ", "last", "this", "month", "hidden", "de", "12.", "٢٠٢٢", "12:", "maybe",
  ])
  func `Other words are plain text`(word: String) throws {
    guard let query = try? SearchQuery(parsing: word, in: Self.vocabulary) else { return }
    #expect(query.texts.map(\.condition) == [nil])
  }

  static let mixtures: [(String, [String?])] = [
    ("lisbon may 2022", [nil, "may 2022"]), ("may 2022 lisbon", ["may 2022", nil]),
    ("12 may lisbon 2022", ["12 may", nil, "2022"]), ("2022 2023", ["2022", "2023"]),
    ("2022 12 may", ["2022", "12 may"]), ("video may", ["video", "may"]), ("-may 2022", ["may 2022"]),
    ("2022 -may", ["2022", "may"]), ("last summer video", ["last summer", "video"]),
    ("12 lisbon", [nil, nil]), ("\"may\" 2022", [nil, "2022"]), ("may \"2022\"", ["may", nil]),
    ("\"may 2022\"", [nil]), ("\"video\"", [nil]), ("live photos 2022", ["live photos", "2022"]),
    ("32 may", [nil, "may"]), ("31 june", [nil, "june"]), ("30 feb 2022", [nil, "feb 2022"]),
    ("may 2022 of", ["may 2022", nil]),
  ]

  @Test(arguments: mixtures)
  func `The longest date in adjacent words is one term`(text: String, terms: [String?]) throws {
    let query = try SearchQuery(parsing: text, in: Self.vocabulary)
    let found = query.texts.map {
      $0.condition == nil ? nil : String(decoding: $0.pattern.folded, as: UTF8.self)
    }
    #expect(found == terms)
    #expect(query.texts.first?.isExcluded == text.hasPrefix("-"))
  }

  static let localized: [(String, AssetPredicate)] = [
    ("mai", yearly(5)), ("März", yearly(3)), ("maerz", yearly(3)), ("12. Mai", yearly(5, day: 12)),
    ("3. Okt. 2022", days((2022, 10, 3), (2022, 10, 4))), ("may 2022", days((2022, 5, 1), (2022, 6, 1))),
    ("Bildschirmfotos", kind(.screenshots)), ("favorit", kind(.favorites)),
    ("porträt", kind(.depthEffectPhotos)),
    ("portraits", kind(.depthEffectPhotos)), ("videos", kind(.videos)), ("Zeitlupe", kind(.slomoVideos)),
  ]

  @Test(arguments: localized.filter { $0.0 != "maerz" })
  func `The user's language and English are understood`(text: String, condition: AssetPredicate) throws {
    #expect(try SearchQuery(parsing: text, in: Self.german).texts.map(\.condition) == [condition])
  }

  @Test(arguments: [
    ("de", "Fotos", PickerFilter.Name.images), ("fr", "captures d'écran", .screenshots),
    ("es", "capturas de pantalla", .screenshots), ("it", "preferiti", .favorites),
    ("pt", "câmara lenta", .slomoVideos), ("nl", "foto’s", .images), ("sv", "videos", .videos),
  ])
  func `Kinds have names in widely used languages`(
    language: String, words: String, kind: PickerFilter.Name
  ) throws {
    let vocabulary = SearchVocabulary(language: language, today: Self.today)
    let query = try SearchQuery(parsing: words, in: vocabulary)
    #expect(query.texts.map(\.condition) == [.filter(.matching(kind))])
    let typed = try SearchQuery(parsing: "type:\"\(words)\"", in: vocabulary)
    #expect(typed.predicate == .filter(.matching(kind)))
  }

  static let starts: [(String, (Int, Int, Int))] = [
    ("2022", (2022, 1, 1)), ("0001-02", (1, 2, 1)), ("may", (2024, 5, 1)), ("june", (2023, 6, 1)),
    ("\"12 may 2022\"", (2022, 5, 12)), ("\"17 may\"", (2023, 5, 17)), ("yesterday", (2024, 5, 15)),
    ("7d", (2024, 5, 9)), ("0d", (2024, 5, 16)), ("2w", (2024, 5, 2)), ("3m", (2024, 2, 16)),
    ("5m", (2023, 12, 16)), ("1y", (2023, 5, 16)), ("9999y", (1, 1, 1)), ("\"last summer\"", (2023, 6, 1)),
  ]

  @Test(arguments: starts.indices)
  func `After and before accept every date`(index: Int) throws {
    let (text, start) = Self.starts[index]
    let date = AssetDate(year: start.0, month: start.1, day: start.2)
    let after = try SearchQuery(parsing: "after:\(text)", in: Self.vocabulary)
    #expect(after.predicate == (AssetPredicate.creationDate >= date))
    let before = try SearchQuery(parsing: "before:\(text)", in: Self.vocabulary)
    #expect(before.predicate == (AssetPredicate.creationDate < date))
  }

  @Test func `A month ago is clamped to the last day of a shorter month`() throws {
    let vocabulary = SearchVocabulary(today: AssetDate(year: 2024, month: 3, day: 31))
    let query = try SearchQuery(parsing: "after:1m", in: vocabulary)
    #expect(query.predicate == (AssetPredicate.creationDate >= AssetDate(year: 2024, month: 2, day: 29)))
  }

  @Test(arguments: ["d", "7", "7x", "-7d", "12345d", "foo", "last", "12", "1d2"])
  func `An invalid date is reported in a complete sentence`(text: String) throws {
    let error = try #require(throws: SearchQueryError.self) {
      try SearchQuery(parsing: "after:\(text)", in: Self.vocabulary)
    }
    #expect(error.description == "“after:\(text)” is not a date: write after:2024-05 or after:7d")
  }

  @Test(arguments: [
    "9223372036854775807.5.2022", "-9223372036854775807.5.2022", "32.5.2022", "0.5.2022", "5.0.2022",
    "5.9223372036854775807.2022",
  ])
  func `A day that no month has is a word`(text: String) throws {
    let terms = try SearchQuery(parsing: text, in: Self.vocabulary).texts
    #expect(terms.count == 1 && terms.allSatisfy { $0.condition == nil })
    #expect(throws: SearchQueryError.self) {
      try SearchQuery(parsing: "date:\"\(text)\"", in: Self.vocabulary)
    }
  }

  @Test func `A day is recognized in every notation`() throws {
    var random = SeededGenerator(seed: 5)
    let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    for _ in 0..<500 {
      let date = AssetDate(
        year: Int.random(in: 1900...2100, using: &random), month: Int.random(in: 1...12, using: &random),
        day: Int.random(in: 1...31, using: &random), hour: Int.random(in: 0...23, using: &random))
      // A day that is not in the calendar would be returned as another one.
      let (year, month, day) = (date.components.year, date.components.month, date.components.day)
      let name = names[month - 1]
      let asset = Self.asset(date)
      for text in [
        "\(year)", "\(name) \(year)", "\(day) \(name) \(year)", "\(name) \(day) \(year)", "\(day) \(name)",
        "\(day).\(month).\(year)",
      ] {
        let condition = try #require(
          try SearchQuery(parsing: text, in: Self.vocabulary).texts.first?.condition)
        #expect(condition.matches(asset), "\(text)")
        let other = Self.asset(AssetDate(wallSeconds: date.wallSeconds + 366 * 86400))
        if text.contains("\(year)") { #expect(!condition.matches(other), "\(text)") }
      }
    }
  }

  private static func asset(_ date: AssetDate) -> Asset {
    var asset = Asset.photo("IMG.JPG")
    asset.creationDate = date
    return asset
  }

  @Test func `A term matches by its meaning or by its words`() throws {
    let asset = Self.asset(AssetDate(year: 2022, month: 5, day: 12))
    func isFound(_ text: String, name: String = "IMG.JPG") throws -> Bool {
      try SearchQuery(parsing: text, in: Self.vocabulary).matches(asset) {
        $0.contains(.fileName) ? [name] : []
      }
    }
    #expect(try isFound("may") && isFound("may 2022") && isFound("photo 12 may"))
    #expect(try !isFound("june") && !isFound("may 2021") && !isFound("video"))
    #expect(try isFound("june", name: "June and her dog.jpg") && isFound("june 2021", name: "june 2021.jpg"))
    #expect(try isFound("video", name: "a video still.jpg") && !isFound("\"may\""))
    #expect(try !isFound("-may") && isFound("-june") && !isFound("-june", name: "june.jpg"))
  }

  @Test func `Completions of a word are suggested`() {
    #expect(Self.vocabulary.kinds(beginningWith: "scr") == ["screenshots", "screen recordings"])
    #expect(Self.vocabulary.kinds(beginningWith: "hid").isEmpty)
    #expect(Self.vocabulary.dates(beginningWith: "ma") == ["March", "May"])
    #expect(Self.vocabulary.dates(beginningWith: "last su") == ["last summer"])
    #expect(Self.german.kinds(beginningWith: "bild") == ["Bildschirmfotos", "Bildschirmaufnahmen"])
    #expect(Self.german.dates(beginningWith: "ma") == ["März", "Mai", "March", "May"])
  }
}

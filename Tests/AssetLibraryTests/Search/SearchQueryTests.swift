import AssetLibrary
import Testing

@Suite struct SearchQueryTests {
  private static func date(_ year: Int, _ month: Int = 1, _ day: Int = 1) -> AssetDate {
    AssetDate(year: year, month: month, day: day)
  }

  private static func number(_ comparison: AssetPredicate.Comparison, _ stars: Double) -> AssetPredicate {
    .number(.rating, comparison, stars)
  }

  static let conditions: [(String, AssetPredicate)] = [
    ("after:2024", AssetPredicate.creationDate >= date(2024)),
    ("after:2024-05", AssetPredicate.creationDate >= date(2024, 5)),
    ("before:2024-02-29", AssetPredicate.creationDate < date(2024, 2, 29)),
    ("BEFORE:0001", AssetPredicate.creationDate < date(1)),
    ("type:photo", .filter(.matching(.images))), ("type:image", .filter(.matching(.images))),
    ("type:video", .filter(.matching(.videos))), ("type:live", .filter(.matching(.livePhotos))),
    ("type:raw", .filter(.matching(.raw))), ("type:gif", .filter(.matching(.animated))),
    ("type:animated", .filter(.matching(.animated))), ("type:Screenshot", .filter(.matching(.screenshots))),
    ("type:hdr", .filter(.matching(.hdr))), ("type:selfie", .filter(.matching(.selfies))),
    ("-type:video", .not(.filter(.matching(.videos)))),
    ("rating:4", number(.equal, 4)), ("rating:=4", number(.equal, 4)),
    ("rating:>=4", number(.greaterOrEqual, 4)),
    ("rating:<=2", number(.lessOrEqual, 2)), ("rating:<2", number(.less, 2)),
    ("rating:>0", number(.greater, 0)), ("rating:!=3", number(.notEqual, 3)),
    (
      "near:38.72,-9.14,10",
      .location(near: Location(latitude: 38.72, longitude: -9.14), kilometers: 10)
    ),
    (
      "near:\"38.72, -9.14, 0.5\"",
      .location(near: Location(latitude: 38.72, longitude: -9.14), kilometers: 0.5)
    ),
    (
      "after:2024 before:2025",
      .and([.date(.creationDate, .greaterOrEqual, date(2024)), .date(.creationDate, .less, date(2025))])
    ),
  ]

  @Test(arguments: conditions.indices)
  func `Terms become conditions`(index: Int) throws {
    let (text, predicate) = Self.conditions[index]
    let query = try SearchQuery(parsing: text)
    #expect(query.predicate == predicate)
    #expect(query.texts.isEmpty)
  }

  @Test(arguments: PickerFilter.Name.allCases)
  func `Every filter name is a type`(name: PickerFilter.Name) throws {
    let query = try SearchQuery(parsing: "type:\(name.rawValue.uppercased())")
    #expect(query.predicate == .filter(.matching(name)))
  }

  private static func term(
    _ text: String, in fields: SearchFields = .all, fuzzy: Bool = false, excluded: Bool = false
  ) -> TextTerm {
    TextTerm(pattern: TextPattern(text, allowsFuzzy: fuzzy), fields: fields, isExcluded: excluded)
  }

  static let words: [(String, [TextTerm])] = [
    ("", []), ("  ", []), ("lisbon", [term("lisbon", fuzzy: true)]),
    (" lisbon\tbeach ", [term("lisbon", fuzzy: true), term("beach", fuzzy: true)]),
    ("\"two words\"", [term("two words")]), ("“two words”", [term("two words")]),
    ("-beach", [term("beach", excluded: true)]), ("-\"two words\"", [term("two words", excluded: true)]),
    ("camera:canon", [term("canon", in: .camera)]), ("camera:\"EOS 90D\"", [term("EOS 90D", in: .camera)]),
    ("person:Ana", [term("Ana", in: .people)]), ("keyword:sea", [term("sea", in: .keywords)]),
    ("lens:EF-S18", [term("EF-S18", in: .lens)]), ("title:water", [term("water", in: .title)]),
    ("PATH:2024/Lisbon", [term("2024/Lisbon", in: .path)]),
    ("-path:old", [term("old", in: .path, excluded: true)]),
    ("not beach", [term("beach", excluded: true)]),
    ("NOT \"two words\"", [term("two words", excluded: true)]),
    ("not -beach", [term("beach", fuzzy: true)]), ("not not beach", [term("beach", fuzzy: true)]),
    ("\"or\"", [term("or")]), ("orange", [term("orange", fuzzy: true)]),
    ("a(b)", [term("a(b)", fuzzy: true)]), ("b)", [term("b)")]), ("\"(\"", [term("(")]),
    ("Album:Lisbon", [term("Lisbon", in: .album)]), ("-album:old", [term("old", in: .album, excluded: true)]),
    ("\"12:30\"", [term("12:30")]), ("a-b", [term("a-b", fuzzy: true)]),
    ("--a", [term("-a", excluded: true)]),
  ]

  @Test(arguments: words)
  func `Words are searched for`(text: String, terms: [TextTerm]) throws {
    let query = try SearchQuery(parsing: text)
    #expect(query.texts == terms)
    #expect(query.predicate == nil)
    #expect(query.isEmpty == terms.isEmpty)
  }

  static let errors: [(String, String, String)] = [
    ("beach after:soon", "after:soon", "is not a date: write after:2024-05 or after:7d"),
    ("After:soon", "After:soon", "is not a date: write after:2024-05 or after:7d"),
    ("after:2024-13", "after:2024-13", "is not a date"), ("before:", "before:", "write before:2024-05"),
    ("after:2024-02-30", "after:2024-02-30", "is not a date"), ("after:", "after:", "is not a date"),
    ("after:2024-5-1", "after:2024-5-1", "is not a date"),
    ("after:2024-05-01-01", "after:2024-05-01-01", "is not a date"),
    ("after:0000", "after:0000", "is not a date"), ("before:٢٠٢٤", "before:٢٠٢٤", "is not a date"),
    ("type:cats", "type:cats", "type:screenshots"),
    ("type:", "type:", "is not a kind of photo: write type:photo"),
    ("rating:6", "rating:6", "0 to 5"), ("rating:>=", "rating:>=", "rating:>=4"),
    ("rating:four", "rating:four", "0 to 5"), ("rating:4.5", "rating:4.5", "0 to 5"),
    ("near:1,2", "near:1,2", "latitude"), ("near:91,0,1", "near:91,0,1", "latitude"),
    ("near:0,181,1", "near:0,181,1", "latitude"), ("near:0,0,-1", "near:0,0,-1", "kilometers"),
    ("near:nan,0,1", "near:nan,0,1", "latitude"), ("near:0,0,inf", "near:0,0,inf", "is not a location"),
    ("camera:", "camera:", "has no value: write a word of its name"),
    ("-album:\"\"", "-album:\"\"", "has no value"),
    ("colour:4", "colour:4", "rating:"), ("12:30", "12:30", "or quote it: \"12:30\""), (":x", ":x", "after:"),
    ("date:soon", "date:soon", "is not a date: write date:2024-05 or date:yesterday"),
    ("date:7d", "date:7d", "is not a date"),
    ("ext:", "ext:", "has no value: write a file extension, as ext:heic"),
    ("ext:.", "ext:.", "has no value"),
    ("path:", "path:", "has no value: write a word of it, as path:\"two words\""),
    ("width:wide", "width:wide", "is not a number of pixels: write one, as width:1920 or width:>=1920"),
    ("height:>", "height:>", "as height:1920"), ("width:-5", "width:-5", "is not a number of pixels"),
    ("width:1e9", "width:1e9", "is not a number"), ("width:٤٥", "width:٤٥", "is not a number"),
    ("ratio:wide", "ratio:wide", "write ratio:landscape, ratio:portrait or ratio:square"),
    ("size:>big", "size:>big", "is not a file size: write one with its unit, as size:>2MB"),
    ("size:", "size:", "is not a file size"), ("size:2parsecs", "size:2parsecs", "is not a file size"),
    ("duration:long", "duration:long", "is not a duration: write one with its unit, as duration:<=60s"),
    ("duration:1:75", "duration:1:75", "is not a duration"),
    ("or", "or", "has no term beside it: write one on each side of it, or quote it: \"or\""),
    ("or a", "or", "on each side"), ("a or", "or", "on each side"), ("a or or b", "or", "on each side"),
    ("(a or) b", "or", "on each side"), ("(or a)", "or", "on each side"),
    ("not", "not", "has no term after it: write what to leave out after it, or quote it: \"not\""),
    ("not or a", "not", "has no term after it"), ("(not) a", "not", "has no term after it"),
    ("(a", "(", "is never closed: write ) after the last term"), ("(", "(", "is never closed"),
    ("a -(b (c)", "(", "is never closed"), ("()", "()", "contains no term"),
    ("a -( )", "()", "contains no term"),
    (")", ")", "closes no parenthesis: write ( before the first term, or quote it"),
    ("(a) )", ")", "closes no parenthesis"),
    (
      String(repeating: "(", count: 64) + "a" + String(repeating: ")", count: 64), "(", "is nested too deeply"
    ),
    ("\"open", "\"open", "has no closing quote"), ("-", "-", "contains no word"),
    ("\"\"", "\"\"", "is empty"),
  ]

  @Test(arguments: errors)
  func `An invalid term is reported with the expected form`(
    text: String, term: String, expected: String
  ) throws {
    let error = try #require(throws: SearchQueryError.self) { try SearchQuery(parsing: text) }
    #expect(error.term == term)
    #expect(error.description == "“\(term)” \(error.fault): \(error.advice)")
    #expect(error.description.contains(expected))
  }

  static let found: [(String, Bool)] = [
    ("lisbon", true), ("canon lisbon", true), ("porto", false), ("lisbon porto", false), ("-porto", true),
    ("-lisbon", false), ("camera:canon", true), ("camera:lisbon", false), ("album:lisb", true), ("", true),
    ("-camera:lisbon", true), ("album:lsbn", false),
  ]

  @Test(arguments: found)
  func `All words must match, each in any field`(text: String, isFound: Bool) throws {
    let query = try SearchQuery(parsing: text)
    let matches = query.matches(Asset.photo("a")) { fields in
      (fields.contains(.camera) ? ["Canon EOS 90D"] : []) + (fields.contains(.album) ? ["Lisbon"] : [])
    }
    #expect(matches == isFound)
  }
}

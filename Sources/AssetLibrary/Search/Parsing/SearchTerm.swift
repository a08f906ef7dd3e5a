/// One term of a search query as it was typed.
struct SearchTerm {
  enum Meaning {
    case condition(AssetPredicate)
    case text(TextPattern, SearchFields)
  }

  /// The term including its quotes and minus sign.
  var source = ""
  var isExcluded = false
  /// The text before the first colon that is outside quotes; nil if there is none.
  var key: String?
  /// The text after that colon, or the whole term; without quotes.
  var value = ""
  var isQuoted = false

  /// The quotation marks, which group words.
  static let quotes: Set<Character> = ["\"", "“", "”", "„"]

  /// Parses the first term of a text that does not begin with whitespace.
  /// - Parameter isInParentheses: whether a closing parenthesis without a counterpart inside the term ends
  ///   it.
  init(takingFrom rest: inout Substring, isInParentheses: Bool = false) throws(SearchQueryError) {
    var isInQuotes = false
    var ownParentheses = 0
    while let next = rest.first, isInQuotes || !next.isWhitespace {
      if !isInQuotes, next == "(" { ownParentheses += 1 }
      if !isInQuotes, next == ")" {
        if ownParentheses == 0, isInParentheses { break }
        ownParentheses -= 1
      }
      rest.removeFirst()
      source.append(next)
      switch next {
      case _ where Self.quotes.contains(next):
        isInQuotes.toggle()
        isQuoted = true
      case "-" where source == "-": isExcluded = true
      case ":" where !isInQuotes && !isQuoted && key == nil:
        key = value
        value = ""
      default: value.append(next)
      }
    }
    if isInQuotes {
      throw failure("has no closing quote", advice: "write one after its last word")
    }
    if value.isEmpty, key == nil {
      throw isQuoted
        ? failure("is empty", advice: "write a word between the quotes")
        : failure("contains no word", advice: "write what to leave out after it, as -video")
    }
  }

  /// Whether the term is a word that can be a date or a kind, alone or together with its neighbors.
  var isPlainWord: Bool { key == nil && !isQuoted }

  /// A search key, which precedes the colon of a term, with its meaning and help.
  struct Key: Sendable {
    enum Question: Sendable {
      /// Searches for a word in the texts of these fields.
      case word(in: SearchFields)
      case condition(@Sendable (SearchTerm, SearchVocabulary) throws(SearchQueryError) -> AssetPredicate)
    }

    let name: String
    /// A short description of what the key matches.
    let help: String
    /// Values offered by completion: either all values, or examples.
    let values: [String]
    let question: Question

    init(
      _ name: String, _ help: String, values: [String] = [],
      _ condition:
        @escaping @Sendable (SearchTerm, SearchVocabulary) throws(SearchQueryError) ->
        AssetPredicate
    ) {
      (self.name, self.help, self.values, question) = (name, help, values, .condition(condition))
    }

    init(_ name: String, _ help: String, wordIn field: SearchFields) {
      (self.name, self.help, values, question) = (name, help, [], .word(in: field))
    }
  }

  /// All keys, in the order in which messages list them.
  static let keys = timeKeys + textKeys + formKeys

  private static let timeKeys = [
    Key("after", "taken on this day or later", values: ["7d", "30d"]) {
      term, words throws(SearchQueryError) in AssetPredicate.creationDate >= (try term.date(words))
    },
    Key("before", "taken before this day", values: ["7d", "30d"]) { term, words throws(SearchQueryError) in
      AssetPredicate.creationDate < (try term.date(words))
    },
    Key("date", FactHelp.creationDate, values: ["today", "yesterday"]) {
      term, words throws(SearchQueryError) in try term.span(words).predicate
    },
    Key("type", "the kind: photo, video, or a filter", values: PickerFilter.Name.allCases.map(\.rawValue)) {
      term, words throws(SearchQueryError) in .filter(.matching(try term.type(words)))
    },
  ]

  private static let textKeys = [
    Key("camera", FactHelp.camera, wordIn: .camera),
    Key("lens", FactHelp.lens, wordIn: .lens),
    Key("album", FactHelp.albums, wordIn: .album),
    Key("path", FactHelp.path, wordIn: .path),
    Key("person", FactHelp.people, wordIn: .people),
    Key("keyword", FactHelp.keywords, wordIn: .keywords),
    Key("title", "the title or the caption", wordIn: .title),
  ]

  private static let formKeys = [
    Key("ext", FactHelp.fileExtension, values: ["jpg", "heic", "mp4"]) { term, _ throws(SearchQueryError) in
      try term.fileExtension()
    },
    Key("rating", FactHelp.rating, values: ["5", ">=4", ">=3"]) { term, _ throws(SearchQueryError) in
      try term.rating()
    },
    Key("size", FactHelp.fileSize, values: [">1MB", ">10MB", "<1MB"]) { term, _ throws(SearchQueryError) in
      try term.size()
    },
    Key("width", FactHelp.pixelWidth, values: [">=1920", ">=3840", "<1000"]) {
      term, _ throws(SearchQueryError) in try term.pixels(.pixelWidth)
    },
    Key("height", FactHelp.pixelHeight, values: [">=1080", ">=2160", "<1000"]) {
      term, _ throws(SearchQueryError) in try term.pixels(.pixelHeight)
    },
    Key("ratio", "the shape of the picture", values: ["landscape", "portrait", "square"]) {
      term, _ throws(SearchQueryError) in try term.shape()
    },
    Key("duration", FactHelp.duration, values: ["<=10s", "<=60s", ">5min"]) {
      term, _ throws(SearchQueryError) in try term.duration()
    },
    Key("near", "taken within a radius of a place") { term, _ throws(SearchQueryError) in
      try term.near()
    },
  ]

  func meaning(_ vocabulary: SearchVocabulary) throws(SearchQueryError) -> Meaning {
    guard let key else {
      return .text(TextPattern(value, allowsFuzzy: !isQuoted && !isExcluded), .all)
    }
    let name = key.lowercased()
    switch Self.keys.first(where: { $0.name == name })?.question {
    case .condition(let condition): return .condition(try condition(self, vocabulary))
    case .word(let field):
      guard !value.isEmpty else {
        let whole = [.path, .keywords, .title].contains(field) ? "it" : "its name"
        throw failure("has no value", advice: "write a word of \(whole), as \(name):\"two words\"")
      }
      return .text(TextPattern(value, allowsFuzzy: false), field)
    case nil:
      let names = Self.keys.map { $0.name + ":" }.joined(separator: ", ")
      throw failure(
        "starts with an unknown search key",
        advice: "write one of \(names), or quote it: \"\(key):\(value)\"")
    }
  }

  func failure(_ fault: String, advice: String) -> SearchQueryError {
    SearchQueryError(source, fault, advice: advice)
  }
}

// Terms that compare a number, and terms about the file's format.

extension SearchTerm {
  /// Parses a rating in stars with a comparison.
  private func rating() throws(SearchQueryError) -> AssetPredicate {
    let (sign, digits) = comparison
    guard digits.count == 1, let stars = Int(digits), (0...5).contains(stars) else {
      throw failure("is not a rating", advice: "write one from 0 to 5, as rating:4 or rating:>=4")
    }
    return .number(.rating, sign, Double(stars))
  }

  /// Parses the length of a side in pixels after orientation; photos of unknown size never match.
  private func pixels(_ key: AssetPredicate.NumberKey) throws(SearchQueryError) -> AssetPredicate {
    let (sign, digits) = comparison
    guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let pixels = Double(digits)
    else {
      let name = (self.key ?? "").lowercased()
      throw failure("is not a number of pixels", advice: "write one, as \(name):1920 or \(name):>=1920")
    }
    return Self.known(key, .number(key, sign, pixels), unless: !sign.holds(0, pixels))
  }

  /// Parses a file size with a comparison.
  private func size() throws(SearchQueryError) -> AssetPredicate {
    let (sign, text) = comparison
    guard let bytes = MeasureText.bytes(of: text) else {
      throw failure("is not a file size", advice: "write one with its unit, as size:>2MB or size:<=500kB")
    }
    return .number(.byteCount, sign, bytes)
  }

  /// Parses a duration in seconds with a comparison; durations that round to the same second are equal.
  private func duration() throws(SearchQueryError) -> AssetPredicate {
    let (sign, text) = comparison
    guard let seconds = MeasureText.seconds(of: text) else {
      throw failure(
        "is not a duration", advice: "write one with its unit, as duration:<=60s or duration:>5min")
    }
    let isEqual = AssetPredicate.duration >= seconds - 0.5 && AssetPredicate.duration < seconds + 0.5
    let predicate: AssetPredicate =
      switch sign {
      case .equal: isEqual
      case .notEqual: .not(isEqual)
      default: .number(.duration, sign, seconds)
      }
    return Self.known(.duration, predicate, unless: false)
  }

  /// Parses the shape of the photo after orientation.
  private func shape() throws(SearchQueryError) -> AssetPredicate {
    guard let shape = AssetPredicate.Shape(rawValue: value.lowercased()) else {
      throw failure(
        "is not a shape", advice: "write ratio:landscape, ratio:portrait or ratio:square")
    }
    return .shape(shape)
  }

  /// Parses a file extension, with or without its dot.
  private func fileExtension() throws(SearchQueryError) -> AssetPredicate {
    let suffix = value.drop { $0 == "." }
    guard !suffix.isEmpty else {
      throw failure("has no value", advice: "write a file extension, as ext:heic")
    }
    return .fileExtension(suffix.lowercased())
  }

  /// The comparison operator of the value, and the rest of the value.
  private var comparison: (AssetPredicate.Comparison, Substring) {
    // Longer operators first: "<" is a prefix of "<=".
    let signs: [AssetPredicate.Comparison] = [
      .lessOrEqual, .greaterOrEqual, .notEqual, .less, .greater, .equal,
    ]
    let sign = signs.first { value.hasPrefix($0.rawValue) }
    return (sign ?? .equal, value.dropFirst(sign?.rawValue.count ?? 0))
  }

  /// Returns a condition that is false for assets whose number is 0, which means unknown.
  /// - Parameter isImplied: whether the condition is false for 0 in any case.
  private static func known(
    _ key: AssetPredicate.NumberKey, _ predicate: AssetPredicate, unless isImplied: Bool
  ) -> AssetPredicate {
    isImplied ? predicate : .and([.number(key, .greater, 0), predicate])
  }
}

// Terms with dates, kinds and places.

extension SearchTerm {
  /// Parses a date, or a time before today such as "7d"; returns the first moment of that day, month or year.
  private func date(_ vocabulary: SearchVocabulary) throws(SearchQueryError) -> AssetDate {
    if let start = Self.start(ofLast: value, before: vocabulary.today) { return start }
    return try span(vocabulary, example: "7d").start(before: vocabulary.today)
  }

  /// Parses a date.
  /// - Parameter example: a second example for the error message, in addition to a month.
  private func span(
    _ vocabulary: SearchVocabulary, example: String = "yesterday"
  ) throws(SearchQueryError) -> DateSpan {
    if let span = DateSpan(numeric: value) { return span }
    let words = value.split(whereSeparator: \.isWhitespace).map { SearchVocabulary.fold(String($0)) }
    guard let span = DatePhrase(words, in: vocabulary)?.span else {
      let name = (key ?? "").lowercased()
      throw failure("is not a date", advice: "write \(name):2024-05 or \(name):\(example)")
    }
    return span
  }

  /// Parses "7d", "2w", "3m" or "1y": the day that many days, weeks, months or years ago.
  private static func start(ofLast text: String, before today: AssetDate) -> AssetDate? {
    let digits = text.dropLast()
    guard !digits.isEmpty, digits.count <= 4, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int(digits)
    else { return nil }
    let (year, month, day) = (today.components.year, today.components.month, today.components.day)
    switch text.last {
    case "d": return today.startOfDay(-count)
    case "w": return today.startOfDay(-7 * count)
    case "m", "y":
      let months = year * 12 + month - 1 - count * (text.last == "y" ? 12 : 1)
      guard months >= 12 else { return AssetDate(year: 1, month: 1, day: 1) }
      // If the month has no such day, use its last day.
      let days = (1...day).reversed().lazy.compactMap { DateSpan.day(months / 12, months % 12 + 1, $0) }
      return days.first?.start(before: today)
    default: return nil
    }
  }

  /// Parses the name of a filter in English or the user's language.
  private func type(_ vocabulary: SearchVocabulary) throws(SearchQueryError) -> PickerFilter.Name {
    guard let kind = vocabulary.kind(named: value) else {
      throw failure(
        "is not a kind of photo",
        advice:
          "write type:photo, type:video, type:live, type:raw, type:screenshots or the name of another filter")
    }
    return kind
  }

  /// Parses a location and a radius.
  private func near() throws(SearchQueryError) -> AssetPredicate {
    let numbers = value.split(separator: ",", omittingEmptySubsequences: false).map { part in
      Double(part.drop(while: \.isWhitespace)) ?? .nan
    }
    guard numbers.count == 3, (-90...90).contains(numbers[0]), (-180...180).contains(numbers[1]),
      numbers[2] >= 0, numbers[2].isFinite
    else {
      throw failure(
        "is not a location",
        advice: "write latitude and longitude in degrees and a radius in kilometers, as near:38.72,-9.14,10")
    }
    let place = Location(latitude: numbers[0], longitude: numbers[1])
    return .location(near: place, kilometers: numbers[2])
  }
}

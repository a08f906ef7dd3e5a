/// One term of a search as it was typed.
struct SearchTerm {
  enum Meaning {
    case condition(AssetPredicate)
    case text(TextPattern, SearchFields)
  }

  /// The term with its quotes and its minus sign.
  var source = ""
  var isExcluded = false
  /// What stands before the first colon outside of quotes; nil where there is none.
  var key: String?
  /// What stands after it, or the whole term, without quotes.
  var value = ""
  var isQuoted = false

  /// What holds blanks together.
  static let quotes: Set<Character> = ["\"", "“", "”", "„"]

  /// Takes the first term of a text that does not begin with a blank.
  /// - Parameter isInParentheses: whether a closing parenthesis ends the term, unless it belongs to one within it.
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
        : failure("names no word", advice: "write what to leave out after it, as -video")
    }
  }

  /// Whether the term is a word that may say a date or a kind, alone or with its neighbors.
  var isPlainWord: Bool { key == nil && !isQuoted }

  /// The names of the terms that look into one field.
  static let fields: [(name: String, field: SearchFields)] = [
    ("camera", .camera), ("lens", .lens), ("album", .album), ("path", .path), ("person", .people),
    ("keyword", .keywords), ("title", .title),
  ]

  /// The names of all terms, in the order in which they are listed.
  static let names = [
    "after", "before", "date", "type", "camera", "lens", "album", "path", "person", "keyword", "title", "ext",
    "rating", "size", "width", "height", "ratio", "duration", "near",
  ]

  func meaning(_ vocabulary: SearchVocabulary) throws(SearchQueryError) -> Meaning {
    guard let key else {
      return .text(TextPattern(value, allowsFuzzy: !isQuoted && !isExcluded), .all)
    }
    let name = key.lowercased()
    if let field = Self.fields.first(where: { $0.name == name })?.field {
      guard !value.isEmpty else {
        let whole = [.path, .keywords, .title].contains(field) ? "it" : "its name"
        throw failure("names no \(name)", advice: "write a word of \(whole), as \(name):\"two words\"")
      }
      return .text(TextPattern(value, allowsFuzzy: false), field)
    }
    switch name {
    case "after": return .condition(AssetPredicate.creationDate >= (try date(vocabulary)))
    case "before": return .condition(AssetPredicate.creationDate < (try date(vocabulary)))
    case "date": return .condition(try span(vocabulary).predicate)
    case "type": return .condition(.filter(.matching(try type(vocabulary))))
    case "ext": return .condition(try fileExtension())
    case "rating": return .condition(try rating())
    case "size": return .condition(try size())
    case "width": return .condition(try pixels(.pixelWidth))
    case "height": return .condition(try pixels(.pixelHeight))
    case "ratio": return .condition(try shape())
    case "duration": return .condition(try duration())
    case "near": return .condition(try near())
    default:
      let names = Self.names.map { $0 + ":" }.joined(separator: ", ")
      throw failure(
        "begins with no term that there is",
        advice: "write one of \(names), or quote it: \"\(key):\(value)\"")
    }
  }

  func failure(_ fault: String, advice: String) -> SearchQueryError {
    SearchQueryError(source, fault, advice: advice)
  }
}

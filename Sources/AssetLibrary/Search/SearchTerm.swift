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

  /// Takes a search apart at its blanks.
  static func split(_ text: String) throws(SearchQueryError) -> [SearchTerm] {
    var terms: [SearchTerm] = []
    var rest = Substring(text)
    while let start = rest.firstIndex(where: { !$0.isWhitespace }) {
      rest = rest[start...]
      terms.append(try SearchTerm(takingFrom: &rest))
    }
    return terms
  }

  /// What holds blanks together.
  static let quotes: Set<Character> = ["\"", "“", "”", "„"]

  private init(takingFrom rest: inout Substring) throws(SearchQueryError) {
    var isInQuotes = false
    while let next = rest.first, isInQuotes || !next.isWhitespace {
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
    ("camera", .camera), ("album", .album), ("person", .people), ("keyword", .keywords),
  ]

  /// The names of all terms, in the order in which they are listed.
  static let names = ["after", "before", "type", "camera", "album", "person", "keyword", "rating", "near"]

  func meaning(_ vocabulary: SearchVocabulary) throws(SearchQueryError) -> Meaning {
    guard let key else {
      return .text(TextPattern(value, allowsFuzzy: !isQuoted && !isExcluded), .all)
    }
    let name = key.lowercased()
    if let field = Self.fields.first(where: { $0.name == name })?.field {
      guard !value.isEmpty else {
        throw failure("names no \(name)", advice: "write a word of its name, as \(name):\"two words\"")
      }
      return .text(TextPattern(value, allowsFuzzy: false), field)
    }
    switch name {
    case "after": return .condition(AssetPredicate.creationDate >= (try date(vocabulary)))
    case "before": return .condition(AssetPredicate.creationDate < (try date(vocabulary)))
    case "type": return .condition(.filter(.matching(try type(vocabulary))))
    case "rating": return .condition(try rating())
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

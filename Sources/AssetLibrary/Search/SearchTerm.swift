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

  private init(takingFrom rest: inout Substring) throws(SearchQueryError) {
    var isInQuotes = false
    while let next = rest.first, isInQuotes || !next.isWhitespace {
      rest.removeFirst()
      source.append(next)
      switch next {
      case "\"", "“", "”", "„":
        isInQuotes.toggle()
        isQuoted = true
      case "-" where source == "-": isExcluded = true
      case ":" where !isInQuotes && !isQuoted && key == nil:
        key = value
        value = ""
      default: value.append(next)
      }
    }
    if isInQuotes { throw SearchQueryError(source, expected: "a closing quote") }
    if value.isEmpty, key == nil { throw SearchQueryError(source, expected: "a word") }
  }

  func meaning() throws(SearchQueryError) -> Meaning {
    guard let key else {
      return .text(TextPattern(value, allowsFuzzy: !isQuoted && !isExcluded), .all)
    }
    switch key.lowercased() {
    case "camera": return .text(try word(of: "camera"), .camera)
    case "album": return .text(try word(of: "album"), .album)
    case "after": return .condition(AssetPredicate.creationDate >= (try date()))
    case "before": return .condition(AssetPredicate.creationDate < (try date()))
    case "type": return .condition(.filter(.matching(try type())))
    case "rating": return .condition(try rating())
    case "near": return .condition(try near())
    default:
      throw failure(
        "after:, before:, type:, camera:, album:, rating:, near: or a quoted word, as \"\(key):\(value)\",")
    }
  }

  func failure(_ expected: String) -> SearchQueryError { SearchQueryError(source, expected: expected) }

  private func word(of name: String) throws(SearchQueryError) -> TextPattern {
    if value.isEmpty { throw failure("a word of the \(name)'s name") }
    return TextPattern(value, allowsFuzzy: false)
  }
}

/// Why a search can't be understood: the term that is at fault, and what would be right.
public struct SearchQueryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The term as it was written.
  public var term: String
  /// What was expected, as words before "is expected".
  public var expected: String

  public init(_ term: String, expected: String) {
    self.term = term
    self.expected = expected
  }

  public var description: String { "'\(term)': \(expected) is expected" }
}

extension SearchQuery {
  /// Reads what a user typed: terms with blanks between them, all of which must be met.
  ///
  /// | term | finds |
  /// |---|---|
  /// | `word` | the word in file name, album, camera, lens, keywords, title or people; fuzzily too |
  /// | `"two words"` | the phrase as it is |
  /// | `after:DATE` | taken on the first day of DATE or later; DATE is `2024`, `2024-05` or `2024-05-01` |
  /// | `before:DATE` | taken before the first day of DATE |
  /// | `type:NAME` | photo, video, live, raw, gif, screenshot… and every name of `PickerFilter` |
  /// | `camera:WORD` `album:WORD` | the word in the camera's name or in an album's title, not fuzzily |
  /// | `rating:>=4` | stars; also `=`, `<`, `<=`, `>` and the plain number |
  /// | `near:LAT,LON,KM` | taken within so many kilometres of a place in degrees |
  /// | `-TERM` | what does not meet the term; words not fuzzily |
  ///
  /// Quotes hold blanks together anywhere (`camera:"EOS 90D"`). Names of terms in any capitals. A word with a
  /// colon that is no such name has to be quoted.
  /// - Throws: `SearchQueryError`, which names the term.
  public init(parsing text: String) throws(SearchQueryError) {
    var predicates: [AssetPredicate] = []
    var texts: [TextTerm] = []
    for term in try SearchTerm.split(text) {
      switch try term.meaning() {
      case .condition(let predicate): predicates.append(term.isExcluded ? .not(predicate) : predicate)
      case .text(let pattern, let fields):
        texts.append(TextTerm(pattern: pattern, fields: fields, isExcluded: term.isExcluded))
      }
    }
    let predicate = predicates.count > 1 ? AssetPredicate.and(predicates) : predicates.first
    self.init(predicate: predicate, texts: texts)
  }
}

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

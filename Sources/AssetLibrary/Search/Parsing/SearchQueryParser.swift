/// A recursive-descent parser for search queries.
///
///     search = all { "or" all }
///     all    = item { item }
///     item   = { "not" } ( term | "(" search ")" | "-(" search ")" )
struct SearchQueryParser {
  /// The maximum nesting, deeper than any useful query; it bounds the recursion.
  private static let deepest = 64

  private var tokens: ArraySlice<SearchToken>
  private let vocabulary: SearchVocabulary
  private let isComplete: Bool

  init(_ tokens: [SearchToken], vocabulary: SearchVocabulary, isComplete: Bool) {
    self.tokens = tokens[...]
    self.vocabulary = vocabulary
    self.isComplete = isComplete
  }

  mutating func query() throws(SearchQueryError) -> SearchQuery {
    if tokens.isEmpty { return SearchQuery() }
    return Self.joined(try alternatives(depth: 0))
  }

  /// Parses the queries between the words `or`, up to the end or a closing parenthesis; the result is empty
  /// only if nothing has been typed yet.
  private mutating func alternatives(depth: Int) throws(SearchQueryError) -> [SearchQuery] {
    guard depth < Self.deepest else {
      throw SearchQueryError("(", "is nested too deeply", advice: "write fewer parentheses")
    }
    var found: [SearchQuery] = []
    repeat {
      let query = try conjunction(depth: depth)
      if !query.isEmpty {
        found.append(query)
      } else if isComplete || !endsHere {
        throw SearchQueryError(
          "or", "has no term beside it", advice: "write one on each side of it, or quote it: \"or\"")
      }
    } while takeWord("or")
    return found
  }

  /// Whether nothing follows, except perhaps an `or` that is still being typed.
  private var endsHere: Bool { tokens.isEmpty || (tokens.count == 1 && tokens.first?.isWord("or") == true) }

  /// Parses terms that must all be met.
  private mutating func conjunction(depth: Int) throws(SearchQueryError) -> SearchQuery {
    var predicates: [AssetPredicate] = []
    var query = SearchQuery()
    while let token = tokens.first, !token.isWord("or") {
      if case .close = token { break }
      var isExcluded = false
      while takeWord("not") { isExcluded.toggle() }
      switch tokens.first {
      case .term(let term) where !term.isPlainWord || term.source.lowercased() != "or":
        tokens.removeFirst()
        try add(term, isExcluded: isExcluded, to: &query, &predicates)
      case .open(let isNegated):
        tokens.removeFirst()
        let inner = try group(depth: depth + 1)
        if !inner.isEmpty { Self.add(inner, isExcluded: isExcluded != isNegated, to: &query, &predicates) }
      default:
        if isComplete || !tokens.isEmpty {
          throw SearchQueryError(
            "not", "has no term after it", advice: "write what to leave out after it, or quote it: \"not\"")
        }
      }
    }
    query.predicate = predicates.count > 1 ? .and(predicates) : predicates.first
    return query
  }

  /// Parses the contents of parentheses, after the opening one.
  private mutating func group(depth: Int) throws(SearchQueryError) -> [SearchQuery] {
    if case .close? = tokens.first {
      throw SearchQueryError("()", "contains no term", advice: "write one between the parentheses")
    }
    let isOpen = SearchQueryError(
      "(", "is never closed", advice: "write ) after the last term that belongs to it")
    if tokens.isEmpty, isComplete { throw isOpen }
    let found = try alternatives(depth: depth)
    if tokens.isEmpty {
      if isComplete { throw isOpen }
    } else {
      tokens.removeFirst()
    }
    return found
  }

  private mutating func takeWord(_ word: String) -> Bool {
    guard let token = tokens.first, token.isWord(word) else { return false }
    tokens.removeFirst()
    return true
  }

  // MARK: Putting together

  /// Adds a term, and consumes the following words that form a date or a kind together with it.
  private mutating func add(
    _ term: SearchTerm, isExcluded: Bool, to query: inout SearchQuery, _ predicates: inout [AssetPredicate]
  ) throws(SearchQueryError) {
    var term = term
    if isExcluded { term.isExcluded.toggle() }
    // No more than one phrase can have: a long text pasted as a search would take quadratic time.
    let words = tokens.prefix(DatePhrase.mostWords).prefix { $0.neighbor != nil }.compactMap(\.neighbor)
    if term.isPlainWord, let (count, condition) = vocabulary.meaning(of: [term.value] + words) {
      let phrase = ([term.value] + words.prefix(count - 1)).joined(separator: " ")
      query.texts.append(
        TextTerm(
          pattern: TextPattern(phrase, allowsFuzzy: false), isExcluded: term.isExcluded, condition: condition)
      )
      tokens = tokens.dropFirst(count - 1)
      return
    }
    switch try term.meaning(vocabulary) {
    case .condition(let predicate): predicates.append(term.isExcluded ? .not(predicate) : predicate)
    case .text(let pattern, let fields):
      query.texts.append(TextTerm(pattern: pattern, fields: fields, isExcluded: term.isExcluded))
    }
  }

  /// Adds the contents of parentheses in the simplest form: conditions on attributes alone need no group.
  private static func add(
    _ alternatives: [SearchQuery], isExcluded: Bool, to query: inout SearchQuery,
    _ predicates: inout [AssetPredicate]
  ) {
    let inner = joined(alternatives)
    if isExcluded, !inner.usesAttributesOnly {
      query.groups.append(SearchQuery.Group(alternatives, isExcluded: true))
      return
    }
    if let predicate = inner.predicate { predicates.append(isExcluded ? .not(predicate) : predicate) }
    query.texts += inner.texts
    query.groups += inner.groups
  }

  /// Returns a query that finds what any of the alternatives finds.
  private static func joined(_ alternatives: [SearchQuery]) -> SearchQuery {
    if alternatives.count < 2 { return alternatives.first ?? SearchQuery() }
    if alternatives.allSatisfy(\.usesAttributesOnly) {
      return SearchQuery(predicate: .or(alternatives.compactMap(\.predicate)))
    }
    return SearchQuery(groups: [SearchQuery.Group(alternatives)])
  }
}

/// A token of a search query: a term, or a parenthesis.
enum SearchToken {
  case term(SearchTerm)
  case open(isExcluded: Bool)
  case close

  /// Splits a query at whitespace and parentheses.
  ///
  /// A parenthesis inside a word belongs to the word, unless it closes one that was opened before.
  static func split(_ text: String) throws(SearchQueryError) -> [SearchToken] {
    var tokens: [SearchToken] = []
    var depth = 0
    var rest = Substring(text)
    while let start = rest.firstIndex(where: { !$0.isWhitespace }) {
      rest = rest[start...]
      if rest.hasPrefix("(") || rest.hasPrefix("-(") {
        let isExcluded = rest.removeFirst() == "-"
        if isExcluded { rest.removeFirst() }
        tokens.append(.open(isExcluded: isExcluded))
        depth += 1
      } else if rest.hasPrefix(")") {
        guard depth > 0 else {
          throw SearchQueryError(
            ")", "closes no parenthesis", advice: "write ( before the first term, or quote it: \")\"")
        }
        rest.removeFirst()
        tokens.append(.close)
        depth -= 1
      } else {
        tokens.append(.term(try SearchTerm(takingFrom: &rest, isInParentheses: depth > 0)))
      }
    }
    return tokens
  }

  /// Whether the token is the given word without quotes, as the operators `or` and `not` are.
  func isWord(_ word: String) -> Bool {
    if case .term(let term) = self { term.isPlainWord && term.source.lowercased() == word } else { false }
  }

  /// The word, if it may form a date or a kind together with the previous word; nil otherwise.
  var neighbor: String? {
    if case .term(let term) = self, term.isPlainWord, !term.isExcluded {
      term.value
    } else {
      nil
    }
  }
}

/// A syntax error in a search query: the invalid term, the error, and what to write instead.
public struct SearchQueryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The term as it was typed.
  public var term: String
  /// The error, as text that follows the term: "is not a date".
  public var fault: String
  /// What to write instead: "write after:2024-05".
  public var advice: String

  /// Creates an error.
  public init(_ term: String, _ fault: String, advice: String) {
    self.term = term
    self.fault = fault
    self.advice = advice
  }

  /// The error as a complete message for the user.
  public var description: String { "“\(term)” \(fault): \(advice)" }
}

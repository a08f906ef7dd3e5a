/// A piece of a search: a term, or a parenthesis around several.
enum SearchToken {
  case term(SearchTerm)
  case open(isExcluded: Bool)
  case close

  /// Takes a search apart at its blanks and parentheses.
  ///
  /// A parenthesis within a word belongs to it, unless it closes one that was opened before.
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

  /// Whether it is a word without quotes that joins or negates terms.
  func isWord(_ word: String) -> Bool {
    if case .term(let term) = self { term.isPlainWord && term.source.lowercased() == word } else { false }
  }

  /// A word that may say a date or a kind together with the one before it; nil for anything else.
  var neighbor: String? {
    if case .term(let term) = self, term.isPlainWord, !term.isExcluded {
      term.value
    } else {
      nil
    }
  }
}

/// Completes lists of words with commas between them.
struct WordListCompletion {
  var words: [String]
  /// Whether a `+` may stand before the first word, as before the fields that come in addition.
  var leadingPlus = false
  /// Whether a word stands in the list once.
  var isSet = true

  /// What a list can become.
  ///
  /// A word that is the only one is offered with and without a comma, so that shells leave its quotes open.
  func candidates(_ text: String) -> [Candidate] {
    let start =
      text.lastIndex(of: ",").map { text.index(after: $0) }
      ?? (leadingPlus && text.hasPrefix("+") ? text.index(after: text.startIndex) : text.startIndex)
    let head = text[..<start]
    let partial = text[start...]
    let listed = Set(isSet ? head.drop { $0 == "+" }.split(separator: ",").map { $0.lowercased() } : [])
    let left = words.filter { !listed.contains($0.lowercased()) }
    let matches = left.filter { Candidate($0).begins(with: partial) }
    guard matches.count == 1, let only = matches.first, left.count > 1, only != FieldWords.all else {
      return matches.map { Candidate(head + $0) }
    }
    return [Candidate(head + only), Candidate("\(head)\(only),", "and another")]
  }
}

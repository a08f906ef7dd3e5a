extension SearchVocabulary {
  /// What the first words say as a date or a kind, and how many of them say it; nil if they say neither.
  ///
  /// The longest date is taken, else the longest name of a kind.
  func meaning(of words: [String]) -> (count: Int, condition: AssetPredicate)? {
    let folded = words.prefix(DatePhrase.mostWords).map(Self.fold)
    for count in stride(from: folded.count, to: 0, by: -1) {
      if let span = DatePhrase(Array(folded.prefix(count)), in: self)?.span { return (count, span.predicate) }
    }
    for count in stride(from: folded.count, to: 0, by: -1) {
      // Whoever means hidden photos says so: no word alone may bring them up.
      if let kind = kind(named: folded.prefix(count).joined(separator: " ")), kind != .hidden {
        return (count, .filter(.matching(kind)))
      }
    }
    return nil
  }
}

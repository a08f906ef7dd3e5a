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

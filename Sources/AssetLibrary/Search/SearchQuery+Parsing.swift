extension SearchQuery {
  /// Reads what a user typed: terms with blanks between them, all of which must be met.
  ///
  /// | term | finds |
  /// |---|---|
  /// | `word` | the word in file name, album, a folder above it, camera, lens, keywords, title or people; fuzzily too |
  /// | `2022`, `may 2022`, `12 may`, `2022-05`, `yesterday`, `last summer` | what was taken then, or has the words in its texts |
  /// | `videos`, `favorite`, `live photos` | what is of the kind, or has the words in its texts |
  /// | `"two words"` | the phrase as it is |
  /// | `after:DATE` | taken on the first day of DATE or later; DATE is `2024-05`, `7d` (days, weeks, months, years ago) or any of the dates above |
  /// | `before:DATE` | taken before the first day of DATE |
  /// | `type:NAME` | photo, video, live, raw, gif, screenshot… and every name of `PickerFilter` |
  /// | `camera:WORD` `album:WORD` `person:WORD` `keyword:WORD` | the word there alone, not fuzzily |
  /// | `rating:>=4` | stars; also `=`, `<`, `<=`, `>` and the plain number |
  /// | `near:LAT,LON,KM` | taken within so many kilometres of a place in degrees |
  /// | `-TERM` | what does not meet the term; words not fuzzily |
  ///
  /// Words beside each other that are a date or the name of a kind together are one term. Quotes hold blanks
  /// together anywhere (`camera:"EOS 90D"`). Names of terms in any capitals. A word with a colon that is no such
  /// name has to be quoted.
  /// - Parameter vocabulary: the words for dates and kinds.
  /// - Throws: `SearchQueryError`, which names the term.
  public init(
    parsing text: String, in vocabulary: SearchVocabulary = SearchVocabulary()
  ) throws(SearchQueryError) {
    var predicates: [AssetPredicate] = []
    var texts: [TextTerm] = []
    var terms = try SearchTerm.split(text)[...]
    while let term = terms.first {
      let words = terms.dropFirst().prefix { $0.isPlainWord && !$0.isExcluded }.map(\.value)
      if term.isPlainWord, let (count, condition) = vocabulary.meaning(of: [term.value] + words) {
        let phrase = ([term.value] + words.prefix(count - 1)).joined(separator: " ")
        texts.append(
          TextTerm(
            pattern: TextPattern(phrase, allowsFuzzy: false), isExcluded: term.isExcluded,
            condition: condition))
        terms = terms.dropFirst(count)
        continue
      }
      terms = terms.dropFirst()
      switch try term.meaning(vocabulary) {
      case .condition(let predicate): predicates.append(term.isExcluded ? .not(predicate) : predicate)
      case .text(let pattern, let fields):
        texts.append(TextTerm(pattern: pattern, fields: fields, isExcluded: term.isExcluded))
      }
    }
    let predicate = predicates.count > 1 ? AssetPredicate.and(predicates) : predicates.first
    self.init(predicate: predicate, texts: texts)
  }
}

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
  /// | `date:DATE` | taken on DATE |
  /// | `type:NAME` | photo, video, live, raw, gif, screenshot… and every name of `PickerFilter` |
  /// | `camera:WORD` `lens:WORD` `album:WORD` `person:WORD` `keyword:WORD` `title:WORD` | the word there alone, not fuzzily |
  /// | `path:WORD` | the word in the path, not fuzzily |
  /// | `ext:NAME` | what the file's name ends with |
  /// | `rating:>=4` | stars; also `=`, `!=`, `<`, `<=`, `>` and the plain number |
  /// | `width:>=1920` `height:>=1080` | pixels, compared in the same ways |
  /// | `size:>2MB` `duration:<=60s` | the file's length in bytes, seconds |
  /// | `ratio:NAME` | landscape, portrait or square |
  /// | `near:LAT,LON,KM` | taken within so many kilometres of a place in degrees |
  /// | `-TERM`, `not TERM` | what does not meet the term; words not fuzzily |
  /// | `A or B` | what meets all terms of A, or all of B |
  /// | `(…)`, `-(…)` | a search as one term |
  ///
  /// Words beside each other that are a date or the name of a kind together are one term. Quotes hold blanks
  /// together anywhere (`camera:"EOS 90D"`). Names of terms in any capitals. A word with a colon that is no such
  /// name, and the words `or` and `not`, have to be quoted.
  /// - Parameters:
  ///   - text: as the user wrote it.
  ///   - vocabulary: the words for dates and kinds.
  ///   - isComplete: false while somebody is still typing: what stands open at the end is left out.
  /// - Throws: `SearchQueryError`, which names the term.
  public init(
    parsing text: String, in vocabulary: SearchVocabulary = SearchVocabulary(), isComplete: Bool = true
  ) throws(SearchQueryError) {
    var parser = SearchQueryParser(
      try SearchToken.split(text), vocabulary: vocabulary, isComplete: isComplete)
    self = try parser.query()
  }

  /// The names of the terms that `init(parsing:)` knows, without their colons.
  public static var termNames: [String] { SearchTerm.names }
}

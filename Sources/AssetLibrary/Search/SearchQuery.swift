/// What a user looks for: a condition on the attributes, words in the texts, and groups of searches, all of which
/// must be met.
public struct SearchQuery: Hashable, Sendable {
  /// Searches of which at least one has to find the asset.
  public struct Group: Hashable, Sendable {
    public var alternatives: [SearchQuery]
    /// Whether none of them may find it instead.
    public var isExcluded: Bool

    public init(_ alternatives: [SearchQuery], isExcluded: Bool = false) {
      self.alternatives = alternatives
      self.isExcluded = isExcluded
    }
  }

  /// What the attributes have to meet; nil = nothing.
  public var predicate: AssetPredicate?
  /// The words; each of them has to be found.
  public var texts: [TextTerm]
  /// What was joined with `or`, or excluded as a whole, and is not a condition on attributes alone.
  public var groups: [Group]

  public init(predicate: AssetPredicate? = nil, texts: [TextTerm] = [], groups: [Group] = []) {
    self.predicate = predicate
    self.texts = texts
    self.groups = groups
  }

  /// Whether nothing is looked for, so that everything is found.
  public var isEmpty: Bool { predicate == nil && asksAttributesOnly }

  /// Whether there is nothing to look for in texts.
  public var asksAttributesOnly: Bool { texts.isEmpty && groups.isEmpty }

  /// The words that an asset may be found by, in whatever part of the search.
  public var foundTexts: [TextTerm] {
    texts.filter { !$0.isExcluded }
      + groups.filter { !$0.isExcluded }.flatMap { $0.alternatives.flatMap(\.foundTexts) }
  }

  /// Whether hidden assets are asked for somewhere, and not only to leave them out.
  public var asksForHidden: Bool { mentionsHidden(isNegated: false) }

  private func mentionsHidden(isNegated: Bool) -> Bool {
    predicate?.mentionsHidden(isNegated: isNegated) ?? false
      || groups.contains { group in
        group.alternatives.contains { $0.mentionsHidden(isNegated: isNegated != group.isExcluded) }
      }
  }

  /// Looks no longer into some fields: words that could stand there alone are not found.
  mutating func forget(_ fields: SearchFields) {
    for index in texts.indices { texts[index].fields.subtract(fields) }
    for group in groups.indices {
      for index in groups[group].alternatives.indices { groups[group].alternatives[index].forget(fields) }
    }
  }

  /// Whether an asset's words are found, and what the groups say is met, for stores without an index of them.
  /// - Parameters:
  ///   - asset: the one that is asked about.
  ///   - texts: what the asset has in some fields, not folded.
  public func matches(_ asset: some AssetAttributes, texts: (SearchFields) -> [String]) -> Bool {
    self.texts.allSatisfy { term in
      let isFound =
        term.condition?.matches(asset) ?? false
        || texts(term.fields).contains { term.pattern.matches(folded: TextPattern.fold($0)) }
      return isFound != term.isExcluded
    }
      && groups.allSatisfy { group in
        let isFound = group.alternatives.contains {
          $0.predicate?.matches(asset) ?? true && $0.matches(asset, texts: texts)
        }
        return isFound != group.isExcluded
      }
  }
}

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
  public static var termNames: [String] { SearchTerm.keys.map(\.name) }

  /// What is said of a term, and values that it can have.
  package static func help(ofTerm name: String) -> (help: String, values: [String])? {
    SearchTerm.keys.first { $0.name == name.lowercased() }.map { ($0.help, $0.values) }
  }
}

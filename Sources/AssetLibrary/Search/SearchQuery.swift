/// A search query: a condition on the attributes, words in the texts, and groups of queries.
///
/// All of them must be met.
public struct SearchQuery: Hashable, Sendable {
  /// Alternative queries, at least one of which must find the asset.
  public struct Group: Hashable, Sendable {
    /// The alternatives.
    public var alternatives: [SearchQuery]
    /// Whether the group is negated: none of the alternatives may find the asset.
    public var isExcluded: Bool

    /// Creates a group.
    public init(_ alternatives: [SearchQuery], isExcluded: Bool = false) {
      self.alternatives = alternatives
      self.isExcluded = isExcluded
    }
  }

  /// The condition on the attributes; nil = no condition.
  public var predicate: AssetPredicate?
  /// The words to find; all of them must match.
  public var texts: [TextTerm]
  /// The alternatives (`or`) and negated groups that can't be expressed as a condition on attributes alone.
  public var groups: [Group]

  /// Creates a query; an empty one finds everything.
  public init(predicate: AssetPredicate? = nil, texts: [TextTerm] = [], groups: [Group] = []) {
    self.predicate = predicate
    self.texts = texts
    self.groups = groups
  }

  /// Whether the query is empty, so that it finds everything.
  public var isEmpty: Bool { predicate == nil && usesAttributesOnly }

  /// Whether the query has no texts and groups, so that the attributes alone decide.
  public var usesAttributesOnly: Bool { texts.isEmpty && groups.isEmpty }

  /// The words in all parts of the query that are not negated, such as for highlighting.
  public var foundTexts: [TextTerm] {
    texts.filter { !$0.isExcluded }
      + groups.filter { !$0.isExcluded }.flatMap { $0.alternatives.flatMap(\.foundTexts) }
  }

  /// Whether the query explicitly asks for hidden assets, rather than excluding them with a negation.
  public var requestsHidden: Bool { mentionsHidden(isNegated: false) }

  private func mentionsHidden(isNegated: Bool) -> Bool {
    predicate?.mentionsHidden(isNegated: isNegated) ?? false
      || groups.contains { group in
        group.alternatives.contains { $0.mentionsHidden(isNegated: isNegated != group.isExcluded) }
      }
  }

  /// Removes fields from the query: words that occur only in those fields are no longer found.
  mutating func forget(_ fields: SearchFields) {
    for index in texts.indices { texts[index].fields.subtract(fields) }
    for group in groups.indices {
      for index in groups[group].alternatives.indices { groups[group].alternatives[index].forget(fields) }
    }
  }

  /// Returns whether the texts and groups match an asset, for stores without a text index.
  ///
  /// `predicate` is not checked.
  /// - Parameters:
  ///   - asset: the attributes of the asset.
  ///   - texts: returns the texts of the asset in the given fields, not folded.
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
  /// Parses a query: terms separated by spaces, all of which must be met.
  ///
  /// | term | finds |
  /// |---|---|
  /// | `word` | the word in file name, album, a parent folder, camera, lens, keywords, title or people; also fuzzily |
  /// | `2022`, `may 2022`, `12 may`, `2022-05`, `yesterday`, `last summer` | assets taken then, or with the words in their texts |
  /// | `videos`, `favorite`, `live photos` | assets of the kind, or with the words in their texts |
  /// | `"two words"` | the exact phrase |
  /// | `after:DATE` | taken on the first day of DATE or later; DATE is `2024-05`, `7d` (days, weeks, months, years ago) or any of the dates above |
  /// | `before:DATE` | taken before the first day of DATE |
  /// | `date:DATE` | taken on DATE |
  /// | `type:NAME` | photo, video, live, raw, gif, screenshot… and every name of `PickerFilter` |
  /// | `camera:WORD` `lens:WORD` `album:WORD` `person:WORD` `keyword:WORD` `title:WORD` | the word in this field only, not fuzzily |
  /// | `path:WORD` | the word in the path, not fuzzily |
  /// | `ext:NAME` | the file extension |
  /// | `rating:>=4` | stars; also with `=`, `!=`, `<`, `<=`, `>` and the plain number |
  /// | `width:>=1920` `height:>=1080` | pixels, compared in the same ways |
  /// | `size:>2MB` `duration:<=60s` | the file size, the duration |
  /// | `ratio:NAME` | landscape, portrait or square |
  /// | `near:LAT,LON,KM` | taken within KM kilometers of a location in degrees |
  /// | `-TERM`, `not TERM` | assets that don't match the term; words not fuzzily |
  /// | `A or B` | assets that match all terms of A, or all of B |
  /// | `(…)`, `-(…)` | a query as one term |
  ///
  /// Adjacent words that together are a date or the name of a kind are one term. Quotes group words anywhere
  /// (`camera:"EOS 90D"`). The case of keys is ignored. To search for the words `or` and `not`, or for a word
  /// with a colon after an unknown key, quote them.
  /// - Parameters:
  ///   - text: the query as the user typed it.
  ///   - vocabulary: the words for dates and kinds.
  ///   - isComplete: false while the user is typing: an incomplete end is ignored.
  /// - Throws: `SearchQueryError` with the invalid term.
  public init(
    parsing text: String, in vocabulary: SearchVocabulary = SearchVocabulary(), isComplete: Bool = true
  ) throws(SearchQueryError) {
    var parser = SearchQueryParser(
      try SearchToken.split(text), vocabulary: vocabulary, isComplete: isComplete)
    self = try parser.query()
  }

  /// The search keys of `init(parsing:)`, without their colons.
  public static var termNames: [String] { SearchTerm.keys.map(\.name) }

  /// Returns the help text of a search key, and values for completion.
  package static func help(ofTerm name: String) -> (help: String, values: [String])? {
    SearchTerm.keys.first { $0.name == name.lowercased() }.map { ($0.help, $0.values) }
  }
}

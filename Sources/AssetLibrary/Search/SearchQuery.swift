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

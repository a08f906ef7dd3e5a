/// What a user looks for: a condition on the attributes and words in the texts, all of which must be met.
public struct SearchQuery: Hashable, Sendable {
  /// What the attributes have to meet; nil = nothing.
  public var predicate: AssetPredicate?
  /// The words; each of them has to be found.
  public var texts: [TextTerm]

  public init(predicate: AssetPredicate? = nil, texts: [TextTerm] = []) {
    self.predicate = predicate
    self.texts = texts
  }

  /// Whether nothing is looked for, so that everything is found.
  public var isEmpty: Bool { predicate == nil && texts.isEmpty }

  /// The names of the terms that `init(parsing:)` knows, without their colons.
  public static var termNames: [String] { SearchTerm.names }

  /// Looks no longer into some fields: words that could stand there alone are not found.
  mutating func forget(_ fields: SearchFields) {
    for index in texts.indices { texts[index].fields.subtract(fields) }
  }

  /// Whether an asset's words are found, for stores without an index of them.
  /// - Parameter texts: what the asset has in some fields, not folded.
  public func matches(_ asset: some AssetAttributes, texts: (SearchFields) -> [String]) -> Bool {
    self.texts.allSatisfy { term in
      let isFound =
        term.condition?.matches(asset) ?? false
        || texts(term.fields).contains { term.pattern.matches(folded: TextPattern.fold($0)) }
      return isFound != term.isExcluded
    }
  }
}

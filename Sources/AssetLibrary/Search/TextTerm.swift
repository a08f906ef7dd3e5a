/// One term of a search that is found in texts, and where it may stand.
public struct TextTerm: Hashable, Sendable {
  public var pattern: TextPattern
  /// One of these has to hold it.
  public var fields: SearchFields
  /// Whether none of them may hold it instead.
  public var isExcluded: Bool
  /// What the term says besides, as a date or a kind: assets that meet it are found whatever their texts hold.
  public var condition: AssetPredicate?

  public init(
    pattern: TextPattern, fields: SearchFields = .all, isExcluded: Bool = false,
    condition: AssetPredicate? = nil
  ) {
    self.pattern = pattern
    self.fields = fields
    self.isExcluded = isExcluded
    self.condition = condition
  }
}

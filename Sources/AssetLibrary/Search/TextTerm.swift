/// One word of a search, and where it may stand.
public struct TextTerm: Hashable, Sendable {
  public var pattern: TextPattern
  /// One of these has to hold it.
  public var fields: SearchFields
  /// Whether none of them may hold it instead.
  public var isExcluded: Bool

  public init(pattern: TextPattern, fields: SearchFields = .all, isExcluded: Bool = false) {
    self.pattern = pattern
    self.fields = fields
    self.isExcluded = isExcluded
  }
}

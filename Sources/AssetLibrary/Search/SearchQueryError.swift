/// Why a search can't be understood: the term that is at fault, and what would be right.
public struct SearchQueryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The term as it was written.
  public var term: String
  /// What was expected, as words before "is expected".
  public var expected: String

  public init(_ term: String, expected: String) {
    self.term = term
    self.expected = expected
  }

  public var description: String { "'\(term)': \(expected) is expected" }
}

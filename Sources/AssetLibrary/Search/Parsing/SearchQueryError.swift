/// Why a search can't be understood: the term that is at fault, what is wrong with it, and what would be right.
public struct SearchQueryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The term as it was written.
  public var term: String
  /// What is wrong, after the term: "is no date".
  public var fault: String
  /// What to write instead: "write after:2024-05".
  public var advice: String

  public init(_ term: String, _ fault: String, advice: String) {
    self.term = term
    self.fault = fault
    self.advice = advice
  }

  /// A whole sentence.
  public var description: String { "“\(term)” \(fault): \(advice)" }
}

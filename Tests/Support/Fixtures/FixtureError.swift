/// Why something that a test needs could not be made.
public struct FixtureError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  /// An error with the words that explain it.
  public init(_ description: String) {
    self.description = description
  }
}

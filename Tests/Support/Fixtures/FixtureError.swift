/// Why something that a test needs could not be made.
package struct FixtureError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// An error with the words that explain it.
  package init(_ description: String) {
    self.description = description
  }
}

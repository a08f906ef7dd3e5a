/// Why a test's requirement could not be made.
package struct FixtureError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// An error with an explanation.
  package init(_ description: String) {
    self.description = description
  }
}

/// A file that mutations begin with.
package struct SeedFile: Sendable, CustomStringConvertible {
  /// What is unusual about it.
  package var name: String
  /// The suffix of its format, without the point.
  package var suffix: String
  package var bytes: [UInt8]

  package init(_ name: String, _ suffix: String, _ bytes: [UInt8]) {
    (self.name, self.suffix, self.bytes) = (name, suffix, bytes)
  }

  package var description: String { "\(suffix): \(name)" }
}

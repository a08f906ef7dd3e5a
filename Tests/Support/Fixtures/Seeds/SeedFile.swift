/// A file that mutations start from.
package struct SeedFile: Sendable, CustomStringConvertible {
  /// A description of its variant.
  package var name: String
  /// The suffix of its format, without the dot.
  package var suffix: String
  package var bytes: [UInt8]

  package init(_ name: String, _ suffix: String, _ bytes: [UInt8]) {
    (self.name, self.suffix, self.bytes) = (name, suffix, bytes)
  }

  package var description: String { "\(suffix): \(name)" }
}

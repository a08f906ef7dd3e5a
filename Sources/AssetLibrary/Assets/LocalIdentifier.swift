/// The name under which an asset or a collection is known to its library: opaque, stable across runs.
public struct LocalIdentifier: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  public static func < (a: LocalIdentifier, b: LocalIdentifier) -> Bool { a.rawValue < b.rawValue }

  public var description: String { rawValue }
}

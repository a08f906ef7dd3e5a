/// What a fetch result keeps of an element: a number that only the result's source understands.
///
/// A source never gives the same number to another element.
public struct FetchHandle: Hashable, BitwiseCopyable, Sendable {
  public let rawValue: UInt64

  @inlinable
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}

/// Puts a message together of what a socket gives: four bytes of length, the lowest first, then the message.
///
/// A length beyond the limit ends it at once: no room is made for what a stranger only announces.
package struct MessageReader: Equatable, Sendable {
  /// How far it has come.
  package enum State: Equatable, Sendable {
    case incomplete
    case complete([UInt8])
    /// It announces too much, or goes on behind its end.
    case invalid
  }

  private let limit: Int
  private var bytes: [UInt8] = []

  private static let headerLength = 4

  package init(limit: Int) { self.limit = limit }

  /// Takes the next bytes.
  package mutating func take(_ more: some Sequence<UInt8>) -> State {
    bytes += more
    guard bytes.count >= Self.headerLength else { return .incomplete }
    let length = bytes[..<Self.headerLength].reversed().reduce(0) { $0 << 8 | Int($1) }
    let received = bytes.count - Self.headerLength
    guard length <= limit, received <= length else { return .invalid }
    return received == length ? .complete(Array(bytes[Self.headerLength...])) : .incomplete
  }

  /// A message as it travels.
  package static func framed(_ message: [UInt8]) -> [UInt8] {
    (0..<headerLength).map { UInt8(truncatingIfNeeded: message.count >> (8 * $0)) } + message
  }
}

/// Whether the user is asked once more: a program that asks again and again is no longer let through.
package struct PortalPolicy: Equatable, Sendable {
  private var cancellations = 0

  /// How many requests in a row may be cancelled.
  package static let mostCancellations = 3

  package init() {}

  /// Whether the user has cancelled too often.
  package var isExhausted: Bool { cancellations >= Self.mostCancellations }

  /// Takes note of what became of a request.
  package mutating func note(_ answer: PortalAnswer) {
    switch answer {
    case .granted: cancellations = 0
    case .cancelled: cancellations += 1
    case .refused: break
    }
  }
}

import Synchronization

/// How many answers have come, counted where they are read.
final class AnswerCount: Sendable {
  private let value = Mutex(0)

  var count: Int { value.withLock { $0 } }

  func increment() { value.withLock { $0 += 1 } }
}

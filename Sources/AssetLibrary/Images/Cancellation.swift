import Synchronization

/// A word from another thread that a piece of work is no longer wanted.
public final class Cancellation: Sendable {
  private let flag = Atomic(false)

  public init() {}

  public var isCancelled: Bool { flag.load(ordering: .relaxed) }

  public func cancel() { flag.store(true, ordering: .relaxed) }
}

/// A lock between processes on an open file (flock(2)), which it owns: given back and closed when it goes.
///
/// It is given back by name, not by closing alone: a child of another thread that is about to begin its program may
/// still have a copy of the descriptor, and with it the lock.
package struct FileLock: ~Copyable {
  /// Who else may have the lock at the same time.
  package enum Kind: Sendable {
    /// Others that ask for a shared one.
    case shared
    case exclusive

    fileprivate var operation: Int32 {
      switch self {
      case .shared: LOCK_SH
      case .exclusive: LOCK_EX
      }
    }
  }

  /// What came of an attempt.
  package enum Outcome: Sendable {
    case locked
    /// Another process has it, or another open file of this one.
    case busy
    /// The file system knows no locks.
    case unsupported
  }

  package let descriptor: Int32

  /// - Parameter descriptor: an open file, or a folder; it is closed with this.
  package init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Takes the lock if it is free.
  package func tryLock(_ kind: Kind = .exclusive) -> Outcome {
    while flock(descriptor, kind.operation | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return .busy }
      if errno != EINTR { return .unsupported }
    }
    return .locked
  }

  /// Waits for the lock, however long that takes.
  /// - Returns: false where the file system knows no locks.
  @discardableResult
  package func lock(_ kind: Kind = .exclusive) -> Bool {
    while flock(descriptor, kind.operation) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }

  /// Waits for the lock as long as the caller wants to.
  ///
  /// Nothing tells that a lock is free, so it is tried again and again.
  /// - Parameters:
  ///   - pause: the time between two attempts.
  ///   - isWanted: asked before each pause; false = give up.
  package func lock(
    _ kind: Kind = .exclusive, every pause: Duration, while isWanted: () -> Bool
  ) -> Outcome {
    while true {
      let outcome = tryLock(kind)
      guard outcome == .busy, isWanted() else { return outcome }
      Waiting.pause(pause)
    }
  }

  /// Waits for the lock for some time.
  package func lock(_ kind: Kind = .exclusive, within patience: Duration) -> Outcome {
    let end = ContinuousClock.now + patience
    return lock(kind, every: .milliseconds(2)) { ContinuousClock.now < end }
  }
}

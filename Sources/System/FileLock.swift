/// An flock(2) lock between processes on an open file.
///
/// Owns the descriptor; unlocks and closes it when destroyed.
///
/// The destructor unlocks explicitly and does not rely on closing: a child process forked by another thread
/// may hold a copy of the descriptor until it calls exec, and with it the lock.
package struct FileLock: ~Copyable {
  /// Whether other holders are allowed at the same time.
  package enum Kind: Sendable {
    /// Other shared locks may be held at the same time.
    case shared
    case exclusive

    fileprivate var operation: Int32 {
      switch self {
      case .shared: LOCK_SH
      case .exclusive: LOCK_EX
      }
    }
  }

  /// The result of an attempt to lock.
  package enum Outcome: Sendable {
    case locked
    /// The lock is held by another process, or through another open file description of this process.
    case busy
    /// The file system does not support locks.
    case unsupported
  }

  package let descriptor: Int32

  /// - Parameter descriptor: an open file or folder; this value takes ownership and closes it.
  package init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Acquires the lock if it is free, without waiting.
  package func tryLock(_ kind: Kind = .exclusive) -> Outcome {
    while flock(descriptor, kind.operation | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return .busy }
      if errno != EINTR { return .unsupported }
    }
    return .locked
  }

  /// Waits for the lock without a time limit.
  /// - Returns: false if the file system does not support locks.
  @discardableResult
  package func lock(_ kind: Kind = .exclusive) -> Bool {
    while flock(descriptor, kind.operation) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }

  /// Waits for the lock while `isWanted` returns true.
  ///
  /// The system does not report when a lock is released, so this polls.
  /// - Parameters:
  ///   - pause: the time between two attempts.
  ///   - isWanted: called before each pause; false stops waiting.
  package func lock(
    _ kind: Kind = .exclusive, every pause: Duration, while isWanted: () -> Bool
  ) -> Outcome {
    while true {
      let outcome = tryLock(kind)
      guard outcome == .busy, isWanted() else { return outcome }
      Waiting.pause(pause)
    }
  }

  /// Waits for the lock up to a time limit.
  package func lock(_ kind: Kind = .exclusive, within patience: Duration) -> Outcome {
    let end = ContinuousClock.now + patience
    return lock(kind, every: .milliseconds(2)) { ContinuousClock.now < end }
  }
}

/// How a program ended.
package enum ExitStatus: Equatable, Sendable, CustomStringConvertible {
  /// It ended by itself with this status.
  case exited(Int32)
  /// A signal of this number ended it.
  case signalled(Int32)

  /// Reads the status that `waitpid` gives of a process that ended.
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .exited(waitStatus >> 8 & 0xFF) : .signalled(signal)
  }

  /// The status in words.
  package var description: String {
    switch self {
    case .exited(let status): "exited with status \(status)"
    case .signalled(let signal): "ended by signal \(signal)"
    }
  }
}

/// Where a program reads from.
package enum StandardInput: Sendable {
  /// The terminal.
  case terminal
  /// A pipe with these bytes, which ends after them.
  case bytes([UInt8])
  /// A pipe that stays open: ``TerminalSession/feed(_:)`` writes into it, ``TerminalSession/endInput()`` ends it.
  case open
  /// A pipe into which these bytes are written again and again.
  case endless([UInt8])
  /// Nothing.
  case null
}

/// Where a program writes to.
package enum StandardOutput: Sendable {
  /// The terminal.
  case terminal
  /// A pipe, which the session reads.
  case pipe
  /// The same, whose end the program gets non-blocking.
  case nonBlockingPipe
}

/// Why a session could not go on, with all that helps to find out.
package struct TerminalFailure: Error, CustomStringConvertible {
  /// The whole story: what was waited for, the screen, the errors, the exit status.
  package let description: String
}

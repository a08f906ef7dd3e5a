/// How a program ended.
package enum ExitStatus: Equatable, Sendable, CustomStringConvertible {
  /// It exited by itself with this status.
  case exited(Int32)
  /// It was ended by this signal.
  case signalled(Int32)

  /// Parses the status that `waitpid` returns for an ended process.
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .exited(waitStatus >> 8 & 0xFF) : .signalled(signal)
  }

  /// The status as text.
  package var description: String {
    switch self {
    case .exited(let status): "exited with status \(status)"
    case .signalled(let signal): "ended by signal \(signal)"
    }
  }
}

/// The source of a program's standard input.
package enum StandardInput: Sendable {
  /// The terminal.
  case terminal
  /// A pipe with these bytes, which ends after them.
  case bytes([UInt8])
  /// A pipe that stays open: ``TerminalSession/feed(_:)`` writes into it, ``TerminalSession/endInput()`` ends it.
  case open
  /// A pipe into which these bytes are written repeatedly.
  case endless([UInt8])
  /// /dev/null.
  case null
}

/// The target of a program's standard output.
package enum StandardOutput: Sendable {
  /// The terminal.
  case terminal
  /// A pipe, which the session reads.
  case pipe
  /// The same with a non-blocking end for the program.
  case nonBlockingPipe
}

/// Why a session failed, with all available details.
package struct TerminalFailure: Error, CustomStringConvertible {
  /// All details: what was waited for, the screen, the errors, the exit status.
  package let description: String
}

import CTerminalGuard
import Dispatch

#if canImport(Glibc)
  import Glibc
#endif

/// Turns signals into messages.
enum SignalWatch {
  /// Signals that end the process after the terminal was given back.
  static let ending: [Int32] = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]

  /// From now on `deliver` is called with each signal's number, on a thread of its own.
  static func start(_ deliver: @escaping @Sendable (Int32) -> Void) throws(HostError) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw .noTerminal(String(cString: strerror(errno))) }
    let (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(writeEnd, F_SETFL, O_NONBLOCK)
    let numbers = ending + [SIGWINCH, SIGTSTP, SIGCONT]
    signal_relay_install(numbers, Int32(numbers.count), writeEnd)
    DispatchQueue(label: "tpick.signals").async {
      var number: UInt8 = 0
      while true {
        let n = read(readEnd, &number, 1)
        if n == 1 {
          deliver(Int32(number))
        } else if n == 0 || errno != EINTR {
          return
        }
      }
    }
  }

  /// Ends the process as the signal would have done.
  static func die(by number: Int32) -> Never {
    signal_relay_remove(number)
    raise(number)
    exit(128 + number)
  }

  /// Stops the whole job, as the shell expects of Ctrl-Z; comes back when it goes on.
  ///
  /// In a group that no shell watches the kernel ignores the signal, and this comes back at once.
  static func stopJob() {
    signal_relay_remove(SIGTSTP)
    kill(0, SIGTSTP)
    signal_relay_restore(SIGTSTP)
  }
}

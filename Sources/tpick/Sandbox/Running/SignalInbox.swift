import CPlatform
import System

/// The signals of a process that waits only for descriptors, such as those that a shell gets for its jobs and from its
/// user.
///
/// One per process, which must have a single thread; from then on the signals have no effect of their own.
final class SignalInbox {
  /// The signals with which users end programs.
  static let ending: [Int32] = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]
  private static let numbers = ending + [SIGCHLD, SIGCONT, SIGTSTP]

  /// Readable when a signal has arrived.
  let descriptor: Int32

  /// - Throws: `Failure` if the kernel has no resources.
  init() throws(Failure) {
    let made = signal_descriptor_open(Self.numbers, Int32(Self.numbers.count))
    guard made >= 0 else { throw .error("run: \(String(cString: strerror(-made)))") }
    descriptor = made
    signal(SIGPIPE, SIG_IGN)
  }

  deinit { close(descriptor) }

  /// The next signal; nil if none has arrived.
  func next() -> Int32? {
    let number = signal_descriptor_next(descriptor)
    return number > 0 ? number : nil
  }

  /// Whether Ctrl-Z on the terminal, or SIGTSTP from another process, stops this process at once.
  func setStoppable(_ isStoppable: Bool) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGTSTP)
    sigprocmask(isStoppable ? SIG_UNBLOCK : SIG_BLOCK, &set, nil)
  }

  /// Stops the whole job, as the shell expects, and returns when it continues; returns at once if no shell watches it.
  func stopJob() {
    setStoppable(true)
    kill(0, SIGTSTP)
    setStoppable(false)
  }
}

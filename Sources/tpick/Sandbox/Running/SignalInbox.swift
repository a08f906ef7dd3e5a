import CPlatform
import System

/// The signals of a process that waits for nothing but descriptors: what a shell hears of its jobs and its user.
///
/// One in a process, which has one thread; from its beginning the signals do nothing by themselves.
final class SignalInbox {
  /// Those by which users end programs.
  static let ending: [Int32] = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]
  private static let numbers = ending + [SIGCHLD, SIGCONT, SIGTSTP]

  /// Can be read when a signal has come.
  let descriptor: Int32

  /// - Throws: `Failure` where the kernel has no room.
  init() throws(Failure) {
    let made = signal_descriptor_open(Self.numbers, Int32(Self.numbers.count))
    guard made >= 0 else { throw .error("run: \(String(cString: strerror(-made)))") }
    descriptor = made
    signal(SIGPIPE, SIG_IGN)
  }

  deinit { close(descriptor) }

  /// The next signal; nil where none has come.
  func next() -> Int32? {
    let number = signal_descriptor_next(descriptor)
    return number > 0 ? number : nil
  }

  /// Whether Ctrl-Z on the terminal, or another process's SIGTSTP, stops this process at once.
  func setStoppable(_ isStoppable: Bool) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGTSTP)
    sigprocmask(isStoppable ? SIG_UNBLOCK : SIG_BLOCK, &set, nil)
  }

  /// Stops the whole job, as the shell expects it, and comes back when it goes on; at once where no shell watches it.
  func stopJob() {
    setStoppable(true)
    kill(0, SIGTSTP)
    setStoppable(false)
  }
}

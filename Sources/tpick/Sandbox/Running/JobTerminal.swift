import System

/// The terminal as a shell handles it: which group of processes reads from it and gets its signals.
///
/// Closed with the object; used by one thread.
final class JobTerminal {
  let descriptor: Int32
  /// The group of this process.
  let ownGroup = getpgrp()

  /// - Returns: nil where this process has no terminal.
  init?() {
    descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // This process moves the terminal from group to group, also from the background.
    signal(SIGTTOU, SIG_IGN)
  }

  deinit { close(descriptor) }

  /// The group that has it; nil where it is gone.
  var foreground: pid_t? {
    let group = tcgetpgrp(descriptor)
    return group > 0 ? group : nil
  }

  var isOwn: Bool { foreground == ownGroup }

  /// Gives it to a group.
  func give(to group: pid_t) { tcsetpgrp(descriptor, group) }

  /// Takes it for the group of this process.
  func take() { give(to: ownGroup) }

  /// Takes it from programs that may have closed it to others, or stopped its output (ioctl_tty(2)).
  func reclaim() {
    take()
    _ = ioctl(descriptor, UInt(TIOCNXCL))
    tcflow(descriptor, TCOON)
  }

  /// The modes of its line discipline.
  var modes: termios? {
    get {
      var modes = termios()
      return tcgetattr(descriptor, &modes) == 0 ? modes : nil
    }
    set {
      guard var modes = newValue else { return }
      tcsetattr(descriptor, TCSADRAIN, &modes)
    }
  }
}

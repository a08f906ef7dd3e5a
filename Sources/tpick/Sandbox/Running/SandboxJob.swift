import CConfinement
import CPlatform
import Sandbox
import System
import SystemPackage

/// The processes in the sandbox as a job of a shell: a process group that has the terminal, stops, continues
/// and ends.
///
/// Used by one thread.
final class SandboxJob {
  /// The terminal lent to the picker: its previous group and its modes.
  struct Loan {
    fileprivate var group: pid_t?
    fileprivate var modes: termios?
  }

  /// What keeps the processes in the sandbox from running while the picker has the terminal.
  private enum Hold {
    /// The kernel, regardless of signals.
    case frozen(ControlGroup)
    /// A signal, which another one can undo.
    case stopped(ProcessTree.Stop)
  }

  /// The process of bubblewrap, which leads the group.
  private let group: pid_t
  private let terminal: JobTerminal?
  private let inbox: SignalInbox
  /// Whether the group, or one created inside, has the terminal.
  private(set) var hasTerminal: Bool
  /// The modes of the terminal at the start.
  private let modes: termios?
  /// The group that had the terminal when the job stopped.
  private var lastGroup: pid_t?
  /// The control group of the job, if this process can create one.
  private let controlGroup: ControlGroup?
  private var hold: Hold?
  /// Signals that arrived while the job was held.
  private var late: [Int32] = []
  /// Whether the job was ended because it could not be held.
  private(set) var wasEndedForRunning = false

  /// The timeout for holding the job.
  private static let patience: Duration = .seconds(2)

  /// Starts the job.
  /// - Throws: `Failure` if bubblewrap can't be started.
  init(
    _ bubblewrap: Bubblewrap, _ view: SandboxView, _ command: [[UInt8]], on terminal: JobTerminal?,
    _ inbox: SignalInbox
  ) throws(Failure) {
    guard let options = DescriptorText.memory(view.arguments.flatMap { $0 + [0] }),
      let filter = DescriptorText.memory([])
    else { throw .error("run: \(Errno(rawValue: errno))") }
    defer {
      close(options)
      close(filter)
    }
    let failure = sandbox_filter_write(filter)
    guard failure == 0 else {
      throw .error("run: can't make the system call filter: \(Errno(rawValue: failure))")
    }
    lseek(filter, 0, SEEK_SET)
    let words = [
      "bwrap", "--args", "\(SANDBOX_ARGUMENTS)", "--seccomp", "\(SANDBOX_FILTER)", "--",
    ]
    let hasTerminal = terminal?.isOwn ?? false
    let modes = terminal?.modes
    let controlGroup = ControlGroup()
    var process: pid_t = 0
    let error = CStrings.withPointers(words.map { Array($0.utf8) } + command) { words in
      CStrings.withPointers(ProcessEnvironment.variables) { variables in
        bubblewrap.path.withCString { path in
          var program = sandbox_program(
            program: path, arguments: nil, environment: nil, options: options, filter: filter,
            terminal: hasTerminal ? terminal?.descriptor ?? -1 : -1,
            members: controlGroup?.members ?? -1,
            scopes_addresses: view.hasNetwork)
          return words.withUnsafeBufferPointer { words in
            variables.withUnsafeBufferPointer { variables in
              program.arguments = words.baseAddress
              program.environment = variables.baseAddress
              return sandbox_start(&program, &process)
            }
          }
        }
      }
    }
    guard error == 0 else {
      let reason =
        error == E2BIG ? "too many arguments for the command; read the file in TPICK_GRANTED" : nil
      throw .error("run: bwrap: \(reason ?? "\(Errno(rawValue: error))")")
    }
    group = process
    self.controlGroup = controlGroup.flatMap { $0.contains(process) ? $0 : nil }
    self.terminal = terminal
    self.inbox = inbox
    self.hasTerminal = hasTerminal
    self.modes = modes
  }

  /// Converts a status of waitpid(2) to an exit status as in shells.
  static func exitStatus(_ status: Int32) -> Int32 {
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Passes a signal on; while the picker has the terminal, only after it is returned.
  func signal(_ number: Int32) {
    if hold != nil {
      late.append(number)
      return
    }
    kill(-group, number)
    // A stopped job receives the signal when it continues.
    if number != SIGTSTP { kill(-group, SIGCONT) }
    if hasTerminal, let front = terminal?.foreground, front != group, front != terminal?.ownGroup {
      kill(-front, number)
    }
  }

  /// Handles a signal to this process on behalf of the job.
  func handle(_ number: Int32) {
    switch number {
    case SIGCHLD: break
    case SIGCONT: goOn()
    default: signal(number)
    }
  }

  /// Checks the state of the job, and stops with it.
  /// - Returns: its exit status if it has ended; the terminal then belongs to this process again.
  func reap() -> Int32? {
    var status: Int32 = 0
    while waitpid(group, &status, WNOHANG | WUNTRACED) == group {
      // Swift's import of the C library lacks WIFSTOPPED and WSTOPSIG.
      if status & 0xFF == 0x7F {
        stop(by: (status >> 8) & 0xFF)
        continue
      }
      let ended = Self.exitStatus(status)
      if hasTerminal, let terminal {
        terminal.takeForeground()
        // A killed program could not restore the terminal.
        if ended > 128 { terminal.modes = modes }
      }
      return ended
    }
    return nil
  }

  private func stop(by number: Int32) {
    if hasTerminal, let terminal {
      lastGroup = terminal.foreground
      terminal.takeForeground()
      hasTerminal = false
    }
    inbox.stopJob()
    // After this process continues, the job does too. A job that was stopped because it used the terminal
    // from the background continues only if it can have the terminal now.
    if number != SIGTTIN && number != SIGTTOU || terminal?.isOwn ?? false { goOn() }
  }

  /// Continues the job, with the terminal if this process has it.
  private func goOn() {
    if let terminal, terminal.isOwn {
      terminal.setForeground(to: lastGroup.flatMap { $0 == terminal.ownGroup ? nil : $0 } ?? group)
      hasTerminal = true
    }
    kill(-group, SIGCONT)
    if hasTerminal, let lastGroup, lastGroup != group, lastGroup != terminal?.ownGroup {
      kill(-lastGroup, SIGCONT)
    }
    lastGroup = nil
  }

  /// Takes the terminal for the picker; nothing in the sandbox runs meanwhile.
  /// - Returns: nil if a process could not be held; all processes in the sandbox are then ended.
  func lendTerminal() -> Loan? {
    if let controlGroup {
      if controlGroup.freeze(within: Self.patience) { hold = .frozen(controlGroup) }
    } else {
      hold = ProcessTree.stop(below: group, within: Self.patience).map(Hold.stopped)
    }
    // Not before the job is held: until then it can change the group and the modes of the terminal.
    let loan = Loan(group: terminal?.foreground, modes: terminal?.modes)
    terminal?.reclaim()
    guard hold != nil, terminal?.isOwn ?? true else {
      end()
      return nil
    }
    return loan
  }

  /// The time of the next check whether the job is held; nil = no check is needed.
  var nextLook: ContinuousClock.Instant? {
    if case .stopped = hold { .now + .milliseconds(50) } else { nil }
  }

  /// Checks whether the job is still held while the picker has the terminal, and ends it if a process was
  /// woken.
  /// - Returns: false if it was ended.
  func isStillHeld() -> Bool {
    guard case .stopped(let stop) = hold, !ProcessTree.isStopped(stop) else { return true }
    end()
    return false
  }

  /// Gives the terminal back to the job with its modes as they were, and lets the job continue.
  ///
  /// SIGWINCH makes its programs check the size of the terminal and redraw.
  func takeBack(_ loan: Loan) {
    terminal?.modes = loan.modes
    let front = loan.group.flatMap { $0 == terminal?.ownGroup ? nil : $0 } ?? group
    terminal?.setForeground(to: front)
    let held = hold
    hold = nil
    switch held {
    case .frozen(let controlGroup): if !controlGroup.thaw() { end() }
    case .stopped(let stop): ProcessTree.goOn(stop)
    case nil: break
    }
    kill(-front, SIGWINCH)
    late.forEach(signal)
    late = []
  }

  /// Ends all processes in the sandbox; `reap` reports their end.
  private func end() {
    wasEndedForRunning = true
    hold = nil
    // When the first process in the sandbox ends, the kernel ends all others. bubblewrap, which is outside,
    // ends last: once `reap` sees its end, nothing runs in the sandbox.
    ProcessTree.end(below: group)
    _ = controlGroup?.thaw()
    kill(-group, SIGKILL)
  }
}

/// The terminal from the point of view of a shell: which process group reads from it and gets its signals.
///
/// Closed with the object; used by one thread.
final class JobTerminal {
  let descriptor: Int32
  /// The group of this process.
  let ownGroup = getpgrp()

  /// - Returns: nil if this process has no terminal.
  init?() {
    descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // This process moves the terminal between groups, even from the background.
    signal(SIGTTOU, SIG_IGN)
  }

  deinit { close(descriptor) }

  /// The group that has the terminal; nil if the terminal is gone.
  var foreground: pid_t? {
    let group = tcgetpgrp(descriptor)
    return group > 0 ? group : nil
  }

  var isOwn: Bool { foreground == ownGroup }

  /// Gives the terminal to a group.
  func setForeground(to group: pid_t) { tcsetpgrp(descriptor, group) }

  /// Takes the terminal for the group of this process.
  func takeForeground() { setForeground(to: ownGroup) }

  /// Takes the terminal from programs that may have locked it or stopped its output (ioctl_tty(2)).
  func reclaim() {
    takeForeground()
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

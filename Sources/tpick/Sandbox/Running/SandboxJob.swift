import CConfinement
import Sandbox
import System
import SystemPackage

/// What runs in the sandbox, as a shell sees a job: a group of processes that has the terminal, stops, goes on and ends.
///
/// Used by one thread.
final class SandboxJob {
  /// The terminal on loan to the picker: who had it, and its modes.
  struct Loan {
    fileprivate var group: pid_t?
    fileprivate var modes: termios?
  }

  /// What keeps all in the sandbox from running while the picker has the terminal.
  private enum Hold {
    /// The kernel, whatever signals come.
    case frozen(ControlGroup)
    /// A signal, which another one takes back.
    case stopped(ProcessTree.Stop)
  }

  /// The process of bubblewrap, which leads the group.
  private let group: pid_t
  private let terminal: JobTerminal?
  private let inbox: SignalInbox
  /// Whether the group has the terminal, or one that was made inside.
  private(set) var hasTerminal: Bool
  /// Those of the terminal before it began.
  private let modes: termios?
  /// Who had the terminal when the job stopped.
  private var lastGroup: pid_t?
  /// What the job is in, where this process may make such a group.
  private let controlGroup: ControlGroup?
  private var hold: Hold?
  /// Signals that have come while it was held.
  private var late: [Int32] = []
  /// Whether it was ended because something in it ran on when it was to be held.
  private(set) var wasUnheld = false

  /// How long it may take until nothing runs any more.
  private static let patience: Duration = .seconds(2)

  /// Starts it.
  /// - Throws: `Failure` where bubblewrap can't be started.
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

  /// The status of a program as shells have it, of what waitpid(2) tells.
  static func exitStatus(_ status: Int32) -> Int32 {
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Passes a signal on; one that comes while the picker has the terminal once it is given back.
  func signal(_ number: Int32) {
    if hold != nil {
      late.append(number)
      return
    }
    kill(-group, number)
    // One that was stopped hears of it when it goes on.
    if number != SIGTSTP { kill(-group, SIGCONT) }
    if hasTerminal, let front = terminal?.foreground, front != group, front != terminal?.ownGroup {
      kill(-front, number)
    }
  }

  /// Does what a signal to this process means for the job.
  func handle(_ number: Int32) {
    switch number {
    case SIGCHLD: break
    case SIGCONT: goOn()
    default: signal(number)
    }
  }

  /// Looks what has become of it, and stops with it.
  /// - Returns: its status at its end; the terminal is this process's again then.
  func reap() -> Int32? {
    var status: Int32 = 0
    while waitpid(group, &status, WNOHANG | WUNTRACED) == group {
      // WIFSTOPPED and WSTOPSIG are not in Swift's view of the C library.
      if status & 0xFF == 0x7F {
        stop(by: (status >> 8) & 0xFF)
        continue
      }
      let ended = Self.exitStatus(status)
      if hasTerminal, let terminal {
        terminal.take()
        // A program that was ended had no chance to leave the terminal as it was.
        if ended > 128 { terminal.modes = modes }
      }
      return ended
    }
    return nil
  }

  private func stop(by number: Int32) {
    if hasTerminal, let terminal {
      lastGroup = terminal.foreground
      terminal.take()
      hasTerminal = false
    }
    inbox.stopJob()
    // Where it was stopped for the terminal it goes on when it can have that.
    if number != SIGTTIN && number != SIGTTOU || terminal?.isOwn ?? false { goOn() }
  }

  /// Goes on, with the terminal where this process has it.
  private func goOn() {
    if let terminal, terminal.isOwn {
      terminal.give(to: lastGroup.flatMap { $0 == terminal.ownGroup ? nil : $0 } ?? group)
      hasTerminal = true
    }
    kill(-group, SIGCONT)
    if hasTerminal, let lastGroup, lastGroup != group, lastGroup != terminal?.ownGroup {
      kill(-lastGroup, SIGCONT)
    }
    lastGroup = nil
  }

  /// Takes the terminal for the picker; nothing in the sandbox runs meanwhile.
  /// - Returns: nil where something would not be held: all in the sandbox is ended then.
  func lendTerminal() -> Loan? {
    if let controlGroup {
      if controlGroup.freeze(within: Self.patience) { hold = .frozen(controlGroup) }
    } else {
      hold = ProcessTree.stop(below: group, within: Self.patience).map(Hold.stopped)
    }
    // Not before: until it is held it can take the terminal back, and change its modes.
    let loan = Loan(group: terminal?.foreground, modes: terminal?.modes)
    terminal?.reclaim()
    guard hold != nil, terminal?.isOwn ?? true else {
      end()
      return nil
    }
    return loan
  }

  /// When to look again whether it is held; nil = it can't be otherwise.
  var nextLook: ContinuousClock.Instant? {
    if case .stopped = hold { .now + .milliseconds(50) } else { nil }
  }

  /// Looks whether all is still held while the picker has the terminal, and ends it where something was woken.
  /// - Returns: false where it was ended.
  func staysHeld() -> Bool {
    guard case .stopped(let stop) = hold, !ProcessTree.isStopped(stop) else { return true }
    end()
    return false
  }

  /// Gives it back as it was; what was held for it goes on, and looks at its size.
  func takeBack(_ loan: Loan) {
    terminal?.modes = loan.modes
    let front = loan.group.flatMap { $0 == terminal?.ownGroup ? nil : $0 } ?? group
    terminal?.give(to: front)
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

  /// Ends all in the sandbox; `reap` tells when it has ended.
  private func end() {
    wasUnheld = true
    hold = nil
    // The first process inside takes all others with it. The one outside is last: nothing runs on when that is seen to end.
    ProcessTree.end(below: group)
    _ = controlGroup?.thaw()
    kill(-group, SIGKILL)
  }
}

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

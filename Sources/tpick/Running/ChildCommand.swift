import System

/// A program that is run and waited for.
struct ChildCommand {
  /// What the program reads and writes.
  enum Streams {
    /// What tpick was given.
    case inherited
    /// The same, but standard input is the terminal: tpick has read its own.
    case terminalInput
    /// The terminal, whatever tpick was given: a program that has the screen for a while.
    case terminal
    /// Nothing: a program that runs beside the picker.
    case none
  }

  /// Why a program could not be run.
  struct LaunchFailure: Error {
    var reason: String
    /// As shells have it: 127 if there is no such program, else 126.
    var status: Int32
  }

  /// The program and its arguments, its name first; it is looked for as shells do.
  let arguments: [[UInt8]]
  let streams: Streams

  /// Runs it to its end.
  ///
  /// Unless it runs beside the picker, what the terminal sends on Ctrl-C and Ctrl-\ is for the program alone meanwhile.
  /// In a popup a program that takes the picker's place is left to the process that opened the popup, on whose terminal
  /// it belongs.
  /// - Returns: its exit status, 128 + n where signal n ended it; 0 where it is left to another process.
  func run() throws(LaunchFailure) -> Int32 {
    switch streams {
    case .none: return try wait(for: start())
    case .inherited, .terminalInput:
      if let popup = PopupGuest.current {
        let readsTerminal = if case .terminalInput = streams { true } else { false }
        popup.answer(.command(arguments, readsTerminal: readsTerminal))
        return 0
      }
    case .terminal: break
    }
    var (ignored, interrupt, quit) = (sigaction(), sigaction(), sigaction())
    ignored.__sigaction_handler.sa_handler = SIG_IGN
    sigaction(SIGINT, &ignored, &interrupt)
    sigaction(SIGQUIT, &ignored, &quit)
    defer {
      sigaction(SIGINT, &interrupt, nil)
      sigaction(SIGQUIT, &quit, nil)
    }
    return try wait(for: start())
  }

  private func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return 1 }
    }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  private func start() throws(LaunchFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    switch streams {
    case .inherited: break
    case .terminalInput: posix_spawn_file_actions_addopen(&actions, 0, "/dev/tty", O_RDONLY, 0)
    case .terminal, .none:
      let isTerminal = if case .terminal = streams { true } else { false }
      posix_spawn_file_actions_addopen(&actions, 0, isTerminal ? "/dev/tty" : "/dev/null", O_RDWR, 0)
      for stream: Int32 in [1, 2] { posix_spawn_file_actions_adddup2(&actions, 0, stream) }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    // tpick ignores them, its children must not.
    for number in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { word in
      strdup((word + [0]).map { CChar(bitPattern: $0) })
    }
    defer { for word in words { free(word) } }
    words.append(nil)
    var process: pid_t = 0
    guard let name = words.first ?? nil else { throw LaunchFailure(reason: "no command", status: 127) }
    let error = posix_spawnp(&process, name, &actions, &attributes, words, environ)
    guard error == 0 else {
      throw LaunchFailure(reason: String(cString: strerror(error)), status: error == ENOENT ? 127 : 126)
    }
    return process
  }
}

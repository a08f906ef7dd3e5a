import System
import SystemPackage

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
    case .none: return try start().wait() ?? 1
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
    return try start().wait() ?? 1
  }

  private func start() throws(LaunchFailure) -> ChildProcess {
    guard !arguments.isEmpty else { throw LaunchFailure(reason: "no command", status: 127) }
    do throws(Errno) {
      switch streams {
      case .inherited: return try ChildProcess(arguments)
      case .terminalInput: return try ChildProcess(arguments, input: .file("/dev/tty"))
      case .terminal:
        return try ChildProcess(
          arguments, input: .file("/dev/tty"), output: .file("/dev/tty"), errors: .file("/dev/tty"))
      case .none: return try ChildProcess(arguments, input: .null, output: .null, errors: .null)
      }
    } catch {
      throw LaunchFailure(reason: "\(error)", status: error == .noSuchFileOrDirectory ? 127 : 126)
    }
  }
}

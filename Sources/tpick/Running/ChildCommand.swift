import PickerUI
import Results
import System
import SystemPackage

/// A program to run and wait for.
struct ChildCommand {
  /// The standard streams of the program.
  enum Streams {
    /// Those of tpick.
    case inherited
    /// The same, but with the terminal as standard input, because tpick has read its own.
    case terminalInput
    /// The terminal, for a program that has the screen for a while.
    case terminal
    /// The terminal, but standard output and errors go through tpick, which keeps the last line: the descriptor of
    /// another terminal.
    case terminalThrough(Int32)
    /// None, for a program in the background.
    case none
  }

  /// Why a program could not be run.
  struct LaunchFailure: Error {
    var reason: String
    /// As in shells: 127 if there is no such program, else 126.
    var status: Int32
  }

  /// The program and its arguments, its name first; it is looked up like a shell does.
  let arguments: [[UInt8]]
  let streams: Streams

  /// Runs the program to its end.
  ///
  /// Unless it runs in the background, the signals of Ctrl-C and Ctrl-\ affect only the program meanwhile. In a popup,
  /// a program that replaces the picker is left to the process that opened the popup, whose terminal it uses.
  /// - Returns: its exit status, 128 + n if signal n ended it; 0 if it is left to another process.
  func run() throws(LaunchFailure) -> Int32 {
    switch streams {
    case .none: return try start().wait() ?? 1
    case .inherited, .terminalInput:
      if let popup = PopupGuest.current {
        let readsTerminal = if case .terminalInput = streams { true } else { false }
        popup.answer(.command(arguments, readsTerminal: readsTerminal))
        return 0
      }
    case .terminal, .terminalThrough: break
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
      case .terminalThrough(let descriptor):
        return try ChildProcess(
          arguments, input: .file("/dev/tty"), output: .descriptor(descriptor),
          errors: .descriptor(descriptor))
      case .none: return try ChildProcess(arguments, input: .null, output: .null, errors: .null)
      }
    } catch {
      throw LaunchFailure(reason: "\(error)", status: error == .noSuchFileOrDirectory ? 127 : 126)
    }
  }
}

/// Extracts the command of `--exec` from the arguments before the parser runs: all words after it up to a `;` or the
/// end, as in `find` and `fd`.
enum ExecArguments {
  /// Joins the words of the command into one value.
  static func folded(_ arguments: [String]) -> [String] {
    let sources = arguments.firstIndex(of: "--") ?? arguments.endIndex
    guard let option = arguments[..<sources].firstIndex(of: "--exec") else { return arguments }
    let words = arguments[(option + 1)...]
    let end = words.firstIndex(of: ";") ?? words.endIndex
    return Array(arguments[...option]) + [ArgumentFolding.joined(words[..<end])]
      + arguments[min(end + 1, arguments.endIndex)...]
  }

  /// The command of a value; nil if there is none.
  /// - Throws: `Failure` if no command is named, or if a placeholder is misplaced.
  static func command(_ value: String?) throws(Failure) -> CommandTemplate? {
    guard let value else { return nil }
    do {
      return try CommandTemplate(words: ArgumentFolding.words([value]).map(ArgumentBytes.bytes))
    } catch {
      throw .usage("--exec: \(error)")
    }
  }
}

/// Parses the keys of options.
enum KeyArgument {
  /// The keys of a comma-separated list.
  /// - Throws: `ArgumentProblem` for an invalid name.
  static func keys(_ list: String) throws(ArgumentProblem) -> [Key] {
    var keys: [Key] = []
    for word in list.split(separator: ",", omittingEmptySubsequences: false) {
      let key = try key(String(word))
      if !keys.contains(key) { keys.append(key) }
    }
    return keys
  }

  /// - Throws: `ArgumentProblem` for an invalid name.
  static func key(_ word: String) throws(ArgumentProblem) -> Key {
    guard let key = Key(name: word) else {
      throw ArgumentProblem("'\(word)' is not a key that terminals send; expected \(Key.nameKinds)")
    }
    return key
  }
}

import PickerUI
import Results
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

/// Takes the command of `--exec` out of the arguments before the parser sees them: all words behind it up to a `;` or
/// the end, as `find` and `fd` have it.
enum ExecArguments {
  /// Arguments in which the words of the command are one value.
  static func folded(_ arguments: [String]) -> [String] {
    let sources = arguments.firstIndex(of: "--") ?? arguments.endIndex
    guard let option = arguments[..<sources].firstIndex(of: "--exec") else { return arguments }
    let words = arguments[(option + 1)...]
    let end = words.firstIndex(of: ";") ?? words.endIndex
    return Array(arguments[...option]) + [ArgumentFolding.joined(words[..<end])]
      + arguments[min(end + 1, arguments.endIndex)...]
  }

  /// The command of a value; nil for none.
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

/// Keys as options name them.
enum KeyArgument {
  /// The keys of a list, separated by commas.
  /// - Throws: `ArgumentProblem` for a name of no key.
  static func keys(_ list: String) throws(ArgumentProblem) -> [Key] {
    var keys: [Key] = []
    for word in list.split(separator: ",", omittingEmptySubsequences: false) {
      let key = try key(String(word))
      if !keys.contains(key) { keys.append(key) }
    }
    return keys
  }

  /// - Throws: `ArgumentProblem` for a name of no key.
  static func key(_ word: String) throws(ArgumentProblem) -> Key {
    guard let key = Key(name: word) else {
      throw ArgumentProblem("'\(word)' is not a key that terminals send; expected \(Key.nameKinds)")
    }
    return key
  }
}

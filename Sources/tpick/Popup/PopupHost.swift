import AssetLibrary
import Export
import FolderLibrary
import System
import SystemPackage
import TerminalGraphics

/// Runs this program in a tmux popup as if it ran here.
///
/// The process in the popup gets the arguments, the environment, the working directory and the standard streams
/// unchanged through a socket: no shell reads them, and no data is copied. It ends when this process does.
struct PopupHost {
  /// O_PATH, which Swift's import of the C library lacks: a working directory need not be readable.
  private static let pathOnly: Int32 = 0o10000000

  /// The exit status of tmux if it closed the popup itself.
  private static let closed: Int32 = 128 + SIGHUP

  let placement: PopupPlacement

  /// Opens the popup and waits for its end.
  /// - Returns: the status of the program in it, or that of the command that replaced it.
  /// - Throws: `Failure` if tmux does not open it.
  func run(_ arguments: [[UInt8]]) throws(Failure) -> ExitStatus {
    let name = PopupSocket.makeName()
    let directory = open(".", Self.pathOnly | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw Self.failure("the working directory: \(Errno(rawValue: errno))") }
    defer { close(directory) }
    let listener: PopupSocket
    do throws(Errno) {
      listener = try PopupSocket.listen(as: name)
    } catch {
      throw Self.failure("can't make a socket: \(error)")
    }
    let tmux = try start(name)
    let answer = Self.exchange(Self.call(arguments), directory, try connection(listener, tmux))
    let status = tmux.wait()
    switch answer {
    // The program may notice the loss of its terminal before the signal arrives.
    case .status(ExitStatus.failure.rawValue) where status == Self.closed: return .cancelled
    case .status(let status): return ExitStatus(rawValue: status)
    case .command(let words, let readsTerminal):
      let child = ChildCommand(arguments: words, streams: readsTerminal ? .terminalInput : .inherited)
      do throws(ChildCommand.LaunchFailure) {
        return ExitStatus(rawValue: try child.run())
      } catch {
        let command = String(decoding: words.first ?? [], as: UTF8.self)
        throw Failure(status: ExitStatus(rawValue: error.status), message: "\(command): \(error.reason)")
      }
    case nil:
      // tmux reports the number of the signal that ended the program.
      return (1...64).contains(status) ? ExitStatus(rawValue: 128 + status) : .cancelled
    }
  }

  /// Waits until the process in the popup connects.
  private func connection(
    _ listener: borrowing PopupSocket, _ tmux: TmuxProcess
  ) throws(Failure) -> PopupSocket {
    while true {
      var polls = [
        pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: tmux.errors, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polls, 2, -1) >= 0 else { continue }
      // Connections from other processes are rejected.
      if polls[0].revents != 0, let connection = try? listener.accept() { return connection }
      if polls[1].revents != 0, !tmux.readErrors() { throw Self.failure(tmux.reason) }
    }
  }

  private static func exchange(
    _ call: PopupMessage.Call, _ directory: Int32, _ connection: consuming PopupSocket
  ) -> PopupMessage.Answer? {
    guard connection.send(PopupMessage.bytes(of: call), with: [0, 1, 2, directory]) else { return nil }
    return connection.receive().map(\.message).flatMap(PopupMessage.answer)
  }

  private static func call(_ arguments: [[UInt8]]) -> PopupMessage.Call {
    PopupMessage.Call(
      arguments: arguments, environment: ProcessEnvironment.variables, mask: UInt32(NewFile.mask))
  }

  private static func failure(_ reason: String) -> Failure { .error("--tmux: \(reason)") }

  private func start(_ name: String) throws(Failure) -> TmuxProcess {
    guard let program = FilePath("/proc/self/exe").resolved else {
      throw Self.failure("/proc/self/exe: \(Errno(rawValue: errno))")
    }
    let quoted = program.bytes.flatMap { $0 == UInt8(ascii: "'") ? Array("'\\''".utf8) : [$0] }
    let line = Array("exec '".utf8) + quoted + Array("' \(PopupGuest.option) \(name)".utf8)
    let words = ["display-popup", "-E"] + placement.arguments
    return try TmuxProcess(words.map { Array($0.utf8) } + [line])
  }
}

/// The messages on the socket of a popup: strings without NUL bytes, as in arguments and environments.
enum PopupMessage {
  /// A call of the program, which the process in the popup executes.
  struct Call: Equatable {
    var arguments: [[UInt8]]
    /// The variables, each as `NAME=value`.
    var environment: [[UInt8]]
    /// The file mode creation mask.
    var mask: UInt32
  }

  /// How the process in the popup ends.
  enum Answer: Equatable {
    case status(Int32)
    /// A command replaces it, on the terminal from which the popup was opened.
    case command([[UInt8]], readsTerminal: Bool)
  }

  static func bytes(of call: Call) -> [UInt8] {
    joined(
      [Array("\(call.mask)".utf8), Array("\(call.arguments.count)".utf8)] + call.arguments + call.environment)
  }

  static func call(_ bytes: [UInt8]) -> Call? {
    let items = split(bytes)
    guard items.count >= 2, let mask = UInt32(text(items[0])), let count = Int(text(items[1])),
      (0...items.count - 2).contains(count)
    else { return nil }
    return Call(
      arguments: Array(items[2..<2 + count]), environment: Array(items[(2 + count)...]), mask: mask)
  }

  static func bytes(of answer: Answer) -> [UInt8] {
    switch answer {
    case .status(let status): joined([Array("status".utf8), Array("\(status)".utf8)])
    case .command(let words, let readsTerminal):
      joined([Array("command".utf8), Array(readsTerminal ? "1".utf8 : "0".utf8)] + words)
    }
  }

  static func answer(_ bytes: [UInt8]) -> Answer? {
    let items = split(bytes)
    guard items.count >= 2 else { return nil }
    switch text(items[0]) {
    case "status": return Int32(text(items[1])).map(Answer.status)
    case "command": return .command(Array(items[2...]), readsTerminal: text(items[1]) == "1")
    default: return nil
    }
  }

  private static func joined(_ items: [[UInt8]]) -> [UInt8] { items.flatMap { $0 + [0] } }

  private static func split(_ bytes: [UInt8]) -> [[UInt8]] {
    bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map(Array.init)
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// A running tmux command, and its standard error.
final class TmuxProcess {
  /// Its standard error, which ends with it.
  let errors: Int32
  private let process: ChildProcess
  private var said: [UInt8] = []

  /// - Throws: `Failure` if there is no tmux.
  init(_ arguments: [[UInt8]]) throws(Failure) {
    do throws(Errno) {
      let ends = try ChildProcess.pipe()
      defer { close(ends.writeEnd) }
      do throws(Errno) {
        process = try ChildProcess(
          [Array("tmux".utf8)] + arguments, input: .null, output: .null, errors: .descriptor(ends.writeEnd))
      } catch {
        close(ends.readEnd)
        throw error
      }
      errors = ends.readEnd
    } catch {
      throw .error("--tmux: tmux: \(error)")
    }
  }

  /// Reads its messages.
  /// - Returns: false once it has ended.
  func readErrors() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let n = read(errors, &buffer, buffer.count)
    if n > 0, said.count < 4096 { said += buffer[..<n] }
    return n > 0 || n < 0 && errno == EINTR
  }

  /// Why it did not open a popup.
  var reason: String {
    let words = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline).joined(
      separator: " ")
    let status = wait()
    if words.contains("unknown command") { return "popups need tmux 3.2 or later: \(words)" }
    if !words.isEmpty { return "tmux can't open a popup: \(words)" }
    return "tmux can't open a popup" + (status == 0 ? ": another popup or a menu is open" : "")
  }

  /// Waits for its end.
  /// - Returns: its exit status.
  @discardableResult
  func wait() -> Int32 {
    while readErrors() {}
    return process.wait() ?? 0
  }

  deinit { close(errors) }
}

extension ExitStatus {
  /// Ends the program.
  ///
  /// Threads may still be reading photos or formatting dates. Exit handlers would destroy the objects of C++ libraries
  /// under them, and a crash after complete output would be reported as failure; so none is run.
  func end() -> Never {
    PopupGuest.current?.answer(.status(rawValue))
    fflush(nil)
    _exit(rawValue)
  }
}

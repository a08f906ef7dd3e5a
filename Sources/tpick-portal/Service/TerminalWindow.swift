import FileChooser
import SystemPackage
import System

/// A terminal window in which a request is served.
///
/// Some terminals exit at once and leave the window to another process of theirs, so their exit says little.
/// Instead, the process in the window connects to this object, and its connection ends with the window. When this
/// object is released, that process sees its connection end, or cannot connect, and exits.
final class TerminalWindow {
  enum End {
    /// The program in the window exited with this status; nil if the window was closed.
    case closed(status: Int32?)
    /// No window opened.
    case failed(String)
  }

  /// How long to wait for the window after the terminal's process has exited, in microseconds.
  private static let patience: UInt64 = 30_000_000

  private let folder: RequestFolder
  private let listener: StatusSocket
  private var connection: StatusSocket?
  private var received: [UInt8] = []
  private let command: TerminalCommand
  let terminal: ChildProgram
  /// When to stop waiting for the window.
  private(set) var deadline: UInt64?

  /// Opens a window.
  /// - Parameter makeTask: returns the task for the window, given the path of the results file.
  init(
    _ command: TerminalCommand, size: TerminalCommand.Size, title: String,
    makeTask: ([UInt8]) -> TerminalTaskMessage.Task
  ) throws(ChildProgram.LaunchFailure) {
    do {
      folder = try RequestFolder()
      listener = try StatusSocket.listen(in: folder.path)
      try folder.write(makeTask(folder.resultsPath), title: title)
    } catch {
      throw ChildProgram.LaunchFailure(description: "the folder of the request: \(error)")
    }
    let inside = [ProgramFiles.own.bytes, Array("--inside".utf8), folder.path.bytes]
    self.command = command
    terminal = try ChildProgram(command.words(running: inside, title: title, size: size), isApart: true)
  }

  /// What to poll for.
  var polls: [pollfd] {
    if let connection { return [pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)] }
    var polls = [pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)]
    if deadline == nil { polls.append(pollfd(fd: terminal.end, events: Int16(POLLIN), revents: 0)) }
    return polls
  }

  /// Handles what has happened.
  /// - Returns: nil while the window is open.
  func handleEvents() -> End? {
    // Read before `accept`: a process that connected before the terminal exited is in the queue.
    let hasEnded = terminal.hasEnded
    if connection == nil { connection = listener.accept() }
    if let connection {
      return connection.receive(&received) ? nil : .closed(status: TerminalTaskMessage.status(of: received))
    }
    guard hasEnded else { return nil }
    let status = terminal.wait()
    if status != 0 { return .failed("\(command.terminal.name) exited with status \(status)") }
    if !command.terminal.returnsAtOnce { return .closed(status: nil) }
    let now = MonotonicClock.now
    deadline = deadline ?? now + Self.patience
    return now >= deadline ?? now ? .failed("\(command.terminal.name) opened no window") : nil
  }

  func readResults() -> [UInt8] { folder.readResults() }
}

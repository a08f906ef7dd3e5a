import FileChooser
import SystemPackage
import System

/// A window with a terminal in which a request is served.
///
/// Some terminals end at once and leave the window to another process of theirs, so their end says little: it is the
/// process in the window that connects, and whose connection ends with the window. Where this goes, the process sees its
/// connection end, or finds nothing to connect to, and ends.
final class TerminalWindow {
  enum End {
    /// What ran in it has ended with this status; nil where the window was closed.
    case closed(status: Int32?)
    /// No window came.
    case failed(String)
  }

  /// How long a window may take to come once the terminal's process has ended, in microseconds.
  private static let patience: UInt64 = 30_000_000

  private let folder: RequestFolder
  private let listener: StatusSocket
  private var connection: StatusSocket?
  private var received: [UInt8] = []
  private let command: TerminalCommand
  let terminal: ChildProgram
  /// When to give up waiting for the window.
  private(set) var deadline: UInt64?

  /// Opens a window.
  /// - Parameter makeTask: what to do in it; gets the path of the file for the results.
  init(
    _ command: TerminalCommand, size: TerminalCommand.Size, title: String,
    makeTask: ([UInt8]) -> InsideMessage.Task
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

  /// What to wait for.
  var polls: [pollfd] {
    if let connection { return [pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)] }
    var polls = [pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)]
    if deadline == nil { polls.append(pollfd(fd: terminal.end, events: Int16(POLLIN), revents: 0)) }
    return polls
  }

  /// Takes what has happened.
  /// - Returns: nil as long as it goes on.
  func step() -> End? {
    // Looked at first: who has connected before is in the queue.
    let hasEnded = terminal.hasEnded
    if connection == nil { connection = listener.accept() }
    if let connection {
      return connection.receive(&received) ? nil : .closed(status: InsideMessage.status(of: received))
    }
    guard hasEnded else { return nil }
    let status = terminal.wait()
    if status != 0 { return .failed("\(command.terminal.name) ended with status \(status)") }
    if !command.terminal.returnsAtOnce { return .closed(status: nil) }
    let now = MonotonicClock.now
    deadline = deadline ?? now + Self.patience
    return now >= deadline ?? now ? .failed("\(command.terminal.name) opened no window") : nil
  }

  func readResults() -> [UInt8] { folder.readResults() }
}

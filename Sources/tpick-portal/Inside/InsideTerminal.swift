import FileChooser
import SystemPackage
import System

/// The process in the terminal's window: does the task of a request and tells the service how it has ended.
struct InsideTerminal {
  private let folder: FilePath
  private let connection: StatusSocket

  /// - Returns: the exit status.
  static func run(in folder: FilePath) -> Int32 {
    do throws(Errno) {
      let bytes = try FileBytes.read(RequestFolder.task(in: folder))
      guard let (task, title) = InsideMessage.task(of: bytes) else { throw .invalidArgument }
      let inside = InsideTerminal(folder: folder, connection: try StatusSocket.connect(in: folder))
      // Writing to a service that has ended is an error of write.
      signal(SIGPIPE, SIG_IGN)
      if isatty(STDOUT_FILENO) == 1 { TerminalLines.write(WindowTitle.sequence(title)) }
      if let status = inside.perform(task, title) {
        inside.connection.send(InsideMessage.bytes(ofStatus: status))
      }
      return 0
    } catch {
      // The request was ended before the window came.
      Log.write("\(folder.string): \(error)")
      return 1
    }
  }

  /// - Returns: the status; nil where the service has ended the request.
  private func perform(_ task: InsideMessage.Task, _ title: String) -> Int32? {
    switch task {
    case .run(let words): run(words)
    case .ask(let question, let results):
      PathPrompt(question: question, lines: TerminalLines(connection: connection)).run(
        title: title, results: FilePath(bytes: results))
    }
  }

  private func run(_ words: [[UInt8]]) -> Int32? {
    // What the terminal sends on Ctrl-C and Ctrl-\ is for the program alone.
    signal(SIGINT, SIG_IGN)
    signal(SIGQUIT, SIG_IGN)
    let program: ChildProgram
    do throws(ChildProgram.LaunchFailure) {
      program = try ChildProgram(words, isApart: false)
    } catch {
      Log.write("\(error)")
      return pause(127)
    }
    var polls = [
      pollfd(fd: program.end, events: Int16(POLLIN), revents: 0),
      pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&polls, 2, -1) < 0 || polls[0].revents == 0 {
      guard polls[1].revents != 0 else { continue }
      // The request was ended, or the service has.
      program.signal(SIGTERM)
      program.wait()
      return nil
    }
    return pause(program.wait())
  }

  /// Lets the user read what the program has said, where it ended without having been used.
  private func pause(_ status: Int32) -> Int32? {
    guard (1..<128).contains(status) else { return status }
    let lines = TerminalLines(connection: connection)
    TerminalLines.write(Array("Press Enter to close this window. ".utf8))
    _ = lines.read()
    return status
  }
}

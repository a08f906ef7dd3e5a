import AssetLibrary
import FileChooser
import System
import SystemPackage

/// The process in the terminal window: performs the task of a request and reports its exit status to the service.
struct TerminalTask {
  private let folder: FilePath
  private let connection: StatusSocket

  /// - Returns: the exit status.
  static func run(in folder: FilePath) -> Int32 {
    do throws(Errno) {
      let bytes = try FileBytes.read(RequestFolder.task(in: folder))
      guard let (task, title) = TerminalTaskMessage.task(of: bytes) else { throw .invalidArgument }
      let inside = TerminalTask(folder: folder, connection: try StatusSocket.connect(in: folder))
      // Writing to a service that has exited then fails with EPIPE.
      signal(SIGPIPE, SIG_IGN)
      if isatty(STDOUT_FILENO) == 1 { TerminalLines.write(WindowTitle.sequence(title)) }
      if let status = inside.perform(task, title) {
        inside.connection.send(TerminalTaskMessage.bytes(ofStatus: status))
      }
      return 0
    } catch {
      // The request ended before the window opened.
      Log.write("\(folder.string): \(error)")
      return 1
    }
  }

  /// - Returns: the status; nil if the service has ended the request.
  private func perform(_ task: TerminalTaskMessage.Task, _ title: String) -> Int32? {
    switch task {
    case .run(let words): run(words)
    case .ask(let question, let results):
      PathPrompt(question: question, lines: TerminalLines(connection: connection)).run(
        title: title, results: FilePath(bytes: results))
    }
  }

  private func run(_ words: [[UInt8]]) -> Int32? {
    // The signals that the terminal sends on Ctrl-C and Ctrl-\ are for the child program only.
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
      // The request or the service has ended.
      program.signal(SIGTERM)
      program.wait()
      return nil
    }
    return pause(program.wait())
  }

  /// Keeps the window open so that the user can read the program's messages, if it failed right away.
  private func pause(_ status: Int32) -> Int32? {
    guard (1..<128).contains(status) else { return status }
    let lines = TerminalLines(connection: connection)
    TerminalLines.write(Array("Press Enter to close this window. ".utf8))
    _ = lines.read()
    return status
  }
}

/// Prompts for paths line by line, if the desktop has no other file chooser.
private struct PathPrompt {
  let question: PathQuestion
  let lines: TerminalLines

  /// Writes the URIs of the paths to a file.
  /// - Returns: a status like tpick's: 130 if the user cancelled.
  func run(title: String, results: FilePath) -> Int32 {
    lines.write("\(title)\nCtrl-C cancels.\n")
    guard let paths = askPaths(), !paths.isEmpty else { return 130 }
    let text = paths.map { FileURI.text(for: FilePath(bytes: $0).lexicallyNormalized().bytes) + "\n" }
      .joined()
    do throws(Errno) {
      try FileBytes.write(Array(text.utf8), to: results)
      return 0
    } catch {
      Log.write("\(results.string): \(error)")
      return 2
    }
  }

  /// - Returns: nil at the end of the input.
  private func askPaths() -> [[UInt8]]? {
    switch question.kind {
    case .file: askPath("File").map { [$0] }
    case .files: askFiles()
    case .folder: askFolder().map { [$0] }
    case .saving: askTarget().map { [$0] }
    case .savingSeveral: askFolder().map(targets)
    }
  }

  private func askFiles() -> [[UInt8]]? {
    lines.write("An empty line ends the list.\n")
    var paths: [[UInt8]] = []
    while let typed = lines.ask("File", suggestion: nil) {
      if typed.isEmpty { return paths }
      let path = path(typed)
      if check(path, FolderEntries.exists, "there is no such file") { paths.append(path) }
    }
    return nil
  }

  private func askPath(_ words: String) -> [UInt8]? {
    while let typed = lines.ask(words, suggestion: nil) {
      if typed.isEmpty { return nil }
      let path = path(typed)
      if check(path, FolderEntries.exists, "there is no such file") { return path }
    }
    return nil
  }

  private func askFolder() -> [UInt8]? {
    while let typed = lines.ask("Folder", suggestion: question.folder) {
      let path = path(typed)
      if check(path, FolderEntries.isFolder, "there is no such folder") { return path }
    }
    return nil
  }

  private func askTarget() -> [UInt8]? {
    guard let folder = askFolder() else { return nil }
    while let name = lines.ask("Name", suggestion: question.names.first) {
      if name.isEmpty { return nil }
      let path = PathAnswer.path(name, in: folder, home: UserFolders.home.bytes)
      guard check(path, { !FolderEntries.isFolder($0) }, "this is a folder") else { continue }
      if !Self.exists(path) { return path }
      guard
        let answer = lines.ask("The file exists. Replace it? y/n", suggestion: Array("n".utf8))
      else {
        return nil
      }
      if answer.elementsEqual("y".utf8) { return path }
    }
    return nil
  }

  /// Returns names that exist neither in the folder nor twice among themselves.
  private func targets(in folder: [UInt8]) -> [[UInt8]] {
    var targets: [[UInt8]] = []
    for name in question.names {
      let free = PathAnswer.freeName(name) { name in
        let path = PathAnswer.joined(folder, name[...])
        return targets.contains(path) || Self.exists(path)
      }
      targets.append(PathAnswer.joined(folder, free[...]))
    }
    return targets
  }

  private func path(_ typed: [UInt8]) -> [UInt8] {
    PathAnswer.path(typed, in: question.folder, home: UserFolders.home.bytes)
  }

  private static func exists(_ path: [UInt8]) -> Bool {
    ChildProgram.answer { FolderEntries.exists(FilePath(bytes: path)) } ?? false
  }

  private func check(
    _ path: [UInt8], _ isRight: @escaping (FilePath) -> Bool, _ problem: String
  ) -> Bool {
    let answer = ChildProgram.answer { isRight(FilePath(bytes: path)) }
    if answer == true { return true }
    let name = ControlCharacters.escaped(String(decoding: path, as: UTF8.self))
    lines.write("\(name): \(answer == nil ? "does not answer" : problem)\n")
    return false
  }
}

/// Reads lines that the user types, with the terminal's own line editing.
final class TerminalLines {
  private let connection: StatusSocket
  private var typed: [UInt8] = []

  /// - Parameter connection: when it ends, the input ends.
  init(connection: StatusSocket) { self.connection = connection }

  static func write(_ bytes: [UInt8]) { _ = Glibc.write(STDOUT_FILENO, bytes, bytes.count) }

  func write(_ text: String) { Self.write(Array(text.utf8)) }

  /// Prompts for a line.
  /// - Parameter suggestion: the meaning of an empty line.
  /// - Returns: nil at the end of the input.
  func ask(_ question: String, suggestion: [UInt8]?) -> [UInt8]? {
    let hint = suggestion.map { " [\(ControlCharacters.escaped(String(decoding: $0, as: UTF8.self)))]" }
    write("\(question)\(hint ?? ""): ")
    return read().map { $0.isEmpty ? suggestion ?? [] : $0 }
  }

  /// - Returns: nil at the end of the input.
  func read() -> [UInt8]? {
    while true {
      if let end = typed.firstIndex(of: 0x0A) {
        let line = Array(typed[..<end])
        typed.removeFirst(end + 1)
        return line
      }
      var polls = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polls, 2, -1) > 0 else { continue }
      if polls[1].revents != 0 { return nil }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      if count == 0 || count < 0 && errno != EINTR { return nil }
      typed += buffer[..<max(0, count)]
    }
  }
}

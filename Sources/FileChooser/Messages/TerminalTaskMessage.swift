/// Messages between the service and the process that it starts in a terminal window.
///
/// The service writes the task into a file. The process sends its exit status through a socket; if the socket
/// is closed before the status has arrived, the window was closed.
package enum TerminalTaskMessage {
  /// The task of the process in the terminal.
  package enum Task: Hashable, Sendable {
    /// Run a program with its arguments.
    case run([[UInt8]])
    /// Prompt for paths, and write their URIs to a file.
    case ask(PathQuestion, results: [UInt8])
  }

  /// Encodes a task with the title of its window as NUL-terminated words.
  package static func bytes(of task: Task, title: String) -> [UInt8] {
    let words: [[UInt8]]
    switch task {
    case .run(let command): words = [Array("run".utf8)] + command
    case .ask(let question, let results): words = [Array("ask".utf8), results] + question.words
    }
    return ([Array(title.utf8)] + words).flatMap { $0 + [0] }
  }

  /// Decodes the output of `bytes(of:title:)`; nil for anything else.
  package static func task(of bytes: [UInt8]) -> (task: Task, title: String)? {
    guard bytes.last == 0 else { return nil }
    let words = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    guard words.count > 2 else { return nil }
    let title = String(decoding: words[0], as: UTF8.self)
    let rest = Array(words[2...])
    switch String(decoding: words[1], as: UTF8.self) {
    case "run": return (.run(rest), title)
    case "ask":
      return PathQuestion(words: Array(rest.dropFirst())).map { (.ask($0, results: rest[0]), title) }
    default: return nil
    }
  }

  package static func bytes(ofStatus status: Int32) -> [UInt8] { Array("\(status)\n".utf8) }

  /// Decodes a status; nil if it is incomplete.
  package static func status(of bytes: [UInt8]) -> Int32? {
    guard bytes.last == 0x0A else { return nil }
    return Int32(String(decoding: bytes.dropLast(), as: UTF8.self))
  }
}

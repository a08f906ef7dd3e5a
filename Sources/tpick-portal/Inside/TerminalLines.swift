import TerminalText
import System

/// Lines that the user types, as the terminal lets them be edited.
final class TerminalLines {
  private let connection: StatusSocket
  private var typed: [UInt8] = []

  /// - Parameter connection: its end ends the input.
  init(connection: StatusSocket) { self.connection = connection }

  static func write(_ bytes: [UInt8]) { _ = Glibc.write(STDOUT_FILENO, bytes, bytes.count) }

  func write(_ text: String) { Self.write(Array(text.utf8)) }

  /// Asks for a line.
  /// - Parameter suggestion: what an empty line means.
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

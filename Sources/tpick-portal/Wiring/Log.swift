import TerminalText
import System

/// Messages on standard error, which the session's journal keeps.
enum Log {
  static func write(_ message: String) {
    let line = Array("tpick-portal: \(ControlCharacters.escaped(message))\n".utf8)
    _ = Glibc.write(STDERR_FILENO, line, line.count)
  }
}

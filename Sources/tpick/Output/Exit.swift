import CursesHost
import TerminalGraphics
import System

/// The exit status of the program, part of its interface for scripts.
struct ExitStatus: RawRepresentable, Hashable {
  let rawValue: Int32

  static let success = ExitStatus(rawValue: 0)
  /// Confirmed with nothing to pick, or nothing matched.
  static let nothing = ExitStatus(rawValue: 1)
  static let failure = ExitStatus(rawValue: 2)
  /// EX_USAGE.
  static let usage = ExitStatus(rawValue: 64)
  /// EX_NOPERM.
  static let noPermission = ExitStatus(rawValue: 77)
  static let cancelled = ExitStatus(rawValue: 130)
}

/// An error that ends the program with a message on standard error.
struct Failure: Error {
  var status: ExitStatus
  /// The subject and the cause, without the program's name.
  var message: String

  static func usage(_ message: String) -> Failure { Failure(status: .usage, message: message) }
  static func error(_ message: String) -> Failure { Failure(status: .failure, message: message) }
}

extension Failure {
  /// The error for a missing screen, with a hint if there is no terminal.
  /// - Parameter alternative: a command for scripts that needs no terminal.
  init(_ error: TerminalError, inScripts alternative: String) {
    switch error {
    case .absent: self = .error("\(error); over SSH use ssh -t, in scripts \(alternative)")
    case .unusable, .lost, .interrupted: self = .error("\(error)")
    }
  }
}

/// Messages on standard error.
enum Messages {
  /// Writes `tpick: message`.
  ///
  /// Control characters in it are escaped, because file names can contain them.
  static func warn(_ message: String) {
    StandardStream.error.write(Array("tpick: \(OutputText.escaped(message))\n".utf8))
  }
}

/// The standard streams; output and errors are unbuffered, also where the parent made them non-blocking.
struct StandardStream {
  static let input = StandardStream(descriptor: 0)
  static let output = StandardStream(descriptor: 1)
  static let error = StandardStream(descriptor: 2)

  let descriptor: Int32

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Writes all bytes; false if writing fails.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    DescriptorWriter(descriptor).write(bytes) == .written
  }
}

/// A question that the user answers on the terminal.
enum TerminalQuestion {
  /// - Parameter question: the complete text, ending with the possible answers.
  /// - Returns: whether the user said yes; nil if there is no terminal.
  static func ask(_ question: String) -> Bool? {
    // Not standard input, because a script's input must not answer the question.
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    StandardStream(descriptor: terminal).write(Array(question.utf8))
    var answer: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1, byte != 0x0A, answer.count < 64 else { break }
      answer.append(byte)
    }
    return ["y", "yes"].contains(String(decoding: answer, as: UTF8.self).lowercased())
  }
}

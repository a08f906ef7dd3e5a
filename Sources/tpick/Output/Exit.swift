import CursesHost

#if canImport(Glibc)
  import Glibc
#endif

/// The exit status of the program, part of its interface for scripts.
enum ExitStatus: Int32 {
  case success = 0
  /// Confirmed with nothing to pick, or nothing matched.
  case nothing = 1
  case failure = 2
  /// EX_USAGE
  case usage = 64
  /// EX_NOPERM
  case noPermission = 77
  case cancelled = 130
}

/// An error that ends the program with a message on standard error.
struct Failure: Error {
  var status: ExitStatus
  /// The subject and the cause, without the program's name.
  var message: String

  static func usage(_ message: String) -> Failure { Failure(status: .usage, message: message) }
  static func error(_ message: String) -> Failure { Failure(status: .failure, message: message) }
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

import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// How the program ends; the contract with scripts.
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

/// An end with a word on standard error.
struct Failure: Error {
  var status: ExitStatus
  /// What and why, without the program's name.
  var message: String

  static func usage(_ message: String) -> Failure { Failure(status: .usage, message: message) }
  static func error(_ message: String) -> Failure { Failure(status: .failure, message: message) }
}

/// Standard error.
enum Messages {
  /// Writes `tpick: message`.
  ///
  /// Names in it may hold anything: nothing of it acts on the terminal.
  static func warn(_ message: String) {
    StandardStream.error.write(Array("tpick: \(OutputText.escaped(message))\n".utf8))
  }
}

/// Standard output and error as bytes.
struct StandardStream {
  static let output = StandardStream(descriptor: 1)
  static let error = StandardStream(descriptor: 2)

  let descriptor: Int32

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Writes everything; false when the other end does not take it.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    (try? FileDescriptor(rawValue: descriptor).writeAll(bytes)) != nil
  }
}

import CPlatform
package import SystemPackage

/// Starts programs of the user's and of the system, and waits for them: the only place that calls `posix_spawn`.
///
/// What the kernel must do before the program begins (death signals, filters, lifelines) is not in `posix_spawn`:
/// helpers, rclone and converters are started by CPlatform, the sandbox by CConfinement.
package struct ChildProcess: Sendable {
  /// What one of the three standard streams of a child is.
  package enum Stream: Sendable {
    /// That of this process.
    case inherited
    /// `/dev/null`, for reading and writing.
    case null
    /// A file, opened by the child for reading and writing.
    case file(String)
    /// An open file of this process.
    case descriptor(Int32)
  }

  /// Which dispositions of signals a child does not inherit.
  package enum SignalReset: Sendable {
    /// Those that tpick ignores: SIGINT and SIGQUIT while another program has the terminal, and SIGPIPE.
    case ignoredHere
    /// All of them.
    case all
  }

  /// Positive; it is another process's once the child has been waited for.
  package let identifier: Int32

  /// Starts a program.
  ///
  /// The child blocks no signals, and has no descriptors but the three streams and those that are not close-on-exec.
  /// - Parameters:
  ///   - arguments: the program's name first; bytes without NUL.
  ///   - path: the program; nil = the first argument, looked up in PATH as shells do.
  ///   - environment: "NAME=value"; nil = that of this process.
  ///   - hasOwnSession: whether the terminal's signals pass it by.
  /// - Throws: `Errno`: `.noSuchFileOrDirectory` where there is no such program, or no argument.
  package init(
    _ arguments: [[UInt8]], path: String? = nil, environment: [[UInt8]]? = nil, input: Stream = .inherited,
    output: Stream = .inherited, errors: Stream = .inherited, resetting reset: SignalReset = .ignoredHere,
    hasOwnSession: Bool = false
  ) throws(Errno) {
    guard let name = arguments.first else { throw .noSuchFileOrDirectory }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in zip([STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO], [input, output, errors]) {
      switch stream {
      case .inherited: break
      case .null: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      case .file(let path): posix_spawn_file_actions_addopen(&actions, number, path, O_RDWR, 0)
      case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (unblocked, defaults) = (sigset_t(), sigset_t())
    sigemptyset(&unblocked)
    switch reset {
    case .all: sigfillset(&defaults)
    case .ignoredHere:
      sigemptyset(&defaults)
      for number in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&defaults, number) }
    }
    posix_spawnattr_setsigmask(&attributes, &unblocked)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (hasOwnSession ? Self.ownSession : 0)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var process: pid_t = 0
    let failure = CStrings.withPointers(arguments) { words in
      let start = { (variables: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) in
        if let path { return posix_spawn(&process, path, &actions, &attributes, words, variables) }
        return CStrings.withPointer(name) {
          posix_spawnp(&process, $0, &actions, &attributes, words, variables)
        }
      }
      guard let environment else { return start(environ) }
      return CStrings.withPointers(environment) { variables in
        var variables = variables
        return start(&variables)
      }
    }
    guard failure == 0 else { throw Errno(rawValue: failure) }
    identifier = process
  }

  /// A child that was started by other means.
  package init(identifier: Int32) { self.identifier = identifier }

  /// POSIX_SPAWN_SETSID, which is not in Swift's view of the C library.
  private static let ownSession: Int32 = 0x80

  /// Waits for the end; once.
  /// - Returns: the exit status as shells have it, 128 + n where signal n ended the child; nil where it can't be waited
  ///   for.
  @discardableResult
  package func wait() -> Int32? {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 {
      if errno != EINTR { return nil }
    }
    return Self.exitStatus(of: status)
  }

  /// The exit status as shells have it of a status from `waitpid`.
  package static func exitStatus(of status: Int32) -> Int32 {
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Makes a pipe whose ends are closed by an exec, also by that of another thread.
  /// - Throws: `Errno` where no more files may be open.
  package static func pipe() throws(Errno) -> (readEnd: Int32, writeEnd: Int32) {
    var ends: (Int32, Int32) = (-1, -1)
    let failure = closing_pipe(&ends.0, &ends.1)
    guard failure == 0 else { throw Errno(rawValue: failure) }
    return (ends.0, ends.1)
  }
}

/// Words of bytes as the C library takes them.
package enum CStrings {
  /// Calls a function with pointers to the words and a null pointer behind them, valid for the call.
  package static func withPointers<Result>(
    _ words: [[UInt8]], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers: [UnsafeMutablePointer<CChar>?] = words.map { word in
      (word + [0]).withUnsafeBytes { bytes in
        bytes.assumingMemoryBound(to: CChar.self).baseAddress.flatMap { strdup($0) }
      }
    }
    defer { pointers.forEach { free($0) } }
    return body(pointers + [nil])
  }

  /// Calls a function with pointers to texts and a null pointer behind them, valid for the call.
  package static func withPointers<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    withPointers(texts.map { Array($0.utf8) }, body)
  }

  /// Calls a function with a word that ends with NUL, valid for the call.
  package static func withPointer<Result>(
    _ word: [UInt8], _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    let text = word.map { CChar(bitPattern: $0) } + [0]
    return body(text)
  }
}

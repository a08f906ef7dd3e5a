import CPlatform
package import SystemPackage

/// Starts programs and waits for them.
///
/// CPlatform starts the programs that must end with tpick: helpers and converters from a thread that lives as
/// long as the process, because the kernel's parent-death signal depends on that thread, and rclone behind a
/// guard process. CConfinement starts the sandbox. All other programs are started here.
package struct ChildProcess: Sendable {
  /// What one of the three standard streams of a child is connected to.
  package enum Stream: Sendable {
    /// The stream of this process.
    case inherited
    /// `/dev/null`, opened for reading and writing.
    case null
    /// A file that the child opens for reading and writing.
    case file(String)
    /// An open descriptor of this process.
    case descriptor(Int32)
  }

  /// The signals whose dispositions are reset to the default in the child.
  package enum SignalReset: Sendable {
    /// The signals that tpick ignores: SIGINT and SIGQUIT while another program has the terminal, and
    /// SIGPIPE.
    case ignoredHere
    /// All signals.
    case all
  }

  /// The process ID, positive.
  ///
  /// The kernel may reuse it once `wait()` has returned.
  package let identifier: Int32

  /// Starts a program.
  ///
  /// The child blocks no signals. It inherits the three streams and every descriptor that is not
  /// close-on-exec.
  /// - Parameters:
  ///   - arguments: the program's name, then its arguments; bytes without NUL.
  ///   - path: the program to run; nil = the first argument, looked up in PATH as shells do.
  ///   - environment: entries of the form "NAME=value"; nil = the environment of this process.
  ///   - hasOwnSession: whether the child starts a new session and so receives no signals from the terminal.
  /// - Throws: `Errno`, `.noSuchFileOrDirectory` if the program does not exist or `arguments` is empty.
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

  /// Wraps a child that was started by other means.
  package init(identifier: Int32) { self.identifier = identifier }

  /// POSIX_SPAWN_SETSID; Swift does not import the constant from the C library.
  private static let ownSession: Int32 = 0x80

  /// Waits for the child to exit.
  ///
  /// Call it once.
  /// - Returns: the exit status as shells report it, 128 + n if signal n ended the child; nil if waiting
  ///   fails.
  @discardableResult
  package func wait() -> Int32? {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 {
      if errno != EINTR { return nil }
    }
    return Self.exitStatus(of: status)
  }

  /// Converts a status from `waitpid` to an exit status as shells report it.
  package static func exitStatus(of status: Int32) -> Int32 {
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Creates a close-on-exec pipe.
  ///
  /// The flag is set atomically, so a concurrent fork and exec cannot inherit the ends.
  /// - Throws: `Errno` if the limit of open files is reached.
  package static func pipe() throws(Errno) -> (readEnd: Int32, writeEnd: Int32) {
    var ends: (Int32, Int32) = (-1, -1)
    let failure = closing_pipe(&ends.0, &ends.1)
    guard failure == 0 else { throw Errno(rawValue: failure) }
    return (ends.0, ends.1)
  }
}

/// Passes arrays of bytes to C functions as NUL-terminated strings.
package enum CStrings {
  /// Calls a function with pointers to the strings, followed by a null pointer.
  ///
  /// The pointers are valid during the call.
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

  /// Calls a function with pointers to the strings, followed by a null pointer.
  ///
  /// The pointers are valid during the call.
  package static func withPointers<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    withPointers(texts.map { Array($0.utf8) }, body)
  }

  /// Calls a function with a pointer to one NUL-terminated string.
  ///
  /// The pointer is valid during the call.
  package static func withPointer<Result>(
    _ word: [UInt8], _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    let text = word.map { CChar(bitPattern: $0) } + [0]
    return body(text)
  }
}

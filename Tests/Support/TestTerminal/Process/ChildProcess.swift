import CVTerm
import Glibc

/// A program that leads a session of its own, with a pseudo-terminal as its controlling terminal.
final class ChildProcess {
  let identifier: pid_t
  /// Its exit status, once it has ended.
  private(set) var status: ExitStatus?

  /// The targets of the first three descriptors; `nil` is the terminal.
  struct Streams {
    var input: FileDescriptor?
    var output: FileDescriptor?
    var errors: FileDescriptor?
  }

  /// Starts a program.
  /// - Parameter streams: Borrowed, so that they stay open until the program has them.
  init(
    executable: String, arguments: [[UInt8]], environment: [String: String], directory: String?,
    terminal: String, streams: borrowing Streams
  ) throws(TerminalFailure) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in [streams.input, streams.output, streams.errors].enumerated() {
      guard let stream else { continue }
      posix_spawn_file_actions_adddup2(&actions, stream.number, Int32(number))
    }
    // The first terminal that a session leader opens becomes its controlling terminal.
    posix_spawn_file_actions_addopen(&actions, 3, terminal, O_RDWR, 0)
    for (number, stream) in [streams.input, streams.output, streams.errors].enumerated() where stream == nil {
      posix_spawn_file_actions_adddup2(&actions, 3, Int32(number))
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    if let directory { posix_spawn_file_actions_addchdir_np(&actions, directory) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let flags = Int(POSIX_SPAWN_SETSIGMASK) | Int(POSIX_SPAWN_SETSIGDEF) | tpick_spawn_new_session
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var variables = environment.map { "\($0.key)=\($0.value)" }.sorted().map { Self.copy($0.utf8) }
    var words = [Self.copy(executable.utf8)] + arguments.map(Self.copy)
    variables.append(nil)
    words.append(nil)
    defer { (variables + words).forEach { free($0) } }
    var identifier: pid_t = 0
    let error = posix_spawnp(&identifier, executable, &actions, &attributes, words, variables)
    if error != 0 { throw TerminalFailure(call: "posix_spawn \(executable)", error: error) }
    self.identifier = identifier
  }

  /// Checks without waiting whether the program has ended.
  func poll() {
    if status == nil { reap(WNOHANG) }
  }

  /// Waits for the end of the program.
  func wait() {
    while status == nil { reap(0) }
  }

  /// Sends it a signal, unless it has ended.
  func signal(_ number: Int32) {
    poll()
    if status == nil { kill(identifier, number) }
  }

  private func reap(_ options: Int32) {
    var waitStatus: Int32 = 0
    let result = waitpid(identifier, &waitStatus, options)
    if result == identifier {
      status = ExitStatus(waitStatus: waitStatus)
    } else if result < 0, errno == ECHILD {
      status = .exited(-1)  // The status was already collected elsewhere.
    }
  }

  /// A C string, which the caller frees.
  private static func copy(_ bytes: some Collection<UInt8>) -> UnsafeMutablePointer<CChar>? {
    let memory = malloc(bytes.count + 1)?.bindMemory(to: UInt8.self, capacity: bytes.count + 1)
    guard let memory else { return nil }
    for (index, byte) in bytes.enumerated() { memory[index] = byte }
    memory[bytes.count] = 0
    return UnsafeMutableRawPointer(memory).assumingMemoryBound(to: CChar.self)
  }
}

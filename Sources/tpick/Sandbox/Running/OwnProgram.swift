import SystemPackage
import System

/// tpick itself as another process, which picks or copies and prints paths.
///
/// The process around the sandbox opens no library: it has no threads, and what ends the picker does not end what
/// runs in the sandbox.
struct OwnProgram {
  let identifier: pid_t
  /// What it prints, never blocking; closed by `close`.
  let output: Int32

  /// Starts it in the group of this process.
  /// - Parameters:
  ///   - input: what it reads; nil = the terminal.
  /// - Throws: `Failure` where it can't be started.
  init(_ arguments: [[UInt8]], input: [UInt8]? = nil) throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Self.failure(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let source = input.flatMap(DescriptorText.memory)
    defer { if let source { Glibc.close(source) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let source {
      posix_spawn_file_actions_adddup2(&actions, source, 0)
    } else if input != nil {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    // The options that the user always wants are for the picker alone, and may run programs.
    let environment = EnvironmentBytes.ofProcess.filter {
      !$0.starts(with: Array("\(DefaultOptions.variable)=".utf8))
    }
    var process: pid_t = 0
    let error = ByteStrings.withPointers([Array("tpick".utf8)] + arguments) { words in
      ByteStrings.withPointers(environment) { variables in
        posix_spawn(&process, "/proc/self/exe", &actions, &attributes, words, variables)
      }
    }
    Glibc.close(ends[1])
    guard error == 0 else {
      Glibc.close(ends[0])
      throw Self.failure(error)
    }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    (identifier, output) = (process, ends[0])
  }

  func close() { Glibc.close(output) }

  private static func failure(_ number: Int32) -> Failure { .error("run: tpick: \(Errno(rawValue: number))") }
}

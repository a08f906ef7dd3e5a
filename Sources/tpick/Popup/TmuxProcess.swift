import System

/// A command of tmux that runs, and what it says on standard error.
final class TmuxProcess {
  /// Where it says what is wrong; ends with it.
  let errors: Int32
  private let process: pid_t
  private var said: [UInt8] = []

  /// - Throws: `Failure` if there is no tmux.
  init(_ arguments: [[UInt8]]) throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .error("--tmux: \(String(cString: strerror(errno)))") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    errors = ends[0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for stream in [STDIN_FILENO, STDOUT_FILENO] {
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
    var words: [UnsafeMutablePointer<CChar>?] = ([Array("tmux".utf8)] + arguments).map { word in
      strdup((word + [0]).map { CChar(bitPattern: $0) })
    }
    defer { for word in words { free(word) } }
    words.append(nil)
    var process: pid_t = 0
    let error = posix_spawnp(&process, "tmux", &actions, nil, &words, environ)
    self.process = process
    close(ends[1])
    guard error == 0 else {
      close(ends[0])
      throw .error("--tmux: tmux: \(String(cString: strerror(error)))")
    }
  }

  /// Reads what it says.
  /// - Returns: false once it has ended.
  func readErrors() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let n = read(errors, &buffer, buffer.count)
    if n > 0, said.count < 4096 { said += buffer[..<n] }
    return n > 0 || n < 0 && errno == EINTR
  }

  /// Why it has opened no popup.
  var reason: String {
    let words = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline).joined(
      separator: " ")
    let status = wait()
    if words.contains("unknown command") { return "popups need tmux 3.2 or later: \(words)" }
    if !words.isEmpty { return "tmux opens no popup: \(words)" }
    return "tmux opens no popup" + (status == 0 ? ": another one, or a menu, is open" : "")
  }

  /// Waits for its end.
  /// - Returns: its exit status.
  @discardableResult
  func wait() -> Int32 {
    while readErrors() {}
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return 0 }
    }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 0
  }

  deinit { close(errors) }
}

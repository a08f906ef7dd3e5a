import System

extension TmuxClient {
  /// How long tmux may take.
  private static let patience: Duration = .milliseconds(500)

  /// Asks tmux for the terminal that shows this pane; nil when it does not say.
  ///
  /// Answers of that terminal end in tmux itself, so that it can't be asked from inside.
  static func ask() -> TmuxClient? {
    guard getenv("TMUX") != nil else { return nil }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    let (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(readEnd) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, writeEnd, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    let command = ["tmux", "display-message", "-p", format]
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    words.append(nil)
    defer { words.forEach { free($0) } }
    var child: pid_t = 0
    let failure = posix_spawnp(&child, "tmux", &actions, nil, &words, environ)
    close(writeEnd)
    guard failure == 0 else { return nil }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1024)
    var wait = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
    let deadline = ContinuousClock.now + patience
    while answer.count < 4096 {
      let left = ContinuousClock.now.duration(to: deadline)
      let ready = poll(&wait, 1, Int32(max(.zero, left) / .milliseconds(1)))
      // A signal, such as that of a window that gets another size, says nothing of tmux.
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { break }
      let n = read(readEnd, &buffer, buffer.count)
      if n < 0, errno == EINTR { continue }
      if n <= 0 { break }
      answer += buffer[..<n]
    }
    // One that hangs is not waited for.
    kill(child, SIGKILL)
    var status: Int32 = 0
    waitpid(child, &status, 0)
    let client = TmuxClient(answer: String(decoding: answer, as: UTF8.self))
    return client.name.isEmpty && client.tmuxName == nil ? nil : client
  }
}

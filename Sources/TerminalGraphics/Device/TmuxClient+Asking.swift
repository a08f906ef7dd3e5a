import System

extension TmuxClient {
  /// How long tmux may take.
  private static let patience: Duration = .milliseconds(500)

  /// Asks tmux for the terminal that shows this pane; nil when it does not say.
  ///
  /// Answers of that terminal end in tmux itself, so that it can't be asked from inside.
  static func ask() -> TmuxClient? {
    guard getenv("TMUX") != nil else { return nil }
    guard let ends = try? ChildProcess.pipe() else { return nil }
    let readEnd = ends.readEnd
    defer { close(readEnd) }
    let command = ["tmux", "display-message", "-p", format]
    let child = try? ChildProcess(
      command.map { Array($0.utf8) }, input: .null, output: .descriptor(ends.writeEnd), errors: .null)
    close(ends.writeEnd)
    guard let child else { return nil }
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
    kill(child.identifier, SIGKILL)
    child.wait()
    let client = TmuxClient(answer: String(decoding: answer, as: UTF8.self))
    return client.name.isEmpty && client.tmuxName == nil ? nil : client
  }
}

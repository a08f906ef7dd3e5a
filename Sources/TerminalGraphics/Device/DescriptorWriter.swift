import System

/// Writes all bytes to a descriptor, even if it is non-blocking and its other end is slow.
///
/// Only writes to a non-blocking descriptor can be cut short; a blocking one waits inside the write itself.
package struct DescriptorWriter: Sendable {
  /// The result of a write.
  package enum Outcome: Hashable, Sendable {
    case written
    /// The other end accepted no more bytes before the timeout or the interruption.
    case cutShort
    /// An errno value.
    case failed(Int32)
  }

  private let descriptor: Int32

  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Writes all bytes, waiting for a slow reader.
  /// - Parameters:
  ///   - interruption: a descriptor that becomes readable to stop waiting; nil or negative means none.
  ///   - patience: total time to wait; nil means without limit.
  package func write(
    _ bytes: [UInt8], unless interruption: Int32? = nil, within patience: Duration? = nil
  ) -> Outcome {
    let deadline = patience.map { ContinuousClock.now + $0 }
    return bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let n = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if n > 0 {
          rest = rest.dropFirst(n)
        } else if n < 0, errno == EAGAIN {
          guard wait(unless: interruption ?? -1, until: deadline) else { return .cutShort }
        } else if n == 0 || errno != EINTR {
          return .failed(n == 0 ? EIO : errno)
        }
      }
      return .written
    }
  }

  /// Waits until the reader accepts more; an error is reported by the next write.
  private func wait(unless interruption: Int32, until deadline: ContinuousClock.Instant?) -> Bool {
    var polls = [
      pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
    ]
    while true {
      let left = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
      let limit = left.map { Int32(clamping: Int(($0 / .milliseconds(1)).rounded(.up))) } ?? -1
      let ready = poll(&polls, nfds_t(polls.count), limit)
      if polls[0].revents != 0 { return false }
      if ready > 0 { return true }
      if ready == 0 { return false }
      guard errno == EINTR else { return false }
      for index in polls.indices { polls[index].revents = 0 }
    }
  }
}

/// A terminal that is drawn on without taking over its screen: no signal leaves it inside a sequence.
///
/// Signals are handled only during a write; otherwise they keep their usual effect.
package struct DrawingOutput: Sendable {
  private let descriptor: Int32

  /// - Parameter descriptor: an open terminal.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Ends an unfinished sequence, and resets colors.
  private static let restoreSequence = Array("\u{18}\u{1B}\\\u{1B}[0m".utf8)

  /// Writes all bytes; used by one thread.
  ///
  /// A signal that ends the process takes effect after the current sequence is aborted, as far as the terminal
  /// accepts bytes; one that stops the process waits until everything is written.
  /// - Returns: whether everything was written.
  package func write(_ bytes: [UInt8]) -> Bool {
    let notes = SignalNotes()
    // Without signal handling, pictures can still be drawn.
    try? SignalWatch.start { notes.note($0) }
    let outcome = withNonBlockingDescriptor { descriptor in
      let writer = DescriptorWriter(descriptor)
      let outcome = writer.write(bytes, unless: notes.interruption)
      SignalWatch.stop()
      if notes.ending != nil { _ = writer.write(Self.restoreSequence, within: TerminalDevice.restoreTimeout) }
      return outcome
    }
    if let number = notes.ending { SignalWatch.die(by: number) }
    if notes.takeStop() { SignalWatch.stopJob() }
    return outcome == .written
  }

  /// Calls `body` with a descriptor of the terminal whose writes never block.
  ///
  /// The given descriptor shares its flags with other processes, including the shell, so the terminal is opened
  /// again. If that is forbidden, as for another user's terminal, the flag is set while `body` runs.
  private func withNonBlockingDescriptor<Value>(_ body: (Int32) -> Value) -> Value {
    let own = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    if own >= 0 {
      defer { close(own) }
      return body(own)
    }
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    defer { _ = fcntl(descriptor, F_SETFL, flags) }
    return body(descriptor)
  }
}

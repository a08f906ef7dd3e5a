import System

/// Writes to a descriptor to the end, also where it is non-blocking and its other end is slow.
///
/// Only writes to a non-blocking descriptor can be cut short; a blocking one is waited for in the write itself.
package struct DescriptorWriter: Sendable {
  /// How a write ended.
  package enum Outcome: Hashable, Sendable {
    case written
    /// The other end took nothing more before the time was up or an interruption came.
    case cutShort
    /// The error number of the system.
    case failed(Int32)
  }

  private let descriptor: Int32

  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Writes all bytes, waiting for a slow reader.
  /// - Parameters:
  ///   - interruption: a descriptor that becomes readable when nothing is to be waited for any more; nil or
  ///     negative = none.
  ///   - patience: how long to wait altogether; nil = without an end.
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

  /// Waits until the reader takes more, or says in the next write why not.
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

/// A terminal that is drawn on without its screen being taken: no signal leaves it within a sequence.
///
/// Signals are watched while something is written only; at other times they do what they always do.
package struct DrawingOutput: Sendable {
  private let descriptor: Int32

  /// - Parameter descriptor: an open terminal.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// What ends a sequence that was cut off, and its colours.
  private static let farewell = Array("\u{18}\u{1B}\\\u{1B}[0m".utf8)

  /// Writes everything, used by one thread.
  ///
  /// A signal that ends the process does so after the sequence that is under way was aborted, as far as the terminal
  /// takes bytes; one that stops it waits until everything is written.
  /// - Returns: whether the other end has taken it.
  package func write(_ bytes: [UInt8]) -> Bool {
    let notes = SignalNotes()
    // Without signals pictures are drawn all the same.
    try? SignalWatch.start { notes.note($0) }
    let outcome = withNonBlockingDescriptor { descriptor in
      let writer = DescriptorWriter(descriptor)
      let outcome = writer.write(bytes, unless: notes.interruption)
      SignalWatch.stop()
      if notes.ending != nil { _ = writer.write(Self.farewell, within: TerminalDevice.partingPatience) }
      return outcome
    }
    if let number = notes.ending { SignalWatch.die(by: number) }
    if notes.takeStop() { SignalWatch.stopJob() }
    return outcome == .written
  }

  /// Calls `body` with a descriptor of the terminal whose writes never block.
  ///
  /// The given one shares its flags with other processes, the shell among them: it is opened anew. Where that is
  /// forbidden, as for the terminal of another user, the flag is set while `body` runs.
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

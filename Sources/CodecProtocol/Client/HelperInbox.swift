import CPlatform
import System

/// Bytes that a helper has sent and that are not consumed yet.
///
/// Used by one thread.
final class HelperInbox {
  /// The result of a wait.
  enum Arrival {
    case answer(CodecAnswer)
    /// Nothing arrived in time.
    case nothing
    /// The caller cancelled.
    case cancelled
    /// The helper has exited, or broke the protocol.
    case end
  }

  /// Interval in milliseconds at which a wait polls `isCancelled`.
  private static let pollInterval: Int32 = 8

  /// Interval in milliseconds at which the memory of the helpers is checked.
  private static let checkInterval: Int32 = 20

  private let socket: Int32
  private let budget: HelperBudget?
  private var frames = FrameBuffer()

  /// - Parameter budget: checked while a call waits for an answer.
  init(socket: Int32, budget: HelperBudget? = nil) {
    self.socket = socket
    self.budget = budget
  }

  /// Whether all received bytes were consumed.
  var isEmpty: Bool { frames.isEmpty }

  /// Returns the next answer if it is complete before the timeout.
  func receive(within timeout: Duration, isCancelled: (() -> Bool)? = nil) -> Arrival {
    let deadline = SuspendingClock.now + timeout
    while true {
      do {
        if let frame = try frames.next() { return .answer(try CodecAnswer(frame)) }
      } catch { return .end }
      if let isCancelled, isCancelled() { return .cancelled }
      let left = max(0, SuspendingClock.now.duration(to: deadline).milliseconds)
      var arrival = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let longest = isCancelled != nil ? Self.pollInterval : budget != nil ? Self.checkInterval : left
      let ready = poll(&arrival, 1, min(left, longest))
      if ready == 0 { budget?.check() }
      if ready < 0, errno != EINTR { return .end }
      if ready == 0, left == 0 { return .nothing }
      if ready > 0, !receiveBytes() { return .end }
    }
  }

  private func receiveBytes() -> Bool {
    var received = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
      received = bytes_receive(socket, buffer.baseAddress, buffer.count)
      count = max(0, received)
    }
    frames.append(bytes)
    return received > 0
  }
}

extension Duration {
  /// Milliseconds, rounded up so that a wait never ends early.
  fileprivate var milliseconds: Int32 {
    let (seconds, fraction) = components
    guard seconds < 86_400 else { return 86_400_000 }
    return Int32(clamping: seconds * 1000 + (fraction + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}

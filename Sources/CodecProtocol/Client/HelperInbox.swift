import CPlatform
import System

/// What a helper has sent and nobody has read yet.
///
/// Used by one thread.
final class HelperInbox {
  /// What a wait brought.
  enum Arrival {
    case answer(CodecAnswer)
    /// Nothing within the time.
    case nothing
    /// Nobody waits any more.
    case cancelled
    /// The helper is gone, or broke the protocol.
    case end
  }

  /// How often somebody is asked whether the wait still has a purpose, in milliseconds.
  private static let askEvery: Int32 = 8

  /// How often the memory of helpers is looked at, in milliseconds.
  private static let lookEvery: Int32 = 20

  private let socket: Int32
  private let budget: HelperBudget?
  private var frames = FrameBuffer()

  /// - Parameter budget: what is watched while an answer is awaited.
  init(socket: Int32, budget: HelperBudget? = nil) {
    self.socket = socket
    self.budget = budget
  }

  /// Whether everything was taken.
  var isEmpty: Bool { frames.isEmpty }

  /// The next answer, if it is complete in time.
  func receive(within timeout: Duration, isCancelled: (() -> Bool)? = nil) -> Arrival {
    let deadline = SuspendingClock.now + timeout
    while true {
      do {
        if let frame = try frames.next() { return .answer(try CodecAnswer(frame)) }
      } catch { return .end }
      if let isCancelled, isCancelled() { return .cancelled }
      let left = max(0, SuspendingClock.now.duration(to: deadline).milliseconds)
      var arrival = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let longest = isCancelled != nil ? Self.askEvery : budget != nil ? Self.lookEvery : left
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
  /// Rounded up, so that a wait never ends before its time.
  fileprivate var milliseconds: Int32 {
    let (seconds, fraction) = components
    guard seconds < 86_400 else { return 86_400_000 }
    return Int32(clamping: seconds * 1000 + (fraction + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}

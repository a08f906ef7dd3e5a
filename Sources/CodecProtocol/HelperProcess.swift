import CDescriptorPassing
import Dispatch

#if canImport(Glibc)
  import Glibc
#endif

/// One running helper; killed and buried when the last reference goes.
///
/// Sendable because it never changes; whoever holds it has the conversation to itself.
final class HelperProcess: Sendable {
  /// How a conversation ended.
  enum Ending: Hashable {
    /// Every file has its answer.
    case finished
    /// The first file without an answer killed the helper, or the helper broke the protocol on it.
    case died
    /// The first file without an answer took too long.
    case hung
    /// A descriptor could not be handed over; all before it have their answers. The reason as words.
    case refused(String)
  }

  /// Files under way at once: enough that the helper never waits for tpick.
  static let window = 16

  let identifier: pid_t
  private let socket: Int32

  /// Starts a program and waits until it says that it is a helper of this version.
  /// - Returns: nil where it does not start or says something else, or nothing in time.
  init?(program: String, patience: Duration) {
    var process: pid_t = 0
    var socket: Int32 = -1
    guard helper_start(program, &process, &socket) == 0 else { return nil }
    identifier = process
    self.socket = socket
    var inbox = FrameBuffer()
    guard case .answer(.ready(version: CodecAnswer.version)) = receive(&inbox, within: patience),
      inbox.isEmpty
    else { return nil }
  }

  deinit {
    close(socket)
    kill(identifier, SIGKILL)
    // A process that the kernel holds in a read of a dead disk is buried when it comes back.
    let identifier = identifier
    DispatchQueue.global(qos: .utility).async {
      while waitpid(identifier, nil, 0) < 0, errno == EINTR {}
    }
  }

  /// Asks for the facts of files, several under way at a time.
  /// - Parameters:
  ///   - deadline: how long the helper may take for each file.
  ///   - receive: takes the answers, in the order of the descriptors.
  func ask(
    _ descriptors: ArraySlice<Int32>, deadline: Duration,
    _ deliver: (Result<CodecFacts, CodecError>) -> Void
  ) -> Ending {
    var inbox = FrameBuffer()
    var answered = descriptors.startIndex
    var sent = descriptors.startIndex
    var end = descriptors.endIndex
    var refusal: String?
    while answered < end {
      if sent < end, sent - answered <= Self.window / 2 {
        let batch = descriptors[sent..<min(end, answered + Self.window)]
        let failure = send(batch)
        if failure == EBADF || failure == ETOOMANYREFS {
          refusal = String(cString: strerror(failure))
          end = sent
          continue
        }
        guard failure == 0 else { return .died }
        sent = batch.endIndex
      }
      switch receive(&inbox, within: deadline) {
      case .answer(.facts(let facts, number: UInt32(answered))): deliver(.success(facts))
      case .answer(.unreadable(let reason, number: UInt32(answered))):
        deliver(.failure(.unreadable(reason)))
      case .nothing: return .hung
      case .answer, .end: return .died
      }
      answered += 1
    }
    guard inbox.isEmpty else { return .died }
    return refusal.map(Ending.refused) ?? .finished
  }

  /// One message with a request for each descriptor, numbered by its index.
  /// - Returns: 0, or an errno.
  private func send(_ descriptors: ArraySlice<Int32>) -> Int32 {
    let message = descriptors.indices.flatMap { index in
      WireWriter.frame { CodecRequest.facts(number: UInt32(index)).write(to: &$0) }
    }
    let sent = descriptors.withUnsafeBufferPointer {
      descriptors_send(socket, message, message.count, $0.baseAddress, $0.count)
    }
    // The helper's queue holds many times this: one that takes a part only has stopped reading.
    return sent == message.count ? 0 : sent < 0 ? Int32(-sent) : EAGAIN
  }

  private enum Arrival {
    case answer(CodecAnswer)
    case nothing
    case end
  }

  /// The next answer, if it is complete in time.
  private func receive(_ inbox: inout FrameBuffer, within patience: Duration) -> Arrival {
    let deadline = SuspendingClock.now + patience
    while true {
      do {
        if let frame = try inbox.next() { return .answer(try CodecAnswer(frame)) }
      } catch { return .end }
      let left = SuspendingClock.now.duration(to: deadline)
      var arrival = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let ready = poll(&arrival, 1, max(0, left.milliseconds))
      if ready < 0, errno != EINTR { return .end }
      if ready == 0 { return .nothing }
      guard ready > 0 else { continue }
      let bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
        count = max(0, recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)))
      }
      guard !bytes.isEmpty else { return .end }
      inbox.append(bytes)
    }
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

import CDescriptorPassing
import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// One running helper process; killed and waited for when the last reference goes.
///
/// Used by one thread at a time.
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
  /// Whether it said that it is a helper of this version.
  private let hasGreeted = Atomic(false)

  /// Why a program does not start.
  struct StartFailure: Error {
    /// The errno.
    var cause: Int32

    /// Whether the system lacks something for the moment: files that may be open, processes or memory.
    var isPassing: Bool { [EMFILE, ENFILE, EAGAIN, ENOMEM, ENOBUFS].contains(cause) }
  }

  /// Starts a program.
  init(program: String) throws(StartFailure) {
    var process: pid_t = 0
    var socket: Int32 = -1
    let failure = helper_start(program, &process, &socket)
    guard failure == 0 else { throw StartFailure(cause: failure) }
    identifier = process
    self.socket = socket
  }

  deinit {
    close(socket)
    kill(identifier, SIGKILL)
    // A process that hangs in a read of a dead disk ends when the kernel lets it.
    let identifier = identifier
    DispatchQueue.global(qos: .utility).async {
      while waitpid(identifier, nil, 0) < 0, errno == EINTR {}
    }
  }

  /// How a wait for the greeting ended.
  enum Greeting: Hashable {
    case helper
    /// It is another program or version, or says nothing in time.
    case stranger
    case cancelled
  }

  /// Waits until the program says that it is a helper of this version; once is enough.
  func waitForGreeting(within timeout: Duration, isCancelled: (() -> Bool)? = nil) -> Greeting {
    if hasGreeted.load(ordering: .relaxed) { return .helper }
    let inbox = HelperInbox(socket: socket)
    switch inbox.receive(within: timeout, isCancelled: isCancelled) {
    case .answer(.ready(version: CodecAnswer.version)) where inbox.isEmpty:
      hasGreeted.store(true, ordering: .relaxed)
      return .helper
    case .cancelled: return .cancelled
    case .answer, .nothing, .end: return .stranger
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
    let inbox = HelperInbox(socket: socket)
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
      switch inbox.receive(within: deadline) {
      case .answer(.facts(let facts, number: UInt32(answered))): deliver(.success(facts))
      case .answer(.failure(let error, number: UInt32(answered))): deliver(.failure(error))
      case .nothing: return .hung
      case .answer, .cancelled, .end: return .died
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
    return send(message, with: descriptors)
  }

  /// Sends bytes and the descriptors that belong to them.
  /// - Returns: 0, or an errno.
  func send(_ message: [UInt8], with descriptors: ArraySlice<Int32>) -> Int32 {
    let sent = descriptors.withUnsafeBufferPointer {
      descriptors_send(socket, message, message.count, $0.baseAddress, $0.count)
    }
    // The helper's queue holds many times this: one that takes a part only has stopped reading.
    return sent == message.count ? 0 : sent < 0 ? Int32(-sent) : EAGAIN
  }

  /// A conversation's other side.
  func makeInbox() -> HelperInbox { HelperInbox(socket: socket) }
}

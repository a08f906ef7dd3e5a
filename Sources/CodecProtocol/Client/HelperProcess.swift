import CPlatform
import Dispatch
import Synchronization
import System

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
    /// It was ended, because all helpers together have too much memory.
    case exceeded
    /// A descriptor could not be handed over; all before it have their answers. The reason as words.
    case refused(String)
  }

  /// Files under way at once: enough that the helper never waits for tpick.
  static let window = 16

  let identifier: pid_t
  /// Watched while somebody waits for an answer.
  let budget: HelperBudget
  /// Bytes of the large pictures that it was handed memory for.
  private let handed = Atomic(0)
  private let socket: Int32
  /// What it said of its confinement, with which it greets; nil before.
  private let greeting = Mutex<HelperConfinement?>(nil)

  /// Why a program does not start.
  struct StartFailure: Error {
    /// The errno.
    var cause: Int32

    /// Whether the system lacks something for the moment: files that may be open, processes or memory.
    var isPassing: Bool { [EMFILE, ENFILE, EAGAIN, ENOMEM, ENOBUFS].contains(cause) }
  }

  /// Starts a program.
  init(program: String, budget: HelperBudget) throws(StartFailure) {
    var process: pid_t = 0
    var socket: Int32 = -1
    let failure = helper_start(program, &process, &socket)
    guard failure == 0 else { throw StartFailure(cause: failure) }
    identifier = process
    self.socket = socket
    self.budget = budget
    budget.add(process)
  }

  deinit {
    close(socket)
    // It leads a session of its own: what it may have started goes with it.
    kill(-identifier, SIGKILL)
    budget.remove(identifier)
    // A process that hangs in a read of a dead disk ends when the kernel lets it.
    let identifier = identifier
    WorkerThread.run {
      while waitpid(identifier, nil, 0) < 0, errno == EINTR {}
    }
  }

  /// How a wait for the greeting ended.
  enum Greeting: Hashable {
    case helper(HelperConfinement)
    /// It is another program or version, or says nothing in time.
    case stranger
    case cancelled
  }

  /// Waits until the program says that it is a helper of this version; once is enough.
  func waitForGreeting(within timeout: Duration, isCancelled: (() -> Bool)? = nil) -> Greeting {
    if let known = greeting.withLock({ $0 }) { return .helper(known) }
    let inbox = HelperInbox(socket: socket)
    switch inbox.receive(within: timeout, isCancelled: isCancelled) {
    case .answer(.ready(version: CodecAnswer.version, let confinement)) where inbox.isEmpty:
      greeting.withLock { $0 = confinement }
      return .helper(confinement)
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
    let inbox = makeInbox()
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
      case .end where budget.hasEnded(identifier): return .exceeded
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
  func makeInbox() -> HelperInbox { HelperInbox(socket: socket, budget: budget) }

  /// Bytes of the large pictures that it was handed memory for.
  var handedBytes: Int { handed.load(ordering: .relaxed) }

  /// Notes that it was handed memory of which so many bytes became a picture.
  ///
  /// Only large ones count: of small ones its few open files can't hold much.
  func noteHanded(_ byteCount: Int) {
    if byteCount > 16 << 20 { handed.add(byteCount, ordering: .relaxed) }
  }
}

import CPlatform
import Dispatch
import Synchronization
import System

/// A running helper process, killed and reaped with the last reference.
///
/// Used by one thread at a time.
final class HelperProcess: Sendable {
  let identifier: pid_t
  /// Checked while a caller waits for an answer.
  let budget: HelperBudget
  /// Total bytes of the large pictures in memory that was shared with the helper.
  private let sharedByteCount = Atomic(0)
  private let socket: Int32
  /// How long to wait for the answer to a cancelled request that the helper itself can cancel.
  private let longGrace: Duration
  /// The confinement that its greeting reported; nil before the greeting.
  private let greeting = Mutex<HelperConfinement?>(nil)

  /// Why a program could not be started.
  struct StartFailure: Error {
    /// An errno value.
    var cause: Int32

    /// Whether the shortage is temporary: descriptors, processes or memory.
    var isTemporaryShortage: Bool { [EMFILE, ENFILE, EAGAIN, ENOMEM, ENOBUFS].contains(cause) }
  }

  /// Starts a program.
  /// - Parameters:
  ///   - program: its path.
  ///   - budget: memory budget that it shares with others.
  ///   - longGrace: how long to wait for the answer to a request that the helper itself can cancel.
  init(program: String, budget: HelperBudget, longGrace: Duration = usualLongGrace) throws(StartFailure) {
    self.longGrace = longGrace
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
    // The helper leads its own session: killing the group also ends processes that it may have started.
    kill(-identifier, SIGKILL)
    budget.remove(identifier)
    // Reaping can block: a process in an uninterruptible read of a dead disk ends only when the kernel lets it.
    let identifier = identifier
    WorkerThread.run {
      while waitpid(identifier, nil, 0) < 0, errno == EINTR {}
    }
  }

  /// The result of waiting for the greeting.
  enum Greeting: Hashable {
    case helper(HelperConfinement)
    /// Another program or version, or no greeting in time.
    case stranger
    case cancelled
  }

  /// Waits until the program greets as a helper of this version; later calls return the cached greeting.
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

  /// Sends bytes together with descriptors.
  /// - Returns: 0, or an errno value.
  func send(_ message: [UInt8], with descriptors: ArraySlice<Int32>) -> Int32 {
    let sent = descriptors.withUnsafeBufferPointer {
      descriptors_send(socket, message, message.count, $0.baseAddress, $0.count)
    }
    // The socket buffer holds many times this message: a short write means that the helper has stopped reading.
    return sent == message.count ? 0 : sent < 0 ? Int32(-sent) : EAGAIN
  }

  /// Creates an inbox for the answers of one request.
  func makeInbox() -> HelperInbox { HelperInbox(socket: socket, budget: budget) }

  /// Bytes of the large pictures in memory that was shared with the helper.
  private var sharedBytes: Int { sharedByteCount.load(ordering: .relaxed) }

  /// Counts shared memory that became a picture of `byteCount` bytes.
  ///
  /// Only large pictures count: the number of descriptors bounds how many small ones a helper can keep.
  private func countSharedBytes(_ byteCount: Int) {
    if byteCount > 16 << 20 { sharedByteCount.add(byteCount, ordering: .relaxed) }
  }
}

extension HelperProcess {
  /// The result of a request with one answer.
  enum Exchange {
    /// The answer and the pictures that came with it.
    case answer(CodecAnswer, [DecodedPicture])
    /// The request was not sent or not completed: the descriptor could not be sent, there was no memory or no
    /// descriptor for the picture, or the helpers exceeded their memory budget.
    case failed(CodecError)
    /// The caller cancelled; `isFree` if the helper has finished the request all the same.
    case cancelled(isFree: Bool)
    /// The helper died on the file, or broke the protocol.
    case died
    case hung
  }

  /// Seconds after which the helper exits by itself: later than tpick's deadline, for a helper that hangs after
  /// tpick has exited.
  static func seconds(of deadline: Duration) -> UInt32 { UInt32(clamping: deadline.components.seconds + 10) }

  /// Waiting this long for a late answer after cancellation costs less than starting another helper.
  private static let grace: Duration = .milliseconds(50)
  /// The same for a request that the helper itself can cancel, on a busy machine.
  static let usualLongGrace: Duration = .milliseconds(500)

  /// Sends a request and waits for its answer.
  /// - Parameters:
  ///   - descriptor: the file that goes with the request; nil if there is none.
  ///   - maxPixels: size of the shared memory in pixels; larger answers are rejected. Unused for requests without
  ///     pictures.
  ///   - isCancelled: called every few milliseconds on the calling thread.
  func exchange(
    _ request: CodecRequest, _ descriptor: Int32?, maxPixels: Int, deadline: Duration, isCancelled: () -> Bool
  ) -> Exchange {
    let memory: SharedMemory?
    do throws(CodecError) {
      memory = request.hasOutput ? try SharedMemory(pixels: maxPixels) : nil
    } catch { return .failed(error) }
    let message = WireWriter.frame { request.write(to: &$0) }
    switch send(message, with: [descriptor, memory?.descriptor].compactMap { $0 }[...]) {
    case 0: break
    case let failure where failure == EBADF || failure == ETOOMANYREFS:
      return .failed(.unreadable(String(cString: strerror(failure))))
    default: return .died
    }
    let inbox = makeInbox()
    let arrival = withoutActuallyEscaping(isCancelled) {
      inbox.receive(within: deadline, isCancelled: $0)
    }
    switch arrival {
    case .answer(let answer): return take(answer, to: request, memory, inbox, maxPixels)
    case .cancelled:
      if request.canBeCancelled {
        _ = send(WireWriter.frame { CodecRequest.cancel.write(to: &$0) }, with: [])
      }
      let grace = request.canBeCancelled ? longGrace : Self.grace
      guard case .answer(let answer) = inbox.receive(within: grace) else {
        return .cancelled(isFree: false)
      }
      return switch take(answer, to: request, memory, inbox, maxPixels) {
      case .answer, .failed: .cancelled(isFree: true)
      case .cancelled, .died, .hung: .cancelled(isFree: false)
      }
    case .nothing: return .hung
    case .end: return budget.hasEnded(identifier) ? .failed(.noMemory) : .died
    }
  }

  /// Validates an answer against the request and maps its pictures.
  private func take(
    _ answer: CodecAnswer, to request: CodecRequest, _ memory: SharedMemory?, _ inbox: HelperInbox,
    _ maxPixels: Int
  ) -> Exchange {
    guard answer.number == request.number, inbox.isEmpty else { return .died }
    let pictures = answer.pictures
    // Without a picture, seal and free all of the memory: a compromised helper that fills it and answers
    // without a picture gains nothing.
    let kept = pictures.map { $0.offset + ($0.facts.byteCount ?? 0) }.max() ?? 0
    if let memory, !memory.seal(keeping: kept) { return .died }
    if pictures.isEmpty { return .answer(answer, []) }
    countSharedBytes(kept)
    guard let memory, kept <= memory.byteCount else { return .died }
    var decoded: [DecodedPicture] = []
    for (facts, offset) in pictures {
      guard facts.width <= maxPixels / facts.height else { return .died }
      guard let picture = DecodedPicture(facts, in: memory, at: offset) else { return .failed(.noMemory) }
      decoded.append(picture)
    }
    return .answer(answer, decoded)
  }
}

extension CodecAnswer {
  /// The number of the request that this answers; nil for the greeting.
  fileprivate var number: UInt32? {
    switch self {
    case .picture(_, let number), .frame(_, _, let number), .endOfFrames(let number),
      .rendering(_, let number), .thumbnail(_, let number), .reports(_, let number),
      .failure(_, let number):
      number
    case .ready: nil
    }
  }

  /// The pictures of the answer, with the offsets of their pixels in the shared memory.
  fileprivate var pictures: [(facts: PictureFacts, offset: Int)] {
    switch self {
    case .picture(let facts, _), .frame(let facts, _, _): [(facts, 0)]
    case .rendering(let facts, _):
      Array(zip([facts.picture] + (facts.thumbnail.map { [$0] } ?? []), facts.offsets))
    case .thumbnail(let facts, _): facts.picture.map { [($0, 0)] } ?? []
    case .endOfFrames, .reports, .failure, .ready: []
    }
  }
}

extension CodecRequest {
  /// Whether the helper polls for `cancel` while it works on the request.
  fileprivate var canBeCancelled: Bool {
    switch self {
    case .rendering: true
    case .picture, .frames, .nextFrame, .thumbnail, .stop, .cancel, .reports: false
    }
  }
}

extension HelperProcess {
  /// Upper bounds of the resident memory and the address space of an idle helper, in bytes; it keeps both.
  private static let idleMemory = 512 << 20
  private static let idleAddresses = 2 << 30
  /// Address space that an idle helper may still add while it completes its last work, in bytes.
  private static let idleGrowth = 64 << 20
  /// Upper bound of the bytes of pixels shared with one helper during its life: a compromised helper can keep them
  /// mapped.
  private static let mostSharedBytes = 2 << 30

  /// Limits the address space of an idle helper to about its current size.
  /// - Returns: false if the helper holds too much memory to be kept.
  func rest() -> Bool {
    let memory = ProcessMemory(of: identifier)
    guard memory.resident <= Self.idleMemory, sharedBytes <= Self.mostSharedBytes,
      !budget.hasEnded(identifier)
    else { return false }
    guard hasAddressLimit else { return true }
    guard memory.addresses <= Self.idleAddresses else { return false }
    address_limit_set(identifier, UInt64(memory.addresses + Self.idleGrowth))
    return true
  }

  /// Lifts the limit that `rest` set.
  func wake() {
    if hasAddressLimit { address_limit_set(identifier, .max) }
  }

  /// Whether the helper limits its own address space; a build with a sanitizer does not.
  private var hasAddressLimit: Bool { (1..<UInt64.max).contains(address_limit(identifier)) }
}

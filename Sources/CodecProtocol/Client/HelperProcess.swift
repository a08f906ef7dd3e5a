import CPlatform
import Dispatch
import Synchronization
import System

/// One running helper process; killed and waited for when the last reference goes.
///
/// Used by one thread at a time.
final class HelperProcess: Sendable {
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
  private var handedBytes: Int { handed.load(ordering: .relaxed) }

  /// Notes that it was handed memory of which so many bytes became a picture.
  ///
  /// Only large ones count: of small ones its few open files can't hold much.
  private func noteHanded(_ byteCount: Int) {
    if byteCount > 16 << 20 { handed.add(byteCount, ordering: .relaxed) }
  }
}

extension HelperProcess {
  /// How a request with one answer ended.
  enum Exchange {
    /// The answer, and the pictures that came with it.
    case answer(CodecAnswer, [DecodedPicture])
    /// It could not be asked: the file can't be handed over, there is no memory for the picture, or no descriptor for
    /// the memory; or all helpers have too much.
    case failed(CodecError)
    /// Nobody waits any more; `isFree` where the helper has finished with it all the same.
    case cancelled(isFree: Bool)
    /// The file killed the helper, or the helper broke the protocol on it.
    case died
    case hung
  }

  /// What the helper is told to give up after, in seconds: later than tpick, for a helper that hangs when tpick is gone.
  static func seconds(of deadline: Duration) -> UInt32 { UInt32(clamping: deadline.components.seconds + 10) }

  /// An answer that comes so soon after it was called off costs less than another helper's start.
  private static let grace: Duration = .milliseconds(50)
  /// The same of a helper that looks whether it was called off, on a machine that is busy.
  private static let longGrace: Duration = .milliseconds(500)

  /// Sends a request and waits for its answer.
  /// - Parameters:
  ///   - descriptor: the file that goes with the request; nil = none.
  ///   - maxPixels: pictures have no room for more, and of more none is believed; unused where the answer has none.
  ///   - isCancelled: asked every few milliseconds on the calling thread.
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
      let grace = request.canBeCancelled ? Self.longGrace : Self.grace
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

  /// Believes an answer that keeps to the protocol.
  private func take(
    _ answer: CodecAnswer, to request: CodecRequest, _ memory: SharedMemory?, _ inbox: HelperInbox,
    _ maxPixels: Int
  ) -> Exchange {
    guard answer.number == request.number, inbox.isEmpty else { return .died }
    let pictures = answer.pictures
    // Where there is no picture nothing is kept either: a helper that fills memory again and again gets no more of it.
    let kept = pictures.map { $0.offset + ($0.facts.byteCount ?? 0) }.max() ?? 0
    if let memory, !memory.seal(keeping: kept) { return .died }
    if pictures.isEmpty { return .answer(answer, []) }
    noteHanded(kept)
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
  /// The number of the request that is answered; nil for the greeting.
  fileprivate var number: UInt32? {
    switch self {
    case .picture(_, let number), .frame(_, _, _, _, let number), .endOfFrames(let number),
      .rendering(_, let number), .thumbnail(_, let number), .reports(_, let number),
      .failure(_, let number):
      number
    case .ready: nil
    }
  }

  /// The pictures whose pixels come along, and where in the memory they begin.
  fileprivate var pictures: [(facts: PictureFacts, offset: Int)] {
    switch self {
    case .picture(let facts, _), .frame(let facts, _, _, _, _): [(facts, 0)]
    case .rendering(let facts, _):
      Array(zip([facts.picture] + (facts.thumbnail.map { [$0] } ?? []), facts.offsets))
    case .thumbnail(let facts, _): facts.picture.map { [($0, 0)] } ?? []
    case .endOfFrames, .reports, .failure, .ready: []
    }
  }
}

extension CodecRequest {
  /// Whether the helper looks for `cancel` while it works on the request.
  fileprivate var canBeCancelled: Bool {
    switch self {
    case .rendering: true
    case .picture, .frames, .nextFrame, .thumbnail, .stop, .cancel, .reports: false
    }
  }
}

extension HelperProcess {
  /// What a helper may have that waits for its next file, in bytes of memory and of addresses: it keeps them.
  private static let idleMemory = 512 << 20
  private static let idleAddresses = 2 << 30
  /// What it may take meanwhile, for the end of its last work.
  private static let idleGrowth = 64 << 20
  /// Pixels in bytes that one helper is handed memory for in its life: one that was taken over can keep it.
  private static let mostHanded = 2 << 30

  /// Sees to it that a helper does not grow while nobody waits for it.
  /// - Returns: false where it has too much to be kept.
  func rest() -> Bool {
    let memory = ProcessMemory(of: identifier)
    guard memory.resident <= Self.idleMemory, handedBytes <= Self.mostHanded, !budget.hasEnded(identifier)
    else { return false }
    guard hasAddressLimit else { return true }
    guard memory.addresses <= Self.idleAddresses else { return false }
    address_limit_set(identifier, UInt64(memory.addresses + Self.idleGrowth))
    return true
  }

  /// Gives it back what it may have while somebody waits for it.
  func wake() {
    if hasAddressLimit { address_limit_set(identifier, .max) }
  }

  /// Whether it has set itself a limit: one that is built with a sanitizer has none.
  private var hasAddressLimit: Bool { (1..<UInt64.max).contains(address_limit(identifier)) }
}

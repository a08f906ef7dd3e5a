import CPlatform
import System

/// A program that reads what files say of themselves, seen from tpick's side.
///
/// What it answers are messages that the modules at both ends understand. Calls may come from any thread, and block until
/// there are answers or the helper was given up. A helper is started for the first file, started again after one died, and gone
/// with the last reference or with tpick.
package final class MetadataClient: Sendable {
  /// The most files that one request has.
  package static let mostFiles = Int(DESCRIPTORS_PER_MESSAGE)

  /// The helpers of this program for the formats that are read without heavy libraries: one set of processes, whoever asks.
  ///
  /// Where few files may be open pictures and metadata have one helper together: one that waits for work holds a socket,
  /// which the other would wait for.
  package static let standard =
    OpenFileLimit.isLow
    ? MetadataClient(ReaderClient.standard.visible, deadline: standardDeadline) : MetadataClient()

  /// How long one file may take.
  package static let standardDeadline: Duration = .seconds(10)

  private let pool: HelperPool
  private let deadline: Duration

  /// Makes the helper known; nothing is started yet.
  /// - Parameters:
  ///   - program: the helper's path; nil looks for it where `TPICK_READER` says, else beside this program.
  ///   - processes: how many of them may read at once.
  ///   - deadline: how long one file may take before the helper counts as hanging.
  ///   - startDeadline: how long a program may take to say that it is the helper.
  package convenience init(
    program: String? = nil, processes: Int = 2, deadline: Duration = standardDeadline,
    startDeadline: Duration = .seconds(20)
  ) {
    self.init(
      HelperPool(.reader, program: program, processes: processes, startDeadline: startDeadline),
      deadline: deadline)
  }

  init(_ pool: HelperPool, deadline: Duration) {
    (self.pool, self.deadline) = (pool, deadline)
  }

  /// What open files say of themselves, in their order.
  ///
  /// Where a helper dies or hangs, the files without an answer are asked about one by one, each of a helper that has done
  /// nothing wrong yet, so that nothing is lost but the answer to the file that is the cause.
  /// - Parameters:
  ///   - files: as many as a request has at most.
  ///   - isCancelled: asked every few milliseconds on the calling thread.
  ///   - decode: what the answer to a file says; where it throws, or leaves something of the answer, the helper is not
  ///     believed any more.
  /// - Returns: fewer answers than files where it was cancelled.
  package func reports<Report>(
    on files: [ReportedFile], isCancelled: @escaping () -> Bool = { false },
    decode: (_ file: Int, _ wire: inout WireReader) throws(WireError) -> Report
  ) -> [Result<Report, CodecError>] {
    var results: [Result<Report, CodecError>] = []
    results.reserveCapacity(files.count)
    guard pool.acquireSlot(isCancelled: isCancelled) else { return [] }
    defer { pool.releaseSlot() }
    var isAlone = false
    while results.count < files.count {
      let process: HelperProcess
      switch pool.acquire(isCancelled: isCancelled) {
      case .process(let taken, _): process = taken
      case .missing: return results.filled(with: .missing(pool.kind), to: files.count)
      case .unconfined: return results.filled(with: .unconfined, to: files.count)
      case .exhausted: return results.filled(with: .exhausted, to: files.count)
      case .cancelled: return results
      }
      let first = results.count
      let asked = files[first..<(isAlone ? first + 1 : files.count)]
      let ending = process.reports(on: asked, deadline: deadline, isCancelled: isCancelled) { wire in
        guard let report = try? decode(results.count, &wire), wire.isAtEnd else { return false }
        results.append(.success(report))
        return true
      }
      switch ending {
      case .finished, .failed: pool.release(process)
      case .cancelled: return results
      case .died, .hung, .exceeded: break
      }
      let isCause = isAlone && results.count == first
      switch ending {
      case .finished, .cancelled: continue
      case .died where isCause: results.append(.failure(.died))
      case .hung where isCause: results.append(.failure(.hung))
      case .exceeded where isCause: results.append(.failure(.noMemory))
      case .failed(let error) where isCause: results.append(.failure(error))
      case .died, .hung, .exceeded, .failed: isAlone = true
      }
    }
    return results
  }
}

extension Array {
  /// All that there is, and a failure for all that there is not.
  fileprivate func filled<Report>(
    with error: CodecError, to count: Int
  ) -> [Result<Report, CodecError>] where Element == Result<Report, CodecError> {
    self + Array(repeating: .failure(error), count: Swift.max(0, count - self.count))
  }
}

extension HelperProcess {
  /// How a request for reports ended.
  enum ReportsEnding {
    /// Every file has its answer.
    case finished
    /// The helper was not asked, or says why there is no answer; it is free for other files.
    case failed(CodecError)
    /// Nobody waits any more.
    case cancelled
    /// One of the files without an answer killed the helper, or the helper broke the protocol on it.
    case died
    case hung
    /// It was ended, because all helpers together have too much memory.
    case exceeded
  }

  /// Asks what files say of themselves, all in one message.
  /// - Parameters:
  ///   - deadline: how long the helper may be silent.
  ///   - isCancelled: asked every few milliseconds on the calling thread.
  ///   - deliver: takes the answers, in the order of the files; false where one makes no sense.
  func reports(
    on files: ArraySlice<ReportedFile>, deadline: Duration, isCancelled: @escaping () -> Bool,
    _ deliver: (_ wire: inout WireReader) -> Bool
  ) -> ReportsEnding {
    let request = CodecRequest.reports(files.map(\.request), seconds: Self.seconds(of: deadline), number: 0)
    switch send(WireWriter.frame { request.write(to: &$0) }, with: files.map(\.descriptor)[...]) {
    case 0: break
    case EBADF: return .failed(.unreadable(String(cString: strerror(EBADF))))
    // Too many of this user's are on their way.
    case ETOOMANYREFS: return .failed(.noDescriptors)
    default: return .died
    }
    let inbox = makeInbox()
    var answered = 0
    while answered < files.count {
      switch inbox.receive(within: deadline, isCancelled: isCancelled) {
      case .answer(.reports(let part, number: 0)):
        guard let ranges = part.ranges, ranges.count <= files.count - answered else { return .died }
        for range in ranges {
          var wire = WireReader(part.bytes, range)
          guard deliver(&wire) else { return .died }
        }
        answered += ranges.count
      case .answer(.failure(let error, number: 0)):
        return answered == 0 && inbox.isEmpty ? .failed(error) : .died
      case .nothing: return .hung
      case .cancelled: return .cancelled
      case .end where budget.hasEnded(identifier): return .exceeded
      case .answer, .end: return .died
      }
    }
    return inbox.isEmpty ? .finished : .died
  }
}

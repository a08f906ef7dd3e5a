import CPlatform
import System

/// Client for a helper that reads the metadata of files.
///
/// Reports are opaque messages; the modules at both ends define them. Calls may come from any thread; they block
/// until the reports arrive or the helper is given up. The first file starts a helper; a helper that died is
/// replaced for the next file. Helpers end with the last reference or with tpick.
package final class MetadataClient: Sendable {
  /// The most files in one request.
  package static let mostFiles = Int(DESCRIPTORS_PER_MESSAGE)

  /// The shared client for formats that need no heavy libraries.
  ///
  /// If the limit of open files is low, pictures and metadata share one helper: an idle helper holds a socket,
  /// which the other would lack.
  package static let standard =
    OpenFileLimit.isLow
    ? MetadataClient(ReaderClient.standard.visible, deadline: standardDeadline) : MetadataClient()

  /// Time allowed for one file.
  package static let standardDeadline: Duration = .seconds(10)

  private let pool: HelperPool
  private let deadline: Duration

  /// Creates a client without starting a helper.
  /// - Parameters:
  ///   - program: path of the helper; nil searches as `HelperProgram.find()` does.
  ///   - processes: number of helpers that read at once.
  ///   - deadline: time allowed for one file before the helper counts as hung.
  ///   - startDeadline: time allowed for a program to greet as a helper.
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

  /// Reads the metadata of open files and returns the reports in the order of the files.
  ///
  /// If a helper dies or hangs, the remaining files are sent one by one, each to a helper that has not failed, so
  /// that only the report of the file that caused it is lost.
  /// - Parameters:
  ///   - files: at most `mostFiles`.
  ///   - isCancelled: called every few milliseconds on the calling thread.
  ///   - decode: decodes the report on a file. If it throws or leaves bytes unread, the helper is killed.
  /// - Returns: fewer results than files after cancellation.
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
  /// Returns the results so far, padded with `error` up to `count`.
  fileprivate func filled<Report>(
    with error: CodecError, to count: Int
  ) -> [Result<Report, CodecError>] where Element == Result<Report, CodecError> {
    self + Array(repeating: .failure(error), count: Swift.max(0, count - self.count))
  }
}

extension HelperProcess {
  /// The result of a request for reports.
  enum ReportsEnding {
    /// Every file has its report.
    case finished
    /// The request was not sent, or the helper reported an error; the helper is free.
    case failed(CodecError)
    /// The caller cancelled.
    case cancelled
    /// The helper died on one of the files without a report, or broke the protocol.
    case died
    case hung
    /// The helper was killed because the helpers exceeded their memory budget.
    case exceeded
  }

  /// Requests reports on several files in one message.
  /// - Parameters:
  ///   - deadline: how long the helper may be silent.
  ///   - isCancelled: called every few milliseconds on the calling thread.
  ///   - deliver: receives the reports in the order of the files; returns false for an invalid one.
  func reports(
    on files: ArraySlice<ReportedFile>, deadline: Duration, isCancelled: @escaping () -> Bool,
    _ deliver: (_ wire: inout WireReader) -> Bool
  ) -> ReportsEnding {
    let request = CodecRequest.reports(files.map(\.request), seconds: Self.seconds(of: deadline), number: 0)
    switch send(WireWriter.frame { request.write(to: &$0) }, with: files.map(\.descriptor)[...]) {
    case 0: break
    case EBADF: return .failed(.unreadable(String(cString: strerror(EBADF))))
    // This user has too many descriptors in flight.
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

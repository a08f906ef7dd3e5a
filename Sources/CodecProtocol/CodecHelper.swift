import Dispatch
import Synchronization

/// The program that reads what heavy libraries know, seen from tpick's side.
///
/// Calls may come from any thread, and block until there is an answer or the helper was given up. A helper is
/// started for the first file, started again after one died, and gone with the last reference or with tpick.
public final class CodecHelper: Sendable {
  private struct Pool {
    /// The path of the helper; nil where there is none, or none that works.
    var program: String?
    var isSearched: Bool
    var idle: [HelperProcess] = []
    /// Starts that failed, one after the other.
    var failures = 0
  }

  /// A program that failed to start as often as this is not there for us.
  private static let patienceWithStarts = 3

  private let pool: Mutex<Pool>
  private let seats: DispatchSemaphore
  private let deadline: Duration
  private let startDeadline: Duration

  /// Makes the helper known; nothing is started yet.
  /// - Parameters:
  ///   - program: the helper's path; nil looks for it where `TPICK_CODECS` says, else beside this program.
  ///   - processes: how many of them may run at once.
  ///   - deadline: how long one file may take before the helper counts as hanging.
  ///   - startDeadline: how long a program may take to say that it is the helper; loading its libraries from
  ///     a cold disk takes longer than any file.
  public init(
    program: String? = nil, processes: Int = 2, deadline: Duration = .seconds(5),
    startDeadline: Duration = .seconds(20)
  ) {
    pool = Mutex(Pool(program: program, isSearched: program != nil))
    seats = DispatchSemaphore(value: max(1, processes))
    self.deadline = deadline
    self.startDeadline = startDeadline
  }

  /// The facts of an open file.
  /// - Parameter descriptor: open for reading; stays the caller's, its position as it was.
  /// - Throws: `CodecError` when the file is none that the helper can read, or kills it, or hangs it.
  public func facts(of descriptor: Int32) throws(CodecError) -> CodecFacts {
    try facts(of: [descriptor])[0].get()
  }

  /// The facts of many open files, in their order.
  ///
  /// One helper works on a call: with as many threads calling as there are helpers, all of them work.
  /// - Parameter descriptors: open for reading; stay the caller's, their positions as they were.
  public func facts(of descriptors: [Int32]) -> [Result<CodecFacts, CodecError>] {
    seats.wait()
    defer { seats.signal() }
    var results: [Result<CodecFacts, CodecError>] = []
    results.reserveCapacity(descriptors.count)
    // A file that seems to have killed a helper is asked for once more, alone and of a new one: the fault may
    // have been an earlier file's, or somebody's who killed the helper.
    var isAlone = false
    while results.count < descriptors.count {
      guard let (process, isNew) = takeProcess() else {
        let rest = descriptors.count - results.count
        results += Array(repeating: .failure(.missing), count: rest)
        break
      }
      let first = results.count
      let range = first..<(isAlone ? first + 1 : descriptors.count)
      let ending = process.ask(descriptors[range], deadline: deadline) { results.append($0) }
      if ending != .died, ending != .hung { pool.withLock { $0.idle.append(process) } }
      guard results.count < range.upperBound else {
        isAlone = false
        continue
      }
      switch ending {
      case .hung: results.append(.failure(.died))
      case .died where isAlone || isNew && results.count == first: results.append(.failure(.died))
      case .refused(let reason) where range.count == 1: results.append(.failure(.unreadable(reason)))
      case .finished, .died, .refused:
        isAlone = true
        continue
      }
      isAlone = false
    }
    return results
  }

  /// A helper that nobody talks to, or a new one.
  private func takeProcess() -> (HelperProcess, isNew: Bool)? {
    let (idle, program) = pool.withLock { pool -> (HelperProcess?, String?) in
      if let process = pool.idle.popLast() { return (process, nil) }
      if !pool.isSearched {
        pool.isSearched = true
        pool.program = HelperProgram.find()
      }
      return (nil, pool.program)
    }
    if let idle { return (idle, isNew: false) }
    guard let program else { return nil }
    let process = HelperProcess(program: program, patience: startDeadline)
    pool.withLock { pool in
      pool.failures = process == nil ? pool.failures + 1 : 0
      if pool.failures >= Self.patienceWithStarts { pool.program = nil }
    }
    return process.map { ($0, isNew: true) }
  }
}

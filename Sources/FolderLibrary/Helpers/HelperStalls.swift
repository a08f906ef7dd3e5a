import CPlatform
import Synchronization

/// Files that could not be read in this run, because a helper stalled or none could run, and when each may be
/// retried.
///
/// The machine or the disk may have been the cause: such a file keeps its data without the helper's part.
/// Each stall quadruples the pause before the next attempt; a file that stalls in several runs is treated as
/// broken. If resources were short, the file is not the cause, and pauses are short.
///
/// Any thread may call.
final class HelperStalls: Sendable {
  /// A version of a file; a changed file has another key.
  struct Key: Hashable {
    var inode: UInt64
    var size: Int64
    var modified: Int64

    init(_ file: FileRow) { (inode, size, modified) = (file.inode, file.size, file.modified) }

    init(_ finding: FileFinding) {
      (inode, size, modified) = (finding.status.inode, finding.status.size, finding.status.modified)
    }
  }

  private struct Stall {
    /// The number of runs with a stall; nil if the file is not the cause.
    var runs: UInt8?
    var count: Int
    /// The number of consecutive shortages of resources.
    var shortages = 0
    var reason: String
    var end: ContinuousClock.Instant
  }

  /// A file that stalled in this many runs is treated as broken.
  static let mostRuns: UInt8 = 3

  private static let longest: Duration = .seconds(1200)

  private let pause: Duration
  private let stalls = Mutex<[Key: Stall]>([:])

  /// - Parameter pause: the pause before the second attempt.
  init(pause: Duration) {
    self.pause = pause
  }

  /// Records that a helper stalled on a file.
  /// - Parameters:
  ///   - reason: the text of the issue.
  ///   - earlier: the number of earlier runs with a stall.
  /// - Returns: the number of runs with a stall, including this one.
  func note(_ file: Key, _ reason: String, earlier: UInt8) -> UInt8 {
    stalls.withLock { stalls in
      let before = stalls[file]
      let runs = before?.runs ?? (earlier == .max ? earlier : earlier + 1)
      let count = before?.count ?? 0
      let pause = min(Self.longest, pause * (1 << min(2 * count, 20)))
      stalls[file] = Stall(runs: runs, count: count + 1, reason: reason, end: .now + pause)
      return runs
    }
  }

  /// Records that resources for a helper were short, which passes as soon as other files are closed.
  /// - Parameter reason: the text of the issue.
  func postpone(_ file: Key, _ reason: String) {
    stalls.withLock { stalls in
      var stall = stalls[file] ?? Stall(runs: nil, count: 0, reason: reason, end: .now)
      stall.end = .now + Self.shortagePause * (1 << min(stall.shortages, 4))
      stall.shortages += 1
      stall.reason = reason
      stalls[file] = stall
    }
  }

  private static let shortagePause: Duration = .milliseconds(250)

  func forget(_ file: Key) { stalls.withLock { $0[file] = nil } }

  /// Removes files whose pause had ended by this time: they were not retried, so they are gone.
  func forgetOver(at time: ContinuousClock.Instant) {
    stalls.withLock { stalls in stalls = stalls.filter { $0.value.end > time } }
  }

  /// Returns the first of the files that must not be retried yet, and the text of its issue.
  func pausing(of files: some Sequence<FileRow>) -> (file: FileRow, reason: String)? {
    let now = ContinuousClock.now
    return stalls.withLock { stalls in
      if stalls.isEmpty { return nil }
      for file in files {
        if let stall = stalls[Key(file)], now < stall.end { return (file, stall.reason) }
      }
      return nil
    }
  }

  /// When the next file may be retried; nil if none is waiting.
  var nextTry: ContinuousClock.Instant? { stalls.withLock { $0.values.map(\.end).min() } }
}

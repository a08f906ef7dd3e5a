import CPlatform
import Synchronization

/// Files that a helper could not be asked about, or stalled on, in this run, and when it may be asked about each of them
/// again.
///
/// The machine may have been the cause, or the disk: such a file keeps what is known of it without the helper. Each
/// stall quadruples the pause before the next try; a file that stalls in several runs is taken for a broken one. Where
/// there was no room for a helper, the file is none of the causes, and the pauses are short.
/// Calls may come from any thread.
final class HelperStalls: Sendable {
  /// A file as it is now: one that has changed is another one.
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
    /// In how many runs it did; nil where the file is not the cause.
    var runs: UInt8?
    var count: Int
    /// How often in a row there was no room for a helper.
    var shortages = 0
    var reason: String
    var end: ContinuousClock.Instant
  }

  /// A file that stalled in so many runs is broken.
  static let mostRuns: UInt8 = 3

  private static let longest: Duration = .seconds(1200)

  private let pause: Duration
  private let stalls = Mutex<[Key: Stall]>([:])

  /// - Parameter pause: before the second try.
  init(pause: Duration) {
    self.pause = pause
  }

  /// Notes that the helper stalled on a file.
  /// - Parameters:
  ///   - reason: what is said of it.
  ///   - earlier: in how many runs it did before.
  /// - Returns: in how many runs it did by now.
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

  /// Notes that there was no room for a helper: others close their files soon.
  /// - Parameter reason: what is said of the file.
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

  /// Forgets files that nobody asked about although their pause was over at this moment: they are gone.
  func forgetOver(at time: ContinuousClock.Instant) {
    stalls.withLock { stalls in stalls = stalls.filter { $0.value.end > time } }
  }

  /// The first of these files about which the helper is not to be asked yet, and what is said of it.
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

  /// When the next file may be asked about again; nil where none waits.
  var nextTry: ContinuousClock.Instant? { stalls.withLock { $0.values.map(\.end).min() } }
}

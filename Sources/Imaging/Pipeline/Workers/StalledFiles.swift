import AssetLibrary
import Synchronization
import SystemPackage

/// Files whose decoding stalled in this run, and when each of them may be tried again.
///
/// A stall takes a decoder for many seconds: each one doubles the pause before the next try. Calls may come from any
/// thread.
final class StalledFiles: Sendable {
  private struct Key: Hashable {
    var path: FilePath
    var range: Range<Int>?
  }

  private struct Stall {
    /// The file as it was.
    var subject: ThumbnailSubject?
    var error: AssetError
    var count: Int
    var end: ContinuousClock.Instant
  }

  /// The pause after the first stall, and the longest one.
  private static let shortest: Duration = .seconds(20)
  private static let longest: Duration = .seconds(1200)

  private let now: @Sendable () -> ContinuousClock.Instant
  private let stalls = Mutex<[Key: Stall]>([:])

  /// - Parameter now: the time; tests have one of their own.
  init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.now = now
  }

  /// What is said of a file that is not to be tried yet; nil where it may be.
  func error(for resource: AssetResource) -> AssetError? {
    let key = Self.key(of: resource)
    guard let stall = stalls.withLock({ $0[key] }), now() < stall.end else { return nil }
    // A file that has changed is another one.
    return stall.subject == ThumbnailSubject(fileAt: resource.path) ? stall.error : nil
  }

  /// Notes that a file stalled.
  /// - Returns: whether it is the first time in this run.
  func note(_ error: AssetError, of resource: AssetResource) -> Bool {
    let subject = ThumbnailSubject(fileAt: resource.path)
    let time = now()
    return stalls.withLock { stalls in
      let key = Self.key(of: resource)
      let before = stalls[key].flatMap { $0.subject == subject ? $0.count : nil } ?? 0
      let pause = min(Self.longest, Self.shortest * (1 << min(before, 16)))
      stalls[key] = Stall(subject: subject, error: error, count: before + 1, end: time + pause)
      return before == 0
    }
  }

  /// Notes that a file could be decoded.
  func forget(_ resource: AssetResource) {
    stalls.withLock { stalls in
      if !stalls.isEmpty { stalls[Self.key(of: resource)] = nil }
    }
  }

  private static func key(of resource: AssetResource) -> Key {
    Key(path: resource.path, range: resource.byteRange)
  }
}

import Synchronization

/// What was read last of files on servers whose thumbnails take more of them, so that it is not read again for these.
///
/// Each is a file in memory of some hundred kilobytes. Calls may come from any thread.
final class RecentHeads: Sendable {
  /// Two screens of them, where as many files may be open.
  private let most: Int
  /// The oldest first.
  private let heads = Mutex<[HeadFile]>([])

  init(most: Int = min(64, DescriptorLimit.count / 16)) { self.most = most }

  /// Keeps what was read of a file; the oldest goes where there are too many.
  func keep(_ head: HeadFile) {
    heads.withLock { heads in
      heads.removeAll { $0.file.version == head.file.version }
      heads.append(head)
      heads.removeFirst(max(0, heads.count - most))
    }
  }

  /// Gives away what was read of a file in this version; nil where it is not there any more.
  func take(_ version: UInt64) -> HeadFile? {
    heads.withLock { heads in
      heads.firstIndex { $0.file.version == version }.map { heads.remove(at: $0) }
    }
  }
}

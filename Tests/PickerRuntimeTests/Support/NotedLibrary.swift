import AssetLibrary
import Fixtures
import Synchronization

/// A library in memory that records its orders.
final class NotedLibrary: MemoryBackedStore {
  enum Order: Hashable {
    case stopReading, resumeReading, allowBackgroundWork
  }

  let memory: MemoryAssetStore
  private let noted = Mutex<[Order]>([])
  private let changed: Mutex<LibraryStatus>

  init(_ assets: [Asset]) {
    memory = MemoryAssetStore(assets)
    changed = Mutex(memory.status)
  }

  /// The received orders, in order.
  var orders: [Order] { noted.withLock { $0 } }

  /// The reading progress.
  var status: LibraryStatus {
    get { changed.withLock { $0 } }
    set { changed.withLock { $0 = newValue } }
  }

  func stopReading() { noted.withLock { $0.append(.stopReading) } }
  func resumeReading() { noted.withLock { $0.append(.resumeReading) } }
  func allowBackgroundWork() { noted.withLock { $0.append(.allowBackgroundWork) } }
}

import AssetLibrary
import Fixtures
import Synchronization

/// A library in memory that is partly unreadable, and that reports its number of observers.
final class DamagedStore: MemoryBackedStore {
  let memory = MemoryAssetStore()
  private let issues: [AssetError]
  private let observers = Mutex<Set<ObserverID>>([])

  init(_ issues: [AssetError] = []) {
    self.issues = issues
  }

  var observerCount: Int { observers.withLock { $0.count } }

  var status: LibraryStatus {
    var status = memory.status
    status.issues = issues
    return status
  }

  func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID {
    let observer = memory.observeChanges(handler)
    observers.withLock { _ = $0.insert(observer) }
    return observer
  }

  func stopObserving(_ observer: ObserverID) {
    memory.stopObserving(observer)
    observers.withLock { _ = $0.remove(observer) }
  }
}

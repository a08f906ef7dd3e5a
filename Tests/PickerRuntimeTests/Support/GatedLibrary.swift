import AssetLibrary
import Dispatch
import Fixtures
import Synchronization

/// A store that blocks each fetch of a collection until a test releases it, and records the collections.
final class GatedLibrary: MemoryBackedStore {
  let memory: MemoryAssetStore
  private let gate = DispatchSemaphore(value: 0)
  private let arrivals: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation
  private let asked = Mutex<[LocalIdentifier?]>([])

  init(_ assets: [Asset]) {
    memory = MemoryAssetStore(assets)
    (arrivals, arrival) = AsyncStream.makeStream()
  }

  /// The requested collections, in order.
  var askedCollections: [LocalIdentifier?] { asked.withLock { $0 } }

  /// Waits until a fetch is blocked.
  func waitForArrival() async {
    for await _ in arrivals { break }
  }

  /// Releases `count` fetches.
  func open(_ count: Int = 1) {
    for _ in 0..<count { gate.signal() }
  }

  func remove(_ name: String) { memory.remove(LocalIdentifier(name)) }
  func setComplete(_ isComplete: Bool) { memory.setComplete(isComplete) }

  func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    asked.withLock { $0.append(collection) }
    arrival.yield()
    gate.wait()
    return memory.assets(in: collection, options: options)
  }
}

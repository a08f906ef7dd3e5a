import AssetLibrary
import Dispatch
import Fixtures
import Synchronization

/// A store that answers no fetch of a collection before it is told to, and notes which were asked.
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

  /// The collections whose assets were asked for, in order.
  var askedCollections: [LocalIdentifier?] { asked.withLock { $0 } }

  /// Waits until somebody stands before the gate.
  func waitForArrival() async {
    for await _ in arrivals { break }
  }

  /// Lets so many through, each once.
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

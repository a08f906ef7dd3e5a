import AssetLibrary
import Dispatch
import Fixtures

/// A store that blocks each opening of a file, and thus its worker, until a test releases it.
final class GatedStore: MemoryBackedStore {
  let memory: MemoryAssetStore
  private let gate = DispatchSemaphore(value: 0)
  private let arrivals: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation

  init(_ memory: MemoryAssetStore) {
    self.memory = memory
    (arrivals, arrival) = AsyncStream.makeStream()
  }

  /// Waits until a worker is blocked.
  func waitForArrival() async {
    for await _ in arrivals { break }
  }

  /// Releases one worker.
  func open() { gate.signal() }

  func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    arrival.yield()
    gate.wait()
    return try memory.reader(for: resource)
  }
}

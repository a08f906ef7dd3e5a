import AssetLibrary
import Dispatch
import Fixtures

/// A store that opens no file before it is told to: whoever works on one stands still meanwhile.
final class GatedStore: MemoryBackedStore {
  let memory: MemoryAssetStore
  private let gate = DispatchSemaphore(value: 0)
  private let arrivals: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation

  init(_ memory: MemoryAssetStore) {
    self.memory = memory
    (arrivals, arrival) = AsyncStream.makeStream()
  }

  /// Waits until somebody stands before the gate.
  func waitForArrival() async {
    for await _ in arrivals { break }
  }

  /// Lets one through.
  func open() { gate.signal() }

  func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    arrival.yield()
    gate.wait()
    return try memory.reader(for: resource)
  }
}

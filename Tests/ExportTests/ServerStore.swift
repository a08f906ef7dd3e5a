import AssetLibrary
import Export
import Fixtures
import Synchronization

/// A store whose resources are remote until they are downloaded in three steps.
final class ServerStore: MemoryBackedStore {
  let memory = MemoryAssetStore()
  private let content = ScriptedStore()
  private let here = Mutex<Set<AssetResource>>([])

  func isLocal(_ resource: AssetResource) -> Bool { here.withLock { $0.contains(resource) } }

  func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    guard isLocal(resource) else { throw AssetError(resource.path.string, "is not here") }
    return try content.reader(for: resource)
  }

  func download(_ resource: AssetResource, progress: (Double) -> DownloadDecision) throws(AssetError) {
    for fraction in [0, 0.5, 1] where progress(fraction) == .stop { throw .cancelled }
    here.withLock { _ = $0.insert(resource) }
  }
}

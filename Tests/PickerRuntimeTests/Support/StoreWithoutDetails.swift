import AssetLibrary
import Fixtures

/// A library in memory without asset details, which would arrive at unpredictable times between a test's actions.
final class StoreWithoutDetails: MemoryBackedStore {
  let memory: MemoryAssetStore

  init(_ memory: MemoryAssetStore) {
    self.memory = memory
  }

  func details(of asset: Asset) throws(AssetError) -> AssetDetails {
    throw AssetError(asset.localIdentifier.rawValue, "has no details")
  }
}

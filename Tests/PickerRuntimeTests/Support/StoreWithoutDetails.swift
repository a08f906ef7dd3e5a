import AssetLibrary
import Fixtures

/// A library in memory that tells no details of its assets: they would come at times of their own, between what a
/// test does.
final class StoreWithoutDetails: MemoryBackedStore {
  let memory: MemoryAssetStore

  init(_ memory: MemoryAssetStore) {
    self.memory = memory
  }

  func details(of asset: Asset) throws(AssetError) -> AssetDetails {
    throw AssetError(asset.localIdentifier.rawValue, "has no details")
  }
}

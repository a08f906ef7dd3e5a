package import AssetLibrary
import Export

/// Finds the assets of a library that are identical to those to save, byte for byte.
package struct KnownAssets {
  private var bySize: [Int64: [(asset: Asset, store: any OriginalAccess)]] = [:]

  /// - Parameters:
  ///   - assets: the assets to compare with.
  ///   - store: opens their files.
  ///   - byteCounts: the sizes of the primary files that will be looked for.
  package init(_ assets: some Sequence<Asset>, in store: any OriginalAccess, byteCounts: Set<Int64>) {
    for asset in assets where byteCounts.contains(asset.byteCount) { add(asset, in: store) }
  }

  /// Adds an asset, such as one that was just saved.
  package mutating func add(_ asset: Asset, in store: any OriginalAccess) {
    bySize[asset.byteCount, default: []].append((asset, store))
  }

  /// Returns an asset that contains every file of the given one.
  package func same(as asset: Asset, in store: any OriginalAccess) -> Asset? {
    bySize[asset.byteCount]?.first { known in
      asset.resources.allSatisfy { resource in
        known.asset.resources.contains { Self.isSame(resource, in: store, $0, in: known.store) }
      }
    }?.asset
  }

  private static func isSame(
    _ one: AssetResource, in store: any OriginalAccess, _ other: AssetResource,
    in otherStore: any OriginalAccess
  ) -> Bool {
    // A part of a file is the same if the file is, which is compared separately.
    if one.byteRange != nil { return other.byteRange != nil && one.type == other.type }
    guard other.byteRange == nil, one.byteCount == other.byteCount,
      let (first, second) = try? (store.reader(for: one), otherStore.reader(for: other)),
      let left = first.descriptor, let right = second.descriptor
    else { return false }
    return withExtendedLifetime((first, second)) { FileContent.isSame(left, right) }
  }
}

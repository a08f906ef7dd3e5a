// What a list shows of assets, without making them.

extension FetchResult where Element == Asset {
  /// When one asset was taken, without making the asset where that can be avoided.
  public func creationDate(at position: Int) -> AssetDate {
    switch storage {
    case .elements(let elements): elements[position].creationDate
    case .handles(let handles, let source):
      source.creationDate(at: handles[position]) ?? source.element(at: handles[position]).creationDate
    }
  }

  /// How many assets there are of each kind of medium, without making the assets where that can be avoided; those that
  /// can't be read are of unknown kind.
  ///
  /// PhotoKit's `countOfAssets(with:)` for all kinds at once. Linear.
  public func countsOfAssets() -> [MediaType: Int] {
    var counts: [MediaType: Int] = [:]
    switch storage {
    case .elements(let elements): for asset in elements { counts[asset.readableMediaType, default: 0] += 1 }
    case .handles(let handles, let source): Self.count(handles, in: source, &counts)
    }
    return counts
  }

  private static func count<Source: FetchSource<Asset>>(
    _ handles: [FetchHandle], in source: Source, _ counts: inout [MediaType: Int]
  ) {
    var (images, videos) = (0, 0)
    for handle in handles {
      switch source.readableMediaType(at: handle) ?? source.element(at: handle).readableMediaType {
      case .image: images += 1
      case .video: videos += 1
      case let other: counts[other, default: 0] += 1
      }
    }
    if images > 0 { counts[.image] = images }
    if videos > 0 { counts[.video] = videos }
  }

  /// What a selection has to know of one asset, without making the asset where that can be avoided.
  public func brief(at position: Int) -> AssetBrief {
    switch storage {
    case .elements(let elements): AssetBrief(elements[position])
    case .handles(let handles, let source):
      source.brief(at: handles[position]) ?? AssetBrief(source.element(at: handles[position]))
    }
  }
}

extension Asset {
  /// Its kind of medium, unknown where it can't be read.
  fileprivate var readableMediaType: MediaType { isBroken ? .unknown : mediaType }
}

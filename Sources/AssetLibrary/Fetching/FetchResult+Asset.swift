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

  /// What a selection has to know of one asset, without making the asset where that can be avoided.
  public func brief(at position: Int) -> AssetBrief {
    switch storage {
    case .elements(let elements): AssetBrief(elements[position])
    case .handles(let handles, let source):
      source.brief(at: handles[position]) ?? AssetBrief(source.element(at: handles[position]))
    }
  }
}

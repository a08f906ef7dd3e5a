import AssetLibrary

/// The picked assets in picking order, and how many there may be.
struct Selection: Hashable, Sendable {
  /// 0 = no limit.
  var limit: Int
  private(set) var assets: [Asset] = []
  private var numbers: [LocalIdentifier: Int] = [:]

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { assets.count }
  var isEmpty: Bool { assets.isEmpty }
  var isFull: Bool { limit > 0 && count >= limit }
  var byteCount: Int64 { assets.reduce(0) { $0 + ($1.primaryResource?.byteCount ?? 0) } }

  /// The place of an asset in picking order, from 1; nil when it is not picked.
  func number(of identifier: LocalIdentifier) -> Int? { numbers[identifier] }

  func contains(_ identifier: LocalIdentifier) -> Bool { numbers[identifier] != nil }

  /// Adds an asset; false when the limit is reached.
  mutating func add(_ asset: Asset) -> Bool {
    if contains(asset.id) { return true }
    guard !isFull else { return false }
    assets.append(asset)
    numbers[asset.id] = assets.count
    return true
  }

  mutating func remove(_ identifier: LocalIdentifier) {
    guard contains(identifier) else { return }
    replace(with: assets.filter { $0.id != identifier })
  }

  mutating func removeAll() { replace(with: []) }

  /// Keeps only what `isKept` admits.
  mutating func keep(where isKept: (Asset) -> Bool) { replace(with: assets.filter(isKept)) }

  private mutating func replace(with new: [Asset]) {
    assets = new
    numbers = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1.id, $0 + 1) })
  }
}

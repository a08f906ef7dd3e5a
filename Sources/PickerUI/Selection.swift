import AssetLibrary

/// The picked assets in picking order, and how many there may be.
struct Selection: Hashable, Sendable {
  /// 0 = no limit.
  var limit: Int
  private(set) var assets: [Asset] = []
  /// The size of all of them together.
  private(set) var byteCount: Int64 = 0
  private var numbers: [LocalIdentifier: Int] = [:]

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { assets.count }
  var isEmpty: Bool { assets.isEmpty }
  var isFull: Bool { limit > 0 && count >= limit }
  /// How many have to go before the choice can be used; a start with too many only.
  var excess: Int { limit > 0 ? max(0, count - limit) : 0 }

  /// The place of an asset in picking order, from 1; nil when it is not picked.
  func number(of identifier: LocalIdentifier) -> Int? { numbers[identifier] }

  func contains(_ identifier: LocalIdentifier) -> Bool { numbers[identifier] != nil }

  /// Adds an asset; false when the limit is reached.
  mutating func add(_ asset: Asset) -> Bool {
    if contains(asset.id) { return true }
    guard !isFull else { return false }
    append(asset)
    return true
  }

  /// Adds what the caller has selected, the limit or not.
  mutating func preselect(_ asset: Asset) {
    if !contains(asset.id) { append(asset) }
  }

  private mutating func append(_ asset: Asset) {
    assets.append(asset)
    numbers[asset.id] = assets.count
    byteCount += asset.byteCount
  }

  mutating func remove(_ identifier: LocalIdentifier) {
    guard contains(identifier) else { return }
    replace(with: assets.filter { $0.id != identifier })
  }

  mutating func removeAll() { replace(with: []) }

  /// Keeps only what `isKept` admits.
  mutating func keep(where isKept: (Asset) -> Bool) { replace(with: assets.filter(isKept)) }

  /// Moves a pick to another place in the order.
  mutating func move(from index: Int, to target: Int) {
    guard assets.indices.contains(index), assets.indices.contains(target), index != target else { return }
    var new = assets
    new.insert(new.remove(at: index), at: target)
    replace(with: new)
  }

  private mutating func replace(with new: [Asset]) {
    assets = new
    byteCount = new.reduce(0) { $0 + $1.byteCount }
    numbers = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1.id, $0 + 1) })
  }
}

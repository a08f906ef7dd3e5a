import AssetLibrary

/// The picked assets in picking order, and how many there may be.
///
/// A hundred thousand picks are as quick to look up as three: a pick knows its identifier and where its asset is
/// found, which is made when it is asked for.
struct Selection: Sendable {
  fileprivate struct Pick: Sendable {
    enum Place: Sendable {
      indirect case asset(Asset)
      case element(of: Int, at: Int)
    }

    let identifier: LocalIdentifier
    let byteCount: Int64
    /// Grows with the place in the order, so that the place is found by it.
    var stamp: Int
    let place: Place
  }

  /// 0 = no limit.
  var limit: Int
  /// The size of all of them together.
  private(set) var byteCount: Int64 = 0
  fileprivate var picks: [Pick] = []
  private var stamps: [LocalIdentifier: Int] = [:]
  /// What large parts of the selection were taken from.
  fileprivate var sources: [FetchResult<Asset>] = []

  /// Fewer picks at a time are kept as assets, so that no answer of the library has to be kept for them.
  private static let leastFromSource = 256

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { picks.count }
  var isEmpty: Bool { picks.isEmpty }
  var isFull: Bool { limit > 0 && count >= limit }
  /// How many have to go before the choice can be used; a start with too many only.
  var excess: Int { limit > 0 ? max(0, count - limit) : 0 }

  /// In picking order.
  var identifiers: [LocalIdentifier] { picks.map(\.identifier) }

  /// The place of an asset in picking order, from 1; nil when it is not picked.
  func number(of identifier: LocalIdentifier) -> Int? {
    stamps[identifier].map { index(of: $0) + 1 }
  }

  func contains(_ identifier: LocalIdentifier) -> Bool { stamps[identifier] != nil }

  private func index(of stamp: Int) -> Int {
    var (low, high) = (0, picks.count)
    while low < high {
      let middle = (low + high) / 2
      if picks[middle].stamp < stamp { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Adding

  /// Adds an asset; false when the limit is reached.
  mutating func add(_ asset: Asset) -> Bool {
    if contains(asset.id) { return true }
    guard !isFull else { return false }
    append(AssetBrief(asset), .asset(asset))
    return true
  }

  /// Adds what the caller has selected, the limit or not.
  mutating func preselect(_ asset: Asset) {
    if !contains(asset.id) { append(AssetBrief(asset), .asset(asset)) }
  }

  /// Adds those of some assets of an answer that can be picked, in the order of the indexes, up to the limit.
  /// - Returns: whether the limit let all of them in.
  mutating func add(
    _ indexes: some Collection<Int>, of answer: FetchResult<Asset>, where isPickable: (AssetBrief) -> Bool
  ) -> Bool {
    let room = limit > 0 ? min(indexes.count, max(0, limit - count)) : indexes.count
    let isLarge = room >= Self.leastFromSource
    if isLarge {
      sources.append(answer)
      picks.reserveCapacity(count + room)
      stamps.reserveCapacity(count + room)
    }
    for index in indexes {
      let brief = answer.brief(at: index)
      guard isPickable(brief), !contains(brief.localIdentifier) else { continue }
      if isFull { return false }
      append(brief, isLarge ? .element(of: sources.count - 1, at: index) : .asset(answer[index]))
    }
    return true
  }

  private mutating func append(_ brief: AssetBrief, _ place: Pick.Place) {
    let stamp = (picks.last?.stamp ?? 0) + 1
    picks.append(
      Pick(identifier: brief.localIdentifier, byteCount: brief.byteCount, stamp: stamp, place: place))
    stamps[brief.localIdentifier] = stamp
    byteCount += brief.byteCount
  }

  // MARK: Removing

  mutating func remove(_ identifier: LocalIdentifier) {
    guard let stamp = stamps.removeValue(forKey: identifier) else { return }
    byteCount -= picks.remove(at: index(of: stamp)).byteCount
    if picks.isEmpty { sources = [] }
  }

  /// Removes the asset that was picked last, if it is this one.
  mutating func removeLast(_ identifier: LocalIdentifier) {
    guard let last = picks.last, last.identifier == identifier else { return }
    picks.removeLast()
    stamps[identifier] = nil
    byteCount -= last.byteCount
    if picks.isEmpty { sources = [] }
  }

  /// Removes all but so many that were picked first.
  mutating func truncate(to count: Int) {
    guard count < picks.count else { return }
    if count <= 0 { return removeAll() }
    byteCount -= picks[count...].reduce(0) { $0 + $1.byteCount }
    if count < picks.count / 2 {
      stamps = Dictionary(uniqueKeysWithValues: picks[..<count].map { ($0.identifier, $0.stamp) })
    } else {
      for index in count..<picks.count { stamps[picks[index].identifier] = nil }
    }
    picks.removeSubrange(count...)
  }

  /// Picks that were taken out and keep their places.
  struct Removed: Sendable {
    fileprivate var picks: [Pick] = []
  }

  /// Takes picks out, so that they can be put back where they were as long as nothing else is changed.
  mutating func takeOut(_ identifiers: some Sequence<LocalIdentifier>) -> Removed {
    var gone: Set<Int> = []
    for identifier in identifiers {
      if let stamp = stamps.removeValue(forKey: identifier) { gone.insert(stamp) }
    }
    guard !gone.isEmpty else { return Removed() }
    let removed = Removed(picks: picks.filter { gone.contains($0.stamp) })
    picks.removeAll { gone.contains($0.stamp) }
    byteCount -= removed.picks.reduce(0) { $0 + $1.byteCount }
    return removed
  }

  mutating func putBack(_ removed: Removed) {
    guard !removed.picks.isEmpty else { return }
    for pick in removed.picks {
      stamps[pick.identifier] = pick.stamp
      byteCount += pick.byteCount
    }
    picks = (picks + removed.picks).sorted { $0.stamp < $1.stamp }
  }

  mutating func removeAll() { self = Selection(limit: limit) }

  /// Keeps only what `isKept` admits.
  mutating func keep(where isKept: (LocalIdentifier) -> Bool) {
    picks.removeAll { pick in
      if isKept(pick.identifier) { return false }
      stamps[pick.identifier] = nil
      byteCount -= pick.byteCount
      return true
    }
    if picks.isEmpty { sources = [] }
  }

  /// Moves a pick to another place in the order.
  mutating func move(from index: Int, to target: Int) {
    guard picks.indices.contains(index), picks.indices.contains(target), index != target else { return }
    let touched = min(index, target)...max(index, target)
    let order = touched.map { picks[$0].stamp }
    picks.insert(picks.remove(at: index), at: target)
    for (place, stamp) in zip(touched, order) {
      picks[place].stamp = stamp
      stamps[picks[place].identifier] = stamp
    }
  }
}

extension Selection {
  /// The picked assets, each made when it is asked for.
  struct Assets: RandomAccessCollection, Sendable {
    fileprivate let selection: Selection

    var startIndex: Int { 0 }
    var endIndex: Int { selection.picks.count }

    subscript(position: Int) -> Asset {
      switch selection.picks[position].place {
      case .asset(let asset): asset
      case .element(let source, let index): selection.sources[source][index]
      }
    }
  }

  /// In picking order.
  var assets: Assets { Assets(selection: self) }
}

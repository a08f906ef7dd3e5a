import AssetLibrary
import Pixels

/// The picked assets in picking order, and their limit.
///
/// Lookups take constant time, or logarithmic time for a pick's number. Picks from large fetch results keep
/// only the identifier and the index; their assets are made on demand.
struct Selection: Sendable {
  fileprivate struct Pick: Sendable {
    enum Place: Sendable {
      indirect case asset(Asset)
      case element(of: Int, at: Int)
    }

    let identifier: LocalIdentifier
    let mediaType: MediaType
    /// The burst of the asset; nil if it has none or the pick is stored by index.
    var burst: String?
    var size: PickMeasure.Size
    /// Increases with the picking order, so that binary search finds the index.
    var stamp: Int
    let place: Place
  }

  /// 0 = no limit.
  var limit: Int
  /// The limits of images and of videos.
  let kindLimits: PickerConfiguration.KindLimits
  /// How the size of a pick is measured, and which picks are unavailable.
  private(set) var measure = PickMeasure()
  /// The number of picks by kind, and their total size.
  private(set) var tally = PickTally()
  fileprivate var picks: [Pick] = [] {
    didSet { revision += 1 }
  }
  /// Changes with each modification.
  private(set) var revision = 0
  private var stamps: [LocalIdentifier: Int] = [:]
  /// The picks of each burst.
  private var bursts: [String: Set<LocalIdentifier>] = [:]
  /// The fetch results that picks stored by index refer to.
  fileprivate var sources: [FetchResult<Asset>] = []

  /// Smaller numbers of picks are stored as assets, so that their fetch result need not be kept.
  private static let minimumFromSource = 256

  init(limit: Int, kindLimits: PickerConfiguration.KindLimits = .init()) {
    self.limit = limit
    self.kindLimits = kindLimits
  }

  /// One with the limits of a configuration.
  init(_ configuration: PickerConfiguration) {
    self.init(limit: configuration.selectionLimit, kindLimits: configuration.kindLimits)
  }

  var count: Int { picks.count }
  var isEmpty: Bool { picks.isEmpty }
  var isFull: Bool { limit > 0 && count >= limit }
  /// The total size of the results in bytes.
  var byteCount: Int64 { tally.byteCount }
  /// The number of picks above the total limit.
  var excessOverLimit: Int { limit > 0 ? max(0, count - limit) : 0 }
  /// The number of picks to remove until the limits are satisfied; only a preselection can exceed them.
  var excess: Int {
    let kinds = tally.excess(over: kindLimits)
    return max(excessOverLimit, kinds.images + kinds.videos)
  }

  /// Whether no more assets of a media type can be picked.
  func isFull(_ mediaType: MediaType) -> Bool { isFull || tally.isFull(mediaType, kindLimits) }

  /// In picking order.
  var identifiers: [LocalIdentifier] { picks.map(\.identifier) }

  /// The position of an asset in picking order, from 1; nil if it is not picked.
  func number(of identifier: LocalIdentifier) -> Int? {
    stamps[identifier].map { index(of: $0) + 1 }
  }

  func contains(_ identifier: LocalIdentifier) -> Bool { stamps[identifier] != nil }

  /// The number of picked pictures in an asset's burst, including itself; 0 if it is not part of a burst.
  func count(inBurstOf asset: Asset) -> Int {
    guard let burst = asset.burstIdentifier else { return 0 }
    let members = bursts[burst] ?? []
    return members.count + (contains(asset.id) && !members.contains(asset.id) ? 1 : 0)
  }

  private func index(of stamp: Int) -> Int {
    var (low, high) = (0, picks.count)
    while low < high {
      let middle = (low + high) / 2
      if picks[middle].stamp < stamp { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Adding

  /// Adds an asset; false if a limit is reached.
  mutating func add(_ asset: Asset) -> Bool {
    if contains(asset.id) { return true }
    guard !isFull(asset.mediaType) else { return false }
    append(asset)
    return true
  }

  /// Adds an asset that the caller preselected, ignoring the limits.
  mutating func preselect(_ asset: Asset) {
    if !contains(asset.id) { append(asset) }
  }

  /// Adds the pickable and available assets at some indexes of a fetch result, in that order, up to the limits.
  /// - Returns: whether all of them were within the limits.
  mutating func add(
    _ indexes: some Collection<Int>, of answer: FetchResult<Asset>, where isPickable: (AssetBrief) -> Bool
  ) -> Bool {
    let capacity = limit > 0 ? min(indexes.count, max(0, limit - count)) : indexes.count
    let isLarge = capacity >= Self.minimumFromSource
    if isLarge {
      sources.append(answer)
      picks.reserveCapacity(count + capacity)
      stamps.reserveCapacity(count + capacity)
    }
    var isWhole = true
    for index in indexes {
      let brief = answer.brief(at: index)
      guard isPickable(brief), !contains(brief.localIdentifier) else { continue }
      let size = measure.size(of: brief)
      if size.isUnavailable { continue }
      if isFull { return false }
      if isFull(brief.mediaType) {
        isWhole = false
        continue
      }
      let place: Pick.Place =
        isLarge ? .element(of: sources.count - 1, at: index) : .asset(answer[index])
      append(brief.localIdentifier, brief.mediaType, size, place)
    }
    return isWhole
  }

  private mutating func append(_ asset: Asset) {
    append(asset.id, asset.mediaType, measure.size(of: asset), .asset(asset))
  }

  private mutating func append(
    _ identifier: LocalIdentifier, _ mediaType: MediaType, _ size: PickMeasure.Size, _ place: Pick.Place
  ) {
    let stamp = (picks.last?.stamp ?? 0) + 1
    let burst: String? = if case .asset(let asset) = place { asset.burstIdentifier } else { nil }
    picks.append(
      Pick(
        identifier: identifier, mediaType: mediaType, burst: burst, size: size, stamp: stamp, place: place))
    stamps[identifier] = stamp
    tally.add(mediaType, size)
    if let burst { bursts[burst, default: []].insert(identifier) }
  }

  /// Subtracts removed picks from the counts.
  private mutating func countOut(_ picks: some Sequence<Pick>) {
    for pick in picks {
      tally.remove(pick.mediaType, pick.size)
      guard let burst = pick.burst else { continue }
      bursts[burst]?.remove(pick.identifier)
      if bursts[burst]?.isEmpty ?? false { bursts[burst] = nil }
    }
  }

  // MARK: Removing

  mutating func remove(_ identifier: LocalIdentifier) {
    guard let stamp = stamps.removeValue(forKey: identifier) else { return }
    countOut(CollectionOfOne(picks.remove(at: index(of: stamp))))
    if picks.isEmpty { sources = [] }
  }

  /// Removes the asset that was picked last, if it is this one.
  mutating func removeLast(_ identifier: LocalIdentifier) {
    guard let last = picks.last, last.identifier == identifier else { return }
    picks.removeLast()
    stamps[identifier] = nil
    countOut(CollectionOfOne(last))
    if picks.isEmpty { sources = [] }
  }

  /// Removes all but the first `count` picks.
  mutating func truncate(to count: Int) {
    guard count < picks.count else { return }
    if count <= 0 { return removeAll() }
    countOut(picks[count...])
    if count < picks.count / 2 {
      stamps = Dictionary(uniqueKeysWithValues: picks[..<count].map { ($0.identifier, $0.stamp) })
    } else {
      for index in count..<picks.count { stamps[picks[index].identifier] = nil }
    }
    picks.removeSubrange(count...)
  }

  /// Removed picks that can be restored to their positions.
  struct Removed: Sendable {
    fileprivate var picks: [Pick] = []
  }

  /// Removes picks such that `putBack` can restore them, as long as nothing else changes.
  mutating func takeOut(_ identifiers: some Sequence<LocalIdentifier>) -> Removed {
    var gone: Set<Int> = []
    for identifier in identifiers {
      if let stamp = stamps.removeValue(forKey: identifier) { gone.insert(stamp) }
    }
    guard !gone.isEmpty else { return Removed() }
    let removed = Removed(picks: picks.filter { gone.contains($0.stamp) })
    picks.removeAll { gone.contains($0.stamp) }
    countOut(removed.picks)
    return removed
  }

  mutating func putBack(_ removed: Removed) {
    guard !removed.picks.isEmpty else { return }
    for pick in removed.picks {
      stamps[pick.identifier] = pick.stamp
      tally.add(pick.mediaType, pick.size)
      if let burst = pick.burst { bursts[burst, default: []].insert(pick.identifier) }
    }
    picks = (picks + removed.picks).sorted { $0.stamp < $1.stamp }
  }

  mutating func removeAll() {
    let (next, measure) = (revision + 1, measure)
    self = Selection(limit: limit, kindLimits: kindLimits)
    (revision, self.measure) = (next, measure)
  }

  /// Removes all picks that don't satisfy `isKept`.
  mutating func keep(where isKept: (LocalIdentifier) -> Bool) {
    let gone = picks.filter { !isKept($0.identifier) }
    guard !gone.isEmpty else { return }
    for pick in gone { stamps[pick.identifier] = nil }
    countOut(gone)
    let left = stamps
    picks.removeAll { left[$0.identifier] == nil }
    if picks.isEmpty { sources = [] }
  }

  /// Moves a pick to another position.
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
  /// Measures the picks differently; expensive only if the measure changes.
  mutating func use(_ measure: PickMeasure) {
    guard measure != self.measure else { return }
    self.measure = measure
    tally = PickTally()
    // Not changed in place, because each element would count as a modification.
    picks = picks.map { pick in
      var pick = pick
      switch pick.place {
      case .asset(let asset): pick.size = measure.size(of: asset)
      case .element(let source, let index): pick.size = measure.size(of: sources[source].brief(at: index))
      }
      tally.add(pick.mediaType, pick.size)
      return pick
    }
  }

  /// Whether picking a photo replaces the previous pick.
  var isSingleChoice: Bool { limit == 1 }

  /// Which limit is reached.
  func limitMessage(_ locale: LocaleFormat) -> String {
    if isFull { return "limit of \(locale.number(limit)) reached" }
    let images = isFull(.image) ? [locale.count(kindLimits.images, "image", "images")] : []
    let videos = isFull(.video) ? [locale.count(kindLimits.videos, "video", "videos")] : []
    return "limit of \((images + videos).joined(separator: " and ")) reached"
  }

  /// Why a selection that is larger than the limit can't be used.
  func excessMessage(_ locale: LocaleFormat) -> String {
    let over = tally.excess(over: kindLimits)
    var count = (locale.number(self.count), limit)
    if excessOverLimit == 0 || over.images + over.videos > excessOverLimit {
      let videos = (locale.count(tally.videos, "video", "videos"), kindLimits.videos)
      count = over.videos > 0 ? videos : (locale.count(tally.images, "image", "images"), kindLimits.images)
    }
    return "\(count.0) picked, but the limit is \(locale.number(count.1)): "
      + "unpick \(locale.number(excess)) to continue"
  }

  /// The first pick that is unavailable.
  var firstUnavailable: Asset? {
    tally.unavailable == 0 ? nil : picks.firstIndex(where: \.size.isUnavailable).map { assets[$0] }
  }
}

extension Selection {
  /// The picked assets, made on demand.
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

/// The counts and the total size of the picks.
struct PickTally: Hashable, Sendable {
  /// Bytes of all picks; 128 bits hold any sum, so that subtracting restores earlier values.
  private var bytes: Int128 = 0
  private(set) var images = 0
  private(set) var videos = 0
  /// The picks whose size is an estimate.
  private(set) var estimates = 0
  /// The picks that are unavailable.
  private(set) var unavailable = 0

  /// Bytes of all picks.
  var byteCount: Int64 { Int64(clamping: bytes) }

  /// Adds an asset.
  mutating func add(_ mediaType: MediaType, _ size: PickMeasure.Size) { count(mediaType, size, 1) }

  /// Removes an asset.
  mutating func remove(_ mediaType: MediaType, _ size: PickMeasure.Size) { count(mediaType, size, -1) }

  private mutating func count(_ mediaType: MediaType, _ size: PickMeasure.Size, _ change: Int) {
    bytes += Int128(change) * Int128(size.byteCount)
    if size.isEstimate { estimates += change }
    if size.isUnavailable { unavailable += change }
    switch mediaType {
    case .image: images += change
    case .video: videos += change
    case .audio, .unknown: break
    }
  }

  /// Whether the limit for a media type is reached.
  func isFull(_ mediaType: MediaType, _ limits: PickerConfiguration.KindLimits) -> Bool {
    switch mediaType {
    case .image: limits.images > 0 && images >= limits.images
    case .video: limits.videos > 0 && videos >= limits.videos
    case .audio, .unknown: false
    }
  }

  /// The number of images and videos above their limits.
  func excess(over limits: PickerConfiguration.KindLimits) -> PickerConfiguration.KindLimits {
    PickerConfiguration.KindLimits(
      images: limits.images > 0 ? max(0, images - limits.images) : 0,
      videos: limits.videos > 0 ? max(0, videos - limits.videos) : 0)
  }
}

/// How picks are measured: whether they are available with the current options, and their size.
///
/// By default a pick is the primary file of an asset.
struct PickMeasure: Hashable, Sendable {
  var representation = RepresentationOptions()
  var version = AssetVersion.current
  /// Whether all files of an asset are results.
  var countsAllResources = false
  /// The parts of videos that are delivered in place of the whole.
  var trims: [LocalIdentifier: Range<Duration>] = [:]
  /// The frames of Live Photos that are delivered in place of their still images, as times in their clips.
  var keyPhotoTimes: [LocalIdentifier: Duration] = [:]

  /// The size of a pick.
  struct Size: Hashable, Sendable {
    var byteCount: Int64
    /// Whether the files are still to be made, so that their size is an estimate.
    var isEstimate = false
    /// Whether it can't be made with the current options.
    var isUnavailable = false
  }

  /// Whether only the size of the primary resource counts.
  private var isPlain: Bool { representation.isPlain && version == .current && !countsAllResources }

  /// Whether the user chose a part of an asset or another key photo.
  private func hasChoice(_ identifier: LocalIdentifier) -> Bool {
    trims[identifier] != nil || keyPhotoTimes[identifier] != nil
  }

  /// Returns what is delivered of an asset: a version, and a part of a video or another key photo.
  func delivered(_ asset: Asset) -> Asset {
    var asset = asset.presenting(version)
    (asset.trim, asset.keyPhotoTime) = (trims[asset.id], keyPhotoTimes[asset.id])
    return asset
  }

  func size(of brief: AssetBrief) -> Size {
    isPlain && !hasChoice(brief.localIdentifier)
      ? Size(byteCount: brief.byteCount) : size(of: Asset(placeholderFor: brief))
  }

  func size(of asset: Asset) -> Size {
    if isPlain, !hasChoice(asset.id) { return Size(byteCount: asset.byteCount) }
    let asset = delivered(asset)
    let plan = RepresentationPlan(asset, representation)
    let handedOver = plan.estimatedByteCount(of: asset, representation)
    var size = Size(
      byteCount: handedOver.byteCount, isEstimate: handedOver.isEstimate,
      isUnavailable: unavailability(of: plan, asset) != nil)
    if countsAllResources, !size.isUnavailable {
      // Resources within another file are not counted separately.
      for resource in asset.resources.dropFirst() where resource.byteRange == nil {
        size.byteCount = size.byteCount.addingSaturated(max(0, resource.byteCount))
      }
    }
    return size
  }

  /// Why an asset is unavailable; nil if it is available.
  func unavailability(of asset: Asset) -> String? {
    // Asked for every tile of every frame: no plan is made without need.
    if representation.isPlain, !hasChoice(asset.id) { return nil }
    let asset = delivered(asset)
    return unavailability(of: RepresentationPlan(asset, representation), asset)
  }

  private func unavailability(of plan: RepresentationPlan, _ asset: Asset) -> String? {
    representation.isPlain && !asset.isDeliveredAsNewFile ? nil : plan.unavailability
  }
}

/// Which assets a fetch gives, and in which order.
///
/// A value: it is passed along with each fetch, and nothing of it stays behind in a collection.
///
///     var options = FetchOptions(filter: .matching(.images), sort: .oldest)
///     options.predicate = AssetPredicate.rating >= 4
///     options.fetchLimit = 50
///     let best = manager.fetchAssets(in: nil, options: options)
public struct FetchOptions: Hashable, Sendable {
  /// Only assets that match; nil = all, broken ones included.
  public var filter: PickerFilter?
  /// Only assets that meet this condition too; nil = all, broken ones included.
  public var predicate: AssetPredicate?
  /// Only assets that are found; nil or an empty one = all, broken ones included.
  public var search: SearchQuery?
  /// The order: the first descriptor that tells two assets apart decides, then the path's bytes.
  ///
  /// None of them, or `given`, in an album that the user made: the album's own order.
  public var sortDescriptors: [AssetSortDescriptor]
  /// The most assets to give; 0 = no limit.
  public var fetchLimit = 0
  public var includeHiddenAssets = false
  /// Whether all pictures of a burst are given, or only the one that represents it.
  public var includeAllBurstAssets = false
  /// Where the assets may come from.
  public var includeAssetSourceTypes = AssetSourceTypes.all
  /// Whether what changes later may be told piece by piece; otherwise the consumer fetches anew.
  public var wantsIncrementalChangeDetails = true
  /// Set by the manager under limited access: nothing else is given.
  public internal(set) var allowed: AllowedAssets?

  public init(filter: PickerFilter? = nil, sort: AssetSort = .newest) {
    self.filter = filter
    sortDescriptors = sort.descriptors
  }

  /// Whether hidden assets are given: where the options say so, or where the filter, the predicate or the
  /// search asks for hidden ones.
  public var showsHidden: Bool {
    includeHiddenAssets || filter?.mentions(.hidden) ?? false || predicate?.asksForHidden ?? false
      || search?.asksForHidden ?? false
  }

  /// Whether `asset` belongs to the answer as far as its attributes tell.
  ///
  /// The texts and groups of the search are not asked: the store knows how to look for them.
  @inlinable
  public func admits<A: AssetAttributes>(_ asset: A) -> Bool {
    if let allowed, !allowed.contains(asset.localIdentifier, successorFile: asset.successorFile) {
      return false
    }
    if asset.isHidden, !showsHidden { return false }
    if !includeAllBurstAssets, asset.isInBurst, !asset.representsBurst { return false }
    if includeAssetSourceTypes.isDisjoint(with: asset.sourceType) { return false }
    if asset.isBroken { return filter == nil && predicate == nil && search?.isEmpty ?? true }
    return filter?.matches(asset) ?? true && predicate?.matches(asset) ?? true
      && search?.predicate?.matches(asset) ?? true
  }

  /// Narrows the fetch to the assets that meet one more condition.
  public mutating func require(_ condition: AssetPredicate) {
    predicate = predicate.map { .and([$0, condition]) } ?? condition
  }

  /// Whether `a` stands before `b`.
  @inlinable
  public func areInIncreasingOrder<A: AssetAttributes>(_ a: A, _ b: A) -> Bool {
    sortDescriptors.areInIncreasingOrder(a, b)
  }

  /// The order that a fetch in a collection has by itself.
  package enum AlbumOrder: Hashable, Sendable {
    case own, ownReversed
  }

  /// The collection's own order, where it has one and the options don't ask for another: they name none, or the given one.
  package func albumOrder(of collection: LocalIdentifier?) -> AlbumOrder? {
    guard let collection, UserAlbum.isIdentifier(collection) else { return nil }
    guard let first = sortDescriptors.first else { return .own }
    return first.key == .given ? first.ascending ? .own : .ownReversed : nil
  }

  /// Whether the options leave out nothing but what is hidden: an album that is empty under them is empty.
  package var narrowsNothing: Bool {
    filter == nil && predicate == nil && search?.isEmpty ?? true && allowed == nil
  }

  /// As many of the first elements as the limit lets through.
  public func limited<Element>(_ elements: [Element]) -> [Element] {
    fetchLimit > 0 && fetchLimit < elements.count ? Array(elements.prefix(fetchLimit)) : elements
  }
}

/// Where a fetch result gets its elements from when it holds no more than their handles.
///
/// A source never changes what a handle gives: a library that changes makes a new source, or new handles.
/// Calls may come from any thread.
public protocol FetchSource<Element>: Sendable {
  associatedtype Element: Identifiable & Sendable where Element.ID == LocalIdentifier

  /// Makes the element behind a handle.
  func element(at handle: FetchHandle) -> Element

  /// The identifier alone, without the element.
  func identifier(at handle: FetchHandle) -> LocalIdentifier

  /// The handle of an identifier; nil where the source does not know it.
  func handle(of identifier: LocalIdentifier) -> FetchHandle?

  /// When the asset behind a handle was taken, where that is quicker to tell than to make the element; nil
  /// where it is not.
  func creationDate(at handle: FetchHandle) -> AssetDate?

  /// What kind of medium is behind a handle, unknown where it can't be read, where that is quicker to tell than to
  /// make the element; nil where it is not.
  func readableMediaType(at handle: FetchHandle) -> MediaType?

  /// What a selection has to know of the asset behind a handle, where that is quicker to tell than to make the
  /// element; nil where it is not.
  func brief(at handle: FetchHandle) -> AssetBrief?
}

extension FetchSource {
  public func creationDate(at handle: FetchHandle) -> AssetDate? { nil }

  public func readableMediaType(at handle: FetchHandle) -> MediaType? { nil }

  public func brief(at handle: FetchHandle) -> AssetBrief? { nil }
}

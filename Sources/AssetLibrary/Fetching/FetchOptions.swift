/// The filter, order and limit of a fetch.
///
/// The options are a value that is passed to each fetch; a collection does not store them.
///
///     var options = FetchOptions(filter: .matching(.images), sort: .oldest)
///     options.predicate = AssetPredicate.rating >= 4
///     options.fetchLimit = 50
///     let best = manager.fetchAssets(in: nil, options: options)
public struct FetchOptions: Hashable, Sendable {
  /// Only assets that match the filter; nil = all assets, including broken ones.
  public var filter: PickerFilter?
  /// Only assets that also meet the condition; nil = all assets, including broken ones.
  public var predicate: AssetPredicate?
  /// Only assets that the search finds; nil or an empty search = all assets, including broken ones.
  public var search: SearchQuery?
  /// The sort order: the first descriptor in which two assets differ, then the bytes of their paths.
  ///
  /// In an album made by the user and in Recently Deleted, an empty list or a first descriptor with the key
  /// `given` selects the order of the album itself.
  public var sortDescriptors: [AssetSortDescriptor]
  /// The maximum number of assets; 0 = no limit.
  public var fetchLimit = 0
  /// Whether hidden assets are included.
  public var includeHiddenAssets = false
  /// Whether all photos of a burst are included, or only the one that represents it.
  public var includeAllBurstAssets = false
  /// The kinds of libraries whose assets are included.
  public var includeAssetSourceTypes = AssetSourceTypes.all
  /// Whether `changeDetails` reports later changes with indexes; otherwise the consumer reloads the whole
  /// result.
  public var wantsIncrementalChangeDetails = true
  /// The assets allowed under limited access; nil = all.
  ///
  /// Only the asset manager sets it.
  public internal(set) var allowed: AllowedAssets?

  /// Creates options with a filter and a named order.
  public init(filter: PickerFilter? = nil, sort: AssetSort = .newest) {
    self.filter = filter
    sortDescriptors = sort.descriptors
  }

  /// Whether hidden assets are included: if `includeHiddenAssets` is set, or if the filter, the predicate or
  /// the search asks for hidden assets.
  public var showsHidden: Bool {
    includeHiddenAssets || filter?.mentions(.hidden) ?? false || predicate?.requestsHidden ?? false
      || search?.requestsHidden ?? false
  }

  /// Returns whether `asset` belongs to the result, judged by its attributes alone.
  ///
  /// Does not check the `texts` and `groups` of the search: only the store has the texts to search in.
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

  /// Adds a condition that the assets must meet.
  public mutating func require(_ condition: AssetPredicate) {
    predicate = predicate.map { .and([$0, condition]) } ?? condition
  }

  /// Whether `a` comes before `b` in the sort order.
  @inlinable
  public func areInIncreasingOrder<A: AssetAttributes>(_ a: A, _ b: A) -> Bool {
    sortDescriptors.areInIncreasingOrder(a, b)
  }

  /// The direction of a collection's own order.
  package enum AlbumOrder: Hashable, Sendable {
    case own, ownReversed
  }

  /// The direction of the collection's own order if the fetch uses it: the collection is a user's album or
  /// Recently Deleted, and the options name no order or `given`.
  package func albumOrder(of collection: LocalIdentifier?) -> AlbumOrder? {
    guard let collection,
      UserAlbum.isIdentifier(collection) || SmartAlbum(collection) == .recentlyDeleted
    else { return nil }
    guard let first = sortDescriptors.first else { return .own }
    return first.key == .given ? first.ascending ? .own : .ownReversed : nil
  }

  /// Whether the options have no filter, no predicate, no search and no access limit.
  ///
  /// An empty album of the user is listed only under such options; under others, the user looks for photos.
  package var excludesOnlyHidden: Bool {
    filter == nil && predicate == nil && search?.isEmpty ?? true && allowed == nil
  }

  /// Returns the first elements, up to `fetchLimit`.
  public func limited<Element>(_ elements: [Element]) -> [Element] {
    fetchLimit > 0 && fetchLimit < elements.count ? Array(elements.prefix(fetchLimit)) : elements
  }
}

/// Creates the elements of a fetch result on demand from their handles.
///
/// The element of a handle never changes: after a change, a library creates a new source or new handles.
/// Methods may be called from any thread.
public protocol FetchSource<Element>: Sendable {
  /// The type of the elements.
  associatedtype Element: Identifiable & Sendable where Element.ID == LocalIdentifier

  /// Creates the element of a handle.
  func element(at handle: FetchHandle) -> Element

  /// Returns the identifier of a handle without creating the element.
  func identifier(at handle: FetchHandle) -> LocalIdentifier

  /// Returns the handle of an identifier; nil if the source does not know the identifier.
  func handle(of identifier: LocalIdentifier) -> FetchHandle?

  /// Returns the creation date of an asset without creating the element; nil if the source can't do that
  /// faster.
  func creationDate(at handle: FetchHandle) -> AssetDate?

  /// Returns the kind of medium of an asset, `unknown` for an unreadable one, without creating the element;
  /// nil if the source can't do that faster.
  func readableMediaType(at handle: FetchHandle) -> MediaType?

  /// Returns the attributes that a selection needs, without creating the element; nil if the source can't do
  /// that faster.
  func brief(at handle: FetchHandle) -> AssetBrief?
}

extension FetchSource {
  /// Returns nil, so that the caller creates the element.
  public func creationDate(at handle: FetchHandle) -> AssetDate? { nil }

  /// Returns nil, so that the caller creates the element.
  public func readableMediaType(at handle: FetchHandle) -> MediaType? { nil }

  /// Returns nil, so that the caller creates the element.
  public func brief(at handle: FetchHandle) -> AssetBrief? { nil }
}

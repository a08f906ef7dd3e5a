package import AssetLibrary

/// The result of a `FetchQuery`.
package struct FetchAnswer: Sendable {
  package var query: FetchQuery
  package var assets: FetchResult<Asset>
  /// The days of the assets; nil if they are not ordered by date.
  package var days: [DaySection]?
  /// How many of the assets there are of each kind of medium; those that can't be read are of unknown kind.
  package var counts: [MediaType: Int]
  package var status: LibraryStatus
  /// Under limited access, how many photos the user's grid shows without any filter; nil otherwise.
  package var libraryCount: Int?
  /// The allowed assets under limited access.
  package var allowed: Set<LocalIdentifier>
  /// The picked assets that are no longer in the library.
  package var vanished: Set<LocalIdentifier>
  /// The assets found of those that the caller preselected.
  package var preselected: [Asset]
  /// The number of assets removed since the last result of the same query, once the scan is complete.
  package var removedCount: Int

  package init(
    query: FetchQuery, assets: FetchResult<Asset>, status: LibraryStatus, libraryCount: Int? = nil,
    allowed: Set<LocalIdentifier>,
    vanished: Set<LocalIdentifier> = [], preselected: [Asset] = [], removedCount: Int = 0
  ) {
    self.query = query
    self.assets = assets
    let isByDate = query.options.sortDescriptors.first?.key == .creationDate
    counts = assets.countsOfAssets()
    days = isByDate ? DaySection.split(assets) : nil
    self.status = status
    self.libraryCount = libraryCount
    self.allowed = allowed
    self.vanished = vanished
    self.preselected = preselected
    self.removedCount = removedCount
  }
}

package import AssetLibrary

/// The library's answer.
package struct FetchAnswer: Sendable {
  package var query: FetchQuery
  package var assets: FetchResult<Asset>
  /// The days of the assets; nil where they don't stand in the order of their dates.
  package var days: [DaySection]?
  package var status: LibraryStatus
  /// How many assets are allowed, under limited access.
  package var allowed: Set<LocalIdentifier>
  /// What is picked and no longer in the library.
  package var vanished: Set<LocalIdentifier>
  /// What the caller has selected and was found.
  package var preselected: [Asset]
  /// How many assets of the last answer to the same question have gone since, once the library was known.
  package var removedCount: Int

  package init(
    query: FetchQuery, assets: FetchResult<Asset>, status: LibraryStatus, allowed: Set<LocalIdentifier>,
    vanished: Set<LocalIdentifier> = [], preselected: [Asset] = [], removedCount: Int = 0
  ) {
    self.query = query
    self.assets = assets
    let isByDate = query.options.sortDescriptors.first?.key == .creationDate
    days = isByDate ? DaySection.split(assets) : nil
    self.status = status
    self.allowed = allowed
    self.vanished = vanished
    self.preselected = preselected
    self.removedCount = removedCount
  }
}

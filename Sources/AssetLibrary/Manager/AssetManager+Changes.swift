extension AssetManager {
  /// Asks a fetch again, and says what became of its last answer.
  ///
  /// Without `wantsIncrementalChangeDetails` in the options there are no indexes: the new answer takes the old
  /// one's place.
  ///
  ///     manager.observeChanges { change in
  ///       guard change.contains(.contents) else { return }
  ///       let details = manager.changeDetails(of: shown, in: album, options: options)
  ///       …
  ///     }
  ///
  /// - Parameters:
  ///   - before: what the same fetch gave last.
  ///   - collection: nil = all assets.
  ///   - options: those of the fetch.
  public func changeDetails(
    of before: FetchResult<Asset>, in collection: LocalIdentifier?, options: FetchOptions
  ) -> FetchResultChangeDetails<Asset> {
    let after = fetchAssets(in: collection, options: options)
    return options.wantsIncrementalChangeDetails
      ? FetchResultChangeDetails(from: before, to: after)
      : FetchResultChangeDetails(replacing: before, with: after)
  }
}

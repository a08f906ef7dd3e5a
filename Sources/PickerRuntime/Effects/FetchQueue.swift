import AssetLibrary
import PickerUI
import Synchronization
import System

/// Answers the picker's fetch queries in order, on a separate thread.
///
/// Of the waiting queries only the latest is answered: the others are stale.
final class FetchQueue: Sendable {
  private typealias Delivery = @Sendable (PickerMessage) -> Void
  private typealias Answered = (query: FetchQuery, assets: FetchResult<Asset>)

  private let library: PickerLibrary
  private let queue = WorkQueue(width: 1)
  /// The next query to answer.
  private let next = Mutex<(query: FetchQuery, deliver: Delivery)?>(nil)
  /// The last answer from a completely indexed library.
  private let last = Mutex<Answered?>(nil)

  init(_ library: PickerLibrary) {
    self.library = library
  }

  /// Calls `deliver` with the answer, on the queue's thread, and then with the count of all albums if the query
  /// asks for it.
  func answer(_ query: FetchQuery, deliver: @escaping @Sendable (PickerMessage) -> Void) {
    next.withLock { $0 = (query.replacing($0?.query), deliver) }
    queue.async { [self] in
      let next = next.withLock { next in
        defer { next = nil }
        return next
      }
      guard let (query, deliver) = next else { return }
      let manager = library.manager(for: query.mode)
      // Read the status first: the later fetch contains everything that the status calls complete. It is the user's
      // status, because the user sees how much of the library the client may access.
      let status = library.user.libraryStatus
      let assets = manager.fetchAssets(in: query.collection, options: query.options)
      // Counted as in the grid: a burst counts as one photo, and hidden photos do not count.
      let isLimited = library.client.authorizationStatus(for: .readWrite) == .limited
      let libraryCount = isLimited ? library.user.assetCount(in: nil, options: FetchOptions()) : nil
      deliver(
        .fetched(
          FetchAnswer(
            query: query, assets: assets, status: status, libraryCount: libraryCount,
            allowed: library.limitedSelection,
            vanished: vanished(of: query), preselected: preselected(of: query),
            removedCount: removedCount(query, assets, status))))
      if let options = query.albums {
        deliver(.albums(albums(query, manager, options)))
      }
      // A waiting query makes the count stale.
      guard let options = query.everywhere, self.next.withLock({ $0 == nil }) else { return }
      let count = manager.assetCount(in: nil, options: options)
      deliver(.foundEverywhere(count, generation: query.generation))
    }
  }

  private func albums(
    _ query: FetchQuery, _ manager: any AssetManager, _ options: FetchOptions
  ) -> AlbumsAnswer {
    AlbumsAnswer(
      collections: manager.fetchCollections(
        of: query.listsRecentlyDeleted ? [.default, .recentlyDeleted] : .default, options: options),
      lists: manager.fetchCollectionLists(options: options),
      moments: manager.fetchCollections(of: .moment, options: options))
  }

  /// Returns the caller's preselected assets that the client may access.
  private func preselected(of query: FetchQuery) -> [Asset] {
    if query.preselected.isEmpty { return [] }
    var options = FetchOptions()
    options.includeHiddenAssets = true
    return Array(
      library.manager(for: query.mode).fetchAssets(withLocalIdentifiers: query.preselected, options: options))
  }

  /// Returns the picks that no longer exist.
  private func vanished(of query: FetchQuery) -> Set<LocalIdentifier> {
    if query.selected.isEmpty { return [] }
    var options = FetchOptions()
    options.includeHiddenAssets = true
    let found = library.manager(for: query.mode)
      .fetchAssets(withLocalIdentifiers: query.selected, options: options).identifiers
    return Set(query.selected).subtracting(found)
  }

  /// Returns how many assets were removed since the last answer to the same query.
  private func removedCount(
    _ query: FetchQuery, _ assets: FetchResult<Asset>, _ status: LibraryStatus
  ) -> Int {
    let before = last.withLock { last in
      defer { last = status.isComplete ? (query, assets) : nil }
      return last
    }
    guard let before, before.query.collection == query.collection, before.query.options == query.options,
      before.query.mode == query.mode
    else { return 0 }
    return FetchResultChangeDetails(from: before.assets, to: assets, changedElements: []).removedIndexes.count
  }
}

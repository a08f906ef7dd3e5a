import AssetLibrary
import Synchronization

/// The one place where a library's state changes, and from which everyone reads it.
///
/// Changes may come from any thread; observers hear of them no more often than they can follow.
final class LibraryModel: Sendable {
  private struct Shared {
    var state = LibraryState()
    var marks = AssetMarks()
    /// What is on this machine of files on servers.
    var copies = RemoteCopies()
    /// What fetches read; nil since the last change.
    var table: LibraryTable?
    /// What fetches read instead until the next announcement.
    var held: LibraryTable?
    var nextAnnouncement = ContinuousClock.now
    var interval = shortestInterval
    /// What changed since the observers were told.
    var news: LibraryChange = []
  }

  /// Between two announcements; of a library that is not small any more twice as long each time, up to the longest, so that
  /// the observers can follow.
  private static let shortestInterval = Duration.milliseconds(40)
  private static let longestInterval = Duration.milliseconds(640)
  /// So many assets are easy to follow.
  private static let easyCount = 1000

  let pool = StringPool()
  let progress = ScanProgress()
  private let shared = Mutex(Shared())
  let observers = ChangeObservers()

  /// The library as it is now.
  var table: LibraryTable { shared.withLock { $0.held ?? currentTable(of: &$0) } }

  private func currentTable(of shared: inout Shared) -> LibraryTable {
    if let table = shared.table { return table }
    shared.state.applyChanges()
    let table = LibraryTable(
      state: shared.state, texts: pool.texts, marks: shared.marks,
      copies: shared.copies)
    shared.table = table
    return table
  }

  /// Shows the library as it is now until the next announcement, which waits for some time unless it is urgent.
  ///
  /// An edit that takes several changes (a move is a removal and an insertion) is seen as one.
  func hold(for time: Duration) {
    shared.withLock { shared in
      shared.held = currentTable(of: &shared)
      shared.nextAnnouncement = max(shared.nextAnnouncement, .now + time)
    }
  }

  var status: LibraryStatus {
    shared.withLock { shared in
      var status = LibraryStatus(
        isComplete: shared.state.isComplete, assetCount: shared.state.assetCount,
        issues: shared.state.allIssues, notes: shared.state.notes)
      status.isStopped = shared.state.isStopped
      (status.unreadableSources, status.isUnreadable) = (
        shared.state.unreadableSources, shared.state.isUnreadable
      )
      status.unavailabilityReason = shared.state.unavailabilityReason
      if !status.isComplete { status.progress = progress.value }
      return status
    }
  }

  /// Reads the state as it is, unsettled.
  func read<Result>(_ body: (LibraryState) -> Result) -> Result { shared.withLock { body($0.state) } }

  /// Changes the state.
  func change<Result>(_ body: (inout LibraryState) -> Result) -> Result {
    shared.withLock { shared in
      shared.table = nil
      shared.news.formUnion([.contents, .status])
      return body(&shared.state)
    }
  }

  /// Changes the user's marks and albums, and tells the observers.
  func changeMarks(_ body: (inout AssetMarks) -> Void) {
    shared.withLock { shared in
      shared.table = nil
      shared.news.insert(.contents)
      body(&shared.marks)
    }
    announce(now: true)
  }

  /// What is on this machine of files on servers.
  var copies: RemoteCopies { shared.withLock { $0.copies } }

  func changeCopies(_ body: (inout RemoteCopies) -> Void) {
    shared.withLock { shared in
      shared.table = nil
      shared.news.insert(.contents)
      body(&shared.copies)
    }
    announce(now: true)
  }

  /// Says once that a source could not be read for the moment.
  func note(_ issue: AssetError) {
    change { state in
      if state.issues[nil]?.contains(issue) != true { state.issues[nil, default: []].append(issue) }
    }
  }

  // MARK: Announcements

  /// When the observers can be told what changed; nil where nothing did.
  var dueAnnouncement: ContinuousClock.Instant? {
    shared.withLock { $0.news.isEmpty ? nil : $0.nextAnnouncement }
  }

  /// Tells the observers that the reading has come further, unless they heard of it a moment ago.
  func announceProgress() {
    shared.withLock { $0.news.formUnion(.status) }
    announce()
  }

  /// Tells the observers what changed, if anything did, unless they heard of it a moment ago.
  /// - Parameter isUrgent: whether they are told however lately they heard.
  func announce(now isUrgent: Bool = false) {
    let news = shared.withLock { shared -> LibraryChange in
      let now = ContinuousClock.now
      guard isUrgent || now >= shared.nextAnnouncement else { return [] }
      if isUrgent {
        shared.held = nil
        shared.nextAnnouncement = min(shared.nextAnnouncement, now + shared.interval)
      }
      guard !shared.news.isEmpty else { return [] }
      defer { shared.news = [] }
      shared.held = nil
      shared.nextAnnouncement = now + shared.interval
      if shared.state.assetCount > Self.easyCount {
        shared.interval = min(shared.interval * 2, Self.longestInterval)
      }
      return shared.news
    }
    if !news.isEmpty { observers.notify(news) }
  }
}

/// What the user said of assets in tpick itself, over what their files say, and the user's albums.
struct AssetMarks: Hashable, Sendable {
  /// By the assets' identifiers.
  var favorites: [UInt64: Bool] = [:]
  var hidden: [UInt64: Bool] = [:]
  var albums = UserAlbums()

  /// Makes a mark; a change of an album is ignored.
  mutating func apply(_ change: AssetChange) {
    switch change {
    case .setFavorite(let asset, let isFavorite): asset.number.map { favorites[$0] = isFavorite }
    case .setHidden(let asset, let isHidden): asset.number.map { hidden[$0] = isHidden }
    default: break
    }
  }
}

import AssetLibrary
import Synchronization

/// Owns a library's state: all changes and reads go through it.
///
/// Any thread may make changes; notifications of observers are throttled.
final class LibraryModel: Sendable {
  private struct Shared {
    var state = LibraryState()
    var marks = AssetMarks()
    /// Which remote files have local copies.
    var copies = RemoteCopies()
    /// The snapshot for fetches; nil since the last change.
    var table: LibraryTable?
    /// A snapshot that fetches use instead until the next notification.
    var held: LibraryTable?
    var nextAnnouncement = ContinuousClock.now
    var interval = shortestInterval
    /// Changes since the last notification.
    var news: LibraryChange = []
  }

  /// The interval between two notifications.
  ///
  /// In a library that is not small it doubles each time up to the longest, so that observers can keep up.
  private static let shortestInterval = Duration.milliseconds(40)
  private static let longestInterval = Duration.milliseconds(640)
  /// Up to this many assets the interval stays short.
  private static let easyCount = 1000

  let pool = StringPool()
  let progress = ScanProgress()
  private let shared = Mutex(Shared())
  let observers = ChangeObservers()

  /// The current snapshot of the library.
  var table: LibraryTable { shared.withLock { $0.held ?? currentTable(of: &$0) } }

  private func currentTable(of shared: inout Shared) -> LibraryTable {
    if let table = shared.table { return table }
    shared.state.setCorrections(shared.marks.corrections)
    shared.state.applyChanges()
    let table = LibraryTable(
      state: shared.state, texts: pool.texts, marks: shared.marks,
      copies: shared.copies)
    shared.table = table
    return table
  }

  /// Freezes the snapshot for fetches until the next notification, which is delayed unless it is urgent.
  ///
  /// An edit that takes several changes (a move is a removal and an insertion) thus appears as one.
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

  /// Reads the current state, in which changes of the order may be pending.
  func read<Result>(_ body: (LibraryState) -> Result) -> Result { shared.withLock { body($0.state) } }

  /// Changes the state.
  func change<Result>(_ body: (inout LibraryState) -> Result) -> Result {
    shared.withLock { shared in
      shared.table = nil
      shared.news.formUnion([.contents, .status])
      return body(&shared.state)
    }
  }

  /// Changes the user's favorites and albums, and notifies observers.
  func changeMarks(_ body: (inout AssetMarks) -> Void) {
    shared.withLock { shared in
      shared.table = nil
      shared.news.insert(.contents)
      body(&shared.marks)
    }
    announce(now: true)
  }

  /// Which remote files have local copies.
  var copies: RemoteCopies { shared.withLock { $0.copies } }

  func changeCopies(_ body: (inout RemoteCopies) -> Void) {
    shared.withLock { shared in
      shared.table = nil
      shared.news.insert(.contents)
      body(&shared.copies)
    }
    announce(now: true)
  }

  /// Adds an issue about a source that could not be read for the moment, once.
  func note(_ issue: AssetError) {
    change { state in
      if state.issues[nil]?.contains(issue) != true { state.issues[nil, default: []].append(issue) }
    }
  }

  // MARK: Notifications

  /// Notifies observers at once of a change that is not part of the state.
  func announceContents() {
    shared.withLock { _ = $0.news.insert(.contents) }
    announce(now: true)
  }

  /// When observers can be notified of pending changes; nil if there are none.
  var nextNotificationDate: ContinuousClock.Instant? {
    shared.withLock { $0.news.isEmpty ? nil : $0.nextAnnouncement }
  }

  /// Notifies observers of the scan's progress, subject to throttling.
  func announceProgress() {
    shared.withLock { $0.news.formUnion(.status) }
    announce()
  }

  /// Notifies observers of pending changes, subject to throttling.
  /// - Parameter isUrgent: whether to notify at once.
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

/// The favorites, hidden assets and corrections that the user set in tpick, which override the files' metadata, and
/// the user's albums.
struct AssetMarks: Hashable, Sendable {
  /// By asset identifier.
  var favorites: [UInt64: Bool] = [:]
  var hidden: [UInt64: Bool] = [:]
  /// None is empty.
  var corrections: [UInt64: AssetCorrection] = [:]
  var albums = UserAlbums()

  /// Applies a change of a favorite or hidden asset, a date or a location; ignores other changes.
  mutating func apply(_ change: AssetChange) {
    switch change {
    case .setFavorite(let asset, let isFavorite): asset.number.map { favorites[$0] = isFavorite }
    case .setHidden(let asset, let isHidden): asset.number.map { hidden[$0] = isHidden }
    case .setCreationDate(let asset, _), .setLocation(let asset, _):
      guard let number = asset.number else { return }
      var correction = corrections[number] ?? AssetCorrection()
      _ = correction.apply(change)
      corrections[number] = correction.isEmpty ? nil : correction
    default: break
    }
  }
}

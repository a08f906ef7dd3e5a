import AssetLibrary
import Dispatch
import Synchronization
import SystemPackage

/// What outlives a run: the index, which can be made again, and the ledger, which can't.
///
/// Calls may come from any thread. Writing happens in the background; where it fails the user is told and the files
/// are read again at the next start, but the library works.
final class LibraryStorage: Sendable {
  private struct Pending {
    var pages: [(page: FolderPage, pool: StringPool)] = []
    var removed: [[UInt8]] = []
    var completed: [[UInt8]] = []
    var isScheduled = false
  }

  private let words = StorageNotes()
  private let index: LibraryIndex
  private let ledger: LibraryLedger
  private let writing = DispatchQueue(label: "tpick.index", qos: .utility)
  private let pending = Mutex(Pending())

  /// Opens or makes both files.
  init(_ locations: LibraryLocations) {
    index = LibraryIndex(at: LibraryIndex.path(locations), notes: words)
    ledger = LibraryLedger(at: LibraryLedger.path(locations), notes: words)
  }

  /// Words to the user about what could not be kept.
  var notes: [String] { words.all }

  // MARK: Reading

  /// Gives the pages of a folder and of all below it, each folder before what is in it, in pieces.
  func readPages(below root: [UInt8], pool: StringPool, _ body: @escaping ([FolderPage]) -> Void) {
    index.readPages(below: root, pool: pool, body)
  }

  /// The page of a folder.
  func page(of path: [UInt8], pool: StringPool) -> FolderPage? { index.page(of: path, pool: pool) }

  /// What is remembered of the files of a folder, by the hashes of their names.
  func ledger(of path: [UInt8]) -> [UInt64: LedgerEntry] { ledger.entries(of: path) }

  /// Whether everything below a source was looked at once, by this run or an earlier one.
  func wasCompleted(_ source: [UInt8]) -> Bool { ledger.wasCompleted(source) }

  /// The user's own marks and albums.
  func marks() -> AssetMarks { ledger.marks() }

  /// Keeps changes of the user, at once; see `LibraryLedger.perform`.
  func perform(
    _ changes: [AssetChange], trashed: [LocalIdentifier: [FilePath]] = [:],
    starsBefore: [LocalIdentifier: Int] = [:]
  ) throws(AssetError) -> (albums: UserAlbums?, inverses: [[AssetChange]]) {
    try ledger.perform(changes, trashed: trashed, starsBefore: starsBefore)
  }

  /// The stars that assets had before a favorite in a sidecar replaced them; only of assets that are such favorites.
  func starsBeforeFavorite(of assets: [LocalIdentifier]) -> [LocalIdentifier: Int] {
    ledger.starsBeforeFavorite(of: assets)
  }

  /// Where the files of assets lie in the trash that were deleted.
  func trashedFiles(of assets: [LocalIdentifier]) -> [LocalIdentifier: [FilePath]] {
    ledger.trashedFiles(of: assets)
  }

  // MARK: Writing behind

  /// Writes a page soon.
  func save(_ page: FolderPage, pool: StringPool) { schedule { $0.pages.append((page, pool)) } }

  /// Removes pages soon.
  func remove(_ paths: [[UInt8]]) {
    let gone = Set(paths)
    schedule { pending in
      // What was to be written before is not to come back.
      pending.pages.removeAll { gone.contains($0.page.canonicalPath) }
      pending.removed += paths
    }
  }

  /// Remembers soon that everything below a source was looked at once: what comes from then on is new.
  func setCompleted(_ source: [UInt8]) { schedule { $0.completed.append(source) } }

  private func schedule(_ body: (inout Pending) -> Void) {
    let isFirst = pending.withLock { pending in
      body(&pending)
      defer { pending.isScheduled = true }
      return !pending.isScheduled
    }
    if isFirst { writing.async { [self] in writePending() } }
  }

  /// Waits until everything is written.
  func flush() { writing.sync {} }

  private func writePending() {
    let work = pending.withLock { pending in
      defer { pending = Pending() }
      return pending
    }
    index.write(work.pages, removing: work.removed)
    ledger.write(work.pages.map(\.page), completed: work.completed)
  }
}

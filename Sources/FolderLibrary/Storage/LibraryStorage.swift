import AssetLibrary
import Dispatch
import Synchronization
import SystemPackage
import Trash

/// The data that outlives a run: the index, which can be regenerated, and the ledger, which can't.
///
/// Any thread may call. Writes happen in the background. If they fail, a message is added to the library's
/// status, and the files are read again at the next start, but the library works.
final class LibraryStorage: Sendable {
  private struct Pending {
    var pages: [(page: FolderPage, pool: StringPool)] = []
    var removed: [[UInt8]] = []
    var completed: [[UInt8]] = []
    var isScheduled = false
  }

  /// The folder of the ledger.
  let folder: FilePath
  private let words = StorageNotes()
  private let index: LibraryIndex
  private let ledger: LibraryLedger
  private let writing = DispatchQueue(label: "tpick.index", qos: .utility)
  private let pending = Mutex(Pending())

  /// Opens or creates both files.
  init(_ locations: LibraryLocations) {
    folder = locations.data
    index = LibraryIndex(at: LibraryIndex.path(locations), notes: words)
    ledger = LibraryLedger(at: LibraryLedger.path(locations), notes: words)
  }

  /// Messages to the user about data that could not be stored.
  var notes: [String] { words.all }

  // MARK: Reading

  /// Passes the pages of a folder and its descendants to `body` in batches, parents before their children.
  func readPages(below root: [UInt8], pool: StringPool, _ body: @escaping ([FolderPage]) -> Void) {
    index.readPages(below: root, pool: pool, body)
  }

  /// Returns the page of a folder.
  func page(of path: [UInt8], pool: StringPool) -> FolderPage? { index.page(of: path, pool: pool) }

  /// Returns the ledger entries of a folder's files, by the hashes of their names.
  func ledger(of path: [UInt8]) -> [UInt64: LedgerEntry] { ledger.entries(of: path) }

  /// Whether everything below a source was scanned before, by this run or an earlier one.
  func wasCompleted(_ source: [UInt8]) -> Bool { ledger.wasCompleted(source) }

  /// The user's favorites, hidden assets and albums.
  func marks() -> AssetMarks { ledger.marks() }

  /// Stores changes by the user at once; see `LibraryLedger.perform`.
  func perform(
    _ changes: [AssetChange], trashed: [LocalIdentifier: TrashedTogether] = [:],
    trashedEdits: [LocalIdentifier: TrashedTogether] = [:], inSidecars: Set<LocalIdentifier> = []
  ) throws(AssetError) -> (albums: UserAlbums?, inverses: [[AssetChange]]) {
    try ledger.perform(changes, trashed: trashed, trashedEdits: trashedEdits, inSidecars: inSidecars)
  }

  /// The stars that assets had before a favorite in a sidecar replaced them; only of assets that are such
  /// favorites.
  /// - Throws: `AssetError` when they can't be read.
  func starsBeforeFavorite(of assets: [LocalIdentifier]) throws(AssetError) -> [LocalIdentifier: Int] {
    try ledger.starsBeforeFavorite(of: assets)
  }

  /// Stores the stars that favorites are about to replace in sidecars.
  func rememberStars(_ stars: [LocalIdentifier: Int]) throws(AssetError) { try ledger.rememberStars(stars) }

  /// Returns where the files of deleted assets are in the trash, or the edited files of reverted ones.
  func trashedFiles(of assets: [LocalIdentifier], edits: Bool = false) -> [LocalIdentifier: TrashedTogether] {
    ledger.trashedFiles(of: assets, edits: edits)
  }

  /// Returns where the files of all deleted assets, or the edited files of all reverted ones, are in the trash, or
  /// were; nil if that can't be read.
  func trashedFiles(edits: Bool = false) -> [(asset: LocalIdentifier, files: TrashedTogether)]? {
    ledger.trashedFiles(edits: edits)
  }

  /// Repairs changes that were moving files to the trash, or back, when their process ended.
  func finishMoves(_ trash: DesktopTrash) {
    let failures = UnfinishedMoves.finish(in: folder, trash: trash) {
      guard let deleted = trashedFiles(), let reverted = trashedFiles(edits: true) else { return nil }
      let listedPath = trash.listedPaths()
      let known = Set(
        (deleted + reverted).flatMap { entry in
          entry.files.files.map { Stored(file: listedPath($0), deleted: entry.files.date) }
        })
      return { known.contains(Stored(file: $0.file, deleted: $0.deleted)) }
    }
    for failure in failures { words.add("\(failure); it stays in the trash") }
  }

  /// A file in the trash as the ledger knows it.
  private struct Stored: Hashable {
    var file: FilePath
    var deleted: String?
  }

  // MARK: Writing in the background

  /// Writes a page in the background.
  func save(_ page: FolderPage, pool: StringPool) { schedule { $0.pages.append((page, pool)) } }

  /// Removes pages in the background.
  func remove(_ paths: [[UInt8]]) {
    let gone = Set(paths)
    schedule { pending in
      // Pending writes must not bring removed pages back.
      pending.pages.removeAll { gone.contains($0.page.canonicalPath) }
      pending.removed += paths
    }
  }

  /// Records in the background that everything below a source was scanned once; files that appear later are
  /// new.
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

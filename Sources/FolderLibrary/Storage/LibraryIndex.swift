package import AssetLibrary
import Dispatch
import FoundationEssentials
import GRDB
import Pixels
import Synchronization
import System
package import SystemPackage

/// The index: one page per folder; it can be regenerated from the files.
///
/// Any thread may call. A damaged index is recreated.
final class LibraryIndex: Sendable {
  /// nil if the index can't be used.
  private let database: Mutex<LibraryDatabase?>
  private let path: FilePath
  private let notes: StorageNotes

  /// Opens or creates the file.
  init(at path: FilePath, notes: StorageNotes) {
    self.path = path
    self.notes = notes
    do {
      database = Mutex(try Self.open(path))
    } catch {
      database = Mutex(nil)
      notes.add(Self.loss, error)
    }
  }

  /// The path of a library's index.
  static func path(_ locations: LibraryLocations) -> FilePath { locations.cache.appending("index.sqlite") }

  /// Opens or creates the file.
  static func open(_ path: FilePath) throws -> LibraryDatabase {
    try LibraryDatabase(at: path, version: 2, damage: .discard, isDurable: false) { database in
      try database.execute(
        sql: """
          CREATE TABLE folder (path BLOB PRIMARY KEY, newest INTEGER NOT NULL, page BLOB NOT NULL);
          CREATE INDEX folder_newest ON folder (newest DESC, path);
          """)
    }
  }

  private static let loss = "the index can't be saved; the next start reads every file again"

  /// Recreates the index after an error that shows damage.
  /// - Parameter damaged: the damaged database; nothing happens if it was already replaced.
  /// - Returns: whether there is a working index.
  @discardableResult
  private func replace(_ damaged: LibraryDatabase, after error: any Error) -> Bool {
    guard LibraryDatabase.isDamage(error) else { return false }
    return database.withLock { database in
      guard let current = database, current.queue === damaged.queue else { return database != nil }
      damaged.removeFile()
      database = try? Self.open(path)
      return database != nil
    }
  }

  // MARK: Reading

  /// Passes the pages of a folder and its descendants to `body` in batches.
  ///
  /// Pages with the newest assets come first, because these are shown first, but no page comes before that of
  /// its parent folder.
  func readPages(below root: [UInt8], pool: StringPool, _ body: @escaping ([FolderPage]) -> Void) {
    let below = root.last == UInt8(ascii: "/") ? root : root + [UInt8(ascii: "/")]
    var end = below
    end[end.count - 1] += 1
    // The SQL index on dates contains the paths too, so SQLite sorts nothing and reads no pages of other
    // sources.
    let sql = """
      SELECT path, page FROM folder INDEXED BY folder_newest
      WHERE path = ? OR (path >= ? AND path < ?) ORDER BY newest DESC, path
      """
    read { database in
      let cursor = try Row.fetchCursor(
        database, sql: sql, arguments: [Data(root), Data(below), Data(end)])
      let page = try database.cachedStatement(sql: Self.onePage)
      var pages = PageQueue(root: root)
      while let row = try cursor.next() {
        let (path, bytes) = (try Self.bytes(row, 0), try Self.bytes(row, 1))
        for missing in pages.missingFolders(around: path) {
          guard let row = try Row.fetchOne(page, arguments: [Data(missing)]) else { continue }
          pages.append(missing, try Self.bytes(row, 1))
        }
        pages.append(path, bytes)
        if let full = pages.takeFull() { body(Self.decode(full, pool)) }
      }
      body(Self.decode(pages.takeRest(), pool))
    }
  }

  /// Returns the page of a folder.
  func page(of path: [UInt8], pool: StringPool) -> FolderPage? {
    var found: FolderPage?
    read { database in
      guard let row = try Row.fetchOne(database, sql: Self.onePage, arguments: [Data(path)]) else { return }
      found = FolderPage(try Self.bytes(row, 1), canonicalPath: path, pool: pool)
    }
    return found
  }

  private static let onePage = "SELECT path, page FROM folder WHERE path = ?"

  private static func bytes(_ row: Row, _ column: Int) throws -> [UInt8] {
    try row.withUnsafeData(atIndex: column) { $0.map { Array($0) } ?? [] }
  }

  private func read(_ body: (Database) throws -> Void) {
    guard let index = database.withLock({ $0 }) else { return }
    do {
      try index.queue.read { try body($0) }
    } catch {
      notes.add("the index can't be read; every file is read again", error)
      replace(index, after: error)
    }
  }

  /// Decodes pages on all cores.
  ///
  /// A page that can't be decoded is dropped, and its folder is read again.
  private static func decode(
    _ found: [PageQueue.Item], _ pool: StringPool
  ) -> [FolderPage] {
    let pages = Mutex([FolderPage?](repeating: nil, count: found.count))
    ConcurrentWork.forEach(below: found.count) { index in
      let page = FolderPage(found[index].bytes, canonicalPath: found[index].path, pool: pool)
      pages.withLock { $0[index] = page }
    }
    return pages.withLock { $0 }.compactMap { $0 }
  }

  // MARK: Writing

  /// Writes and removes pages in one transaction.
  func write(_ pages: [(page: FolderPage, pool: StringPool)], removing removed: [[UInt8]]) {
    guard let index = database.withLock({ $0 }) else { return }
    do {
      try write(pages, removing: removed, to: index)
    } catch {
      guard replace(index, after: error), let new = database.withLock({ $0 }) else {
        notes.add(Self.loss, error)
        return
      }
      do {
        try write(pages, removing: removed, to: new)
      } catch {
        notes.add(Self.loss, error)
      }
    }
  }

  private func write(
    _ pages: [(page: FolderPage, pool: StringPool)], removing removed: [[UInt8]], to index: LibraryDatabase
  ) throws {
    try index.write { database in
      for path in removed {
        try database.execute(sql: "DELETE FROM folder WHERE path = ?", arguments: [Data(path)])
      }
      for (page, pool) in pages {
        try database.execute(
          sql: "INSERT OR REPLACE INTO folder VALUES (?, ?, ?)",
          arguments: [Data(page.canonicalPath), page.newest, Data(page.encoded(pool: pool))])
      }
    }
  }
}

/// Collects pages read from the index into batches for decoding.
struct PageQueue {
  typealias Item = (path: [UInt8], bytes: [UInt8])

  /// The limits of a batch: enough for all cores, but not too many bytes at once.
  ///
  /// The first batch is small, because an interactive user is waiting for it.
  private static let (firstBytes, mostBytes, mostPages) = (1 << 20, 4 << 20, 32)

  private let root: [UInt8]
  private var items: [Item] = []
  private var byteCount = 0
  private var limit = firstBytes
  /// The folders of all pages so far.
  private var paths: Set<[UInt8]> = []

  /// - Parameter root: the folder that contains all others.
  init(root: [UInt8]) {
    self.root = root
  }

  /// Returns the folders between the root and a folder whose pages have not been added, the outermost first.
  func missingFolders(around path: [UInt8]) -> [[UInt8]] {
    var missing: [[UInt8]] = []
    var end = path.count
    while end > root.count, let slash = path[..<end].lastIndex(of: UInt8(ascii: "/")) {
      end = slash
      let folder = end <= root.count ? root : Array(path[..<end])
      if paths.contains(folder) { break }
      missing.append(folder)
    }
    return missing.reversed()
  }

  /// Adds a page, once.
  mutating func append(_ path: [UInt8], _ bytes: [UInt8]) {
    guard paths.insert(path).inserted else { return }
    items.append((path, bytes))
    byteCount += bytes.count
  }

  /// Returns a full batch; nil if there is none yet.
  mutating func takeFull() -> [Item]? {
    guard byteCount >= limit || items.count >= Self.mostPages else { return nil }
    limit = Self.mostBytes
    return takeRest()
  }

  /// Returns the remaining pages.
  mutating func takeRest() -> [Item] {
    defer { (items, byteCount) = ([], 0) }
    return items
  }
}

/// The index file of all libraries: reports its size and clears it.
///
/// Never touches the ledger in the data folder, which can't be regenerated.
package struct IndexCache: Sendable {
  package let path: FilePath

  package init(_ locations: LibraryLocations) {
    path = LibraryIndex.path(locations)
  }

  /// The size of the index on disk in bytes; nil if it does not exist.
  package var byteCount: Int? {
    let sizes = LibraryDatabase.files(of: path).map { try? FilePath($0).stat().size }
    guard sizes[0] != nil else { return nil }
    return sizes.lazy.map { Int($0 ?? 0) }.saturatedSum()
  }

  /// Clears the index, so that the next start reads every file again.
  ///
  /// Keeps the file, almost empty: another tpick may have it open, and replacing an open file would confuse
  /// SQLite.
  /// - Throws: `AssetError` if it can't be written.
  package func clear() throws(AssetError) {
    guard byteCount != nil else { return }
    do {
      let index = try LibraryIndex.open(path)
      defer { try? index.queue.close() }
      do {
        try index.write { try $0.execute(sql: "DELETE FROM folder") }
      } catch let error where LibraryDatabase.isDamage(error) {
        index.removeFile()
        return
      }
      // If another process is reading, the file shrinks only afterwards; its contents are deleted already.
      try? index.queue.inDatabase { database in
        try database.execute(sql: "VACUUM")
        try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
    } catch {
      throw AssetError(path.displayString, StorageNotes.reason(error))
    }
  }
}

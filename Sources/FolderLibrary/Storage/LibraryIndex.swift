package import AssetLibrary
import Dispatch
import FoundationEssentials
import GRDB
import Pixels
import Synchronization
import System
package import SystemPackage

/// The index: a page a folder, all of which can be made again.
///
/// Calls may come from any thread. An index that turns out to be damaged is made anew.
final class LibraryIndex: Sendable {
  /// nil where there is none that works.
  private let database: Mutex<LibraryDatabase?>
  private let path: FilePath
  private let notes: StorageNotes

  /// Opens or makes the file.
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

  /// Where the index of a library is.
  static func path(_ locations: LibraryLocations) -> FilePath { locations.cache.appending("index.sqlite") }

  /// Opens or makes the file.
  static func open(_ path: FilePath) throws -> LibraryDatabase {
    try LibraryDatabase(at: path, version: 2, damage: .discard, isDurable: false) { database in
      try database.execute(
        sql: """
          CREATE TABLE folder (path BLOB PRIMARY KEY, newest INTEGER NOT NULL, page BLOB NOT NULL);
          CREATE INDEX folder_newest ON folder (newest DESC, path);
          """)
    }
  }

  private static let loss = "the index can't be kept, the next start looks at every file anew"

  /// Makes the index anew where it turned out to be damaged.
  /// - Parameter damaged: the damaged one; nothing happens where it was replaced before.
  /// - Returns: whether there is a new one.
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

  /// Gives the pages of a folder and of all below it in pieces: those with the newest assets first, which are looked at
  /// first, but each folder before what is in it.
  func readPages(below root: [UInt8], pool: StringPool, _ body: @escaping ([FolderPage]) -> Void) {
    let below = root.last == UInt8(ascii: "/") ? root : root + [UInt8(ascii: "/")]
    var end = below
    end[end.count - 1] += 1
    // The index of dates holds the paths, too: nothing is sorted, and nothing of other sources is read.
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

  /// The page of a folder.
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
      notes.add("the index can't be read, every file is looked at anew", error)
      replace(index, after: error)
    }
  }

  /// Reads pages on all cores; one that can't be read is as good as none, and its folder is looked at anew.
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

  /// Writes pages and removes others, all or nothing.
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

/// Pages that were read from the index, in pieces in which they are decoded and made known.
struct PageQueue {
  typealias Item = (path: [UInt8], bytes: [UInt8])

  /// A piece is full at one of these: enough for all cores, few enough that its bytes do not pile up.
  ///
  /// The first is small, because somebody waits for it.
  private static let (firstBytes, mostBytes, mostPages) = (1 << 20, 4 << 20, 32)

  private let root: [UInt8]
  private var items: [Item] = []
  private var byteCount = 0
  private var limit = firstBytes
  /// The folders of all pages so far.
  private var paths: Set<[UInt8]> = []

  /// - Parameter root: the folder of which all others are below.
  init(root: [UInt8]) {
    self.root = root
  }

  /// The folders between the root and a folder whose pages are still to come, the outermost first.
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

  /// The pages of a full piece; nil where there is none yet.
  mutating func takeFull() -> [Item]? {
    guard byteCount >= limit || items.count >= Self.mostPages else { return nil }
    limit = Self.mostBytes
    return takeRest()
  }

  /// The pages that were not taken yet.
  mutating func takeRest() -> [Item] {
    defer { (items, byteCount) = ([], 0) }
    return items
  }
}

/// The index of all libraries as a file: how large it is, and how it is emptied.
///
/// The ledger beside it in the data folder, which can't be had again, is never touched.
package struct IndexCache: Sendable {
  package let path: FilePath

  package init(_ locations: LibraryLocations) {
    path = LibraryIndex.path(locations)
  }

  /// What the index takes up on disk, in bytes; nil where there is none.
  package var byteCount: Int? {
    let sizes = LibraryDatabase.files(of: path).map { try? FilePath($0).stat().size }
    guard sizes[0] != nil else { return nil }
    return sizes.lazy.map { Int($0 ?? 0) }.saturatedSum()
  }

  /// Forgets everything, so that the next start looks at every file anew.
  ///
  /// The file stays, almost empty: another tpick may have it open, and two files of one name would confuse SQLite.
  /// - Throws: `AssetError` when it can't be written.
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
      // Where somebody reads meanwhile the file shrinks when that is over; nothing is in it any more.
      try? index.queue.inDatabase { database in
        try database.execute(sql: "VACUUM")
        try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
    } catch {
      throw AssetError(path.displayString, StorageNotes.reason(error))
    }
  }
}

import AssetLibrary
import Dispatch
import FoundationEssentials
import GRDB
import Synchronization
public import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// What outlives a run: the index of folders, which can be made again, and the ledger of identities, first-seen
/// dates and the user's marks, which can't.
///
/// Calls may come from any thread. Writing happens behind; what can't be written costs a word to the user and the
/// time to look at files anew, never the library.
final class LibraryStorage: Sendable {
  private struct Pending {
    var pages: [(page: FolderPage, pool: StringPool)] = []
    var removed: [[UInt8]] = []
    var completed: [[UInt8]] = []
    var isScheduled = false
  }

  /// nil where there is none that works.
  private let index: Mutex<LibraryDatabase?>
  private let indexPath: FilePath
  private let ledger: LibraryDatabase?
  private let writing = DispatchQueue(label: "tpick.index", qos: .utility)
  private let pending = Mutex(Pending())
  private let words: Mutex<[String]>

  /// Opens or makes both files.
  init(_ locations: LibraryLocations) {
    var words: [String] = []
    indexPath = locations.cache.appending("index.sqlite")
    do {
      index = Mutex(try Self.openIndex(indexPath))
    } catch {
      index = Mutex(nil)
      words.append("\(Self.lostIndex): \(Self.reason(error))")
    }
    do {
      ledger = try LibraryDatabase(
        at: locations.data.appending("library.sqlite"), version: 1, damage: .putAside, isDurable: true
      ) { database in
        try database.execute(
          sql: """
            CREATE TABLE folder (path BLOB PRIMARY KEY, entries BLOB NOT NULL);
            CREATE TABLE mark (asset INTEGER PRIMARY KEY, favorite INTEGER, hidden INTEGER);
            """)
      }
      if let aside = ledger?.putAside {
        words.append(
          "favorites and first-seen dates can't be read and begin anew; the old ones are kept in \(aside)")
      }
    } catch {
      ledger = nil
      words.append("favorites and first-seen dates can't be kept: \(Self.reason(error))")
    }
    self.words = Mutex(words)
  }

  private static func openIndex(_ path: FilePath) throws -> LibraryDatabase {
    try LibraryDatabase(at: path, version: 1, damage: .discard, isDurable: false) { database in
      try database.execute(sql: "CREATE TABLE folder (path BLOB PRIMARY KEY, page BLOB NOT NULL)")
    }
  }

  /// Makes the index anew where it turned out to be damaged.
  /// - Parameter database: the damaged one; nothing happens where it was replaced before.
  /// - Returns: whether there is a new one.
  @discardableResult
  private func replaceIndex(_ database: LibraryDatabase, after error: any Error) -> Bool {
    guard LibraryDatabase.isDamage(error) else { return false }
    return index.withLock { index in
      guard let current = index, current.queue === database.queue else { return index != nil }
      // Another tpick that has the file open goes on with it until it ends.
      LibraryDatabase.remove(indexPath)
      index = try? Self.openIndex(indexPath)
      return index != nil
    }
  }

  /// Words to the user about what could not be kept.
  var notes: [String] { words.withLock { $0 } }

  private static let lostIndex = "the index can't be kept, the next start looks at every file anew"

  private static func reason(_ error: any Error) -> String {
    if let error = error as? DatabaseError { return error.message ?? "\(error.resultCode)" }
    let cause = (error as? CocoaError)?.underlying as? POSIXError
    return cause.map { Errno(rawValue: $0.code.rawValue).description } ?? "\(error)"
  }

  private func complain(_ text: String, _ error: any Error) {
    let word = "\(text): \(Self.reason(error))"
    words.withLock { if !$0.contains(word) { $0.append(word) } }
  }

  // MARK: The index

  /// Gives the pages of a folder and of all below it, each folder before what is in it, in pieces.
  func readPages(below root: [UInt8], pool: StringPool, _ body: @escaping ([FolderPage]) -> Void) {
    let below = root.last == UInt8(ascii: "/") ? root : root + [UInt8(ascii: "/")]
    var end = below
    end[end.count - 1] += 1
    readPages(
      "path = ? OR (path >= ? AND path < ?) ORDER BY path", [Data(root), Data(below), Data(end)], pool, body)
  }

  /// The page of a folder.
  func page(of path: [UInt8], pool: StringPool) -> FolderPage? {
    var found: FolderPage?
    readPages("path = ?", [Data(path)], pool) { found = $0.first }
    return found
  }

  /// Pages decoded at once: enough for all cores, few enough that their bytes do not pile up.
  private static let chunk = 32

  private func readPages(
    _ condition: String, _ arguments: [Data], _ pool: StringPool, _ body: ([FolderPage]) -> Void
  ) {
    guard let index = index.withLock({ $0 }) else { return }
    do {
      try index.queue.read { database in
        let rows = try Row.fetchCursor(
          database, sql: "SELECT path, page FROM folder WHERE \(condition)",
          arguments: StatementArguments(arguments))
        var found: [(path: [UInt8], bytes: [UInt8])] = []
        while let row = try rows.next() {
          let bytes = try [0, 1].map { try row.withUnsafeData(atIndex: $0) { $0.map { Array($0) } ?? [] } }
          found.append((bytes[0], bytes[1]))
          if found.count == Self.chunk {
            body(Self.decode(found, pool))
            found = []
          }
        }
        body(Self.decode(found, pool))
      }
    } catch {
      complain("the index can't be read, every file is looked at anew", error)
      replaceIndex(index, after: error)
    }
  }

  /// Reads pages on all cores; one that can't be read is as good as none, and its folder is looked at anew.
  private static func decode(
    _ found: [(path: [UInt8], bytes: [UInt8])], _ pool: StringPool
  ) -> [FolderPage] {
    let pages = Mutex([FolderPage?](repeating: nil, count: found.count))
    DispatchQueue.concurrentPerform(iterations: found.count) { index in
      let page = FolderPage(found[index].bytes, canonicalPath: found[index].path, pool: pool)
      pages.withLock { $0[index] = page }
    }
    return pages.withLock { $0 }.compactMap { $0 }
  }

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

  /// Whether everything below a source was looked at once, by this run or an earlier one.
  func wasCompleted(_ source: [UInt8]) -> Bool {
    let key = Self.completionKey(of: source)
    return
      (try? ledger?.queue.read { database in
        try Bool.fetchOne(database, sql: "SELECT 1 FROM folder WHERE path = ?", arguments: [key])
      }) ?? false
  }

  /// No path holds a NUL: with one at its end it is a word about the source, not its folder's entries.
  private static func completionKey(of source: [UInt8]) -> Data { Data(source + [0]) }

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
    let writePages: @Sendable (Database) throws -> Void = { database in
      for path in work.removed {
        try database.execute(sql: "DELETE FROM folder WHERE path = ?", arguments: [Data(path)])
      }
      for (page, pool) in work.pages {
        try database.execute(
          sql: "INSERT OR REPLACE INTO folder VALUES (?, ?)",
          arguments: [Data(page.canonicalPath), Data(page.encoded(pool: pool))])
      }
    }
    let index = index.withLock { $0 }
    if let index, let failure = write(to: index, complaint: Self.lostIndex, writePages),
      replaceIndex(index, after: failure)
    {
      _ = write(to: self.index.withLock { $0 }, complaint: Self.lostIndex, writePages)
    }
    _ = write(to: ledger, complaint: "first-seen dates can't be kept") { database in
      for (page, _) in work.pages where !page.assets.isEmpty {
        let entries = page.ledgerEntries.withUnsafeBytes { Data($0) }
        try database.execute(
          sql:
            "INSERT INTO folder VALUES (?1, ?2) ON CONFLICT DO UPDATE SET entries = ?2 WHERE entries != ?2",
          arguments: [Data(page.canonicalPath), entries])
      }
      for source in work.completed {
        try database.execute(
          sql: "INSERT OR IGNORE INTO folder VALUES (?, ?)",
          arguments: [Self.completionKey(of: source), Data()])
      }
    }
  }

  private func write(
    to database: LibraryDatabase?, complaint: String, _ body: @escaping @Sendable (Database) throws -> Void
  ) -> (any Error)? {
    do {
      try database?.queue.inDatabase { database in
        try database.inTransaction(.immediate) {
          try body(database)
          return .commit
        }
      }
      return nil
    } catch {
      complain(complaint, error)
      return error
    }
  }

  // MARK: The ledger

  /// What is remembered of the files of a folder, by the hashes of their names.
  func ledger(of path: [UInt8]) -> [UInt64: LedgerEntry] {
    guard let ledger else { return [:] }
    do {
      let bytes = try ledger.queue.read { database in
        try Data.fetchOne(database, sql: "SELECT entries FROM folder WHERE path = ?", arguments: [Data(path)])
      }
      var reader = PageReader(Array(bytes ?? Data()))
      let entries: [LedgerEntry] = reader.rows((bytes?.count ?? 0) / MemoryLayout<LedgerEntry>.stride) ?? []
      return Dictionary(entries.map { ($0.nameHash, $0) }, uniquingKeysWith: { first, _ in first })
    } catch {
      complain("first-seen dates can't be read", error)
      return [:]
    }
  }

  /// The user's own marks.
  func marks() -> AssetMarks {
    var marks = AssetMarks()
    do {
      try ledger?.queue.read { database in
        for row in try Row.fetchAll(database, sql: "SELECT asset, favorite, hidden FROM mark") {
          let asset = UInt64(bitPattern: row[0] as Int64)
          marks.favorites[asset] = row[1] as Bool?
          marks.hidden[asset] = row[2] as Bool?
        }
      }
    } catch {
      complain("favorites can't be read", error)
    }
    return marks
  }

  /// Keeps marks of the user.
  /// - Throws: `AssetError` when they can't be written: a mark that is lost must be known.
  func setMarks(_ changes: [AssetChange]) throws(AssetError) {
    guard let ledger else { throw AssetError("favorites", "there is no place to keep them") }
    do {
      try ledger.queue.inDatabase { database in
        try database.inTransaction(.immediate) {
          for change in changes {
            let (identifier, column, value) = change.mark
            guard let number = identifier.number else { continue }
            try database.execute(
              sql:
                "INSERT INTO mark (asset, \(column)) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET \(column) = ?2",
              arguments: [Int64(bitPattern: number), value])
          }
          return .commit
        }
      }
    } catch {
      throw AssetError("favorites", Self.reason(error))
    }
  }
}

/// Where a library keeps what outlives a run.
public struct LibraryLocations: Sendable {
  /// For what can be made again.
  public var cache: FilePath
  /// For what can't.
  public var data: FilePath

  public init(cache: FilePath, data: FilePath) {
    self.cache = cache
    self.data = data
  }
}

extension AssetChange {
  fileprivate var mark: (LocalIdentifier, column: String, value: Bool) {
    switch self {
    case .setFavorite(let identifier, let value): (identifier, "favorite", value)
    case .setHidden(let identifier, let value): (identifier, "hidden", value)
    }
  }
}

extension FolderPage {
  fileprivate var ledgerEntries: [LedgerEntry] {
    assets.map { row in
      let file = files[Int(row.firstFile)]
      let name = names[Int(file.nameOffset)..<Int(file.nameOffset) + Int(file.nameCount)]
      return LedgerEntry(nameHash: LedgerEntry.hash(of: name), identifier: row.identifier, added: row.added)
    }
  }
}

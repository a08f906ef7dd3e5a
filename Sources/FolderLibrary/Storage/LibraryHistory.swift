import AssetLibrary
import FoundationEssentials
import GRDB
import SystemPackage

/// Stores a library's contents at the last comparison, and the differences that each comparison found.
///
/// Implements `AssetStore.persistentChanges`. A library is identified by its sources: each set of sources has
/// its own history, all in one database. Indexing and watching write nothing; a comparison reads the whole
/// library and takes about a second for 100,000 photos. Safe to call from any thread.
struct LibraryHistory {
  /// The current contents of the library, as a comparison reads them.
  struct Look {
    var entries: [LocalIdentifier: HistoryEntry]
    /// Folders that could not be read completely: assets missing below them may still exist.
    var uncertain: [[UInt8]] = []
    /// Empty sources, which may be mount points of disks that are not mounted.
    var empty: [(path: FilePath, canonical: [UInt8])] = []
  }

  /// The maximum number of histories; beyond it the least recently used one is removed.
  private static let mostLibraries = 32

  private let database: LibraryDatabase
  private let sources: Data
  private let capacity: Int

  /// The path of the database of all histories.
  static func path(_ locations: LibraryLocations) -> FilePath { locations.data.appending("changes.sqlite") }

  /// Opens or creates the file.
  /// - Parameters:
  ///   - sources: canonical paths of the library's folders and files, and addresses of servers, in any order.
  ///   - capacity: the number of differences that the history keeps.
  init(
    at path: FilePath, sources: [[UInt8]], capacity: Int = ChangeHistory.capacity
  ) throws(PersistentChangeError) {
    self.capacity = capacity
    self.sources = Data(Set(sources).sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: [0]))
    do {
      // A damaged history can't be restored: its tokens expire, so clients fetch everything again.
      database = try LibraryDatabase(at: path, version: 1, damage: .discard, isDurable: true) { database in
        try database.execute(
          sql: """
            CREATE TABLE history (
              id TEXT PRIMARY KEY, sources BLOB UNIQUE NOT NULL, oldest INTEGER NOT NULL, last INTEGER NOT NULL,
              used INTEGER NOT NULL);
            CREATE TABLE entry (
              history TEXT NOT NULL, asset TEXT NOT NULL, path BLOB, fingerprint INTEGER NOT NULL,
              PRIMARY KEY (history, asset)) WITHOUT ROWID;
            CREATE TABLE difference (
              history TEXT NOT NULL, comparison INTEGER NOT NULL, asset TEXT NOT NULL,
              path_before BLOB, fingerprint_before INTEGER, path_after BLOB, fingerprint_after INTEGER,
              PRIMARY KEY (history, comparison, asset)) WITHOUT ROWID;
            """)
      }
    } catch {
      throw .storage(AssetError(path.displayString, StorageNotes.reason(error)))
    }
  }

  /// Records the library's current contents and returns the differences since a token; see
  /// `AssetStore.persistentChanges`.
  ///
  /// All in one transaction, so that concurrent processes read and write one after the other.
  func changes(
    since token: PersistentChangeToken?, _ look: () throws(PersistentChangeError) -> Look
  ) throws(PersistentChangeError) -> PersistentChanges {
    let sources = sources
    do {
      return try database.transaction { database in
        var history = try Self.history(of: sources, since: token, in: database)
        let now = try look()
        let current = try record(now, in: &history, database)
        guard let token else {
          return ChangeHistory.answer(HistoryDifference.between([:], current), history.id, history.last)
        }
        // Checked after the comparison, which may have dropped differences that the token needs.
        guard (history.oldest..<history.last).contains(token.position) else {
          throw PersistentChangeError.tokenExpired
        }
        let differences = try Self.differences(of: history.id, after: token.position, in: database)
        return ChangeHistory.answer(differences, history.id, history.last)
      }
    } catch let error as PersistentChangeError {
      throw error
    } catch {
      throw .storage(AssetError("the history of changes", StorageNotes.reason(error)))
    }
  }

  private struct History {
    var id: String
    /// The oldest comparison since which all differences are kept.
    var oldest: Int64
    /// The number of the last comparison; 0 before the first.
    var last: Int64
  }

  /// Returns the history of a library, and creates it if there is none.
  /// - Throws: `PersistentChangeError` if the token belongs to no history or to that of other sources.
  private static func history(
    of sources: Data, since token: PersistentChangeToken?, in database: Database
  ) throws -> History {
    if let token {
      let found = try Data.fetchOne(
        database, sql: "SELECT sources FROM history WHERE id = ?", arguments: [token.history])
      guard let found else { throw PersistentChangeError.tokenExpired }
      if found != sources { throw PersistentChangeError.otherLibrary }
    }
    let turn = try Int64.fetchOne(database, sql: "SELECT coalesce(max(used), 0) + 1 FROM history") ?? 1
    if let row = try Row.fetchOne(
      database, sql: "SELECT id, oldest, last FROM history WHERE sources = ?", arguments: [sources])
    {
      let history = History(id: row[0], oldest: row[1], last: row[2])
      try database.execute(sql: "UPDATE history SET used = ? WHERE id = ?", arguments: [turn, history.id])
      return history
    }
    let old = try String.fetchAll(
      database, sql: "SELECT id FROM history ORDER BY used DESC LIMIT -1 OFFSET ?",
      arguments: [mostLibraries - 1])
    for id in old {
      for table in ["entry", "difference"] {
        try database.execute(sql: "DELETE FROM \(table) WHERE history = ?", arguments: [id])
      }
      try database.execute(sql: "DELETE FROM history WHERE id = ?", arguments: [id])
    }
    let history = History(id: ChangeHistory.newIdentifier(), oldest: 1, last: 0)
    try database.execute(
      sql: "INSERT INTO history (id, sources, oldest, last, used) VALUES (?, ?, 1, 0, ?)",
      arguments: [history.id, sources, turn])
    return history
  }

  /// Writes the differences from the last comparison.
  /// - Returns: the current entries, with the previous ones of assets in folders that could not be read.
  /// - Throws: `PersistentChangeError.incomplete` if a source is empty that contained assets before.
  private func record(
    _ look: Look, in history: inout History, _ database: Database
  ) throws -> [LocalIdentifier: HistoryEntry] {
    let before = try Self.entries(of: history.id, in: database)
    var current = look.entries
    for (identifier, entry) in before where current[identifier] == nil {
      guard let path = entry.path?.bytes else { continue }
      if let source = look.empty.first(where: { Self.isBelow(path, $0.canonical) }) {
        throw PersistentChangeError.incomplete(
          AssetError(source.path.displayString, "the folder is empty; is its disk mounted?"))
      }
      if look.uncertain.contains(where: { Self.isBelow(path, $0) }) { current[identifier] = entry }
    }
    history.last += 1
    let insert = try database.cachedStatement(
      sql: "INSERT OR REPLACE INTO entry (history, asset, path, fingerprint) VALUES (?, ?, ?, ?)")
    let delete = try database.cachedStatement(sql: "DELETE FROM entry WHERE history = ? AND asset = ?")
    let log = try database.cachedStatement(sql: "INSERT INTO difference VALUES (?, ?, ?, ?, ?, ?, ?)")
    for (asset, difference) in HistoryDifference.between(before, current) {
      if let after = difference.after {
        try insert.execute(arguments: [
          history.id, asset.rawValue, after.path.map { Data($0.bytes) }, Int64(bitPattern: after.fingerprint),
        ])
      } else {
        try delete.execute(arguments: [history.id, asset.rawValue])
      }
      // No token is older than the first comparison, so its differences are never needed.
      if history.last == 1 { continue }
      try log.execute(arguments: [
        history.id, history.last, asset.rawValue,
        difference.before?.path.map { Data($0.bytes) },
        difference.before.map { Int64(bitPattern: $0.fingerprint) },
        difference.after?.path.map { Data($0.bytes) },
        difference.after.map { Int64(bitPattern: $0.fingerprint) },
      ])
    }
    // Drop whole comparisons: the one with the newest difference beyond the capacity, and all before it.
    if let dropped = try Int64.fetchOne(
      database,
      sql: "SELECT comparison FROM difference WHERE history = ? ORDER BY comparison DESC LIMIT 1 OFFSET ?",
      arguments: [history.id, capacity])
    {
      history.oldest = dropped
      try database.execute(
        sql: "DELETE FROM difference WHERE history = ? AND comparison <= ?", arguments: [history.id, dropped])
    }
    try database.execute(
      sql: "UPDATE history SET oldest = ?, last = ? WHERE id = ?",
      arguments: [history.oldest, history.last, history.id])
    return current
  }

  private static func isBelow(_ path: [UInt8], _ folder: [UInt8]) -> Bool {
    path.count > folder.count && path.starts(with: folder)
      && (folder.last == 0x2F || path[folder.count] == 0x2F)
  }

  private static func entries(
    of history: String, in database: Database
  ) throws -> [LocalIdentifier: HistoryEntry] {
    var entries: [LocalIdentifier: HistoryEntry] = [:]
    let rows = try Row.fetchCursor(
      database, sql: "SELECT asset, path, fingerprint FROM entry WHERE history = ?", arguments: [history])
    while let row = try rows.next() {
      entries[LocalIdentifier(row[0] as String)] = entry(path: row[1], fingerprint: row[2])
    }
    return entries
  }

  private static func differences(
    of history: String, after comparison: Int64, in database: Database
  ) throws -> [LocalIdentifier: HistoryDifference] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT asset, path_before, fingerprint_before, path_after, fingerprint_after FROM difference
        WHERE history = ? AND comparison > ? ORDER BY comparison
        """, arguments: [history, comparison])
    return ChangeHistory.merged(
      rows.lazy.map { row in
        (
          LocalIdentifier(row[0] as String),
          HistoryDifference(
            before: entry(path: row[1], fingerprint: row[2]), after: entry(path: row[3], fingerprint: row[4]))
        )
      })
  }

  private static func entry(path: Data?, fingerprint: Int64?) -> HistoryEntry? {
    fingerprint.map {
      HistoryEntry(path: path.map { FilePath(bytes: Array($0)) }, fingerprint: UInt64(bitPattern: $0))
    }
  }
}

import AssetLibrary
import FoundationEssentials
import GRDB
import Synchronization
import SystemPackage

/// What was in a library when it was last compared, and how it differed at each comparison before: the file behind
/// `AssetStore.persistentChanges`.
///
/// A library is known by its sources: each set of them has a history of its own in the one file. Nothing is written
/// while photos are indexed or watched; a comparison reads all of the library and costs about a second for 100,000
/// photos. Calls may come from any thread.
struct LibraryHistory {
  /// The libraries that are remembered; beyond them the one that was asked for longest ago is forgotten.
  private static let mostLibraries = 32

  private let database: LibraryDatabase
  private let sources: Data

  /// Where the file of all histories is.
  static func path(_ locations: LibraryLocations) -> FilePath { locations.data.appending("changes.sqlite") }

  /// Opens or creates the file.
  /// - Parameter sources: canonical paths of the library's folders and files, and addresses of servers, in any order.
  init(at path: FilePath, sources: [[UInt8]]) throws(PersistentChangeError) {
    self.sources = Data(Set(sources).sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: [0]))
    do {
      // A history can't be restored: tokens of a damaged one expire, which tells clients to fetch everything anew.
      database = try LibraryDatabase(at: path, version: 1, damage: .discard, isDurable: true) { database in
        try database.execute(
          sql: """
            CREATE TABLE history (
              id TEXT PRIMARY KEY, sources BLOB UNIQUE NOT NULL, first INTEGER NOT NULL, next INTEGER NOT NULL,
              used INTEGER NOT NULL);
            CREATE TABLE entry (
              history TEXT NOT NULL, asset TEXT NOT NULL, path BLOB, fingerprint INTEGER NOT NULL,
              PRIMARY KEY (history, asset)) WITHOUT ROWID;
            CREATE TABLE difference (
              history TEXT NOT NULL, position INTEGER NOT NULL, asset TEXT NOT NULL,
              path_before BLOB, fingerprint_before INTEGER, path_after BLOB, fingerprint_after INTEGER,
              PRIMARY KEY (history, position)) WITHOUT ROWID;
            """)
      }
    } catch {
      throw .storage(AssetError(path.displayString, StorageNotes.reason(error)))
    }
  }

  /// Records the library as it is now, and returns what differs since a token; see `AssetStore.persistentChanges`.
  ///
  /// One transaction: processes that compare at the same time do so one after the other.
  func changes(
    since token: PersistentChangeToken?, now current: [LocalIdentifier: HistoryEntry]
  ) throws(PersistentChangeError) -> PersistentChanges {
    // Filled on the database's queue, which is waited for.
    let answer = Mutex<PersistentChanges?>(nil)
    let sources = sources
    do {
      try database.write { database in
        let history = try Self.history(of: sources, since: token, in: database)
        let next = try Self.record(current, in: history, database)
        var differences = HistoryDifference.between([:], current)
        if let token {
          guard (history.first...next).contains(token.position) else {
            throw PersistentChangeError.tokenExpired
          }
          differences = try Self.differences(of: history.id, from: token.position, in: database)
        }
        let found = ChangeHistory.answer(differences, history.id, next)
        answer.withLock { $0 = found }
      }
    } catch let error as PersistentChangeError {
      throw error
    } catch {
      throw .storage(AssetError("the history of changes", StorageNotes.reason(error)))
    }
    guard let found = answer.withLock({ $0 }) else { throw .unsupported }
    return found
  }

  private struct History {
    var id: String
    /// The position of the oldest difference that is kept.
    var first: Int64
    /// The position of the next difference.
    var next: Int64
  }

  /// The history of a library, a new one where there is none.
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
      database, sql: "SELECT id, first, next FROM history WHERE sources = ?", arguments: [sources])
    {
      let history = History(id: row[0], first: row[1], next: row[2])
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
    let history = History(id: ChangeHistory.newIdentifier(), first: 0, next: 0)
    try database.execute(
      sql: "INSERT INTO history (id, sources, first, next, used) VALUES (?, ?, 0, 0, ?)",
      arguments: [history.id, sources, turn])
    return history
  }

  /// Writes what differs from the last comparison.
  /// - Returns: the position after the last difference.
  private static func record(
    _ current: [LocalIdentifier: HistoryEntry], in history: History, _ database: Database
  ) throws -> Int64 {
    let differences = HistoryDifference.between(try entries(of: history.id, in: database), current)
    if differences.isEmpty { return history.next }
    let insert = try database.cachedStatement(
      sql: "INSERT OR REPLACE INTO entry (history, asset, path, fingerprint) VALUES (?, ?, ?, ?)")
    let delete = try database.cachedStatement(sql: "DELETE FROM entry WHERE history = ? AND asset = ?")
    let log = try database.cachedStatement(sql: "INSERT INTO difference VALUES (?, ?, ?, ?, ?, ?, ?)")
    // The first comparison inserts everything, which no token asks for.
    let isFirst = history.next == 0
    var next = history.next
    for (asset, difference) in differences {
      if let after = difference.after {
        try insert.execute(arguments: [
          history.id, asset.rawValue, after.path.map { Data($0.bytes) }, Int64(bitPattern: after.fingerprint),
        ])
      } else {
        try delete.execute(arguments: [history.id, asset.rawValue])
      }
      if !isFirst {
        try log.execute(arguments: [
          history.id, next, asset.rawValue,
          difference.before?.path.map { Data($0.bytes) },
          difference.before.map { Int64(bitPattern: $0.fingerprint) },
          difference.after?.path.map { Data($0.bytes) },
          difference.after.map { Int64(bitPattern: $0.fingerprint) },
        ])
      }
      next += 1
    }
    let first = isFirst ? next : max(history.first, next - Int64(ChangeHistory.capacity))
    try database.execute(
      sql: "DELETE FROM difference WHERE history = ? AND position < ?", arguments: [history.id, first])
    try database.execute(
      sql: "UPDATE history SET first = ?, next = ? WHERE id = ?", arguments: [first, next, history.id])
    return next
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
    of history: String, from position: Int64, in database: Database
  ) throws -> [LocalIdentifier: HistoryDifference] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT asset, path_before, fingerprint_before, path_after, fingerprint_after FROM difference
        WHERE history = ? AND position >= ? ORDER BY position
        """, arguments: [history, position])
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

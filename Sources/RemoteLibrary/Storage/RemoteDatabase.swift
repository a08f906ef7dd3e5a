import FolderLibrary
import FoundationEssentials
import GRDB
import Synchronization
import SystemPackage

/// What is kept of servers, all of which can be had again: embedded thumbnails, when folders were listed, which originals are
/// on this machine.
///
/// Calls may come from any thread, from several processes for one file. Where nothing can be kept everything is asked of the
/// servers again.
final class RemoteDatabase: Sendable {
  /// An original on this machine.
  struct Original: Sendable {
    /// The number of the file's version.
    var version: UInt64
    var path: FilePath
    var size: Int64
    /// Whether it was handed over: somebody may use it by its path.
    var isPicked: Bool
  }

  /// Bytes of thumbnails that are kept at most.
  static let thumbnailLimit: Int64 = 512 << 20

  private let database: LibraryDatabase?
  private let added = Atomic(0)

  /// Opens or makes the file.
  init(at path: FilePath) {
    database = try? LibraryDatabase(at: path, version: 1, damage: .discard, isDurable: false) { database in
      try database.execute(
        sql: """
          CREATE TABLE thumbnail (
            version INTEGER PRIMARY KEY, place INTEGER NOT NULL, bytes BLOB NOT NULL, used INTEGER NOT NULL);
          CREATE INDEX thumbnail_used ON thumbnail (used);
          CREATE TABLE listing (folder BLOB PRIMARY KEY, modified INTEGER NOT NULL, listed INTEGER NOT NULL);
          CREATE TABLE original (
            version INTEGER PRIMARY KEY, path BLOB NOT NULL, size INTEGER NOT NULL, used INTEGER NOT NULL,
            picked INTEGER NOT NULL DEFAULT 0);
          """)
    }
  }

  private func read<Value>(_ body: (Database) throws -> Value?) -> Value? {
    guard let database else { return nil }
    return (try? database.queue.read(body)) ?? nil
  }

  private func write(_ body: @escaping (Database) throws -> Void) { try? database?.write(body) }

  private static var now: Int64 { Int64(Date().timeIntervalSince1970) }

  // MARK: Thumbnails

  /// The embedded thumbnail of a file in one version, and where in the file it lies.
  func thumbnail(of version: UInt64) -> (bytes: [UInt8], place: Int)? {
    read { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT bytes, place FROM thumbnail WHERE version = ?",
        arguments: [Int64(bitPattern: version)])
      guard let row, let bytes = try row.withUnsafeData(atIndex: 0, { $0.map { Array($0) } }),
        let place: Int64 = row[1]
      else { return nil }
      return (bytes, Int(place))
    }
  }

  func hasThumbnail(of version: UInt64) -> Bool {
    read { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM thumbnail WHERE version = ?)",
        arguments: [Int64(bitPattern: version)])
    } ?? false
  }

  func keep(thumbnail bytes: [UInt8], at place: Int, of version: UInt64) {
    write { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO thumbnail VALUES (?, ?, ?, ?)",
        arguments: [Int64(bitPattern: version), Int64(place), Data(bytes), Self.now])
    }
    if added.add(1, ordering: .relaxed).newValue % 512 == 0 { removeOldThumbnails() }
  }

  /// Removes those that came first, down to nine tenths of what may be kept.
  private func removeOldThumbnails() {
    write { database in
      let all = try Int64.fetchOne(database, sql: "SELECT SUM(LENGTH(bytes)) FROM thumbnail") ?? 0
      guard all > Self.thumbnailLimit else { return }
      let average = try Int64.fetchOne(database, sql: "SELECT AVG(LENGTH(bytes)) FROM thumbnail") ?? 1
      let surplus = (all - Self.thumbnailLimit * 9 / 10) / max(1, average)
      try database.execute(
        sql: "DELETE FROM thumbnail WHERE version IN (SELECT version FROM thumbnail ORDER BY used LIMIT ?)",
        arguments: [surplus])
    }
  }

  // MARK: Listings

  /// When a folder was changed as it was listed last, and when that was, in seconds since 1970; nil where it was not.
  func listing(of folder: [UInt8]) -> (modified: Int64, listed: Int64)? {
    read { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT modified, listed FROM listing WHERE folder = ?", arguments: [Data(folder)])
      guard let row, let modified: Int64 = row[0], let listed: Int64 = row[1] else { return nil }
      return (modified, listed)
    }
  }

  func setListing(of folder: [UInt8], modified: Int64) {
    write { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO listing VALUES (?, ?, ?)", arguments: [Data(folder), modified, Self.now])
    }
  }

  /// Forgets thumbnails, and when folders were listed.
  func forgetListings() {
    write { database in try database.execute(sql: "DELETE FROM thumbnail; DELETE FROM listing") }
    try? database?.queue.inDatabase { try $0.execute(sql: "VACUUM") }
  }

  // MARK: Originals

  var originals: [Original] {
    read { database in
      let rows = try Row.fetchAll(
        database, sql: "SELECT version, path, size, picked FROM original ORDER BY used, rowid")
      return try rows.compactMap { row -> Original? in
        guard let version: Int64 = row[0],
          let path = try row.withUnsafeData(atIndex: 1, { $0.map { Array($0) } }), let size: Int64 = row[2],
          let isPicked: Bool = row[3]
        else { return nil }
        return Original(
          version: UInt64(bitPattern: version), path: FilePath(bytes: path), size: size, isPicked: isPicked)
      }
    } ?? []
  }

  func add(_ original: Original) {
    write { database in
      try database.execute(
        sql: """
          INSERT INTO original VALUES (?, ?, ?, ?, ?) ON CONFLICT (version) DO UPDATE
          SET path = excluded.path, size = excluded.size, used = excluded.used,
            picked = MAX(picked, excluded.picked)
          """,
        arguments: [
          Int64(bitPattern: original.version), Data(original.path.bytes), original.size, Self.now,
          original.isPicked,
        ])
    }
  }

  func setUsed(_ versions: [UInt64], isPicked: Bool = false) {
    write { database in
      for version in versions {
        try database.execute(
          sql: "UPDATE original SET used = ?, picked = MAX(picked, ?) WHERE version = ?",
          arguments: [Self.now, isPicked, Int64(bitPattern: version)])
      }
    }
  }

  func remove(originals versions: [UInt64]) {
    write { database in
      for version in versions {
        try database.execute(
          sql: "DELETE FROM original WHERE version = ?", arguments: [Int64(bitPattern: version)])
      }
    }
  }
}

import FolderLibrary
import FoundationEssentials
import GRDB
import Synchronization
import SystemPackage

/// What is kept of servers, all of which can be had again: thumbnails, when folders were listed, which originals are on this
/// machine.
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
    /// When it was last used, in seconds since 1970.
    var used: Int64 = 0
  }

  /// A small picture of a file.
  enum Thumbnail: Hashable, Sendable {
    /// That in the file, as bytes, and where in the file they lie.
    case embedded([UInt8], place: Int)
    /// A JPEG that was made of the file, and stands upright.
    case made([UInt8])
  }

  private let database: LibraryDatabase?
  /// Bytes of thumbnails that are kept at most.
  private let thumbnailLimit: Int64
  /// Bytes that they take; nil = not counted yet.
  ///
  /// About: other processes add some of their own.
  private let thumbnailBytes = Mutex<Int64?>(nil)
  /// What stands in place of a place for a thumbnail that was made.
  private static let nowhere: Int64 = -1

  /// Opens or makes the file.
  init(at path: FilePath, thumbnailLimit: Int64 = 512 << 20) {
    self.thumbnailLimit = thumbnailLimit
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
    // Files of before have it made.
    write { database in
      try database.execute(
        sql: "CREATE INDEX IF NOT EXISTS thumbnail_made ON thumbnail (version) WHERE place < 0")
    }
  }

  private func read<Value>(_ body: (Database) throws -> Value?) -> Value? {
    guard let database else { return nil }
    return (try? database.queue.read(body)) ?? nil
  }

  /// - Returns: whether it was written.
  @discardableResult
  private func write(_ body: @escaping (Database) throws -> Void) -> Bool {
    guard let database else { return false }
    return (try? database.write(body)) != nil
  }

  static var now: Int64 { Int64(Date().timeIntervalSince1970) }

  // MARK: Thumbnails

  /// The small picture of a file in one version.
  func thumbnail(of version: UInt64) -> Thumbnail? {
    read { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT bytes, place FROM thumbnail WHERE version = ?",
        arguments: [Int64(bitPattern: version)])
      guard let row, let bytes = try row.withUnsafeData(atIndex: 0, { $0.map { Array($0) } }),
        let place: Int64 = row[1]
      else { return nil }
      return place < 0 ? .made(bytes) : .embedded(bytes, place: Int(place))
    }
  }

  /// The versions of files of which a thumbnail was made.
  var madeThumbnails: Set<UInt64> {
    read { database in
      let versions = try Int64.fetchAll(database, sql: "SELECT version FROM thumbnail WHERE place < 0")
      return Set(versions.map { UInt64(bitPattern: $0) })
    } ?? []
  }

  /// Keeps the small picture of a file.
  /// - Parameter makesRoom: whether the oldest ones go where there is no room; else this one is not kept.
  /// - Returns: whether it is kept.
  func keep(_ thumbnail: Thumbnail, of version: UInt64, makesRoom: Bool) -> Bool {
    let (bytes, place) =
      switch thumbnail {
      case .embedded(let bytes, let place): (bytes, Int64(place))
      case .made(let bytes): (bytes, Self.nowhere)
      }
    guard database != nil, takeRoom(Int64(bytes.count), makesRoom: makesRoom) else { return false }
    return write { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO thumbnail VALUES (?, ?, ?, ?)",
        arguments: [Int64(bitPattern: version), place, Data(bytes), Self.now])
    }
  }

  /// Counts bytes in, after the oldest thumbnails went where there is no room for them.
  private func takeRoom(_ count: Int64, makesRoom: Bool) -> Bool {
    thumbnailBytes.withLock { known in
      var bytes = known ?? allThumbnailBytes
      if bytes + count > thumbnailLimit, makesRoom {
        removeOldThumbnails()
        bytes = allThumbnailBytes
      }
      let hasRoom = bytes + count <= thumbnailLimit
      known = hasRoom ? bytes + count : bytes
      return hasRoom
    }
  }

  private var allThumbnailBytes: Int64 {
    read { try Int64.fetchOne($0, sql: "SELECT SUM(LENGTH(bytes)) FROM thumbnail") } ?? 0
  }

  /// Removes those that came first, down to nine tenths of what may be kept.
  private func removeOldThumbnails() {
    write { [thumbnailLimit] database in
      let sizes = try Row.fetchCursor(
        database, sql: "SELECT used, LENGTH(bytes) FROM thumbnail ORDER BY used DESC")
      var left = thumbnailLimit * 9 / 10
      while let row = try sizes.next(), let used: Int64 = row[0], let size: Int64 = row[1] {
        left -= size
        if left >= 0 { continue }
        // Those of the same second go together.
        return try database.execute(sql: "DELETE FROM thumbnail WHERE used <= ?", arguments: [used])
      }
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

  func setListing(of folder: [UInt8], modified: Int64, listed: Int64) {
    write { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO listing VALUES (?, ?, ?)", arguments: [Data(folder), modified, listed])
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
        database, sql: "SELECT version, path, size, picked, used FROM original ORDER BY used, rowid")
      return try rows.compactMap { row -> Original? in
        guard let version: Int64 = row[0],
          let path = try row.withUnsafeData(atIndex: 1, { $0.map { Array($0) } }), let size: Int64 = row[2],
          let isPicked: Bool = row[3], let used: Int64 = row[4]
        else { return nil }
        return Original(
          version: UInt64(bitPattern: version), path: FilePath(bytes: path), size: size, isPicked: isPicked,
          used: used)
      }
    } ?? []
  }

  /// Whether a version was handed over, as it is known now; nil where it is not known.
  func isPicked(_ version: UInt64) -> Bool? {
    read { database in
      try Bool.fetchOne(
        database, sql: "SELECT picked FROM original WHERE version = ?",
        arguments: [Int64(bitPattern: version)])
    } ?? nil
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

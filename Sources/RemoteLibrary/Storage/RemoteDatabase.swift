import FolderLibrary
import FoundationEssentials
import GRDB
import Synchronization
import SystemPackage

/// The database of data from servers, all of which can be downloaded again: thumbnails, the times of folder
/// listings, and the originals in the cache.
///
/// Any thread may call, and several processes may share the file. If the database can't be used, nothing is
/// cached and everything is requested from the servers again.
final class RemoteDatabase: Sendable {
  /// An original in the cache.
  struct Original: Sendable {
    /// The number of the file's version.
    var version: UInt64
    var path: FilePath
    var size: Int64
    /// Whether it was picked, so that other programs may use its path.
    var isPicked: Bool
    /// Time of last use, in seconds since 1970.
    var used: Int64 = 0
  }

  /// A thumbnail of a file.
  enum Thumbnail: Hashable, Sendable {
    /// The embedded thumbnail's bytes, and its offset in the file.
    case embedded([UInt8], place: Int)
    /// A JPEG made from the file, in upright orientation.
    case made([UInt8])
  }

  private let database: LibraryDatabase?
  /// The maximum size of all thumbnails in bytes.
  private let thumbnailLimit: Int64
  /// The current size of all thumbnails in bytes; nil = not counted yet.
  ///
  /// Approximate, since other processes add thumbnails too.
  private let thumbnailBytes = Mutex<Int64?>(nil)
  /// The offset stored for thumbnails that are not embedded in the file.
  private static let nowhere: Int64 = -1

  /// Opens or creates the database.
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
    // Databases of earlier versions lack this SQL index.
    write { database in
      try database.execute(
        sql: "CREATE INDEX IF NOT EXISTS thumbnail_made ON thumbnail (version) WHERE place < 0")
    }
  }

  private func read<Value>(_ body: (Database) throws -> Value?) -> Value? {
    guard let database else { return nil }
    return (try? database.queue.read(body)) ?? nil
  }

  /// - Returns: whether the write succeeded.
  @discardableResult
  private func write(_ body: @escaping (Database) throws -> Void) -> Bool {
    guard let database else { return false }
    return (try? database.write(body)) != nil
  }

  static var now: Int64 { Int64(Date().timeIntervalSince1970) }

  // MARK: Thumbnails

  /// Returns the thumbnail of a file version.
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

  /// The file versions with a thumbnail that was made from the file.
  var madeThumbnails: Set<UInt64> {
    read { database in
      let versions = try Int64.fetchAll(database, sql: "SELECT version FROM thumbnail WHERE place < 0")
      return Set(versions.map { UInt64(bitPattern: $0) })
    } ?? []
  }

  /// Stores the thumbnail of a file version.
  /// - Parameter makesRoom: whether to remove the oldest thumbnails if the limit is reached; if false, the
  ///   thumbnail is not stored then.
  /// - Returns: whether it was stored.
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

  /// Reserves space for a thumbnail, removing the oldest ones if the limit is reached and `makesRoom` is set.
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

  /// Removes the oldest thumbnails until nine tenths of the limit remain.
  private func removeOldThumbnails() {
    write { [thumbnailLimit] database in
      let sizes = try Row.fetchCursor(
        database, sql: "SELECT used, LENGTH(bytes) FROM thumbnail ORDER BY used DESC")
      var left = thumbnailLimit * 9 / 10
      while let row = try sizes.next(), let used: Int64 = row[0], let size: Int64 = row[1] {
        left -= size
        if left >= 0 { continue }
        // Thumbnails of the same second are removed together.
        return try database.execute(sql: "DELETE FROM thumbnail WHERE used <= ?", arguments: [used])
      }
    }
  }

  // MARK: Listings

  /// Returns a folder's modification time at its last listing, and the time of that listing in seconds since
  /// 1970; nil if it was not listed.
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

  /// Removes all thumbnails and folder listings.
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

  /// Whether a version is currently marked as picked; nil if it is not in the database.
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

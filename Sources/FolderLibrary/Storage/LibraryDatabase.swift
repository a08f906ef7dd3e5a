import AssetLibrary
import FoundationEssentials
package import GRDB
import System
public import SystemPackage
import Trash

/// A SQLite file with a version: opens, creates or recreates it.
package struct LibraryDatabase: Sendable {
  /// What to do with a file that can't be read.
  package enum Damage {
    /// Delete it: its contents can be regenerated.
    case discard
    /// Rename it: its contents can't be regenerated.
    case putAside
  }

  /// Upgrades the tables of an earlier version.
  package typealias Upgrade = @Sendable (_ database: Database, _ found: Int) throws -> Void

  package let queue: DatabaseQueue
  private let path: FilePath
  /// The identity of the file, whatever its path is now.
  private let identity: FileIdentity?
  /// The new name of a damaged file.
  let putAside: FilePath?

  /// Opens the file, shared safely with other processes, and creates its tables if they are missing.
  ///
  /// Only its owner can access the file and SQLite's companion files, even if another user created them.
  /// - Parameters:
  ///   - version: the version of the tables. With `.discard`, a file of another version is recreated.
  ///   - upgrade: upgrades the tables from the earlier version that is passed to it.
  ///   - makeTables: creates the tables of this version.
  /// - Throws: GRDB's `DatabaseError`, or an error of the file system.
  package init(
    at path: FilePath, version: Int, damage: Damage, isDurable: Bool, upgrade: Upgrade? = nil,
    makeTables: @escaping @Sendable (Database) throws -> Void
  ) throws {
    try PrivateFolder.make(path.removingLastComponent())
    self.path = path
    (queue, identity, putAside) = try DatabaseLock.hold(path) {
      let open = {
        try Self.waiting {
          try Self.open(
            path, version: version, damage: damage, isDurable: isDurable, upgrade: upgrade,
            makeTables: makeTables)
        }
      }
      do {
        return (try open(), FileIdentity(of: path), nil)
      } catch let error as DatabaseError where Self.isDamage(error) {
        var putAside: FilePath?
        if damage == .putAside {
          putAside = try Self.move(path)
        } else {
          Self.remove(path)
        }
        return (try open(), FileIdentity(of: path), putAside)
      }
    }
  }

  /// The longest wait for other processes to release the file, in seconds.
  private static let patience = 10

  /// Retries while other processes are in the way and SQLite itself does not wait for them.
  private static func waiting<Result>(_ body: () throws -> Result) throws -> Result {
    let end = ContinuousClock.now + .seconds(patience)
    while true {
      do {
        return try body()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end {
        Waiting.pause(.milliseconds(2))
      }
    }
  }

  /// The suffixes of SQLite's companion files.
  private static let companions = ["-wal", "-shm"]

  /// The names of a file and its companion files, the file's own first.
  static func files(of path: FilePath) -> [String] { ([""] + companions).map { path.string + $0 } }

  /// Removes the file, unless another process has replaced it.
  ///
  /// A process that has it open can use it until it exits.
  func removeFile() {
    DatabaseLock.hold(path) {
      if FileIdentity(of: path) == identity { Self.remove(path) }
    }
  }

  /// Removes a file and its companion files.
  private static func remove(_ path: FilePath) {
    for name in files(of: path) { try? FileManager.default.removeItem(atPath: name) }
  }

  /// Renames a file and its companion files to a free name.
  private static func move(_ path: FilePath) throws -> FilePath {
    let names = (1...99).map { path.string + ".damaged" + ($0 == 1 ? "" : "-\($0)") }
    let name = names.first { !FileManager.default.fileExists(atPath: $0) } ?? names[0]
    if FileManager.default.fileExists(atPath: name) { try FileManager.default.removeItem(atPath: name) }
    try FileManager.default.moveItem(atPath: path.string, toPath: name)
    for suffix in companions {
      try? FileManager.default.moveItem(atPath: path.string + suffix, toPath: name + suffix)
    }
    return FilePath(name)
  }

  private static func open(
    _ path: FilePath, version: Int, damage: Damage, isDurable: Bool, upgrade: Upgrade?,
    makeTables: @escaping @Sendable (Database) throws -> Void
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    // Processes that write a large index at the same time wait for each other in the background.
    configuration.busyMode = .timeout(TimeInterval(patience))
    configuration.journalMode = .wal
    configuration.prepareDatabase { database in
      // Without durability, a power failure may lose the last writes but not damage the file.
      try database.execute(sql: "PRAGMA synchronous = \(isDurable ? "NORMAL" : "OFF")")
    }
    // SQLite gives companion files the permissions of the file.
    for name in files(of: path) {
      if name == path.string {
        PrivateFolder.makeFile(path)
      } else {
        PrivateFolder.close(FilePath(name), to: 0o600)
      }
    }
    let queue = try DatabaseQueue(path: path.string, configuration: configuration)
    try queue.inDatabase { database in
      if try Int.fetchOne(database, sql: "PRAGMA user_version") == version { return }
      // If two processes start at once, the first creates the tables, and the second finds them.
      try database.inTransaction(.immediate) {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if found == version { return .commit }
        if found > 0, found < version, let upgrade {
          try upgrade(database, found)
          try database.execute(sql: "PRAGMA user_version = \(version)")
          return .commit
        }
        guard found == 0 else {
          // Discardable data is regenerated; other data is left to the version that can read it.
          throw DatabaseError(
            resultCode: damage == .discard ? .SQLITE_CORRUPT : .SQLITE_ERROR,
            message: "the file is of another version (\(found))")
        }
        try makeTables(database)
        try database.execute(sql: "PRAGMA user_version = \(version)")
        return .commit
      }
    }
    return queue
  }

  /// Whether an error means that the file is damaged or not a database.
  static func isDamage(_ error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    return [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
  }

  /// Reads and changes the file in one transaction, which no other process interrupts, and returns a result.
  func transaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try queue.inDatabase { database in
      var result: Result?
      try database.inTransaction(.immediate) {
        result = try body(database)
        return .commit
      }
      guard let result else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
      return result
    }
  }

  /// Changes the file in one transaction.
  package func write(_ body: @escaping (Database) throws -> Void) throws {
    try queue.inDatabase { database in
      try database.inTransaction(.immediate) {
        try body(database)
        return .commit
      }
    }
  }
}

/// Lets only one process at a time open, create or replace a database file.
///
/// SQLite's own locks don't cover this. The switch to WAL fails at once if another connection is open
/// (sqlite3PagerOpenWal), and if two processes find the same damage and rename the file, the second one would
/// rename the new file of the first.
enum DatabaseLock {
  /// The longest wait for another process, which may have been suspended; long enough for several that replace a
  /// file one after the other on a busy machine.
  private static let patience: Duration = .seconds(20)

  /// Calls `body` while holding the lock of a file.
  ///
  /// If the lock can't be acquired, for example on file systems without locks, `body` is called anyway.
  static func hold<Result>(_ path: FilePath, _ body: () throws -> Result) rethrows -> Result {
    let file = FilePath(path.string + ".lock").withPlatformString {
      open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }
    guard file >= 0 else { return try body() }
    fchmod(file, 0o600)
    let lock = FileLock(owning: file)
    _ = lock.lock(within: patience)
    defer { extendLifetime(lock) }
    return try body()
  }
}

/// The folders in which a library stores data between runs.
public struct LibraryLocations: Sendable {
  /// The folder for data that can be regenerated: the index.
  public var cache: FilePath
  /// The folder for data that can't be regenerated: favorites, albums, and when assets were first seen.
  public var data: FilePath
  /// The desktop's trash in the user's home, `$XDG_DATA_HOME/Trash`; nil = assets can't be deleted.
  public var trash: FilePath?
  /// Whether favorites are written as five stars to XMP sidecars beside the photos, where other programs read
  /// them.
  ///
  /// Otherwise, and for photos on servers, they are kept below `data`.
  public var writesSidecars: Bool

  /// Creates the locations.
  ///
  /// Missing folders are created when a library is opened.
  /// - Parameters:
  ///   - cache: the folder for data that can be regenerated.
  ///   - data: the folder for data that can't be regenerated.
  ///   - trash: the desktop's trash; nil = assets can't be deleted.
  ///   - writesSidecars: whether favorites are written to XMP sidecars.
  public init(cache: FilePath, data: FilePath, trash: FilePath? = nil, writesSidecars: Bool = false) {
    self.cache = cache
    self.data = data
    self.trash = trash
    self.writesSidecars = writesSidecars
  }
  /// The desktop's trash; nil = assets can't be deleted.
  var desktopTrash: DesktopTrash? {
    trash.map { DesktopTrash(home: $0, answers: { MountProbes.shared.answers($0) }) }
  }
}

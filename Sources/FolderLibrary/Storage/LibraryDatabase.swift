import AssetLibrary
import FoundationEssentials
package import GRDB
import System
public import SystemPackage

/// One SQLite file with a version: opened, made, or made anew.
package struct LibraryDatabase: Sendable {
  /// What is to be done with a file that can't be read.
  package enum Damage {
    /// What is in it can be had again.
    case discard
    /// What is in it can't: it is put aside under another name.
    case putAside
  }

  /// What changes the tables of an earlier version to the present ones.
  package typealias Upgrade = @Sendable (_ database: Database, _ found: Int) throws -> Void

  package let queue: DatabaseQueue
  private let path: FilePath
  /// Which file it is, whatever its name is by now.
  private let identity: FileIdentity?
  /// The name under which a damaged file was put aside.
  let putAside: FilePath?

  /// Opens the file, safe with other processes that have it open, and makes its tables where they are missing.
  ///
  /// Only its owner can read it, and what SQLite keeps beside it, whoever made it.
  /// - Parameters:
  ///   - version: of the tables; what can be had again is made anew where the file's is another.
  ///   - upgrade: brings the tables of an earlier version, which it is given, to this one.
  ///   - makeTables: makes the tables of this version.
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

  /// How long it takes at most until a file that others write to is opened or written, in seconds.
  private static let patience = 10

  /// Repeats what others are in the way of, where SQLite itself does not wait for them.
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

  /// What SQLite keeps beside a file.
  private static let companions = ["-wal", "-shm"]

  /// The names of a file and of what belongs to it, the file's own first.
  static func files(of path: FilePath) -> [String] { ([""] + companions).map { path.string + $0 } }

  /// Removes the file, unless another process has put a new one in its place.
  ///
  /// Another tpick that has it open goes on with it until it ends.
  func removeFile() {
    DatabaseLock.hold(path) {
      if FileIdentity(of: path) == identity { Self.remove(path) }
    }
  }

  /// Removes a file with what belongs to it.
  private static func remove(_ path: FilePath) {
    for name in files(of: path) { try? FileManager.default.removeItem(atPath: name) }
  }

  /// Gives a file with what belongs to it a name that is free.
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
    // Several that write a large index at the same time wait for each other in the background.
    configuration.busyMode = .timeout(TimeInterval(patience))
    configuration.journalMode = .wal
    configuration.prepareDatabase { database in
      // Without durability the last writes may be lost with the power, never the file's order.
      try database.execute(sql: "PRAGMA synchronous = \(isDurable ? "NORMAL" : "OFF")")
    }
    // SQLite gives what it makes beside a file the file's own permissions.
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
      // Two that start at once: the first makes the tables, the second finds them.
      try database.inTransaction(.immediate) {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if found == version { return .commit }
        if found > 0, found < version, let upgrade {
          try upgrade(database, found)
          try database.execute(sql: "PRAGMA user_version = \(version)")
          return .commit
        }
        guard found == 0 else {
          // What can be made again is made again; what can't is left to the version that knows it.
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

  /// Whether an error says that the file is none that can be read.
  static func isDamage(_ error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    return [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
  }

  /// Changes the file, all or nothing.
  package func write(_ body: @escaping (Database) throws -> Void) throws {
    try queue.inDatabase { database in
      try database.inTransaction(.immediate) {
        try body(database)
        return .commit
      }
    }
  }
}

/// Has one process at a time open, make or replace a database file.
///
/// SQLite's own locks don't cover this: the switch to WAL gives up at once where another connection is open
/// (sqlite3PagerOpenWal), and two processes that find the same damage would both put the file aside, the second one
/// the new file of the first.
enum DatabaseLock {
  /// How long another process is waited for: one that was stopped in between must not stop all others.
  private static let patience: Duration = .seconds(5)

  /// Calls `body` while no other process does so for the same file.
  ///
  /// Where the lock can't be had, as on file systems that know none, it is called all the same.
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

/// Where a library keeps what outlives a run.
public struct LibraryLocations: Sendable {
  /// For what can be made again.
  public var cache: FilePath
  /// For what can't.
  public var data: FilePath
  /// The trash of the desktop in the user's home, `$XDG_DATA_HOME/Trash`; nil = nothing can be deleted.
  public var trash: FilePath?
  /// Whether favorites are written as five stars to XMP sidecars beside the photos, where other programs read them.
  ///
  /// Otherwise, and for photos on servers, they are kept below `data`.
  public var writesSidecars: Bool

  /// Creates the locations; nothing is written before a library is opened with them.
  public init(cache: FilePath, data: FilePath, trash: FilePath? = nil, writesSidecars: Bool = false) {
    self.cache = cache
    self.data = data
    self.trash = trash
    self.writesSidecars = writesSidecars
  }
}

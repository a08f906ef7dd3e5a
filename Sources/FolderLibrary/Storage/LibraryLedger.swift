import AssetLibrary
import FoundationEssentials
import GRDB
import Synchronization
import System
import SystemPackage
import Trash

/// Stores what can't be rebuilt from the photos: identifiers, first-seen dates, marks and albums.
///
/// Safe to call from any thread. A damaged database is moved aside, never deleted.
final class LibraryLedger: Sendable {
  private let database: LibraryDatabase?
  private let notes: StorageNotes

  /// The path of the ledger's database.
  static func path(_ locations: LibraryLocations) -> FilePath { locations.data.appending("library.sqlite") }

  /// Opens or creates the database.
  ///
  /// If that fails, adds a note; the ledger is then empty and stores nothing.
  init(at path: FilePath, notes: StorageNotes) {
    self.notes = notes
    do {
      let database = try LibraryDatabase(
        at: path, version: 5, damage: .putAside, isDurable: true,
        upgrade: { database, found in
          if found < 2 { try database.execute(sql: Self.albumTable) }
          if found < 3 { try database.execute(sql: "ALTER TABLE mark ADD COLUMN stars INTEGER") }
          if found < 4 { try database.execute(sql: Self.correctionTable) }
          if found < 5 { try database.execute(sql: Self.deletionDates) }
        }
      ) { database in
        try database.execute(
          sql: """
            CREATE TABLE folder (path BLOB PRIMARY KEY, entries BLOB NOT NULL);
            CREATE TABLE mark (asset INTEGER PRIMARY KEY, favorite INTEGER, hidden INTEGER, stars INTEGER);
            """ + Self.albumTable + Self.correctionTable + Self.deletionDates)
      }
      if let aside = database.putAside {
        notes.add(
          "favorites, albums and first-seen dates can't be read and start empty; the old file is kept as \(aside)"
        )
      }
      self.database = database
    } catch {
      database = nil
      notes.add("favorites, albums and first-seen dates can't be stored", error)
    }
  }

  /// The tables added by version 2.
  ///
  /// The assets of an album are 64-bit numbers in native byte order, in the album's order. The files of a
  /// deleted asset are paths in the trash, each terminated by NUL.
  private static let albumTable = """
    CREATE TABLE album (id TEXT PRIMARY KEY, place INTEGER NOT NULL, title TEXT NOT NULL, assets BLOB NOT NULL);
    CREATE TABLE deleted (asset INTEGER PRIMARY KEY, files BLOB NOT NULL);
    """

  /// The tables added by version 4.
  ///
  /// A date is in seconds since 1970 of local time, with its fraction in nanoseconds and its offset from UTC in
  /// seconds; NULL = not corrected. `place` is NULL if the location is not corrected, 0 if there is none, else 1.
  /// The edited files of a reverted asset are stored as those of a deleted one.
  private static let correctionTable = """
    CREATE TABLE correction (
      asset INTEGER PRIMARY KEY, date INTEGER, nanoseconds INTEGER, utc_offset INTEGER, place INTEGER,
      latitude REAL, longitude REAL);
    CREATE TABLE reverted (asset INTEGER PRIMARY KEY, files BLOB NOT NULL);
    """

  /// The columns added by version 5: when the files were moved to the trash, as their trashinfo files say.
  ///
  /// NULL for files that an earlier version moved. Another file may take a path in the trash, but not with this date.
  private static let deletionDates = """
    ALTER TABLE deleted ADD COLUMN date TEXT;
    ALTER TABLE reverted ADD COLUMN date TEXT;
    """

  // MARK: First-seen dates

  /// Returns the stored entries of a folder's assets, by the hashes of their file names.
  func entries(of path: [UInt8]) -> [UInt64: LedgerEntry] {
    guard let database else { return [:] }
    do {
      let bytes = try database.queue.read { database in
        try Data.fetchOne(database, sql: "SELECT entries FROM folder WHERE path = ?", arguments: [Data(path)])
      }
      var reader = PageReader(Array(bytes ?? Data()))
      let entries: [LedgerEntry] = reader.rows((bytes?.count ?? 0) / MemoryLayout<LedgerEntry>.stride) ?? []
      return Dictionary(entries.map { ($0.nameHash, $0) }, uniquingKeysWith: { first, _ in first })
    } catch {
      notes.add("first-seen dates can't be read", error)
      return [:]
    }
  }

  /// Reads the last known folder of every identifier.
  /// - Parameters:
  ///   - body: receives each folder with the identifiers of its assets.
  ///   - completed: receives each source that was scanned completely.
  func readIdentifiers(_ body: ([UInt8], [UInt64]) -> Void, completed: ([UInt8]) -> Void) {
    guard let database else { return }
    do {
      try database.queue.read { database in
        let rows = try Row.fetchCursor(database, sql: "SELECT path, entries FROM folder ORDER BY path")
        while let row = try rows.next() {
          let bytes = try [0, 1].map { try row.withUnsafeData(atIndex: $0) { $0.map { Array($0) } ?? [] } }
          if bytes[0].last == 0 {
            completed(bytes[0].dropLast())
            continue
          }
          var reader = PageReader(bytes[1])
          let entries: [LedgerEntry]? = reader.rows(bytes[1].count / MemoryLayout<LedgerEntry>.stride)
          body(bytes[0], (entries ?? []).map(\.identifier))
        }
      }
    } catch {
      notes.add("identifiers can't be looked up", error)
    }
  }

  /// Stores the entries of folders, and which sources were scanned completely.
  func write(_ pages: [FolderPage], completed: [[UInt8]]) {
    do {
      try database?.write { database in
        for page in pages where !page.assets.isEmpty {
          let entries = page.ledgerEntries.withUnsafeBytes { Data($0) }
          try database.execute(
            sql:
              "INSERT INTO folder VALUES (?1, ?2) ON CONFLICT DO UPDATE SET entries = ?2 WHERE entries != ?2",
            arguments: [Data(page.canonicalPath), entries])
        }
        for source in completed {
          try database.execute(
            sql: "INSERT OR IGNORE INTO folder VALUES (?, ?)",
            arguments: [Self.completionKey(of: source), Data()])
        }
      }
    } catch {
      notes.add("first-seen dates can't be stored", error)
    }
  }

  /// Whether a source was ever scanned completely, by this run or an earlier one.
  func wasCompleted(_ source: [UInt8]) -> Bool {
    let key = Self.completionKey(of: source)
    return
      (try? database?.queue.read { database in
        try Bool.fetchOne(database, sql: "SELECT 1 FROM folder WHERE path = ?", arguments: [key])
      }) ?? false
  }

  /// Appends NUL, which no path contains, to distinguish a completed source from the folder with its path.
  private static func completionKey(of source: [UInt8]) -> Data { Data(source + [0]) }

  // MARK: Marks and albums

  /// Returns the user's marks, corrections and albums.
  func marks() -> AssetMarks {
    var marks = AssetMarks()
    do {
      try database?.queue.read { database in
        for row in try Row.fetchAll(database, sql: "SELECT asset, favorite, hidden FROM mark") {
          let asset = UInt64(bitPattern: row[0] as Int64)
          marks.favorites[asset] = row[1] as Bool?
          marks.hidden[asset] = row[2] as Bool?
        }
        marks.corrections = try Self.corrections(in: database)
        marks.albums = try Self.albums(in: database)
      }
    } catch {
      notes.add("favorites and albums can't be read", error)
    }
    return marks
  }

  /// Returns the paths in the trash of deleted assets' files; other assets are omitted.
  /// - Parameters:
  ///   - assets: the assets.
  ///   - edits: whether to return the edited files of reverted assets instead.
  func trashedFiles(of assets: [LocalIdentifier], edits: Bool = false) -> [LocalIdentifier: TrashedTogether] {
    guard let database, !assets.isEmpty else { return [:] }
    do {
      return try database.queue.read { database in
        var found: [LocalIdentifier: TrashedTogether] = [:]
        for asset in assets {
          guard let number = asset.number,
            let row = try Row.fetchOne(
              database, sql: "SELECT files, date FROM \(edits ? "reverted" : "deleted") WHERE asset = ?",
              arguments: [Int64(bitPattern: number)])
          else { continue }
          found[asset] = TrashedTogether(row)
        }
        return found
      }
    } catch {
      notes.add("deleted photos can't be looked up", error)
      return [:]
    }
  }

  /// Returns the paths in the trash of the files of all deleted assets; nil if they can't be read.
  ///
  /// The files may be gone: another program may have emptied the trash, or its disk may be unplugged.
  /// - Parameter edits: whether to return the edited files of all reverted assets instead.
  func trashedFiles(edits: Bool = false) -> [(asset: LocalIdentifier, files: TrashedTogether)]? {
    guard let database else { return nil }
    do {
      return try database.queue.read { database in
        try Row.fetchAll(
          database, sql: "SELECT files, date, asset FROM \(edits ? "reverted" : "deleted") ORDER BY asset"
        ).map { row in
          (LocalIdentifier(number: UInt64(bitPattern: row[2] as Int64)), TrashedTogether(row))
        }
      }
    } catch {
      notes.add("deleted photos can't be looked up", error)
      return nil
    }
  }

  /// Returns the stars that a favorite in a sidecar replaced; assets without stored stars are omitted.
  /// - Throws: `AssetError` if they can't be read: removing the favorite would lose the stars.
  func starsBeforeFavorite(of assets: [LocalIdentifier]) throws(AssetError) -> [LocalIdentifier: Int] {
    guard let database else { return [:] }
    do {
      return try database.queue.read { database in
        var found: [LocalIdentifier: Int] = [:]
        for asset in assets {
          guard let number = asset.number else { continue }
          found[asset] = try Int.fetchOne(
            database, sql: "SELECT stars FROM mark WHERE asset = ? AND stars IS NOT NULL",
            arguments: [Int64(bitPattern: number)])
        }
        return found
      }
    } catch {
      throw AssetError("favorites and albums", StorageNotes.reason(error))
    }
  }

  /// Stores the stars that favorites are about to replace in sidecars.
  /// - Throws: `AssetError` if they can't be written.
  func rememberStars(_ stars: [LocalIdentifier: Int]) throws(AssetError) {
    if stars.isEmpty { return }
    guard let database else { throw AssetError("favorites and albums", "the database can't be opened") }
    do {
      try database.write { database in
        for (asset, stars) in stars {
          guard let number = asset.number else { continue }
          try database.execute(
            sql: "INSERT INTO mark (asset, stars) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET stars = ?2",
            arguments: [Int64(bitPattern: number), stars])
        }
      }
    } catch {
      throw AssetError("favorites and albums", StorageNotes.reason(error))
    }
  }

  /// Stores changes, all or none, on top of what other processes have stored meanwhile.
  /// - Parameters:
  ///   - trashed: the files in the trash of deleted assets.
  ///   - trashedEdits: the edited files in the trash of reverted assets.
  ///   - inSidecars: the assets whose favorite mark is stored in a sidecar.
  /// - Returns: all albums afterwards (nil if the changes concern none), and for each change to an album the
  ///   changes that undo it.
  /// - Throws: `AssetError` if a change is invalid or can't be written, so that no lost mark goes unnoticed.
  func perform(
    _ changes: [AssetChange], trashed: [LocalIdentifier: TrashedTogether] = [:],
    trashedEdits: [LocalIdentifier: TrashedTogether] = [:], inSidecars: Set<LocalIdentifier> = []
  ) throws(AssetError) -> (albums: UserAlbums?, inverses: [[AssetChange]]) {
    guard let database else { throw AssetError("favorites and albums", "the database can't be opened") }
    // Set on the database's queue, synchronously.
    let result = Mutex<(albums: UserAlbums?, inverses: [[AssetChange]])>((nil, []))
    do {
      try database.write { database in
        var inverses: [[AssetChange]] = []
        let before = changes.contains { $0.album != nil } ? try Self.albums(in: database) : nil
        var albums = before
        for moved in [trashed, trashedEdits] { try Self.dropRecords(under: moved.values, in: database) }
        for change in changes {
          try Self.setMark(change, inSidecars, in: database)
          try Self.setCorrection(change, in: database)
          try Self.setDeleted(change, trashed, trashedEdits, in: database)
          inverses.append(try albums?.apply(change) ?? [])
        }
        if let before, let albums { try Self.write(albums, over: before, in: database) }
        result.withLock { $0 = (albums, inverses) }
      }
    } catch let error as AssetError {
      throw error
    } catch {
      throw AssetError("favorites and albums", StorageNotes.reason(error))
    }
    return result.withLock { $0 }
  }

  private static func setMark(
    _ change: AssetChange, _ inSidecars: Set<LocalIdentifier>, in database: Database
  ) throws {
    if case .setFavorite(let asset, let isFavorite) = change, inSidecars.contains(asset) {
      guard let number = asset.number else { return }
      // The sidecar stores the favorite; a copy here would hide changes by other programs.
      try database.execute(
        sql: "UPDATE mark SET favorite = NULL, stars = CASE WHEN ? THEN stars END WHERE asset = ?",
        arguments: [isFavorite, Int64(bitPattern: number)])
      return
    }
    let (identifier, column, value): (LocalIdentifier, String, Bool)
    switch change {
    case .setFavorite(let asset, let isFavorite):
      (identifier, column, value) = (asset, "favorite", isFavorite)
    case .setHidden(let asset, let isHidden): (identifier, column, value) = (asset, "hidden", isHidden)
    default: return
    }
    guard let number = identifier.number else { return }
    try database.execute(
      sql: "INSERT INTO mark (asset, \(column)) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET \(column) = ?2",
      arguments: [Int64(bitPattern: number), value])
  }

  private static func corrections(in database: Database) throws -> [UInt64: AssetCorrection] {
    var corrections: [UInt64: AssetCorrection] = [:]
    let rows = try Row.fetchCursor(
      database,
      sql: "SELECT asset, date, nanoseconds, utc_offset, place, latitude, longitude FROM correction")
    while let row = try rows.next() {
      var correction = AssetCorrection()
      if let seconds = row[1] as Int64? {
        let date = AssetDate(
          wallSeconds: seconds, nanoseconds: Int32(clamping: row[2] as Int64? ?? 0),
          utcOffset: (row[3] as Int64?).map { Int32(clamping: $0) })
        if date.isPossible { correction.date = date }
      }
      switch row[4] as Int64? {
      case nil: break
      case 0: correction.location = .removed
      default:
        let location = Location(latitude: row[5] as Double? ?? .nan, longitude: row[6] as Double? ?? .nan)
        if location.isOnEarth { correction.location = .location(location) }
      }
      if !correction.isEmpty { corrections[UInt64(bitPattern: row[0] as Int64)] = correction }
    }
    return corrections
  }

  private static func setCorrection(_ change: AssetChange, in database: Database) throws {
    let asset: LocalIdentifier
    let columns: [String]
    let values: [(any DatabaseValueConvertible)?]
    switch change {
    case .setCreationDate(let identifier, let date):
      asset = identifier
      columns = ["date", "nanoseconds", "utc_offset"]
      values = [date?.wallSeconds, date?.nanoseconds, date?.utcOffset]
    case .setLocation(let identifier, let correction):
      asset = identifier
      columns = ["place", "latitude", "longitude"]
      values =
        switch correction {
        case .location(let location)?: [1, location.latitude, location.longitude]
        case .removed?: [0, nil, nil]
        case nil: [nil, nil, nil]
        }
    default: return
    }
    guard let number = asset.number.map({ Int64(bitPattern: $0) }) else { return }
    let assignments = columns.enumerated().map { "\($1) = ?\($0 + 2)" }.joined(separator: ", ")
    try database.execute(
      sql: """
        INSERT INTO correction (asset, \(columns.joined(separator: ", "))) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT DO UPDATE SET \(assignments)
        """, arguments: StatementArguments([number] + values))
    try database.execute(
      sql: "DELETE FROM correction WHERE asset = ? AND date IS NULL AND place IS NULL", arguments: [number])
  }

  /// Removes files that were just moved to the trash from the records of earlier deletions.
  ///
  /// The paths were free, so the files of those records are gone, or on another disk that was mounted there. But the
  /// records would stand for the new files if no date tells them apart: dates are in full seconds, and records of early
  /// versions have none.
  private static func dropRecords(
    under moved: some Collection<TrashedTogether>, in database: Database
  ) throws {
    let paths = Set(moved.flatMap(\.files))
    if paths.isEmpty { return }
    // Files are moved with one date.
    let date = moved.lazy.compactMap(\.date).first
    for table in ["deleted", "reverted"] {
      let rows = try Row.fetchAll(
        database, sql: "SELECT files, date, asset FROM \(table) WHERE date IS NULL OR date = ?",
        arguments: [date])
      for row in rows {
        var record = TrashedTogether(row)
        record.files.removeAll(where: paths.contains)
        if record == TrashedTogether(row) { continue }
        let asset = LocalIdentifier(number: UInt64(bitPattern: row[2] as Int64))
        // Half an edit can't return: its other files are photos of their own.
        if table == "deleted", !record.files.isEmpty {
          try write([asset: record], of: [asset], to: table, in: database)
        } else {
          try remove([asset], from: table, in: database)
        }
      }
    }
  }

  private static func setDeleted(
    _ change: AssetChange, _ trashed: [LocalIdentifier: TrashedTogether],
    _ trashedEdits: [LocalIdentifier: TrashedTogether], in database: Database
  ) throws {
    switch change {
    case .delete(let assets): try write(trashed, of: assets, to: "deleted", in: database)
    case .restore(let assets): try remove(assets, from: "deleted", in: database)
    case .deletePermanently(let assets):
      try remove(assets, from: "deleted", in: database)
      // Edits of these assets that are still in the trash belong to nothing any more.
      try remove(assets, from: "reverted", in: database)
    case .revertToOriginal(let assets): try write(trashedEdits, of: assets, to: "reverted", in: database)
    case .restoreEdits(let assets): try remove(assets, from: "reverted", in: database)
    default: break
    }
  }

  private static func write(
    _ files: [LocalIdentifier: TrashedTogether], of assets: [LocalIdentifier], to table: String,
    in database: Database
  ) throws {
    for asset in assets {
      guard let number = asset.number else { continue }
      try database.execute(
        sql: "INSERT OR REPLACE INTO \(table) (asset, files, date) VALUES (?, ?, ?)",
        arguments: [
          Int64(bitPattern: number), Data((files[asset]?.files ?? []).flatMap { $0.bytes + [0] }),
          files[asset]?.date,
        ])
    }
  }

  private static func remove(
    _ assets: [LocalIdentifier], from table: String, in database: Database
  ) throws {
    for number in assets.compactMap(\.number) {
      try database.execute(
        sql: "DELETE FROM \(table) WHERE asset = ?", arguments: [Int64(bitPattern: number)])
    }
  }

  private static func albums(in database: Database) throws -> UserAlbums {
    let rows = try Row.fetchAll(database, sql: "SELECT id, title, assets FROM album ORDER BY place, id")
    return UserAlbums(
      rows.map { row in
        let bytes = (row[2] as Data?) ?? Data()
        var reader = PageReader(Array(bytes))
        let numbers: [UInt64] = reader.rows(bytes.count / MemoryLayout<UInt64>.stride) ?? []
        return UserAlbum(
          id: LocalIdentifier(row[0]), title: row[1], assets: numbers.map(LocalIdentifier.init(number:)))
      })
  }

  /// Writes the albums that differ from `before`, and deletes those that are missing.
  private static func write(_ albums: UserAlbums, over before: UserAlbums, in database: Database) throws {
    let known = Dictionary(
      before.all.enumerated().map { ($1.id, (place: $0, album: $1)) }, uniquingKeysWith: { first, _ in first }
    )
    for album in before.all where albums[album.id] == nil {
      try database.execute(sql: "DELETE FROM album WHERE id = ?", arguments: [album.id.rawValue])
    }
    for (place, album) in albums.all.enumerated() {
      if let old = known[album.id], old.place == place, old.album == album { continue }
      let assets = album.assets.compactMap(\.number).withUnsafeBytes { Data($0) }
      try database.execute(
        sql: "INSERT OR REPLACE INTO album (id, place, title, assets) VALUES (?, ?, ?, ?)",
        arguments: [album.id.rawValue, place, album.title, assets])
    }
  }
}

/// The files of an asset that tpick moved to the trash together.
struct TrashedTogether: Hashable, Sendable {
  /// The paths in the trash, the primary file first.
  var files: [FilePath] = []
  /// When they were moved, as `TrashedFile.deleted`; nil if an earlier version did not store it.
  var date: String?

  /// Returns those of the files that are still in the trash.
  ///
  /// A file that has taken the path of one of them was moved to the trash at another time.
  /// - Parameters:
  ///   - present: the files in the trash, by their paths.
  ///   - listedPath: returns the path under which a file is listed.
  func found(in present: [FilePath: TrashedFile], _ listedPath: (FilePath) -> FilePath) -> [TrashedFile] {
    let found = files.compactMap { present[listedPath($0)] }
    guard let date else { return TrashedFile.deletedFirst(found) }
    return found.filter { $0.deleted == date }
  }
}

extension TrashedTogether {
  /// Creates the files of a row with the columns `files` and `date`.
  fileprivate init(_ row: Row) {
    files = (row[0] as Data).split(separator: 0).map { FilePath(bytes: Array($0)) }
    date = row[1]
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

/// The identifier and the first-seen date of a file, which must survive the loss of the index.
struct LedgerEntry: BitwiseCopyable, Hashable, Sendable {
  var nameHash: UInt64
  var identifier: UInt64
  var added: Int64

  /// The hash that the ledger stores instead of a file name.
  static func hash(of name: some Sequence<UInt8>) -> UInt64 { StableHash.hash(name) }
}

/// Collects messages for the user about what could not be stored, without duplicates.
final class StorageNotes: Sendable {
  private let words = Mutex<[String]>([])

  var all: [String] { words.withLock { $0 } }

  func add(_ word: String) { words.withLock { if !$0.contains(word) { $0.append(word) } } }

  /// Adds a message with the cause of an error.
  func add(_ text: String, _ error: any Error) { add("\(text): \(Self.reason(error))") }

  /// The cause of an error as text.
  static func reason(_ error: any Error) -> String {
    if let error = error as? DatabaseError { return error.message ?? "\(error.resultCode)" }
    let cause = (error as? CocoaError)?.underlying as? POSIXError
    return cause.map { Errno(rawValue: $0.code.rawValue).description } ?? "\(error)"
  }
}

import AssetLibrary
import CodecProtocol
import Dispatch
import Fixtures
import FoundationEssentials
import GRDB
import Glibc
import SystemPackage
import Testing

@testable import FolderLibrary

/// A photo folder with its own locations for index and ledger.
struct TestLibrary {
  let photos: TemporaryFolder
  private let kept: TemporaryFolder

  init() throws {
    photos = try TemporaryFolder()
    kept = try TemporaryFolder()
  }

  var locations: LibraryLocations {
    LibraryLocations(
      cache: kept.filePath(of: "cache"), data: kept.filePath(of: "data"), trash: kept.filePath(of: "Trash"))
  }
  var index: String { "\(kept.path)/cache/index.sqlite" }
  var history: String { "\(kept.path)/data/changes.sqlite" }
  var ledger: String { "\(kept.path)/data/library.sqlite" }

  /// The names of the files in the trash.
  var trashed: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(kept.path)/Trash/files")) ?? []).sorted()
  }

  /// The names of the trash info files.
  var notes: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(kept.path)/Trash/info")) ?? []).sorted()
  }

  func emptyTrash() { kept.remove("Trash") }

  /// Removes a file from the trash with its trash info file, as another program does.
  func removeFromTrash(_ name: String) {
    kept.remove("Trash/files/\(name)")
    kept.remove("Trash/info/\(name).trashinfo")
  }

  /// Writes a trash info file.
  func writeNote(_ name: String, path: String, deleted: String = "2020-01-02T03:04:05") throws {
    let text = "[Trash Info]\nPath=\(path)\nDeletionDate=\(deleted)\n"
    try kept.write(Array(text.utf8), to: "Trash/info/\(name).trashinfo")
  }

  /// Moves a photo to the trash, as another program does.
  /// - Parameter name: the name in the trash; nil = its own.
  func moveToTrash(_ photo: String, as name: String? = nil, deleted: String = "2020-01-02T03:04:05") throws {
    let name = name ?? String(photo.split(separator: "/").last ?? "")
    try kept.makeFolder("Trash/files")
    try writeNote(name, path: "\(photos.path)/\(photo)", deleted: deleted)
    try photos.move(photo, to: kept, as: "Trash/files/\(name)")
  }

  /// Creates a symbolic link in the trash.
  func linkInTrash(_ name: String, to destination: String) throws {
    try kept.makeFolder("Trash/files")
    try kept.link("Trash/files/\(name)", to: destination)
  }

  /// Writes a file into the trash, without a trash info file.
  func writeToTrash(_ bytes: [UInt8], _ name: String) throws {
    try kept.write(bytes, to: "Trash/files/\(name)")
  }

  /// Opens the library and reads it completely.
  func open(
    _ sources: [FilePath]? = nil, codecs: String? = nil, reader: MetadataClient = .standard,
    writesSidecars: Bool = false
  ) -> FolderAssetStore {
    var locations = locations
    locations.writesSidecars = writesSidecars
    let store = FolderAssetStore(
      sources: sources ?? [photos.filePath], locations: locations, following: nil, codecs: codecs,
      reader: reader)
    store.start()
    store.waitUntilComplete()
    return store
  }

  /// The contents of the library, which is opened, read completely and closed again.
  func snapshot() -> LibrarySnapshot {
    let snapshot = LibrarySnapshot(open())
    // The writing thread may be the last to release the files, and writes to them when it closes them.
    #expect(eventually { !isOpen })
    return snapshot
  }

  /// Whether this process has a file of the index or the ledger open.
  private var isOpen: Bool {
    let folder = "/proc/self/fd"
    let place = kept.filePath.resolved?.string ?? kept.path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains { name in
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
      return path?.hasPrefix(place) ?? false
    }
  }

  /// Opens the library, follows it, and waits for the first scan.
  func follow(_ following: FollowingSettings = .quick, codecs: String? = nil) -> FolderAssetStore {
    let store = FolderAssetStore(
      sources: [photos.filePath], locations: locations, following: following, codecs: codecs)
    store.start()
    store.waitUntilComplete()
    return store
  }

  func clearCache() { kept.remove("cache") }

  /// Opens the index or the ledger, and waits for the writing thread of a library that has it open.
  static func queue(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(600)
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Backdates when the library saw a file of its source, and removes the index.
  func age(_ name: String, bySeconds seconds: Int64) throws {
    clearCache()
    let queue = try Self.queue(ledger)
    let path = Data(photos.filePath.resolved?.bytes ?? [])
    try queue.write { database in
      let bytes = try Data.fetchOne(
        database, sql: "SELECT entries FROM folder WHERE path = ?", arguments: [path])
      var reader = PageReader(Array(bytes ?? Data()))
      var entries: [LedgerEntry] = reader.rows((bytes?.count ?? 0) / MemoryLayout<LedgerEntry>.stride) ?? []
      for index in entries.indices where entries[index].nameHash == LedgerEntry.hash(of: name.utf8) {
        entries[index].added -= seconds
      }
      try database.execute(
        sql: "UPDATE folder SET entries = ? WHERE path = ?",
        arguments: [entries.withUnsafeBytes { Data($0) }, path])
    }
    try queue.close()
  }

  /// Puts a file in place of the folder for the index.
  func blockCache() throws { try kept.write([1], to: "cache") }
  func blockData() throws { try kept.write([1], to: "data") }
}

/// Everything a library reports.
struct LibrarySnapshot: Hashable {
  var assets: [Asset]
  var collections: [AssetCollection]
  var lists: [CollectionList]
  var status: LibraryStatus

  init(_ store: FolderAssetStore) {
    assets = store.everything
    var options = FetchOptions()
    options.includeHiddenAssets = true
    collections = Array(store.collections(of: .all, options: options))
    lists = Array(store.collectionLists(options: options))
    status = store.status
  }
}

/// The contents of a store, without what depends on its history.
func contents(_ store: FolderAssetStore) -> LibrarySnapshot {
  var snapshot = LibrarySnapshot(store)
  for index in snapshot.assets.indices {
    snapshot.assets[index].localIdentifier = LocalIdentifier("")
    snapshot.assets[index].addedDate = AssetDate(wallSeconds: 0)
  }
  snapshot.collections.removeAll { $0.subtype == .smartAlbumRecentlyAdded }
  return snapshot
}

/// The first few elements that differ, in brief: whole libraries would be long to print.
func difference<Element: Equatable>(_ a: [Element], _ b: [Element]) -> String? {
  if a == b { return nil }
  let places = (0..<max(a.count, b.count)).filter { index in
    index >= a.count || index >= b.count || a[index] != b[index]
  }
  return "\(a.count) and \(b.count) elements; "
    + places.prefix(2).map { index in
      "\(index): \(index < a.count ? "\(a[index])" : "nothing") | \(index < b.count ? "\(b[index])" : "nothing")"
    }.joined(separator: "; ")
}

extension FollowingSettings {
  static let quick = Self(
    rescanInterval: .milliseconds(50), holdTime: .seconds(600),
    watch: FolderWatch.Settings(patience: .milliseconds(5)))
}

extension FolderAssetStore {
  /// All assets of the library, including hidden ones and bursts.
  var everything: [Asset] {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    return all(options)
  }

  /// The identifiers of the assets below a folder, by path.
  func identifiers(below folder: TemporaryFolder) -> [String: LocalIdentifier] {
    Dictionary(
      everything.map { asset in
        (String(decoding: asset.pathBytes.dropFirst(folder.path.utf8.count + 1), as: UTF8.self), asset.id)
      }, uniquingKeysWith: { first, _ in first })
  }
}

extension TemporaryFolder {
  /// Writes a photo under another name first and renames it, as careful programs do.
  ///
  /// Elsewhere: a library that follows the folder might take the file for a photo of its own before it is renamed.
  func rewritePhoto(_ name: String, day: Int) throws {
    let elsewhere = try TemporaryFolder()
    try elsewhere.writePhoto("temporary", day: day)
    try elsewhere.move("temporary", to: self, as: name)
  }

  func hardLink(_ name: String, to existing: String) throws {
    guard Glibc.link(path + "/" + existing, path + "/" + name) == 0 else {
      throw FixtureError("can't link \(name)")
    }
  }
}

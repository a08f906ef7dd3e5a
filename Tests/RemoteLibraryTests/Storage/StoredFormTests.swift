import AssetLibrary
import Fixtures
import FolderLibrary
import GRDB
import SystemPackage
import Testing

@testable import RemoteLibrary

/// What is stored about servers is recorded with its version.
///
/// A failure says which version to raise. See `StoredForm` for how to renew a record.
@Suite struct StoredFormTests {
  /// The tables, and the file keys in them.
  private static let recorded = StoredForm(
    version: 1,
    text: #"""
      CREATE TABLE listing (folder BLOB PRIMARY KEY, modified INTEGER NOT NULL, listed INTEGER NOT NULL)
      CREATE TABLE original (
        version INTEGER PRIMARY KEY, path BLOB NOT NULL, size INTEGER NOT NULL, used INTEGER NOT NULL,
        picked INTEGER NOT NULL DEFAULT 0)
      CREATE TABLE thumbnail (
        version INTEGER PRIMARY KEY, place INTEGER NOT NULL, bytes BLOB NOT NULL, used INTEGER NOT NULL)
      CREATE INDEX thumbnail_made ON thumbnail (version) WHERE place < 0
      CREATE INDEX thumbnail_used ON thumbnail (used)
      key 17531355379141036716, version 15859477017269804138
      """#)

  @Test func `What is stored about servers changes only with its version`() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path).appending("remote.sqlite")
    // Closing its connection writes everything into the file.
    _ = RemoteDatabase(at: path)
    let (tables, version) = try DatabaseQueue(path: path.string).read { database in
      (
        try String.fetchAll(
          database, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"),
        try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      )
    }
    let file = RemoteFile(
      path: Array("a/b.jpg".utf8), key: RemoteListing.key(of: "nas:a/b.jpg".utf8), size: 1000, modified: 2000)
    let now = StoredForm(
      version: version,
      text: (tables + ["key \(file.key), version \(file.version)"]).joined(separator: "\n"))
    let constant = "the version in RemoteDatabase.init (Sources/RemoteLibrary/Storage/RemoteDatabase.swift)"
    #expect(Self.recorded.mismatch(with: now, constant: constant) == nil)
  }
}

package import AssetLibrary
import GRDB
import Pixels
package import SystemPackage

/// The index of all libraries as a file: how large it is, and how it is emptied.
///
/// The ledger beside it in the data folder, which can't be had again, is never touched.
package struct IndexCache: Sendable {
  package let path: FilePath

  package init(_ locations: LibraryLocations) {
    path = LibraryIndex.path(locations)
  }

  /// What the index takes up on disk, in bytes; nil where there is none.
  package var byteCount: Int? {
    let sizes = LibraryDatabase.files(of: path).map { try? FilePath($0).stat().size }
    guard sizes[0] != nil else { return nil }
    return sizes.lazy.map { Int($0 ?? 0) }.saturatedSum()
  }

  /// Forgets everything, so that the next start looks at every file anew.
  ///
  /// The file stays, almost empty: another tpick may have it open, and two files of one name would confuse SQLite.
  /// - Throws: `AssetError` when it can't be written.
  package func clear() throws(AssetError) {
    guard byteCount != nil else { return }
    do {
      let index = try LibraryIndex.open(path)
      defer { try? index.queue.close() }
      do {
        try index.write { try $0.execute(sql: "DELETE FROM folder") }
      } catch let error where LibraryDatabase.isDamage(error) {
        index.removeFile()
        return
      }
      // Where somebody reads meanwhile the file shrinks when that is over; nothing is in it any more.
      try? index.queue.inDatabase { database in
        try database.execute(sql: "VACUUM")
        try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
    } catch {
      throw AssetError(path.displayString, StorageNotes.reason(error))
    }
  }
}

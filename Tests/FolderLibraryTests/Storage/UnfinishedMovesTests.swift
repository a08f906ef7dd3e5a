import AssetLibrary
import Fixtures
import FoundationEssentials
import GRDB
import SystemPackage
import TestScheduling
import Testing
import Trash

@testable import FolderLibrary

/// Changes that were moving files to the trash, or back, when their process ended.
@Suite(.onOwnThreads) struct UnfinishedMovesTests {
  private let library: TestLibrary
  private var photos: TemporaryFolder { library.photos }

  init() throws {
    library = try TestLibrary()
    try photos.writePhoto("trip/IMG_1.jpg", day: 1)
    try photos.writePhoto("trip/IMG_E1.jpg", day: 1)
    try photos.writePhoto("trip/2.jpg", day: 2)
  }

  private var data: FilePath { library.locations.data }

  private var trash: DesktopTrash {
    get throws { try #require(library.locations.desktopTrash) }
  }

  /// The notes of unfinished moves.
  private var notes: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: data.string)) ?? []).filter {
      $0.hasPrefix("moves-")
    }
  }

  private func path(_ name: String) throws -> FilePath {
    try #require(photos.filePath.resolved).appending("trip").appending(name)
  }

  /// The contents of a store, without the change times of files, which moving them changes.
  private func unmoved(_ store: FolderAssetStore) -> LibrarySnapshot {
    var snapshot = contents(store)
    for index in snapshot.assets.indices {
      for number in snapshot.assets[index].resources.indices {
        snapshot.assets[index].resources[number].fileVersion = nil
      }
    }
    return snapshot
  }

  private func edited(_ store: FolderAssetStore) throws -> Asset {
    try #require(store.all().first { $0.hasAdjustments })
  }

  /// Moves files to the trash as a change does that has not been stored yet.
  private func begin(_ names: [String]) throws -> UnfinishedMoves {
    var moves: UnfinishedMoves?
    try trash.put(try names.map(path)) { (going) throws(TrashError) in
      moves = try UnfinishedMoves.begin(going, .deleting, in: data)
    }
    return try #require(moves)
  }

  @Test func `Files that an unfinished change has moved to the trash come back, but not while it is made`()
    throws
  {
    let before = unmoved(library.open())
    // An edit that is being reverted, and then the whole photo.
    for names in [["IMG_E1.jpg"], ["IMG_E1.jpg", "IMG_1.jpg"]] {
      do {
        let moves = try begin(names)
        _ = library.open()
        #expect(library.trashed == names.sorted())
        extendLifetime(moves)
      }
      // The process has ended: its lock is free.
      #expect(unmoved(library.open()) == before)
      #expect(library.trashed.isEmpty && library.notes.isEmpty && notes.isEmpty)
    }
  }

  @Test func `What the ledger has stored stays in the trash, and can be undone`() throws {
    let asset = try edited(library.open())
    for change in [AssetChange.revertToOriginal([asset.id]), .delete([asset.id])] {
      let store = library.open()
      let before = unmoved(store)
      let undo = try store.perform([change])
      #expect(notes.isEmpty)
      let trashed = library.trashed
      // The process ended after the change was stored, and before it removed its note.
      _ = try UnfinishedMoves.begin(try trash.list(), .deleting, in: data)
      #expect(notes.count == 1)
      let again = library.open()
      #expect(library.trashed == trashed && !trashed.isEmpty && notes.isEmpty)
      try again.perform(undo)
      #expect(unmoved(library.open()) == before)
    }
  }

  @Test func `What is never stored comes back, even if the ledger knows an earlier file at its place`() throws
  {
    let store = library.open()
    let (before, asset) = (unmoved(store), try edited(store))
    try store.perform([.revertToOriginal([asset.id])])
    // Another program restores the edit, so the ledger keeps its record, whose date has full seconds.
    let listed = try trash.list()
    try trash.restore(listed)
    let date = try #require(listed.first?.deleted)
    try trash.put([try path("IMG_E1.jpg")], deleted: date) { (going) throws(TrashError) in
      _ = try UnfinishedMoves.begin(going, .deletingUnstored, in: data)
    }
    #expect(try trash.list().map(\.file) == listed.map(\.file) && notes.count == 1)
    #expect(unmoved(library.open()) == before)
    #expect(library.trashed.isEmpty && notes.isEmpty)
  }

  @Test func `While the ledger can't be read, deleted photos stay in the trash`() throws {
    let asset = try edited(library.open())
    try library.open().perform([.delete([asset.id])])
    let trashed = library.trashed
    _ = try UnfinishedMoves.begin(try trash.list(), .deleting, in: data)
    func setVersion(_ version: Int) throws {
      let queue = try TestLibrary.queue(library.ledger)
      try queue.inDatabase { try $0.execute(sql: "PRAGMA user_version = \(version)") }
      try queue.close()
    }
    let version = try TestLibrary.queue(library.ledger).read {
      try Int.fetchOne($0, sql: "PRAGMA user_version")
    }
    // A newer tpick has written it.
    try setVersion(99)
    #expect(library.open().status.notes.count == 1)
    #expect(library.trashed == trashed && !trashed.isEmpty && notes.count == 1)
    try setVersion(try #require(version))
    _ = library.open()
    #expect(library.trashed == trashed && notes.isEmpty)
  }

  @Test func `A photo of which only some files were restored is restored as a whole`() throws {
    let store = library.open()
    let (before, asset) = (unmoved(store), try edited(store))
    try store.perform([.delete([asset.id])])
    let all = try trash.list()
    #expect(all.count == 2)
    _ = try UnfinishedMoves.begin(all, .restoring, in: data)
    try trash.restore([all[0]])
    let again = library.open()
    #expect(unmoved(again) == before)
    #expect(again.all().contains { $0.id == asset.id })
    #expect(library.trashed.isEmpty && notes.isEmpty)
  }

  @Test func `A file whose path is taken stays in the trash with a message, and the others come back`() throws
  {
    _ = library.open()
    _ = try begin(["2.jpg", "IMG_E1.jpg"])
    try photos.writePhoto("trip/2.jpg", day: 9)
    let store = library.open()
    #expect(library.trashed == ["2.jpg"])
    let file = try path("2.jpg")
    #expect(
      store.status.notes == ["\(file.string): something else is there now; it stays in the trash"])
    #expect(try edited(store).hasAdjustments)
    // It is said once.
    #expect(notes.isEmpty && library.open().status.notes.isEmpty)
  }

  @Test func `A missing folder is created again, and the files of a change that failed leave no note`() throws
  {
    let store = library.open()
    let before = unmoved(store)
    _ = try begin(["2.jpg", "IMG_1.jpg", "IMG_E1.jpg"])
    photos.remove("trip")
    // The folder is another one of the same name.
    let after = unmoved(library.open())
    #expect(after.assets == before.assets)
    #expect(after.collections.map(\.title) == before.collections.map(\.title))
    // The last one is missing, so none is moved.
    photos.remove("trip/2.jpg")
    #expect(throws: AssetError.self) { try store.perform([.delete(store.all().map(\.id))]) }
    #expect(notes.isEmpty && library.trashed.isEmpty)
  }

  @Test func `Notes that are damaged or of another version move nothing`() throws {
    _ = library.open()
    _ = try begin(["2.jpg"])
    let note = data.appending(try #require(notes.first))
    let whole = Array(try Data(contentsOf: URL(filePath: note.string)))
    let file = try path("2.jpg")
    let date = try #require(try trash.list().first?.deleted)
    #expect(
      String(decoding: whole, as: UTF8.self) == "tpick moves 1\0deleting\0\(file.string)\0\(date)\0end\0")
    // A newer tpick may have written it, or a fault of the disk damaged it.
    let other = Array("tpick moves 2\0".utf8) + whole.dropFirst(14)
    let damaged = [0, 5, 14, whole.count - 5, whole.count - 1].map { Array(whole.prefix($0)) }
    for bytes in damaged + [other] {
      try Data(bytes).write(to: URL(filePath: note.string))
      _ = library.open()
      #expect(library.trashed == ["2.jpg"] && notes.count == 1)
    }
    try Data(whole).write(to: URL(filePath: note.string))
    _ = library.open()
    #expect(library.trashed.isEmpty && notes.isEmpty)
  }
}

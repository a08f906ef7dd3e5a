import AssetLibrary
import Fixtures
import FoundationEssentials
import GRDB
import Glibc
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

/// The smart album Recently Deleted of folder libraries, also compared with a library in memory.
@Suite(.onOwnThreads) struct RecentlyDeletedTests {
  fileprivate static let album = SmartAlbum.recentlyDeleted.localIdentifier

  private let library: TestLibrary
  private var photos: TemporaryFolder { library.photos }

  init() throws {
    library = try TestLibrary()
    for number in 1...6 { try photos.writePhoto("\(number % 2)/\(number).jpg", day: number) }
  }

  private func asset(_ name: String, in store: FolderAssetStore) throws -> Asset {
    try #require(store.everything.first { $0.name == name })
  }

  /// Writes a photo of four files.
  private func writePair() throws {
    try photos.writePhoto("trip/IMG_1.jpg", day: 20)
    try photos.write(HandmadeMovie().bytes, to: "trip/IMG_1.mov")
    try photos.writePhoto("trip/IMG_E1.jpg", day: 20)
    try photos.write(Array("<x/>".utf8), to: "trip/IMG_1.xmp")
  }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(photos.path)/\(name)")
  }

  // MARK: Both libraries

  /// The assets and the counts of the library and of Recently Deleted.
  private struct View: Equatable {
    var library: Set<LocalIdentifier>
    var deleted: Set<LocalIdentifier>
    var counts: [String: Int?]

    init(_ store: some AssetStore) {
      library = Set(store.assets(in: nil, options: FetchOptions()).identifiers)
      deleted = Set(store.assets(in: RecentlyDeletedTests.album, options: FetchOptions()).identifiers)
      let collections = store.collections(of: [.smartAlbum, .recentlyDeleted], options: FetchOptions())
      counts = Dictionary(
        uniqueKeysWithValues: collections.filter {
          ["Recents", "Favorites", "Recently Deleted"].contains($0.title)
        }
        .map { ($0.title, $0.estimatedAssetCount) })
    }
  }

  @Test(arguments: 1...UInt64(TestSize.count(4, long: 8)))
  func `Folder and memory libraries agree on every deletion, and no photo is in two places`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var folders = library.open()
    let memory = MemoryAssetStore()
    for asset in folders.all() { memory.add(asset) }
    let assets = folders.all().map(\.id) + [LocalIdentifier("gone")]
    var erased: Set<LocalIdentifier> = []
    for step in 0..<30 {
      let before = View(folders)
      let changes = (0...Int.random(in: 0...1, using: &random)).map { _ -> AssetChange in
        let some = Array(assets.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)))
        return switch Int.random(in: 0..<7, using: &random) {
        case 0, 1, 2: .delete(some)
        case 3, 4: .restore(some)
        case 5: .setFavorite(some.first ?? assets[0], Bool.random(using: &random))
        default: .deletePermanently(some)
        }
      }
      var answers: [Result<[AssetChange], AssetError>] = []
      for perform in [folders.perform, memory.perform] {
        do throws(AssetError) { answers.append(.success(try perform(changes))) } catch {
          answers.append(.failure(error))
        }
      }
      #expect((try? answers[0].get()) == (try? answers[1].get()), "\(changes) \(answers)")
      if case .success = answers[0], case .deletePermanently(let gone) = changes[0] { erased.formUnion(gone) }
      if case .failure = answers[0] { #expect(View(folders) == before, "\(changes)") }
      if step % 10 == 5 { folders = library.open() }
      let view = View(folders)
      #expect(view == View(memory), "\(changes)")
      #expect(view.library.isDisjoint(with: view.deleted))
      #expect(view.library.union(view.deleted).union(erased) == Set(assets.dropLast()), "\(changes)")
      #expect(library.trashed.count == view.deleted.count && library.notes.count == view.deleted.count)
    }
  }

  // MARK: Restoring and deleting for good

  @Test func `A deleted photo has the paths of the trash, and knows when and from where it was deleted`()
    throws
  {
    try writePair()
    let store = library.open()
    let pair = try #require(store.all().first { $0.resources.count > 2 })
    let now = AssetDate.now
    let taken = AssetDate(year: 2019, month: 2, day: 3)
    try store.perform([.setFavorite(pair.id, true), .setCreationDate(pair.id, taken)])
    try store.perform([.delete([pair.id])])
    for store in [store, library.open()] {
      let deleted = try #require(store.deleted().first)
      #expect(deleted.id == pair.id && deleted.isFavorite && deleted.pixelSize == pair.pixelSize)
      #expect(deleted.creationDate == taken)
      #expect(deleted.deletion?.originalPath == pair.primaryResource?.path.resolvedFolder)
      let date = try #require(deleted.deletion?.date)
      #expect(abs(date.wallSeconds - now.wallSeconds) < 60)
      #expect(
        deleted.resources.map { [$0.type.rawValue, String(decoding: $0.filename, as: UTF8.self)] }
          == pair.resources.map { [$0.type.rawValue, String(decoding: $0.filename, as: UTF8.self)] })
      for (resource, before) in zip(deleted.resources, pair.resources) {
        #expect(resource.path.string.contains("/Trash/files/") && resource.byteCount == before.byteCount)
        #expect(try store.reader(for: resource).count == Int(before.byteCount))
      }
    }
    #expect(try store.perform([.restore([pair.id])]) == [.delete([pair.id])])
    #expect(store.deleted().isEmpty && library.open().deleted().isEmpty)
    let restored = try #require(store.all().first { $0.id == pair.id })
    #expect(restored.deletion == nil && restored.resources.count == pair.resources.count)
  }

  @Test func `A photo deleted for good is gone with all its files, and others stay`() throws {
    try writePair()
    let store = library.open()
    let pair = try #require(store.all().first { $0.resources.count > 2 })
    let other = try asset("1.jpg", in: store)
    try store.perform([.delete([pair.id, other.id])])
    #expect(library.trashed.count == pair.resources.count + 1)
    #expect(try store.perform([.deletePermanently([pair.id])]).isEmpty)
    #expect(library.trashed == ["1.jpg"] && library.notes == ["1.jpg.trashinfo"])
    for store in [store, library.open()] {
      #expect(store.deleted().map(\.id) == [other.id])
      #expect(store.all().count == 5)
      #expect(throws: AssetError(pair.id.rawValue, "is not in the trash any more", code: .notFound)) {
        try store.perform([.restore([pair.id])])
      }
    }
  }

  @Test func `Only deleted photos can be deleted for good, and only in a call of their own`() throws {
    let store = library.open()
    let (one, other) = (try asset("1.jpg", in: store).id, try asset("2.jpg", in: store).id)
    #expect(throws: AssetError.self) { try store.perform([.deletePermanently([one])]) }
    try store.perform([.delete([one])])
    let album = LocalIdentifier("userAlbum.none")
    for changes in [
      [.deletePermanently([one]), .delete([other])], [.delete([other]), .deletePermanently([one])],
      [.deletePermanently([one, other])], [.deletePermanently([one, one])],
      [.deletePermanently([one]), .createAlbum(album, title: "A")],
    ] as [[AssetChange]] {
      #expect(throws: AssetError.self, "\(changes)") { try store.perform(changes) }
      #expect(library.trashed == ["1.jpg"] && store.all().count == 5)
    }
  }

  @Test func `Of a photo with a file missing in the trash, the others are restored or deleted for good`()
    throws
  {
    try writePair()
    let store = library.open()
    let pair = try #require(store.all().first { $0.resources.count > 2 })
    try store.perform([.delete([pair.id])])
    library.removeFromTrash("IMG_E1.jpg")
    for store in [store, library.open()] {
      let deleted = try #require(store.deleted().first)
      #expect(deleted.id == pair.id && !deleted.resources.contains { $0.type == .fullSizePhoto })
    }
    try store.perform([.restore([pair.id])])
    #expect(store.all().first { $0.id == pair.id }?.resources.count == pair.resources.count - 1)
    try store.perform([.delete([pair.id])])
    library.removeFromTrash("IMG_1.jpg")
    try store.perform([.deletePermanently([pair.id])])
    #expect(library.trashed.isEmpty && library.notes.isEmpty)
  }

  @Test func `What took the name of a deleted photo's file in the trash is not deleted or restored with it`()
    throws
  {
    try writePair()
    let store = library.open()
    let pair = try #require(store.all().first { $0.resources.count > 2 })
    try store.perform([.delete([pair.id])])
    library.removeFromTrash("IMG_1.jpg")
    try library.moveToTrash("1/1.jpg", as: "IMG_1.jpg", deleted: "2099-01-01T00:00:00")
    library.removeFromTrash("IMG_1.mov")
    try library.writeToTrash(Array("kept".utf8), "IMG_1.mov/kept")
    try library.writeNote("IMG_1.mov", path: "\(photos.path)/trip/IMG_1.mov")
    try store.perform([.deletePermanently([pair.id])])
    #expect(Set(library.trashed).isSuperset(of: ["IMG_1.jpg", "IMG_1.mov"]))
    #expect(library.notes == ["IMG_1.jpg.trashinfo", "IMG_1.mov.trashinfo"])
    #expect(library.open().deleted().map(\.name) == ["IMG_1.jpg"])
  }

  @Test func `A photo that another program restored is not in the trash, whatever has its name there`() throws
  {
    let store = library.open()
    let one = try asset("1.jpg", in: store).id
    try store.perform([.delete([one])])
    try FileManager.default.moveItem(
      atPath: try #require(store.deleted().first?.primaryResource).path.string,
      toPath: "\(photos.path)/1/1.jpg")
    library.removeFromTrash("1.jpg")
    try library.moveToTrash("0/2.jpg", as: "1.jpg")
    let other = library.open()
    #expect(other.all().map(\.id).contains(one))
    for change in [AssetChange.deletePermanently([one]), .restore([one])] {
      #expect(throws: AssetError(one.rawValue, "is not in the trash any more", code: .notFound)) {
        try other.perform([change])
      }
    }
    #expect(library.trashed == ["1.jpg"] && !exists("0/2.jpg"))
  }

  @Test func `A photo that a program has rewritten keeps its identifier when it is restored by another run`()
    throws
  {
    let before = try asset("1.jpg", in: library.open()).id
    try photos.rewritePhoto("1/1.jpg", day: 1)
    let store = library.open()
    #expect(try asset("1.jpg", in: store).id == before)
    try store.perform([.delete([before])])
    let other = library.open()
    #expect(other.deleted().map(\.id) == [before])
    try other.perform([.restore([before])])
    #expect(try asset("1.jpg", in: other).id == before)
    #expect(try asset("1.jpg", in: library.open()).id == before)
  }

  // MARK: Edits

  /// Writes an edited photo, and returns its identifier and a library in memory with the same photos.
  private func writeEdit(
    _ name: String = "trip"
  ) throws -> (
    asset: LocalIdentifier, folders: FolderAssetStore, memory: MemoryAssetStore
  ) {
    try photos.writePhoto("\(name)/IMG_1.jpg", day: 20)
    try photos.writePhoto("\(name)/IMG_E1.jpg", day: 20)
    try photos.write(Array("<plist/>".utf8), to: "\(name)/IMG_1.AAE")
    let folders = library.open()
    let memory = MemoryAssetStore()
    for asset in folders.all() { memory.add(asset) }
    return (try #require(folders.all().first { $0.hasAdjustments }).id, folders, memory)
  }

  @Test func `The edit of a reverted photo is no deleted photo, and returns with the undo`() throws {
    let (edited, folders, memory) = try writeEdit()
    for store in [folders, memory] as [any AssetStore] {
      let before = View(store)
      let undo = try store.perform([.revertToOriginal([edited])])
      #expect(View(store) == before)
      #expect(before.deleted.isEmpty && before.counts["Recently Deleted"] == nil)
      try store.perform(undo)
      #expect(
        store.assets(in: nil, options: FetchOptions()).first { $0.id == edited }?.hasAdjustments == true)
      try store.perform([.revertToOriginal([edited])])
    }
    #expect(library.trashed == ["IMG_1.AAE", "IMG_E1.jpg"])
    #expect(library.open().deleted().isEmpty)
  }

  @Test func `A reverted photo is deleted and restored without its edit, which the undo still brings back`()
    throws
  {
    let (edited, folders, memory) = try writeEdit()
    for store in [folders, memory] as [any AssetStore] {
      let revert = try store.perform([.revertToOriginal([edited])])
      let restore = try store.perform([.delete([edited])])
      let deleted = store.assets(in: Self.album, options: FetchOptions())
      #expect(deleted.map(\.id) == [edited] && deleted[0].resources.count == 1)
      try store.perform(restore)
      #expect(View(store).deleted.isEmpty)
      #expect(
        store.assets(in: nil, options: FetchOptions()).first { $0.id == edited }?.hasAdjustments == false)
      try store.perform(revert)
      #expect(store.assets(in: nil, options: FetchOptions()).first { $0.id == edited }?.resources.count == 3)
    }
    #expect(library.trashed.isEmpty && exists("trip/IMG_E1.jpg") && exists("trip/IMG_1.AAE"))
  }

  @Test func `An edit is a deleted photo of its own once its original is deleted for good`() throws {
    let (edited, folders, memory) = try writeEdit()
    for store in [folders, memory] as [any AssetStore] {
      try store.perform([.revertToOriginal([edited])])
      try store.perform([.delete([edited])])
      try store.perform([.deletePermanently([edited])])
      let left = try #require(store.assets(in: Self.album, options: FetchOptions()).first)
      #expect(left.id != edited && left.primaryResource?.filename == Array("IMG_E1.jpg".utf8))
      #expect(View(store).deleted.count == 1)
      try store.perform([.deletePermanently([left.id])])
      #expect(View(store).deleted.isEmpty)
    }
    #expect(!library.trashed.contains("IMG_E1.jpg") && !exists("trip/IMG_1.jpg"))
  }

  @Test func `If the original is gone, its edit is listed`() throws {
    let (edited, folders, _) = try writeEdit()
    try folders.perform([.revertToOriginal([edited])])
    try photos.writePhoto("trip/other.jpg", day: 21)
    photos.remove("trip/IMG_1.jpg")
    #expect(library.open().deleted().map(\.name) == ["IMG_E1.jpg"])
    // Also if another program has moved the original to the trash, there is one photo.
    library.emptyTrash()
    let (other, again, _) = try writeEdit("day")
    try again.perform([.revertToOriginal([other])])
    try library.moveToTrash("day/IMG_1.jpg")
    #expect(library.open().deleted().map(\.name) == ["IMG_1.jpg"])
  }

  @Test func `Records of files that are gone do not stand for those that have their paths now`() throws {
    // The records are read in the order of the identifiers, which are random.
    for round in 0..<8 {
      let (edited, store, _) = try writeEdit("round\(round)")
      try store.perform([.revertToOriginal([edited])])
      #expect(library.open().deleted().isEmpty, "\(round)")
      try store.perform([.delete([edited])])
      #expect(library.open().deleted().map(\.id) == [edited], "\(round)")
      library.emptyTrash()
      // As an early version stored them; two deletions in one second have equal dates, too.
      let queue = try TestLibrary.queue(library.ledger)
      try queue.inDatabase {
        try $0.execute(sql: "UPDATE reverted SET date = NULL; UPDATE deleted SET date = NULL")
      }
      try queue.close()
    }
  }

  @Test func `If the return of an edit can't be stored, it can be undone later`() throws {
    let (edited, store, _) = try writeEdit()
    let undo = try store.perform([.revertToOriginal([edited])])
    let queue = try TestLibrary.queue(library.ledger)
    try queue.inDatabase {
      try $0.execute(sql: "UPDATE reverted SET date = '2020-01-02T03:04:05'")
      try $0.execute(
        sql: "CREATE TRIGGER full BEFORE DELETE ON reverted BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
    }
    try queue.close()
    // As if the edit had been deleted long ago.
    for name in ["IMG_1.AAE", "IMG_E1.jpg"] {
      try library.writeNote(name, path: "\(photos.filePath.resolved?.string ?? photos.path)/trip/\(name)")
    }
    #expect(throws: AssetError("favorites and albums", "disk is full")) { try store.perform(undo) }
    #expect(library.trashed == ["IMG_1.AAE", "IMG_E1.jpg"])
    let other = try TestLibrary.queue(library.ledger)
    try other.inDatabase { try $0.execute(sql: "DROP TRIGGER full") }
    try other.close()
    try store.perform(undo)
    #expect(library.trashed.isEmpty && exists("trip/IMG_E1.jpg"))
  }

  // MARK: Other programs

  @Test func `A file that has taken the path of a deleted file in the trash is another photo`() throws {
    let (edited, store, _) = try writeEdit()
    let (one, two) = (try asset("1.jpg", in: store).id, try asset("2.jpg", in: store).id)
    let three = try asset("3.jpg", in: store).id
    let undo = try store.perform([.revertToOriginal([edited])])
    try store.perform([.delete([one])])
    library.removeFromTrash("1.jpg")
    try library.moveToTrash("0/2.jpg", as: "1.jpg")
    library.removeFromTrash("IMG_E1.jpg")
    try library.moveToTrash("1/3.jpg", as: "IMG_E1.jpg")
    let other = library.open()
    #expect(Set(other.deleted().map(\.id)) == [two, three])
    for change in [AssetChange.restore([one]), .deletePermanently([one])] {
      #expect(throws: AssetError(one.rawValue, "is not in the trash any more", code: .notFound)) {
        try other.perform([change])
      }
    }
    #expect(throws: AssetError(edited.rawValue, "its edit is not in the trash any more", code: .notFound)) {
      try other.perform(undo)
    }
    #expect(library.trashed == ["1.jpg", "IMG_1.AAE", "IMG_E1.jpg"])
    try other.perform([.restore([two, three])])
    #expect(exists("0/2.jpg") && exists("1/3.jpg") && !exists("1/1.jpg"))
  }

  @Test func `What an earlier version moved to the trash, without dates in its ledger, is restored`() throws {
    let (edited, first, _) = try writeEdit()
    let one = try asset("1.jpg", in: first).id
    // The file of a photo that was rewritten does not tell its identifier.
    try photos.rewritePhoto("1/1.jpg", day: 1)
    let store = library.open()
    let undo = try store.perform([.revertToOriginal([edited])])
    try store.perform([.delete([one])])
    let queue = try TestLibrary.queue(library.ledger)
    try queue.inDatabase {
      try $0.execute(
        sql: """
          ALTER TABLE deleted DROP COLUMN date; ALTER TABLE reverted DROP COLUMN date; PRAGMA user_version = 4
          """)
    }
    try queue.close()
    let other = library.open()
    #expect(other.status.notes.isEmpty)
    #expect(other.deleted().map(\.id) == [one])
    try other.perform([.restore([one])])
    try other.perform(undo)
    #expect(library.trashed.isEmpty && library.open().all().map(\.id).contains(one))
  }

  @Test func `What another program removes from the trash is gone at the next look`() throws {
    let store = library.open()
    let assets = store.all().filter { ["1.jpg", "2.jpg", "3.jpg"].contains($0.name) }
    try store.perform([.delete(assets.map(\.id))])
    #expect(store.deleted().count == 3)
    library.removeFromTrash("2.jpg")
    #expect(Set(store.deleted().map(\.name)) == ["1.jpg", "3.jpg"])
    library.emptyTrash()
    #expect(store.deleted().isEmpty)
    #expect(store.collections(of: .recentlyDeleted, options: FetchOptions()).isEmpty)
    #expect(throws: AssetError.self) { try store.perform([.deletePermanently([assets[0].id])]) }
  }

  @Test func `Photos that another program moved to the trash are listed, restored and deleted for good`()
    throws
  {
    try writePair()
    let first = library.open()
    let pair = try #require(first.all().first { $0.resources.count > 2 })
    let (kept, erased) = (try asset("1.jpg", in: first).id, try asset("2.jpg", in: first).id)
    for name in ["IMG_1.jpg", "IMG_1.mov", "IMG_E1.jpg", "IMG_1.xmp"] {
      try library.moveToTrash("trip/\(name)")
    }
    try library.moveToTrash("1/1.jpg")
    try library.moveToTrash("0/2.jpg")
    let store = library.open()
    let deleted = store.deleted()
    #expect(Set(deleted.map(\.id)) == [pair.id, kept, erased])
    #expect(deleted.first { $0.id == pair.id }?.resources.count == pair.resources.count)
    try store.perform([.deletePermanently([erased])])
    #expect(try store.perform([.restore([pair.id, kept])]) == [.delete([pair.id, kept])])
    #expect(library.trashed.isEmpty && library.notes.isEmpty && !exists("0/2.jpg"))
    #expect(Set(store.all().map(\.id)).isSuperset(of: [pair.id, kept]))
    #expect(store.all().first { $0.id == pair.id }?.resources.count == pair.resources.count)
  }

  @Test func `Photos of a folder that was deleted too are restored with their folder`() throws {
    try photos.writePhoto("trip/day/7.jpg", day: 7)
    let before = try asset("7.jpg", in: library.open()).id
    try library.moveToTrash("trip/day/7.jpg")
    photos.remove("trip")
    let store = library.open()
    #expect(store.deleted().map(\.id) == [before])
    #expect(try store.perform([.restore([before])]) == [.delete([before])])
    #expect(exists("trip/day/7.jpg") && store.all().map(\.id).contains(before))
  }

  @Test func `The former version of an edited photo in the trash is not the photo`() throws {
    let before = try asset("1.jpg", in: library.open()).id
    try library.moveToTrash("1/1.jpg")
    try photos.writePhoto("1/1.jpg", day: 1)
    let store = library.open()
    #expect(try asset("1.jpg", in: store).id == before)
    let former = try #require(store.deleted().first)
    #expect(former.id != before && store.deleted().count == 1)
    #expect(throws: AssetError.self) { try store.perform([.restore([former.id])]) }
    #expect(library.trashed == ["1.jpg"])
    try store.perform([.deletePermanently([former.id])])
    #expect(library.trashed.isEmpty && exists("1/1.jpg") && store.all().count == 6)
  }

  @Test func `Two photos deleted from one path are two photos`() throws {
    try library.moveToTrash("1/1.jpg")
    try photos.writePhoto("1/1.jpg", day: 9)
    try library.moveToTrash("1/1.jpg", as: "1.2.jpg")
    let store = library.open()
    let deleted = store.deleted()
    #expect(Set(deleted.map(\.name)) == ["1.jpg", "1.2.jpg"] && Set(deleted.map(\.id)).count == 2)
    #expect(deleted.allSatisfy { $0.deletion?.originalPath.nameBytes == Array("1.jpg".utf8) })
    try store.perform([.deletePermanently([try #require(deleted.first { $0.name == "1.jpg" }).id])])
    #expect(library.trashed == ["1.2.jpg"] && store.deleted().map(\.name) == ["1.2.jpg"])
  }

  @Test func `What did not come from the library, or can't be trusted, is neither shown nor deleted`() throws
  {
    try library.moveToTrash("1/1.jpg")
    let photo = try TestPhoto(width: 16, height: 12).bytes()
    let foreign: [(name: String, path: String)] = [
      ("outside.jpg", "/etc/outside.jpg"), ("sibling.jpg", "\(photos.path)-other/sibling.jpg"),
      ("up.jpg", "\(photos.path)/../up.jpg"), ("relative.jpg", "../../up.jpg"),
      ("cache.jpg", "\(photos.path)/.thumbnails/cache.jpg"), ("._fork.jpg", "\(photos.path)/1/._fork.jpg"),
      ("notes.txt", "\(photos.path)/1/notes.txt"),
    ]
    for (name, path) in foreign {
      try library.writeToTrash(photo, name)
      try library.writeNote(name, path: path)
    }
    // A link out of the trash, a folder, a file without a trash info file, and the reverse.
    try library.linkInTrash("link.jpg", to: "\(photos.path)/1/3.jpg")
    try library.writeNote("link.jpg", path: "\(photos.path)/1/link.jpg")
    try library.writeToTrash(photo, "folder.jpg/inner.jpg")
    try library.writeNote("folder.jpg", path: "\(photos.path)/1/folder.jpg")
    try library.writeToTrash(photo, "unknown.jpg")
    try library.writeNote("missing.jpg", path: "\(photos.path)/1/missing.jpg")
    let before = library.trashed
    let store = library.open()
    #expect(store.deleted().map(\.name) == ["1.jpg"])
    try store.perform([.deletePermanently(store.deleted().map(\.id))])
    #expect(library.trashed == before.filter { $0 != "1.jpg" } && exists("1/3.jpg"))
    #expect(library.open().deleted().isEmpty)
  }

  @Test func `A watching library shows what it deletes, and what another program empties, without waiting`()
    throws
  {
    let store = library.follow()
    let assets = store.all().filter { ["1.jpg", "2.jpg"].contains($0.name) }
    try store.perform([.delete(assets.map(\.id))])
    #expect(eventually { store.deleted().count == 2 })
    try store.perform([.restore([assets[0].id])])
    #expect(store.deleted().map(\.id) == [assets[1].id])
    library.emptyTrash()
    #expect(eventually { store.deleted().isEmpty })
  }

  // MARK: Fetching

  @Test func `Photos deleted last come first, and can be sorted, filtered, searched and limited`() throws {
    for (number, deleted) in [
      (1, "2021-03-01T10:00:00"), (2, "2022-03-01T10:00:00"), (3, "2020-03-01T10:00:00"),
    ] {
      try library.moveToTrash("\(number % 2)/\(number).jpg", deleted: deleted)
    }
    let store = library.open()
    func names(_ change: (inout FetchOptions) -> Void) -> [String] {
      var options = FetchOptions()
      options.sortDescriptors = []
      change(&options)
      return store.deleted(options).map(\.name)
    }
    #expect(names { _ in } == ["2.jpg", "1.jpg", "3.jpg"])
    #expect(names { $0.sortDescriptors = AssetSort.given.descriptors } == ["2.jpg", "1.jpg", "3.jpg"])
    #expect(
      names { $0.sortDescriptors = AssetSort.givenReversed.descriptors } == ["3.jpg", "1.jpg", "2.jpg"])
    #expect(names { $0.sortDescriptors = AssetSort.newest.descriptors } == ["3.jpg", "2.jpg", "1.jpg"])
    #expect(names { $0.fetchLimit = 2 } == ["2.jpg", "1.jpg"])
    #expect(names { $0.filter = .matching(.videos) }.isEmpty)
    let path = try SearchQuery(parsing: "path:1/1")
    #expect(names { $0.search = path } == ["1.jpg"])
    #expect(store.deleted()[0].deletion?.date == AssetDate(year: 2022, month: 3, day: 1, hour: 10))
    // A search of all photos does not find them, and neither do the other collections.
    var search = FetchOptions()
    search.search = try SearchQuery(parsing: "1.jpg")
    #expect(store.all(search).isEmpty)
    let collections = store.collections(of: [.all, .recentlyDeleted], options: FetchOptions())
    let gone = Set(store.deleted().map(\.id))
    #expect(collections.map(\.subtype).contains(.smartAlbumRecentlyDeleted))
    for collection in collections where collection.subtype != .smartAlbumRecentlyDeleted {
      #expect(gone.isDisjoint(with: store.assets(in: collection.id, options: FetchOptions()).identifiers))
    }
    #expect(
      !store.collections(of: .all, options: FetchOptions()).contains {
        $0.subtype == .smartAlbumRecentlyDeleted
      })
  }

  @Test(.enabled(if: MountedDisk.isAllowed, "mounting is not allowed here"))
  func `Photos in the trash of a disk are listed while it is mounted, and those in the home always`() throws {
    let disk = try #require(MountedDisk(in: photos, "size=1m"))
    try photos.writePhoto("disk/9.jpg", day: 9)
    let store = library.open()
    try store.perform([
      .delete([try asset("9.jpg", in: store).id, try asset("1.jpg", in: store).id])
    ])
    #expect(library.trashed == ["1.jpg"])
    #expect(Set(library.open().deleted().map(\.name)) == ["9.jpg", "1.jpg"])
    #expect(umount2(disk.place, 2) == 0)
    #expect(library.open().deleted().map(\.name) == ["1.jpg"])
    extendLifetime(disk)
  }

  @Test func `A hidden photo stays hidden among the deleted ones`() throws {
    let store = library.open()
    let hidden = try asset("1.jpg", in: store).id
    try store.perform([.setHidden(hidden, true)])
    try store.perform([.delete([hidden])])
    #expect(store.deleted().isEmpty)
    var options = FetchOptions()
    options.includeHiddenAssets = true
    #expect(store.deleted(options).map(\.id) == [hidden])
  }

  @Test func `Deleted photos are reported as deleted once, and restored ones as inserted`() throws {
    let store = library.open()
    let asset = try asset("1.jpg", in: store).id
    var token = try store.persistentChanges(since: nil).token
    func changes() throws -> [String] {
      let answer = try store.persistentChanges(since: token)
      token = answer.token
      return answer.changes.map { "\($0.kind) \($0.identifier)" }
    }
    try store.perform([.delete([asset])])
    #expect(try changes() == ["deleted \(asset)"])
    #expect(try changes().isEmpty)
    try store.perform([.restore([asset])])
    #expect(try changes() == ["inserted \(asset)"])
    try store.perform([.delete([asset])])
    try store.perform([.deletePermanently([asset])])
    #expect(try changes() == ["deleted \(asset)"])
  }
}

extension FolderAssetStore {
  /// The assets of Recently Deleted, those deleted last first.
  fileprivate func deleted(_ options: FetchOptions? = nil) -> [Asset] {
    var own = FetchOptions()
    own.sortDescriptors = []
    return Array(assets(in: RecentlyDeletedTests.album, options: options ?? own))
  }
}

extension FilePath {
  /// The path with the links of its folders resolved.
  fileprivate var resolvedFolder: FilePath? {
    removingLastComponent().resolved?.appendingName(nameBytes)
  }
}

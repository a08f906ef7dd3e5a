import AssetLibrary
import CPlatform
import Fixtures
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

/// Which asset a file is, after any renames and writes.
@Suite(.onOwnThreads) struct IdentityTests {
  /// How the second reading of a library follows the first.
  enum Way: CaseIterable {
    /// One store that watches the folder.
    case watched
    /// Two runs that share the index.
    case reopened
    /// Two runs that share the ledger but not the index.
    case withoutIndex
    /// Two runs that share nothing.
    case withoutAnything
  }

  private let library: TestLibrary
  private var photos: TemporaryFolder { library.photos }

  init() throws {
    library = try TestLibrary()
    try photos.writePhoto("a.jpg", day: 1)
    try photos.writePhoto("b.jpg", day: 2)
    try photos.writePhoto("sub/c.jpg", day: 3)
  }

  /// Returns the identifiers before and after an edit.
  private func compare(
    _ way: Way, _ edit: () throws -> Void
  ) throws -> (before: [String: LocalIdentifier], after: [String: LocalIdentifier]) {
    switch way {
    case .watched:
      let store = library.follow()
      let before = store.identifiers(below: photos)
      try edit()
      let expected = names(of: folderLibrary())
      #expect(eventually { names(of: store) == expected })
      return (before, store.identifiers(below: photos))
    case .reopened, .withoutIndex:
      let before = library.open().identifiers(below: photos)
      try edit()
      if way == .withoutIndex { library.clearCache() }
      return (before, library.open().identifiers(below: photos))
    case .withoutAnything:
      let before = folderLibrary().identifiers(below: photos)
      try edit()
      return (before, folderLibrary().identifiers(below: photos))
    }
  }

  private func folderLibrary() -> FolderAssetStore { photos.library() }

  /// Names and capture days, which show whether a store has seen the last edit.
  private func names(of store: FolderAssetStore) -> Set<String> {
    Set(store.everything.map { String(decoding: $0.pathBytes, as: UTF8.self) + "\($0.creationDate)" })
  }

  @Test(arguments: Way.allCases)
  func `A rename keeps the identifier`(way: Way) throws {
    let (before, after) = try compare(way) { try photos.rename("a.jpg", to: "z.jpg") }
    #expect(after == ["z.jpg": before["a.jpg"], "b.jpg": before["b.jpg"], "sub/c.jpg": before["sub/c.jpg"]])
  }

  @Test(arguments: Way.allCases)
  func `A move to another folder keeps the identifier`(way: Way) throws {
    let (before, after) = try compare(way) {
      try photos.makeFolder("new")
      try photos.rename("a.jpg", to: "new/a.jpg")
      try photos.rename("sub/c.jpg", to: "c.jpg")
    }
    #expect(after == ["new/a.jpg": before["a.jpg"], "b.jpg": before["b.jpg"], "c.jpg": before["sub/c.jpg"]])
  }

  @Test(arguments: Way.allCases)
  func `A renamed folder's assets and album keep their identifiers`(way: Way) throws {
    let (before, after) = try compare(way) { try photos.rename("sub", to: "other") }
    #expect(after["other/c.jpg"] == before["sub/c.jpg"])
    #expect(after.count == 3)
  }

  @Test(arguments: [Way.watched, .reopened, .withoutIndex])
  func `A file that was replaced keeps the identifier of its name`(way: Way) throws {
    let (before, after) = try compare(way) { try photos.rewritePhoto("a.jpg", day: 9) }
    #expect(before == after)
  }

  @Test(arguments: Way.allCases)
  func `A file that was overwritten keeps its identifier`(way: Way) throws {
    let (before, after) = try compare(way) { try photos.writePhoto("a.jpg", day: 9) }
    #expect(before == after)
  }

  @Test(arguments: [Way.watched, .reopened, .withoutAnything])
  func `Two files that swap names keep their identifiers`(way: Way) throws {
    let (before, after) = try compare(way) {
      try photos.rename("a.jpg", to: "aside")
      try photos.rename("b.jpg", to: "a.jpg")
      try photos.rename("aside", to: "b.jpg")
    }
    #expect(after["a.jpg"] == before["b.jpg"])
    #expect(after["b.jpg"] == before["a.jpg"])
  }

  @Test(arguments: [Way.watched, .reopened, .withoutAnything])
  func `A backup keeps the identifier, and the file written in its place gets a new one`(way: Way) throws {
    let (before, after) = try compare(way) {
      try photos.rename("a.jpg", to: "a-backup.jpg")
      try photos.writePhoto("a.jpg", day: 9)
    }
    #expect(after["a-backup.jpg"] == before["a.jpg"])
    #expect(after["a.jpg"] != before["a.jpg"])
    #expect(Set(after.values).count == 4)
  }

  @Test(arguments: Way.allCases)
  func `A new file with the inode number of a removed one is another asset`(way: Way) throws {
    // Some file systems reuse the inode number for the next file, others never: here it is the only difference.
    let (before, after) = try compare(way) {
      photos.remove("a.jpg")
      try photos.writePhoto("new.jpg", day: 9)
    }
    #expect(!before.values.contains(try #require(after["new.jpg"])))
  }

  @Test func `A new file in an emptied folder is another asset, whatever its name`() throws {
    let before = library.open().identifiers(below: photos)
    photos.remove("sub/c.jpg")
    #expect(library.open().names.sorted() == ["a.jpg", "b.jpg"])
    try photos.writePhoto("filler.jpg")
    try photos.writePhoto("sub/c.jpg", day: 9)
    let after = library.open().identifiers(below: photos)
    #expect(after["sub/c.jpg"] != before["sub/c.jpg"])
  }

  @Test(arguments: [Way.reopened, .withoutIndex])
  func `First-seen dates are stored`(way: Way) throws {
    _ = library.open()
    try photos.writePhoto("later.jpg")
    let before = library.open().everything
    if way == .withoutIndex { library.clearCache() }
    #expect(library.open().everything.map(\.addedDate) == before.map(\.addedDate))
  }

  @Test func `First-seen dates survive a time during which the folder is empty`() throws {
    let outside = try TemporaryFolder()
    let added = { (name: String) in library.open().everything.first { $0.name == name }?.addedDate }
    _ = library.open()
    try library.age("a.jpg", bySeconds: 86_400)
    try library.age("b.jpg", bySeconds: 86_400)
    let (first, second) = (try #require(added("a.jpg")), try #require(added("b.jpg")))
    for name in ["a.jpg", "b.jpg"] {
      try photos.move(name, to: outside)
    }
    #expect(library.open().names == ["c.jpg"])
    try outside.move("a.jpg", to: photos)
    try photos.writePhoto("b.jpg", day: 9)
    #expect(added("a.jpg") == first)
    #expect(try #require(added("b.jpg")).wallSeconds > second.wallSeconds)
  }

  @Test func `A file that was replaced, and renamed in a later run, keeps its identifier`() throws {
    let before = library.open().identifiers(below: photos)
    try photos.rewritePhoto("a.jpg", day: 9)
    _ = library.open()
    try photos.rename("a.jpg", to: "sub/renamed.jpg")
    #expect(library.open().identifiers(below: photos)["sub/renamed.jpg"] == before["a.jpg"])
    try photos.rename("sub/renamed.jpg", to: "again.jpg")
    #expect(library.open().identifiers(below: photos)["again.jpg"] == before["a.jpg"])
  }

  @Test func `A file that was replaced, overwritten and renamed while watched keeps its identifier`()
    throws
  {
    let store = library.follow()
    let before = store.identifiers(below: photos)
    for (day, edit) in [
      (9, { try photos.rewritePhoto("a.jpg", day: 9) }),
      (10, { try photos.writePhoto("a.jpg", day: 10) }),
    ] as [(Int, () throws -> Void)] {
      try edit()
      #expect(
        eventually { store.all().contains { $0.name == "a.jpg" && $0.creationDate.components.day == day } })
    }
    try photos.rename("a.jpg", to: "z.jpg")
    #expect(eventually { store.identifiers(below: photos)["z.jpg"] != nil })
    #expect(store.identifiers(below: photos)["z.jpg"] == before["a.jpg"])
    #expect(store.identifiers(below: photos)["a.jpg"] == nil)
  }

  @Test
  func `A file that was replaced in an earlier run, then overwritten and renamed, keeps its identifier`()
    throws
  {
    let before = library.open().identifiers(below: photos)
    try photos.rewritePhoto("a.jpg", day: 9)
    _ = library.open()
    let store = library.follow()
    try photos.writePhoto("a.jpg", day: 10)
    #expect(
      eventually { store.all().contains { $0.name == "a.jpg" && $0.creationDate.components.day == 10 } })
    try photos.rename("a.jpg", to: "z.jpg")
    #expect(eventually { store.identifiers(below: photos)["z.jpg"] != nil })
    #expect(store.identifiers(below: photos)["z.jpg"] == before["a.jpg"])
  }

  @Test(arguments: [Way.watched, .reopened])
  func `Each hard link of a file is an asset of its own`(way: Way) throws {
    let (before, after) = try compare(way) {
      try photos.hardLink("sub/second.jpg", to: "a.jpg")
      try photos.link("third.jpg", to: "b.jpg")
    }
    #expect(after["a.jpg"] == before["a.jpg"])
    #expect(after["b.jpg"] == before["b.jpg"])
    #expect(Set(after.values).count == 5)
    #expect(library.open().identifiers(below: photos) == after)
  }

  @Test func `Removing a second hard link leaves the first asset unchanged`() throws {
    try photos.hardLink("second.jpg", to: "a.jpg")
    let before = library.open().identifiers(below: photos)
    photos.remove("second.jpg")
    let after = library.open().identifiers(below: photos)
    #expect(after["a.jpg"] == before["a.jpg"])
    #expect(after.count == 3)
  }

  @Test func `A file that is named twice is one asset`() {
    let path = photos.filePath(of: "a.jpg")
    let store = library.open([path, path, photos.filePath, photos.filePath(of: "sub/../a.jpg")])
    #expect(store.names.sorted() == ["a.jpg", "b.jpg", "c.jpg"])
  }

  @Test func `A reused inode number inherits nothing from the removed file`() {
    let registry = IdentityRegistry()
    registry.remember(inode: 5, size: 10, modified: 7, as: 99)
    var status = file_status()
    (status.device, status.inode, status.size, status.modified, status.born) = (1, 5, 10, 7, 3)
    let identifier = { (status: file_status) in
      registry.identifier(of: status, linkHash: nil, previous: nil) { _ in false }
    }
    #expect(identifier(status) == 99)
    for change: (inout file_status) -> Void in [
      { $0.size = 11 }, { $0.modified = 8 }, { $0.inode = 6 },
    ] {
      var other = status
      change(&other)
      #expect(identifier(other) == IdentityRegistry.key(of: other, linkHash: nil))
    }
    // With another birth time it is another file.
    var later = status
    later.born = 4
    #expect(IdentityRegistry.key(of: later, linkHash: nil) != IdentityRegistry.key(of: status, linkHash: nil))
  }

  @Test func `A folder does not include one whose name merely begins with its own`() throws {
    let library = try TestLibrary()
    for folder in ["Pictures", "Pictures2", "Pictures 2", "Pictures.old"] {
      try library.photos.writePhoto("\(folder)/\(folder).jpg")
      try library.photos.writePhoto("\(folder)/deep/\(folder).jpg")
    }
    let store = library.open()
    #expect(store.everything.count == 8)
    let inside = try store.identifiers(at: library.photos.filePath(of: "Pictures"))
    #expect(Set(store.everything.filter { inside.contains($0.id) }.map(\.name)) == ["Pictures.jpg"])
    #expect(inside.count == 2)
    // The index does not mix them up either.
    let alone = FolderAssetStore(
      sources: [library.photos.filePath(of: "Pictures")], locations: library.locations, following: .quick)
    alone.start()
    #expect(eventually { alone.status.assetCount > 0 })
    #expect(alone.everything.map(\.name) == ["Pictures.jpg", "Pictures.jpg"])
    alone.updater.stop()
  }

  @Test func `A copy is another asset`() throws {
    let before = library.open().identifiers(below: photos)
    try photos.writePhoto("copy/a.jpg", day: 1)
    let after = library.open().identifiers(below: photos)
    #expect(after["a.jpg"] == before["a.jpg"])
    #expect(Set(after.values).count == 4)
  }
}

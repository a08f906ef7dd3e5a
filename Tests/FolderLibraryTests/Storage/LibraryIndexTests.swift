import AssetLibrary
import CodecProtocol
import Fixtures
import FoundationEssentials
import GRDB
import Glibc
import Pixels
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

/// What is stored between runs, and what happens when it is damaged.
@Suite(.onOwnThreads) struct LibraryIndexTests {
  private let library: TestLibrary
  private var photos: TemporaryFolder { library.photos }

  init() throws {
    library = try TestLibrary()
    var photo = TestPhoto(width: 64, height: 32, orientation: .rightTop, date: .day(3))
    photo.setCamera()
    photo.embedThumbnail()
    try photos.write(try photo.bytes(), to: "2024/camera.jpg")
    try photos.write(try photo.bytes(), to: "2024/.dotted.jpg")
    try photos.write(Array("no picture".utf8), to: "2024/broken.jpg")
    try photos.write(Array("a letter".utf8), to: "2024/letter.txt")
    let xmp = MetadataSegments.xmp(
      attributes: "xmp:Rating=\"5\"",
      elements: MetadataSegments.list("dc:subject", ["sea", "sun"])
        + MetadataSegments.list("dc:title", ["On the beach"], kind: "Alt"))
    try photos.write(MetadataSegments.jpeg(MetadataSegments.xmpSegment(xmp)), to: "2024/trip/tagged.jpg")
    try photos.write(xmp, to: "2024/camera.xmp")
    try photos.write(PictureFiles.gif(width: 8, height: 8, frames: 3), to: "fun/a.gif")
    try photos.writePhoto("fun/x_BURST001.jpg", day: 8)
    try photos.writePhoto("fun/x_BURST002_COVER.jpg", day: 9)
    try photos.writePhoto("secret/a.jpg", day: 10)
    try photos.write([], to: "secret/.nomedia")
    try photos.makeFolder("empty")
  }

  @Test func `A reopened library equals a freshly read one in every respect`() throws {
    let fresh = LibrarySnapshot(photos.library())
    #expect(fresh.assets.count == 8)
    #expect(library.snapshot() == fresh)
    #expect(library.snapshot() == fresh)
    let second = library.open()
    let details = try second.details(of: try #require(second.all().first { $0.name == "camera.jpg" }))
    #expect(details.camera == "Canon EOS 90D")
  }

  @Test func `A completely read source replaces the folders in it`() throws {
    _ = library.open()
    let root = try #require(photos.filePath.resolved).bytes
    let storage = LibraryStorage(library.locations)
    #expect(storage.wasCompleted(root))
    #expect(!storage.wasCompleted(root + Array("/2024".utf8)))
    #expect(storage.page(of: root + Array("/2024".utf8), pool: StringPool()) != nil)
  }

  @Test func `Nothing of a removed folder stays in the index`() throws {
    _ = library.open()
    let fun = try #require(photos.filePath.resolved).bytes + Array("/fun".utf8)
    #expect(LibraryStorage(library.locations).page(of: fun, pool: StringPool()) != nil)
    photos.remove("fun")
    _ = library.open()
    #expect(LibraryStorage(library.locations).page(of: fun, pool: StringPool()) == nil)
  }

  @Test func `An index of many folders returns each of them once`() throws {
    let many = try TestLibrary()
    let photo = try TestPhoto(width: 8, height: 8).bytes()
    for number in 0..<70 { try many.photos.write(photo, to: "\(number)/a.jpg") }
    _ = many.open()
    let root = try #require(many.photos.filePath.resolved).bytes
    let storage = LibraryStorage(many.locations)
    var paths: [[UInt8]] = []
    storage.readPages(below: root, pool: StringPool()) { pages in paths += pages.map(\.canonicalPath) }
    #expect(paths.count == 71 && Set(paths).count == 71)
    #expect(paths.first == root)
  }

  @Test func `The index is available before anything is scanned`() throws {
    let first = library.open()
    let model = LibraryModel()
    let scan = LibraryScan(
      model: model, storage: LibraryStorage(library.locations), watch: nil, helper: nil)
    scan.context.loadIndex(of: LibrarySources([photos.filePath]))
    var options = FetchOptions()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    #expect(Array(model.table.assets(in: nil, options: options)) == first.everything)
  }

  @Test func `On a screen the index is available before it is compared with the disk`() throws {
    let before = library.open().everything
    photos.remove("2024/camera.jpg")
    let store = FolderAssetStore(
      sources: [photos.filePath], locations: library.locations, following: .quick)
    store.start()
    #expect(eventually { store.status.assetCount == before.count })
    #expect(store.everything == before)
    #expect(!store.status.isComplete)
    store.allowBackgroundWork()
    #expect(eventually { store.status.isComplete })
    #expect(store.everything.count == before.count - 1)
  }

  @Test func `Unchanged files are not read again`() throws {
    let before = library.open().everything
    // No reader is available.
    let again = library.open(reader: MetadataClient(program: "/nonexistent/reader"))
    #expect(again.everything == before)
  }

  @Test func `A file that changed under the same name, size and time is read again`() throws {
    try photos.setModificationTime(1_700_000_000, of: "2024/camera.jpg")
    _ = library.open()
    let path = photos.filePath(of: "2024/camera.jpg")
    let file = try FileDescriptor.open(path, .writeOnly)
    _ = try file.closeAfter { try file.writeAll(toAbsoluteOffset: 0, [UInt8](repeating: 0x20, count: 64)) }
    try photos.setModificationTime(1_700_000_000, of: "2024/camera.jpg")
    #expect(library.open().everything.first { $0.name == "camera.jpg" }?.isBroken ?? false)
  }

  @Test func `Changes between two runs are found`() throws {
    _ = library.open()
    try photos.writePhoto("2024/camera.jpg", day: 20)
    try photos.writePhoto("2025/new.jpg", day: 21)
    photos.remove("fun")
    photos.remove("secret/.nomedia")
    photos.remove("2024/camera.xmp")
    try photos.write([], to: "2024/trip/.nomedia")
    let fresh = photos.library()
    let opened = library.open()
    #expect(opened.names == fresh.names)
    #expect(opened.everything.map(\.isHidden) == fresh.everything.map(\.isHidden))
    #expect(opened.albums == fresh.albums)
    #expect(library.open().everything == opened.everything)
  }

  // MARK: Damage

  private func overwrite(_ path: String, _ bytes: [UInt8], at offset: Int64, truncates: Bool = false) throws {
    let options: FileDescriptor.OpenOptions = truncates ? [.create, .truncate] : []
    let file = try FileDescriptor.open(
      FilePath(path), .readWrite, options: options, permissions: [.ownerReadWrite])
    _ = try file.closeAfter { try file.writeAll(toAbsoluteOffset: offset, bytes) }
  }

  private func changePages(_ change: (inout [UInt8]) -> Void) throws {
    let queue = try TestLibrary.queue(library.index)
    try queue.write { database in
      for row in try Row.fetchAll(database, sql: "SELECT path, page FROM folder") {
        var page = Array(row["page"] as Data)
        change(&page)
        try database.execute(
          sql: "UPDATE folder SET page = ? WHERE path = ?",
          arguments: [Data(page), row["path"] as Data])
      }
    }
    try queue.close()
  }

  @Test(arguments: [[UInt8](), [1], Array("no database at all, but some words".utf8)])
  func `A file that is no index is replaced by a new one`(bytes: [UInt8]) throws {
    let before = library.snapshot()
    try overwrite(library.index, bytes, at: 0, truncates: true)
    unlink(library.index + "-wal")
    #expect(library.snapshot() == before)
    #expect(library.snapshot() == before)
  }

  @Test func `An index with damaged contents is recreated`() throws {
    for number in 0..<40 { try photos.writePhoto("many \(number)/a.jpg") }
    let before = library.snapshot()
    _ = try TestLibrary.queue(library.index).inDatabase { try $0.checkpoint(.truncate) }
    // All but the first page, which holds the schema.
    try overwrite(library.index, [UInt8](repeating: 0x5A, count: 60_000), at: 4096)
    #expect(library.snapshot().assets == before.assets)
    #expect(library.snapshot() == before)
    let count = try TestLibrary.queue(library.index).read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM folder")
    }
    #expect(count == 46)
  }

  static let damages: [(String, @Sendable (inout [UInt8]) -> Void)] = [
    ("cut", { $0.removeLast($0.count / 2) }),
    ("empty", { $0 = [] }),
    ("another version", { $0[0] ^= 0x40 }),
    ("one bit", { $0[$0.count - 1] ^= 1 }),
    ("garbage", { $0 = [UInt8](repeating: 0xA5, count: $0.count) }),
  ]

  @Test(arguments: damages.indices)
  func `A folder whose page is damaged is scanned again`(damage: Int) throws {
    let before = library.snapshot()
    try changePages(Self.damages[damage].1)
    #expect(library.snapshot() == before)
    #expect(library.snapshot() == before)
  }

  @Test func `Pages of random bytes with a valid checksum do no harm`() throws {
    let before = library.snapshot()
    var random = SeededGenerator(seed: 11)
    for _ in 0..<30 {
      try changePages { page in
        guard page.count > 90 else { return }
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          page[Int.random(in: 16..<page.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        let sum = PageReader.checksum(of: page[16...])
        withUnsafeBytes(of: sum) { page.replaceSubrange(8..<16, with: $0) }
      }
      let store = library.open()
      defer { store.updater.stop() }
      // Every query is answered, whatever the pages contain.
      for sort in AssetSortKey.allCases {
        var options = FetchOptions()
        options.sortDescriptors = [AssetSortDescriptor(key: sort, ascending: true)]
        options.includeHiddenAssets = true
        _ = store.all(options)
      }
      _ = Array(store.collections(of: .all, options: FetchOptions()))
    }
    library.clearCache()
    #expect(library.snapshot().assets.map(\.name) == before.assets.map(\.name))
  }

  @Test func `An unreadable ledger is set aside and reported`() throws {
    let before = library.snapshot()
    for _ in 0..<2 {
      try overwrite(library.ledger, Array("no database at all, but some words".utf8), at: 0, truncates: true)
      let opened = library.snapshot()
      #expect(opened.assets == before.assets)
      #expect(opened.status.notes.count == 1)
      #expect(opened.status.notes.first?.contains("library.sqlite.damaged") ?? false)
    }
    #expect(access(library.ledger + ".damaged", F_OK) == 0)
    #expect(access(library.ledger + ".damaged-2", F_OK) == 0)
    #expect(library.snapshot().status.notes.isEmpty)
  }

  @Test func `A ledger of another version is left unchanged and reported`() throws {
    _ = library.snapshot()
    try TestLibrary.queue(library.ledger).inDatabase { try $0.execute(sql: "PRAGMA user_version = 99") }
    let store = library.open()
    #expect(store.everything.count == 8)
    #expect(store.status.notes.count == 1)
    #expect(access(library.ledger + ".damaged", F_OK) != 0)
    let version = try TestLibrary.queue(library.ledger).read {
      try Int.fetchOne($0, sql: "PRAGMA user_version")
    }
    #expect(version == 99)
  }

  @Test func `Without folders for index and ledger the library works, and reports each`() throws {
    try library.blockCache()
    try library.blockData()
    let store = library.open()
    #expect(store.everything == photos.library().everything)
    #expect(store.status.notes.count == 2)
    let asset = try #require(store.all().first)
    #expect(throws: AssetError.self) { try store.perform([.setFavorite(asset.id, true)]) }
  }

  @Test func `A full disk is reported and does no other harm`() throws {
    _ = library.snapshot()
    // Neither file can grow by a page.
    let full = { (path: String) in
      let queue = try TestLibrary.queue(path)
      try queue.inDatabase {
        try $0.execute(
          sql: "CREATE TRIGGER full BEFORE INSERT ON folder BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
      }
      try queue.close()
    }
    try full(library.index)
    try full(library.ledger)
    for number in 0..<20 { try photos.writePhoto("more \(number)/a.jpg") }
    let store = library.open()
    #expect(store.everything.count == 28)
    #expect(store.status.notes.count == 2)
    #expect(store.status.notes.allSatisfy { $0.hasSuffix("disk is full") })
  }

  // MARK: Marks

  @Test func `Favorites and hidden assets are stored`() throws {
    let store = library.open()
    let assets = store.all()
    let first = try #require(assets.first { $0.rating == 0 })
    let last = try #require(assets.last { $0.id != first.id })
    try store.perform([.setFavorite(first.id, true), .setHidden(last.id, true)])
    #expect(store.all().first { $0.id == first.id }?.isFavorite ?? false)
    #expect(!store.all().map(\.id).contains(last.id))
    library.clearCache()
    let again = library.open()
    #expect(again.everything == store.everything)
    try again.perform([.setFavorite(first.id, false), .setHidden(last.id, false)])
    #expect(library.open().all() == assets)
  }

  @Test func `Either all changes are made or none`() throws {
    let store = library.open()
    let asset = try #require(store.all().first)
    for changes in [
      [AssetChange.setFavorite(LocalIdentifier("gone"), true)],
      [.setFavorite(asset.id, true), .setHidden(LocalIdentifier("10"), true)],
    ] {
      #expect(throws: AssetError.self) { try store.perform(changes) }
    }
    #expect(store.all().first == asset)
    #expect(library.open().all().first == asset)
  }

  @Test func `A five-star rating in the file can be revoked`() throws {
    let store = library.open()
    let tagged = try #require(store.all().first { $0.name == "tagged.jpg" })
    #expect(tagged.isFavorite)
    try store.perform([.setFavorite(tagged.id, false)])
    #expect(library.open().all().first { $0.id == tagged.id }?.isFavorite == false)
  }

  // MARK: Two at once

  @Test func `Two processes may open one library at once`() throws {
    for number in 0..<60 { try photos.writePhoto("many \(number % 12)/\(number).jpg") }
    let stores = (0..<4).map { _ in
      FolderAssetStore(sources: [photos.filePath], locations: library.locations)
    }
    for store in stores { store.start() }
    for store in stores { store.waitUntilComplete() }
    let fresh = photos.library()
    for store in stores {
      #expect(difference(store.everything, fresh.everything) == nil)
      #expect(store.status.notes.isEmpty)
    }
    #expect(difference(library.open().everything, fresh.everything) == nil)
  }
}

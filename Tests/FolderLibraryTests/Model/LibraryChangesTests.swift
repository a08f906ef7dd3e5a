import AssetLibrary
import Fixtures
import FoundationEssentials
import GRDB
import Glibc
import Synchronization
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

/// Changes of marks, corrections and albums, in folder and memory libraries.
@Suite(.onOwnThreads) struct LibraryChangesTests {
  private let library: TestLibrary
  private var photos: TemporaryFolder { library.photos }

  init() throws {
    library = try TestLibrary()
    for number in 1...8 { try photos.writePhoto("\(number % 3)/\(number).jpg", day: number) }
  }

  private func store(of assets: [Asset]) -> MemoryAssetStore {
    let store = MemoryAssetStore()
    for asset in assets { store.add(asset) }
    return store
  }

  @Test func `Assets inserted at a number that is no index are inserted at the nearest one`() throws {
    var albums = UserAlbums()
    let album = UserAlbum.newIdentifier()
    let assets = (1...3).map { LocalIdentifier(number: $0) }
    _ = try albums.apply(.createAlbum(album, title: "Sea"))
    _ = try albums.apply(.addAssets([assets[0]], to: album))
    _ = try albums.apply(.insertAssets([assets[1], assets[2]], at: [.min, .max], in: album))
    #expect(albums[album]?.assets == [assets[1], assets[0], assets[2]])
  }

  /// All marks and albums that a client can see.
  private struct View: Equatable {
    var albums: UserAlbums
    var favorites: [LocalIdentifier]
    var shown: [LocalIdentifier]
    var collections: [String]
    var members: [[LocalIdentifier]]
    var newest: [[LocalIdentifier]]
    var facts: [String]
    var moments: [LocalIdentifier]

    init(_ store: some AssetStore) {
      albums = store.userAlbums
      favorites = store.assets(in: SmartAlbum.favorites.localIdentifier, options: FetchOptions()).map(\.id)
      shown = store.assets(in: nil, options: FetchOptions()).map(\.id)
      let all = store.collections(of: .album, options: FetchOptions()).filter(\.isUserAlbum)
      collections = all.map {
        "\($0.title) \($0.estimatedAssetCount ?? -1) \(String(describing: $0.startDate))"
      }
      var own = FetchOptions()
      own.sortDescriptors = []
      members = all.map { store.assets(in: $0.id, options: own).map(\.id) }
      newest = all.map { store.assets(in: $0.id, options: FetchOptions()).map(\.id) }
      var everything = FetchOptions()
      everything.sortDescriptors = [AssetSortDescriptor(key: .creationDate, ascending: true)]
      everything.includeHiddenAssets = true
      facts = store.assets(in: nil, options: everything).map {
        "\($0.id) \($0.creationDate) \(String(describing: $0.creationDateSource)) \(String(describing: $0.location))"
          + " \($0.hasAdjustments) \($0.resources.map { String(decoding: $0.filename, as: UTF8.self) })"
      }
      moments = store.collections(of: .moment, options: FetchOptions()).map(\.id)
    }
  }

  /// Returns a random change to existing assets and albums, and sometimes to missing ones.
  private func change(
    of assets: [LocalIdentifier], edited: LocalIdentifier, _ albums: UserAlbums,
    _ random: inout SeededGenerator
  ) -> AssetChange {
    let some = Array(assets.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)))
    let album = albums.all.randomElement(using: &random)?.id ?? LocalIdentifier("userAlbum.none")
    let index = Int.random(in: -1...6, using: &random)
    let asset = assets.randomElement(using: &random) ?? LocalIdentifier("none")
    let mostlyEdited = Int.random(in: 0..<4, using: &random) > 0 ? edited : asset
    switch Int.random(in: 0..<18, using: &random) {
    case 16: return .revertToOriginal([mostlyEdited])
    case 17: return .restoreEdits([mostlyEdited])
    case 14: return .setCreationDate(asset, Self.dates.randomElement(using: &random) ?? nil)
    case 15: return .setLocation(asset, Self.places.randomElement(using: &random) ?? nil)
    case 11: return .delete(Array(some.prefix(2)))
    case 12: return .restore(Array(some.prefix(2)))
    case 13: return .delete([asset])
    case 0: return .setFavorite(asset, Bool.random(using: &random))
    case 1: return .setHidden(asset, Bool.random(using: &random))
    case 2, 3:
      return .createAlbum(
        UserAlbum.newIdentifier(),
        title: ["Sea", "sea ", "Oslo", "", "A\nb", "Ωmega"].randomElement(using: &random) ?? "",
        index: Bool.random(using: &random) ? nil : index)
    case 4:
      return .renameAlbum(album, title: ["Sea", "Hills", " ", "Oslo"].randomElement(using: &random) ?? "")
    case 5: return .moveAlbum(album, to: index)
    case 6: return .deleteAlbum(album)
    case 7: return .addAssets(some + some.prefix(1), to: album)
    case 8: return .insertAssets(some, at: some.indices.map { $0 * 2 }, in: album)
    case 9: return .removeAssets(some, from: album)
    default: return .moveAssets(some, to: index, in: album)
    }
  }

  /// Corrections of dates; two of them are impossible.
  private static let dates: [AssetDate?] = {
    var (late, far) = (AssetDate.day(1), AssetDate.day(1))
    late.wallSeconds = .max
    far.utcOffset = .min
    return [
      nil, .day(3), .day(9), AssetDate(year: 1, month: 1, day: 1), late, far,
      AssetDate(year: 2030, month: 7, day: 1, hour: 12, nanosecond: 5, utcOffset: -12_600),
    ]
  }()

  /// Corrections of locations; two of them are impossible.
  private static let places: [LocationCorrection?] = [
    nil, .removed, .location(Location(latitude: 38.72, longitude: -9.14)),
    .location(Location(latitude: -90, longitude: 180)), .location(Location(latitude: .nan, longitude: 0)),
    .location(Location(latitude: 0, longitude: -180.5)),
  ]

  @Test(arguments: 1...UInt64(TestSize.count(5, long: 12)))
  func `Folder and memory libraries agree on every change, and every change can be undone`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    try photos.writePhoto("0/IMG_20.jpg", day: 4)
    try photos.writePhoto("0/IMG_E20.jpg", day: 4)
    var folders = library.open()
    let memory = store(of: folders.all())
    let assets = folders.all().map(\.id) + [LocalIdentifier("gone")]
    let edited = try #require(folders.all().first { $0.hasAdjustments }).id
    var undo: [(before: View, changes: [AssetChange])] = []
    for step in 0..<60 {
      let before = View(folders)
      let changes = (0...Int.random(in: 0...2, using: &random)).map { _ in
        change(of: assets, edited: edited, folders.userAlbums, &random)
      }
      var answers: [Result<[AssetChange], AssetError>] = []
      for perform in [folders.perform, memory.perform] {
        do throws(AssetError) { answers.append(.success(try perform(changes))) } catch {
          answers.append(.failure(error))
        }
      }
      #expect((try? answers[0].get()) == (try? answers[1].get()), "\(changes) \(answers)")
      #expect(View(folders) == View(memory), "\(changes)")
      switch answers[0] {
      case .failure: #expect(View(folders) == before, "\(changes)")
      case .success(let inverse): undo.append((before, inverse))
      }
      if step % 20 == 10 {
        let view = View(folders)
        if step == 30 { library.clearCache() }
        folders = library.open()
        #expect(View(folders) == view)
      }
    }
    for step in undo.reversed() {
      _ = try folders.perform(step.changes)
      _ = try memory.perform(step.changes)
      #expect(View(folders) == step.before)
      #expect(View(memory) == step.before)
    }
  }

  /// Writes a Live Photo with an edit and a sidecar.
  private func writePair() throws {
    try photos.writePhoto("trip/IMG_1.jpg", day: 20)
    try photos.write(HandmadeMovie().bytes, to: "trip/IMG_1.mov")
    try photos.writePhoto("trip/IMG_E1.jpg", day: 20)
    try photos.write(Array("<x/>".utf8), to: "trip/IMG_1.xmp")
  }

  @Test func `All files of a photo are moved to the trash and restored together, with albums and marks`()
    throws
  {
    try writePair()
    let store = library.open()
    let pair = try #require(store.all().first { $0.resources.count > 2 })
    let album = UserAlbum.newIdentifier()
    try store.perform([
      .createAlbum(album, title: "Pairs"), .addAssets([pair.id], to: album), .setFavorite(pair.id, true),
    ])
    let before = View(store)
    let undo = try store.perform([.delete([pair.id])])
    #expect(undo == [.restore([pair.id])])
    #expect(library.trashed.count == pair.resources.count)
    #expect(!store.all().map(\.id).contains(pair.id))
    // The album is empty meanwhile, and another run sees the same photos.
    #expect(store.assets(in: album, options: FetchOptions()).isEmpty)
    let other = library.open()
    #expect(View(other) == View(store))
    // The other run restores them although it did not delete them.
    #expect(try other.perform(undo) == [.delete([pair.id])])
    #expect(library.trashed.isEmpty)
    #expect(View(other) == before && View(library.open()) == before)
    #expect(other.all().first { $0.id == pair.id }?.resources.count == pair.resources.count)
  }

  @Test func `Reverting moves the files of an edit to the trash together, and undo restores them`() throws {
    try writePair()
    try photos.write(HandmadeMovie().bytes, to: "trip/IMG_E1.mov")
    try photos.write(Array("<plist/>".utf8), to: "trip/IMG_1.AAE")
    try photos.write(Array("<plist/>".utf8), to: "trip/IMG_O1.AAE")
    let store = library.open()
    let edited = try #require(store.all().first { $0.hasAdjustments })
    #expect(String(decoding: edited.nameBytes, as: UTF8.self) == "IMG_E1.jpg")
    let before = View(store)
    let undo = try store.perform([.revertToOriginal([edited.id]), .setFavorite(edited.id, true)])
    #expect(undo == [.setFavorite(edited.id, false), .restoreEdits([edited.id])])
    #expect(library.trashed == ["IMG_1.AAE", "IMG_E1.jpg", "IMG_E1.mov"])
    for store in [store, library.open()] {
      let asset = try #require(store.all().first { $0.id == edited.id })
      #expect(!asset.hasAdjustments && asset.isFavorite)
      #expect(String(decoding: asset.nameBytes, as: UTF8.self) == "IMG_1.jpg")
      #expect(throws: AssetError(asset.subject, "has no edit")) {
        try store.perform([.revertToOriginal([edited.id])])
      }
    }
    // Another run restores the edit.
    let other = library.open()
    try other.perform(undo)
    #expect(library.trashed.isEmpty)
    #expect(View(other) == before && View(library.open()) == before)
  }

  @Test func `If an edit can't be stored as reverted, or is no longer in the trash, nothing changes`() throws
  {
    try writePair()
    let store = library.open()
    let edited = try #require(store.all().first { $0.hasAdjustments })
    let before = View(store)
    // One of two assets has no edit.
    let other = try #require(store.all().first { !$0.hasAdjustments })
    #expect(throws: AssetError.self) { try store.perform([.revertToOriginal([edited.id, other.id])]) }
    #expect(View(store) == before && library.trashed.isEmpty)
    let undo = try store.perform([.revertToOriginal([edited.id])])
    let reverted = View(store)
    library.emptyTrash()
    #expect(throws: AssetError(edited.id.rawValue, "its edit is not in the trash any more", code: .notFound))
    {
      try store.perform(undo)
    }
    #expect(View(store) == reverted)
  }

  @Test func `If one file can't be moved to the trash, none of the call's files is`() throws {
    let store = library.open()
    let before = View(store)
    // The last file is missing from its folder.
    let last = try #require(store.all().last?.primaryResource?.path)
    let kept = FilePath("\(last.string).kept")
    try FileManager.default.moveItem(atPath: last.string, toPath: kept.string)
    #expect(throws: AssetError.self) { try store.perform([.delete(store.all().map(\.id))]) }
    try FileManager.default.moveItem(atPath: kept.string, toPath: last.string)
    #expect(View(store) == before && View(library.open()) == before && library.trashed.isEmpty)
  }

  @Test
  func `A restore fails without changes if the trash was emptied or the path is occupied`()
    throws
  {
    let store = library.open()
    let asset = try #require(store.all().first { $0.name == "1.jpg" })
    let undo = try store.perform([.delete([asset.id])])
    try photos.writePhoto("1/1.jpg", day: 28)
    let taken = View(library.open())
    #expect(throws: AssetError.self) { try store.perform(undo) }
    #expect(library.trashed == ["1.jpg"])
    photos.remove("1/1.jpg")
    library.emptyTrash()
    #expect(throws: AssetError(asset.id.rawValue, "is not in the trash any more", code: .notFound)) {
      try store.perform(undo)
    }
    #expect(taken.shown.count == 8)
  }

  @Test func `If marks can't be stored, deleted files are restored`() throws {
    let store = library.open()
    let before = View(store)
    let queue = try TestLibrary.queue(library.ledger)
    try queue.inDatabase {
      try $0.execute(
        sql: "CREATE TRIGGER full BEFORE INSERT ON deleted BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
    }
    try queue.close()
    #expect(throws: AssetError("favorites and albums", "disk is full")) {
      try store.perform([.delete(store.all().prefix(3).map(\.id))])
    }
    #expect(View(store) == before && View(library.open()) == before && library.trashed.isEmpty)
  }

  @Test func `A watching library shows deleted and restored photos at once`() throws {
    let store = library.follow()
    let asset = try #require(store.all().first)
    let undo = try store.perform([.delete([asset.id])])
    #expect(store.all().count == 7)
    try store.perform(undo)
    #expect(eventually { store.all().count == 8 })
    #expect(store.all().first?.id == asset.id)
  }

  @Test func `Observers are notified once of all changes of a call`() throws {
    let folders = library.open()
    let memory = store(of: folders.all())
    for store in [folders, memory] as [any AssetStore] {
      let calls = CallCount()
      let observer = store.observeChanges { _ in calls.add() }
      let album = UserAlbum.newIdentifier()
      let assets = store.assets(in: nil, options: FetchOptions()).map(\.id)
      try store.perform(
        [.createAlbum(album, title: "All"), .addAssets(assets, to: album)]
          + assets.map { .setFavorite($0, true) })
      store.stopObserving(observer)
      #expect(calls.count == 1)
    }
  }

  @Test func `Observers are notified once of a call that moves files, and may change the library at once`()
    throws
  {
    let folders = library.open()
    let memory = store(of: folders.all())
    for store in [folders, memory] as [any AssetStore] {
      let assets = store.assets(in: nil, options: FetchOptions()).map(\.id)
      let heard = Mutex<[String]>([])
      let favorites = { @Sendable in
        store.assets(in: SmartAlbum.favorites.localIdentifier, options: FetchOptions()).count
      }
      let first = store.observeChanges { _ in
        heard.withLock { $0.append("first \(favorites())") }
        guard favorites() < 3 else { return }
        // Each notification causes the next change.
        _ = try? store.perform([.setFavorite(assets[favorites()], true)])
      }
      let second = store.observeChanges { _ in heard.withLock { $0.append("second") } }
      let undo = try store.perform([.delete([assets[7]])])
      let expected = ["first 0", "second", "first 1", "second", "first 2", "second", "first 3", "second"]
      #expect(eventually { heard.withLock { $0 } == expected }, "\(heard.withLock { $0 })")
      store.stopObserving(first)
      try store.perform(undo)
      #expect(heard.withLock { $0 } == expected + ["second"])
      store.stopObserving(second)
    }
  }

  @Test func `Observers of a library that follows the disk may change it while others do`() throws {
    let store = library.follow()
    let assets = store.all().map(\.id)
    let count = CallCount()
    let observer = store.observeChanges { [weak store] _ in
      count.add()
      if count.count <= 20 { _ = try? store?.perform([.setFavorite(assets[0], count.count % 2 == 0)]) }
    }
    for step in 0..<10 {
      try photos.writePhoto("new/\(step).jpg", day: step + 1)
      try store.perform([.setHidden(assets[1], step % 2 == 0)])
    }
    #expect(eventually { count.count > 20 })
    store.stopObserving(observer)
  }

  @Test func `An album keeps photos that are renamed, moved, replaced or temporarily missing`() throws {
    let store = library.open()
    let album = UserAlbum.newIdentifier()
    try store.perform([
      .createAlbum(album, title: "Best"), .addAssets(store.all().map(\.id).reversed(), to: album),
    ])
    func names() -> [String] {
      var options = FetchOptions()
      options.sortDescriptors = AssetSort.given.descriptors
      return library.open().assets(in: album, options: options).map(\.name)
    }
    #expect(names() == (1...8).map { "\($0).jpg" })
    try photos.rename("1/1.jpg", to: "2/first.jpg")
    try photos.rewritePhoto("2/2.jpg", day: 2)
    let elsewhere = try TemporaryFolder()
    try photos.move("0/3.jpg", to: elsewhere, as: "3.jpg")
    #expect(names() == ["first.jpg", "2.jpg", "4.jpg", "5.jpg", "6.jpg", "7.jpg", "8.jpg"])
    try elsewhere.move("3.jpg", to: photos, as: "2/3.jpg")
    library.clearCache()
    #expect(names() == ["first.jpg", "2.jpg", "3.jpg", "4.jpg", "5.jpg", "6.jpg", "7.jpg", "8.jpg"])
  }

  @Test func `Albums can be searched, and their titles are completed`() throws {
    let store = library.open()
    let album = UserAlbum.newIdentifier()
    let two = store.all().prefix(2).map(\.id)
    try store.perform([.createAlbum(album, title: "Größte Reise"), .addAssets(Array(two), to: album)])
    for (text, count) in [("album:reise", 2), ("grosste", 2), ("-album:reise", 6), ("path:reise", 0)] {
      var options = FetchOptions()
      options.search = try SearchQuery(parsing: text)
      #expect(store.all(options).count == count, "\(text)")
    }
    let texts = store.searchTexts(in: .album, beginningWith: "gro", collection: nil, options: FetchOptions())
    #expect(texts.map { "\($0.text) \($0.count)" } == ["Größte Reise 2"])
  }

  @Test func `Albums that several processes change concurrently keep all additions`() throws {
    let stores = (0..<4).map { _ in library.open() }
    let album = UserAlbum.newIdentifier()
    try stores[0].perform([.createAlbum(album, title: "Shared")])
    let assets = stores[0].all().map(\.id)
    // No store has seen the changes of the others yet.
    for (number, store) in stores.enumerated() {
      try store.perform([.addAssets([assets[number], assets[number + 4]], to: album)])
    }
    #expect(library.open().userAlbums[album]?.assets == (0..<4).flatMap { [assets[$0], assets[$0 + 4]] })
  }

  @Test(arguments: [1, 2, 3, 4])
  func `A ledger of a previous version keeps its marks and accepts albums and corrections`(
    version: Int
  ) throws {
    let store = library.open()
    let asset = try #require(store.all().first)
    try store.perform([.setFavorite(asset.id, true)])
    let queue = try TestLibrary.queue(library.ledger)
    try queue.inDatabase {
      if version < 2 { try $0.execute(sql: "DROP TABLE album; DROP TABLE deleted") }
      if version < 3 { try $0.execute(sql: "ALTER TABLE mark DROP COLUMN stars") }
      if version < 4 { try $0.execute(sql: "DROP TABLE correction; DROP TABLE reverted") }
      for table in version < 2 ? [] : version < 4 ? ["deleted"] : ["deleted", "reverted"] {
        try $0.execute(sql: "ALTER TABLE \(table) DROP COLUMN date")
      }
      try $0.execute(sql: "PRAGMA user_version = \(version)")
    }
    try queue.close()
    let again = library.open()
    #expect(again.status.notes.isEmpty)
    #expect(again.all().first { $0.id == asset.id }?.isFavorite == true)
    let album = UserAlbum.newIdentifier()
    try again.perform([.createAlbum(album, title: "New"), .addAssets([asset.id], to: album)])
    try again.perform([.setCreationDate(asset.id, .day(20))])
    try again.perform(again.perform([.delete([asset.id])]))
    let last = library.open()
    #expect(last.userAlbums.all.map(\.title) == ["New"])
    #expect(last.all().first { $0.id == asset.id }?.creationDate == .day(20))
  }

  @Test
  func `Corrected dates and locations follow renamed, moved and edited photos, and photos stay unchanged`()
    throws
  {
    let store = library.open()
    let asset = try #require(store.all().first { $0.name == "1.jpg" })
    let bytes = try Data(contentsOf: URL(filePath: photos.path + "/1/1.jpg"))
    let (date, sea) = (
      AssetDate(year: 2019, month: 5, day: 3, hour: 12, utcOffset: 7200),
      Location(latitude: 36.99, longitude: -8.95)
    )
    let undo = try store.perform([.setCreationDate(asset.id, date), .setLocation(asset.id, .location(sea))])
    #expect(undo == [.setLocation(asset.id, nil), .setCreationDate(asset.id, nil)])
    // Also the second correction of the same asset can be undone.
    let second = try store.perform([.setCreationDate(asset.id, .day(30)), .setLocation(asset.id, .removed)])
    #expect(second == [.setLocation(asset.id, .location(sea)), .setCreationDate(asset.id, date)])
    #expect(store.all().first?.id == asset.id && store.all().first?.location == nil)
    try store.perform(second)
    try photos.rename("1/1.jpg", to: "2/first.jpg")
    library.clearCache()
    for store in [library.open(), library.open()] {
      let corrected = try #require(store.all().last)
      #expect(corrected.name == "first.jpg" && corrected.id == asset.id)
      #expect(corrected.creationDate == date && corrected.location == sea)
      #expect(corrected.creationDateSource == .user)
      for query in ["date:2019-05", "near:37,-9,10"] {
        var options = FetchOptions()
        options.search = try SearchQuery(parsing: query)
        #expect(store.all(options).map(\.id) == [asset.id], "\(query)")
      }
    }
    #expect(try Data(contentsOf: URL(filePath: photos.path + "/2/first.jpg")) == bytes)
    // An edit of the file changes its own date, but not the corrected one.
    try photos.rewritePhoto("2/first.jpg", day: 9)
    let again = library.open()
    #expect(again.all().last?.creationDate == date)
    try again.perform(undo)
    let original = try #require(again.all().first { $0.id == asset.id })
    #expect(original.creationDate.components.day == 9 && original.location == nil)
    #expect(original.creationDateSource == .exif)
  }

  @Test func `A change that can't be stored has no effect`() throws {
    let store = library.open()
    let album = UserAlbum.newIdentifier()
    try store.perform([.createAlbum(album, title: "Full")])
    let before = View(store)
    let queue = try TestLibrary.queue(library.ledger)
    try queue.inDatabase {
      try $0.execute(
        sql: "CREATE TRIGGER full BEFORE INSERT ON album BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
    }
    try queue.close()
    let asset = try #require(store.all().first)
    #expect(throws: AssetError("favorites and albums", "disk is full")) {
      try store.perform([.setFavorite(asset.id, true), .addAssets([asset.id], to: album)])
    }
    #expect(View(store) == before)
    #expect(View(library.open()) == before)
  }

  @Test func `A client with limited access sees no albums and can't change any`() throws {
    let store = library.open()
    let assets = store.all().map(\.id)
    let album = UserAlbum.newIdentifier()
    try store.perform([.createAlbum(album, title: "Private"), .addAssets(assets, to: album)])
    var decision = AccessDecision(readWrite: .limited)
    decision.allowed = AllowedAssets(Set(assets.prefix(2)))
    let access = LibraryAccessController(
      store: store, images: NoImages(), decision: decision, consentRequest: ConsentRequest(client: "x"),
      consent: NoConsentPresenter(), asksBefore: [])
    let client = access.manager
    #expect(client.userAlbums == UserAlbums())
    #expect(client.fetchCollections(of: .album, options: FetchOptions()).isEmpty)
    #expect(client.fetchAssets(in: album, options: FetchOptions()).isEmpty)
    #expect(throws: AssetError.self) { try client.performChanges([.renameAlbum(album, title: "Public")]) }
    #expect(throws: AssetError.self) { try client.performChanges([.addAssets([assets[0]], to: album)]) }
    #expect(throws: AssetError.self) { try client.performChanges([.setFavorite(assets[4], true)]) }
    #expect(try client.performChanges([.setFavorite(assets[0], true)]) == [.setFavorite(assets[0], false)])
    #expect(store.userAlbums[album]?.title == "Private")
  }
}

extension AssetDate {
  fileprivate static func day(_ day: Int) -> AssetDate { AssetDate(year: 2024, month: 5, day: day) }
}

/// Counts calls from any thread.
private final class CallCount: Sendable {
  private let number = Mutex(0)
  var count: Int { number.withLock { $0 } }
  func add() { number.withLock { $0 += 1 } }
}

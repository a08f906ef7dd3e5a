import AssetLibrary
import Fixtures
import Foundation
import GRDB
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

/// New assets, created in code from files and from bytes in memory.
@Suite(.onOwnThreads) struct AssetCreationTests {
  private let library: TestLibrary
  private let elsewhere: TemporaryFolder
  private var photos: TemporaryFolder { library.photos }

  init() throws {
    library = try TestLibrary()
    elsewhere = try TemporaryFolder()
    for day in 1...3 { try photos.writePhoto("2024/05/\(day).jpg", day: day) }
  }

  private func picture(_ width: Int, month: Int = 7) throws -> [UInt8] {
    try TestPhoto(width: width, height: 24, date: .day(9, month: month)).bytes()
  }

  /// The names of all files of the library, hidden ones too.
  private var files: [String] {
    let names = FileManager.default.enumerator(atPath: photos.path)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.contains(".") }.sorted()
  }

  private var everything: FetchOptions {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    return options
  }

  @Test func `A Live Photo of bytes and a file appears under the promised identifier, with marks and albums`()
    throws
  {
    let store = library.open()
    let (still, clip) = (try picture(40), HandmadeMovie().bytes)
    try elsewhere.write(clip, to: "clip.mov")
    var creation = AssetCreation(name: "IMG_7")
    creation.addResource(.photo, .data(still))
    creation.addResource(.pairedVideo, .file(FilePath("\(elsewhere.path)/clip.mov")))
    let before = files
    let new = try store.prepareAsset(creation, comparedWith: everything)
    // Nothing is shown before the change.
    #expect(files == before && store.all().count == 3)
    let album = UserAlbum.newIdentifier()
    let undo = try store.perform([
      .createAsset(new), .setFavorite(new, true), .createAlbum(album, title: "New"),
      .addAssets([new], to: album),
    ])
    #expect(files == before + ["2024/07/IMG_7.jpg", "2024/07/IMG_7.mov"])
    for store in [store, library.open()] {
      let asset = try #require(store.all().first { $0.id == new })
      #expect(asset.mediaSubtypes.contains(.livePhoto) && asset.isFavorite)
      #expect(store.assets(in: album, options: FetchOptions()).map(\.id) == [new])
    }
    library.clearCache()
    #expect(library.open().all().contains { $0.id == new })
    let names = ["2024/07/IMG_7.jpg", "2024/07/IMG_7.mov"]
    let written = try names.map { Array(try Data(contentsOf: URL(filePath: "\(photos.path)/\($0)"))) }
    #expect(written == [still, clip])
    // The added file itself stays.
    #expect(FileManager.default.fileExists(atPath: "\(elsewhere.path)/clip.mov"))
    let redo = try store.perform(undo)
    #expect(library.trashed == ["IMG_7.jpg", "IMG_7.mov"])
    #expect(store.all().count == 3 && store.userAlbums.all.isEmpty)
    try store.perform(redo)
    #expect(store.all().contains { $0.id == new && $0.isFavorite })
    #expect(store.userAlbums[album]?.assets == [new])
  }

  @Test func `An identical asset is the answer, and nothing is copied`() throws {
    let store = library.open()
    let bytes = try picture(40)
    var creation = AssetCreation()
    creation.addResource(.photo, .data(bytes))
    let new = try store.prepareAsset(creation, comparedWith: everything)
    try store.perform([.createAsset(new)])
    // Data is named by its date.
    #expect(files.contains("2024/07/2024-07-09_12-00-00.jpg"))
    let count = files.count
    let again = try store.prepareAsset(creation, comparedWith: everything)
    #expect(again == new)
    #expect(try store.perform([.createAsset(again)]).isEmpty)
    #expect(files.count == count)
    // Compared with nothing, it is another asset with another name.
    let other = try store.prepareAsset(creation, comparedWith: nil)
    #expect(other != new)
    try store.perform([.createAsset(other)])
    #expect(files.contains("2024/07/2024-07-09_12-00-00 (2).jpg"))
  }

  @Test func `Identical assets that are prepared before one is created are created once`() throws {
    let folders = library.open()
    let memory = MemoryAssetStore()
    let before = files.count
    for store in [folders, memory] as [any AssetStore] {
      let count = store.assets(in: nil, options: FetchOptions()).count
      var (one, other) = (AssetCreation(), AssetCreation())
      one.addResource(.photo, .data(try picture(40)))
      other.addResource(.photo, .data(try picture(48)))
      let first = try store.prepareAsset(one, comparedWith: everything)
      #expect(try store.prepareAsset(one, comparedWith: everything) == first)
      #expect(try store.prepareAsset(other, comparedWith: everything) != first)
      // Each preparation is discarded on its own.
      store.discardPreparedAsset(first)
      try store.perform([.createAsset(first), .createAsset(first)])
      #expect(store.assets(in: nil, options: FetchOptions()).count == count + 1)
      let third = try store.prepareAsset(other, comparedWith: everything)
      for _ in 0..<2 { store.discardPreparedAsset(third) }
      #expect(throws: AssetError.self) { try store.perform([.createAsset(third)]) }
    }
    #expect(files.count == before + 1)
  }

  @Test func `The date of an added file is kept, and a taken name numbers all files`() throws {
    try photos.writePhoto("2024/07/trip.mov", day: 1)
    let store = library.open()
    try elsewhere.write(try picture(40), to: "trip.jpg")
    try elsewhere.write(HandmadeMovie().bytes, to: "other.mov")
    let date = Date(timeIntervalSince1970: 1_000_000_000)
    try FileManager.default.setAttributes(
      [.modificationDate: date], ofItemAtPath: "\(elsewhere.path)/trip.jpg")
    var creation = AssetCreation(folder: "2024/07")
    creation.addResource(.photo, .file(FilePath("\(elsewhere.path)/trip.jpg")))
    creation.addResource(.pairedVideo, .file(FilePath("\(elsewhere.path)/other.mov")))
    let new = try store.prepareAsset(creation, comparedWith: everything)
    try store.perform([.createAsset(new)])
    let asset = try #require(store.all().first { $0.id == new })
    #expect(
      asset.resources.map { String(decoding: $0.filename, as: UTF8.self) } == [
        "trip (2).jpg", "trip (2).mov",
      ])
    let path = try #require(asset.primaryResource).path.string
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.modificationDate] as? Date == date)
  }

  @Test func `Discarded and failed creations leave no files and no folders`() throws {
    let before = files
    var store: FolderAssetStore? = library.open()
    var creation = AssetCreation()
    creation.addResource(.photo, .data(try picture(40)))
    let new = try #require(try store?.prepareAsset(creation, comparedWith: nil))
    store?.discardPreparedAsset(new)
    #expect(throws: AssetError(new.rawValue, "is not prepared", code: .notFound)) {
      try store?.perform([.createAsset(new)])
    }
    #expect(!FileManager.default.fileExists(atPath: "\(photos.path)/2024/07"))
    // The changes can't be stored.
    let queue = try TestLibrary.queue(library.ledger)
    try queue.inDatabase {
      try $0.execute(
        sql: "CREATE TRIGGER full BEFORE INSERT ON mark BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
    }
    try queue.close()
    let second = try #require(try store?.prepareAsset(creation, comparedWith: nil))
    #expect(throws: AssetError("favorites and albums", "disk is full")) {
      try store?.perform([.createAsset(second), .setFavorite(second, true)])
    }
    #expect(files == before && store?.all().count == 3)
    #expect(!FileManager.default.fileExists(atPath: "\(photos.path)/2024/07"))
    _ = try store?.prepareAsset(creation, comparedWith: nil)
    store = nil
    #expect(eventually { files == before })
  }

  @Test func `What is not a photo, and folders outside of the library, are refused`() throws {
    let store = library.open()
    func refusal(_ creation: AssetCreation) -> String? {
      do throws(AssetError) {
        _ = try store.prepareAsset(creation, comparedWith: nil)
        return nil
      } catch {
        return error.reason
      }
    }
    func creation(
      _ resources: (AssetResource.Kind, AssetCreation.Content)..., name: String? = nil,
      folder: FilePath? = nil
    ) -> AssetCreation {
      var creation = AssetCreation(name: name, folder: folder)
      for (type, content) in resources { creation.addResource(type, content) }
      return creation
    }
    let photo = AssetCreation.Content.data(try picture(40))
    let clip = AssetCreation.Content.data(HandmadeMovie().bytes)
    let before = files
    #expect(refusal(creation((.photo, .data(Array("a letter".utf8))))) == "not a picture or video")
    #expect(refusal(creation((.photo, .data([])))) != nil)
    #expect(refusal(creation((.photo, clip))) == "not a picture")
    #expect(refusal(creation((.video, photo))) == "not a video")
    #expect(refusal(creation()) != nil)
    #expect(refusal(creation((.pairedVideo, clip))) != nil)
    #expect(refusal(creation((.video, clip), (.pairedVideo, clip))) != nil)
    #expect(refusal(creation((.photo, photo), (.pairedVideo, clip), (.pairedVideo, clip))) != nil)
    #expect(refusal(creation((.photo, .file("/nowhere.jpg")))) != nil)
    for name in ["", "a/b", ".hidden", "a\nb", "..", String(repeating: "a", count: 250)] {
      #expect(refusal(creation((.photo, photo), name: name)) == "is not the name of a file", "\(name)")
    }
    for folder in ["/tmp", "../elsewhere", "2024/../..", elsewhere.path] {
      let reason = refusal(creation((.photo, photo), folder: FilePath(folder)))
      #expect(reason == "is not a folder of the library", "\(folder)")
    }
    #expect(files == before)
  }

  @Test func `A client that may only save creates assets, and can do nothing else`() throws {
    let store = library.open()
    let assets = store.all().map(\.id)
    let decision = AccessDecision(readWrite: .denied, addOnly: .authorized)
    let client = LibraryAccessController(
      store: store, images: NoImages(), decision: decision, consentRequest: ConsentRequest(client: "x"),
      consent: NoConsentPresenter()
    ).manager
    var creation = AssetCreation()
    creation.addResource(.photo, .data(try picture(40)))
    let new = try client.prepareAsset(creation)
    #expect(throws: AssetError.self) {
      try client.performChanges([.createAsset(new), .setFavorite(new, true)])
    }
    try client.performChanges([.createAsset(new)])
    #expect(store.all().count == 4 && client.fetchAssets(in: nil, options: FetchOptions()).isEmpty)
    // It does not learn that the photo exists already.
    let again = try client.prepareAsset(creation)
    #expect(again != new)
    for change in [
      AssetChange.createAsset(assets[0]), .setFavorite(new, true), .delete([new]), .setCreationDate(new, nil),
      .revertToOriginal([new]), .createAlbum(UserAlbum.newIdentifier(), title: "A"),
      .addAssets([new], to: new),
    ] {
      #expect(throws: AssetError.self, "\(change)") { try client.performChanges([change]) }
    }
    let none = LibraryAccessController(
      store: store, images: NoImages(), decision: AccessDecision(readWrite: .denied, addOnly: .denied),
      consentRequest: ConsentRequest(client: "x"), consent: NoConsentPresenter()
    ).manager
    #expect(throws: AssetError("photos", "'x' may not save any", code: .accessDenied)) {
      try none.prepareAsset(creation)
    }
  }
}

import AssetLibrary
import Fixtures
import Glibc
import SystemPackage
import Testing

@testable import FolderLibrary

/// Limited access to files: the permission follows the file, not its name.
@Suite struct FolderAccessTests {
  private let library: TestLibrary
  private var photos: TemporaryFolder { library.photos }

  init() throws {
    library = try TestLibrary()
    try photos.writePhoto("a.jpg", day: 1)
    try photos.writePhoto("trip/b.jpg", day: 2)
    try photos.writePhoto("trip/c.jpg", day: 3)
  }

  private func access(_ store: FolderAssetStore, _ decision: AccessDecision) -> LibraryAccessController {
    LibraryAccessController(
      store: store, images: NoImages(), decision: decision, consentRequest: ConsentRequest(client: "test"),
      consent: NoConsentPresenter())
  }

  private func names(_ manager: any AssetManager) -> [String] {
    var options = FetchOptions(sort: .name)
    options.includeHiddenAssets = true
    return manager.fetchAssets(in: nil, options: options).map {
      String(decoding: $0.nameBytes, as: UTF8.self)
    }
  }

  /// Returns the stored decision for a set of allowed photos.
  private func allow(_ names: String...) throws -> AccessDecision {
    let store = library.open()
    let identifiers = store.identifiers(below: photos)
    let library = access(store, AccessDecision(readWrite: .limited))
    library.setLimitedSelection(Set(try names.map { try #require(identifiers[$0]) }))
    return library.decision
  }

  @Test(arguments: AuthorizationStatus.allCases)
  func `Each status shows what it allows`(status: AuthorizationStatus) throws {
    let store = library.open()
    let identifiers = store.identifiers(below: photos)
    let allowed = AllowedAssets([try #require(identifiers["trip/b.jpg"])])
    let manager = access(store, AccessDecision(readWrite: status, allowed: allowed)).manager
    let titles = manager.fetchCollections(of: .all, options: FetchOptions()).map(\.title)
    switch status {
    case .authorized:
      #expect(names(manager) == ["a.jpg", "b.jpg", "c.jpg"])
      #expect(titles.contains("trip"))
    case .limited:
      #expect(names(manager) == ["b.jpg"])
      // The user's own albums stay hidden from such a client, as Apple's documentation has it.
      #expect(titles == ["Recents", "Recently Added"])
      #expect(manager.assetCount(in: nil, options: FetchOptions()) == 1)
      #expect(manager.libraryStatus.assetCount == 1)
    case .notDetermined, .restricted, .denied:
      #expect(names(manager).isEmpty && titles.isEmpty)
      #expect(manager.libraryStatus.assetCount == 0)
    }
  }

  @Test func `An allowed photo stays allowed after a rename`() throws {
    let decision = try allow("a.jpg")
    try photos.rename("a.jpg", to: "trip/z.jpg")
    #expect(names(access(library.open(), decision).manager) == ["z.jpg"])
  }

  @Test func `A file that takes the name of an allowed photo is not allowed`() throws {
    let decision = try allow("a.jpg", "trip/b.jpg")
    try photos.rename("a.jpg", to: "other.jpg")
    try photos.writePhoto("a.jpg", day: 9)
    #expect(names(access(library.open(), decision).manager) == ["b.jpg", "other.jpg"])
  }

  @Test func `A file that replaces an allowed photo is not allowed, although the asset is the same`() throws {
    let decision = try allow("a.jpg", "trip/b.jpg")
    let identifier = library.open().identifiers(below: photos)["a.jpg"]
    try photos.rewritePhoto("a.jpg", day: 9)
    let store = library.open()
    #expect(store.identifiers(below: photos)["a.jpg"] == identifier)
    let library = access(store, decision)
    #expect(names(library.manager) == ["b.jpg"])
    let asset = try #require(store.everything.first { $0.id == identifier })
    #expect(throws: AssetError.self) { try library.manager.details(of: asset) }
    #expect(library.manager.libraryStatus.assetCount == 1)
    // The selection for limited access does not show it as allowed either.
    #expect(identifier.map { library.limitedSelection.contains($0) } == false)
    // Once the user allows the new file, it is.
    library.setLimitedSelection(library.limitedSelection.union([asset.id]))
    #expect(names(library.manager) == ["a.jpg", "b.jpg"])
    #expect(names(access(self.library.open(), library.decision).manager) == ["a.jpg", "b.jpg"])
  }

  @Test func `A photo that is overwritten in place stays allowed, and its copy is not`() throws {
    let decision = try allow("a.jpg")
    try photos.write(try TestPhoto(width: 32, height: 20, date: .day(8)).bytes(), to: "a.jpg")
    try photos.write(try photos.bytes(of: "a.jpg"), to: "copy.jpg")
    let manager = access(library.open(), decision).manager
    #expect(names(manager) == ["a.jpg"])
    #expect(manager.fetchAssets(in: nil, options: FetchOptions()).first?.pixelSize.width == 32)
  }

  @Test func `A clip and a sidecar that are added beside an allowed photo are allowed with it`() throws {
    let decision = try allow("a.jpg")
    try photos.write(HandmadeMovie().bytes, to: "a.mov")
    try photos.write(Array("<x/>".utf8), to: "a.xmp")
    try photos.write(Array("<x/>".utf8), to: "trip/b.xmp")
    let manager = access(library.open(), decision).manager
    #expect(names(manager) == ["a.jpg"])
    let resources = try #require(manager.fetchAssets(in: nil, options: FetchOptions()).first).resources
    #expect(
      Set(resources.map { String(decoding: $0.filename, as: UTF8.self) }) == ["a.jpg", "a.mov", "a.xmp"])
  }

  @Test func `What happens to other photos, and another choice, is no change to a client`() throws {
    let store = library.open()
    let identifiers = store.identifiers(below: photos)
    let (a, b) = (try #require(identifiers["a.jpg"]), try #require(identifiers["trip/b.jpg"]))
    let controller = access(store, AccessDecision(readWrite: .limited, allowed: AllowedAssets([a])))
    let client = controller.manager
    var token = try client.fetchPersistentChanges(since: nil).token
    func changes(_ manager: any AssetManager) throws -> [String] {
      let answer = try manager.fetchPersistentChanges(since: token)
      token = answer.token
      return answer.changes.map { "\($0.kind) \($0.identifier)" }
    }
    try store.perform([.setFavorite(b, true), .createAlbum(UserAlbum.newIdentifier(), title: "Secret")])
    #expect(try changes(client).isEmpty)
    // A photo is not new because it was allowed.
    controller.setLimitedSelection([a, b])
    #expect(try changes(client).isEmpty)
    #expect(Set(try client.fetchPersistentChanges(since: nil).changes.map(\.identifier)) == [a, b])
    try store.perform([.setFavorite(b, false)])
    #expect(try changes(client) == ["updated \(b)"])
    controller.setLimitedSelection([a])
    #expect(try changes(client).isEmpty)
    try store.perform([.setFavorite(b, true)])
    try store.perform([.delete([b])])
    #expect(try changes(client).isEmpty)
  }

  @Test func `Another file in the place of an allowed photo is a deletion to a client, without a path`()
    throws
  {
    let decision = try allow("a.jpg")
    let first = library.open()
    let a = try #require(first.identifiers(below: photos)["a.jpg"])
    let token = try access(first, decision).manager.fetchPersistentChanges(since: nil).token
    try photos.rewritePhoto("a.jpg", day: 9)
    let client = access(library.open(), decision).manager
    let changes = try client.fetchPersistentChanges(since: token).changes
    #expect(changes.map { "\($0.kind) \($0.identifier)" } == ["deleted \(a)"])
    #expect(changes.allSatisfy { $0.path == nil })
  }

  @Test func `Errors about changes name neither files nor folders to a client with limited access`() throws {
    let decision = try allow("trip/b.jpg")
    let sources = [photos.filePath(of: "trip"), photos.filePath(of: "secret")]
    try photos.makeFolder("secret")
    let (user, client) = (AccessDecision(readWrite: .authorized), decision)
    func failure(_ decision: AccessDecision, _ token: PersistentChangeToken?) -> PersistentChangeError? {
      let manager = access(library.open(sources), decision).manager
      return #expect(throws: PersistentChangeError.self) {
        try manager.fetchPersistentChanges(since: token)
      }
    }
    let token = try access(library.open(sources), client).manager.fetchPersistentChanges(since: nil).token
    photos.remove("secret")
    #expect(failure(client, token) == .incomplete(AssetError("library", "a source can't be read")))
    #expect(failure(user, token)?.description.contains("secret") == true)
    try photos.makeFolder("secret")
    // Nothing can be stored where a folder has the name of the history.
    for name in ["", "-wal", "-shm"] { unlink(library.history + name) }
    #expect(mkdir(library.history, 0o700) == 0)
    #expect(
      failure(client, token)
        == .storage(AssetError("library", "its history can't be read or written")))
    #expect(failure(user, token)?.description.contains("changes.sqlite") == true)
  }

  @Test func `Selecting photos in one library keeps the selection of another`() throws {
    let other = LocalIdentifier("elsewhere")
    let decision = AccessDecision(
      readWrite: .limited, allowed: AllowedAssets([other], successorFiles: [other: 5]))
    let store = library.open()
    let library = access(store, decision)
    #expect(library.limitedSelection == [other])
    let first = try #require(store.identifiers(below: photos)["a.jpg"])
    #expect(library.setLimitedSelection([other, first]) == [first])
    #expect(library.decision.allowed == AllowedAssets([other, first], successorFiles: [other: 5]))
  }
}

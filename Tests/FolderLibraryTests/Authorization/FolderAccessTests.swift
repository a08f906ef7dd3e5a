import AssetLibrary
import Fixtures
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

import AssetLibrary
import Fixtures
import Pixels
import Synchronization
import System
import Testing

@Suite struct LibraryAssetManagerTests {
  private static let consentRequest = ConsentRequest(client: "mutt", purpose: "to attach photos")
  private let store = MemoryAssetStore()

  init() {
    for (name, album) in [("a", "Lisbon"), ("b", "Lisbon"), ("c", nil), ("d", nil)] {
      store.add(.photo(name), album: album)
    }
  }

  private func access(
    _ status: AuthorizationStatus, allowed: Set<LocalIdentifier> = [],
    consent: any ConsentPresenter = NoConsentPresenter(), asksBefore kinds: Set<ChangeKind> = []
  ) -> LibraryAccessController {
    LibraryAccessController(
      store: store, images: NoImages(), status: status, allowed: allowed, consentRequest: Self.consentRequest,
      consent: consent, asksBefore: kinds)
  }

  private func manager(
    _ status: AuthorizationStatus, allowed: Set<LocalIdentifier> = [],
    consent: any ConsentPresenter = NoConsentPresenter()
  ) -> any AssetManager { access(status, allowed: allowed, consent: consent).manager }

  private func names(_ assets: FetchResult<Asset>) -> [String] { assets.map(\.id.rawValue) }

  @Test(arguments: AuthorizationStatus.allCases)
  func `Each status shows what it allows`(status: AuthorizationStatus) {
    let manager = manager(status, allowed: [LocalIdentifier("b"), LocalIdentifier("d")])
    let expected: [String] =
      switch status {
      case .authorized: ["a", "b", "c", "d"]
      case .limited: ["b", "d"]
      case .notDetermined, .restricted, .denied: []
      }
    #expect(manager.authorizationStatus(for: .readWrite) == status)
    #expect(names(manager.fetchAssets(in: nil, options: FetchOptions())) == expected)
    let collections = manager.fetchCollections(options: FetchOptions())
    switch status {
    case .authorized:
      #expect(collections.map(\.title) == ["Recents", "Lisbon"])
      #expect(collections.map(\.estimatedAssetCount) == [4, 2])
    case .limited:
      // The user's own albums stay hidden.
      #expect(collections.map(\.title) == ["Recents"])
      #expect(collections.map(\.estimatedAssetCount) == [2])
    case .notDetermined, .restricted, .denied: #expect(collections.isEmpty)
    }
  }

  @Test func `Limited access also restricts albums, filters and limits`() {
    let manager = manager(.limited, allowed: [LocalIdentifier("b"), LocalIdentifier("d")])
    // It does not even reveal whether the album exists.
    #expect(manager.fetchAssets(in: LocalIdentifier("Lisbon"), options: FetchOptions()).isEmpty)
    #expect(manager.assetCount(in: LocalIdentifier("Lisbon"), options: FetchOptions()) == 0)
    #expect(manager.fetchKeyAssets(in: LocalIdentifier("Lisbon"), options: FetchOptions()).isEmpty)
    #expect(names(manager.fetchAssets(in: AssetCollection.recents, options: FetchOptions())) == ["b", "d"])
    var options = FetchOptions(filter: .matching(.images), sort: .name)
    options.fetchLimit = 1
    #expect(names(manager.fetchAssets(in: nil, options: options)) == ["b"])
  }

  @Test(arguments: AuthorizationStatus.allCases)
  func `Under limited access, managing the selection shows everything`(status: AuthorizationStatus) {
    let library = access(status, allowed: [LocalIdentifier("b")]).wholeLibrary
    let isOpen = status == .authorized || status == .limited
    #expect(library.fetchAssets(in: nil, options: FetchOptions()).count == (isOpen ? 4 : 0))
    #expect(library.fetchCollections(options: FetchOptions()).count == (isOpen ? 2 : 0))
    #expect(
      library.fetchAssets(in: LocalIdentifier("Lisbon"), options: FetchOptions()).count == (isOpen ? 2 : 0))
    #expect(library.libraryStatus.assetCount == (isOpen ? 4 : 0))
  }

  @Test func `A change of the limited selection is reported once, with the new assets`() {
    let access = access(.limited, allowed: [LocalIdentifier("a"), LocalIdentifier("b")])
    let manager = access.manager
    let changes = Counter()
    manager.observeChanges { _ in changes.increment() }
    let selection: Set = [LocalIdentifier("b"), LocalIdentifier("c")]
    #expect(access.setLimitedSelection(selection) == [LocalIdentifier("c")])
    #expect(access.limitedSelection == selection)
    #expect(changes.count == 1)
    #expect(names(manager.fetchAssets(in: nil, options: FetchOptions())) == ["b", "c"])
    #expect(access.setLimitedSelection(selection).isEmpty)
    #expect(changes.count == 1)
    #expect(access.setLimitedSelection([]).isEmpty)
    #expect(changes.count == 2)
    #expect(manager.fetchAssets(in: nil, options: FetchOptions()).isEmpty)
  }

  @Test func `Changes of the store are reported too`() {
    let manager = manager(.authorized)
    let changes = Counter()
    manager.observeChanges { _ in changes.increment() }
    store.add(.photo("e"))
    store.remove(LocalIdentifier("a"))
    #expect(changes.count == 2)
  }

  @Test func `Observers are notified of changes until they are removed`() throws {
    let access = access(.limited, allowed: [LocalIdentifier("a")])
    let manager = access.manager
    let heard = Mutex<[LibraryChange]>([])
    let observer = manager.observeChanges { change in heard.withLock { $0.append(change) } }
    let other = Counter()
    manager.observeChanges { _ in other.increment() }
    store.setComplete(false)
    try store.perform([.setFavorite(LocalIdentifier("a"), true)])
    access.setLimitedSelection([])
    #expect(heard.withLock { $0 } == [.status, .contents, .access])
    manager.stopObserving(observer)
    access.setLimitedSelection([LocalIdentifier("b")])
    #expect(heard.withLock { $0.count } == 3)
    #expect(other.count == 4)
  }

  @Test func `Changes of a fetch result are reported as indexes on request`() {
    let manager = manager(.authorized)
    var options = FetchOptions(sort: .name)
    let before = manager.fetchAssets(in: nil, options: options)
    store.remove(LocalIdentifier("a"))
    store.add(.photo("e"))
    let details = manager.changeDetails(of: before, in: nil, options: options)
    #expect(details.removedObjects.map(\.id.rawValue) == ["a"])
    #expect(details.insertedObjects.map(\.id.rawValue) == ["e"])
    options.wantsIncrementalChangeDetails = false
    let replaced = manager.changeDetails(of: before, in: nil, options: options)
    #expect(!replaced.hasIncrementalChanges)
    #expect(replaced.fetchResultAfterChanges == details.fetchResultAfterChanges)
  }

  @Test(arguments: ConsentDecision.allCases)
  func `The user is asked once, and the answer is kept`(decision: ConsentDecision) async {
    let user = DecidedUser(decision)
    let manager = manager(.notDetermined, consent: user)
    let changes = Counter()
    manager.observeChanges { _ in changes.increment() }
    for _ in 0..<2 {
      #expect(await manager.requestAuthorization(for: .readWrite) == decision.status)
    }
    #expect(user.questions == [Self.consentRequest])
    #expect(changes.count == 1)
    #expect(manager.authorizationStatus(for: .readWrite) == decision.status)
  }

  @Test func `Concurrent requests share one question and its answer`()
    async
  {
    let user = AskedUser()
    let manager = manager(.notDetermined, consent: user)
    async let first = manager.requestAuthorization(for: .readWrite)
    await user.waitForQuestion()
    async let second = manager.requestAuthorization(for: .readWrite)
    async let third = manager.requestAuthorization(for: .readWrite)
    #expect(manager.authorizationStatus(for: .readWrite) == .notDetermined)
    user.answer(.selectPhotos)
    #expect(await [first, second, third] == [.limited, .limited, .limited])
    #expect(user.questionCount == 1)
    #expect(manager.authorizationStatus(for: .readWrite) == .limited)
  }

  @Test(arguments: [AuthorizationStatus.restricted, .denied, .authorized, .limited])
  func `A decided request asks no question`(status: AuthorizationStatus) async {
    let user = DecidedUser(.allowFullAccess)
    #expect(await manager(status, consent: user).requestAuthorization(for: .readWrite) == status)
    #expect(user.questions.isEmpty)
  }

  @Test func `Without a way to ask, no access is granted`() async {
    #expect(await manager(.notDetermined).requestAuthorization(for: .readWrite) == .notDetermined)
  }

  @Test func `Limited access restricts every way to an asset`() throws {
    var sibling = Asset.photo("e")
    sibling.burstIdentifier = "burst"
    store.add(sibling)
    sibling.localIdentifier = LocalIdentifier("f")
    store.add(sibling)
    let allowed: Set = [LocalIdentifier("b"), LocalIdentifier("e")]
    let manager = manager(.limited, allowed: allowed)
    let everything = store.assets(in: nil, options: FetchOptions()).identifiers + [LocalIdentifier("e")]
    let byName = manager.fetchAssets(withLocalIdentifiers: everything, options: FetchOptions())
    #expect(names(byName) == ["b", "e"])
    #expect(names(manager.fetchAssets(ofBurst: "burst", options: FetchOptions())) == ["e"])
    #expect(names(manager.fetchKeyAssets(in: AssetCollection.recents, options: FetchOptions())) == ["b"])
    #expect(manager.assetCount(in: nil, options: FetchOptions()) == 1)
    #expect(manager.fetchCollections(of: .all, options: FetchOptions()).map(\.type) == [.smartAlbum])
    #expect(manager.fetchCollectionLists(options: FetchOptions()).isEmpty)
  }

  @Test(arguments: [AuthorizationStatus.limited, .authorized])
  func `Another photo's file is not given out under an allowed identifier`(status: AuthorizationStatus) throws
  {
    let manager = manager(status, allowed: [LocalIdentifier("b")])
    let own = try #require(
      store.assets(withLocalIdentifiers: [LocalIdentifier("b")], options: FetchOptions()).first)
    let other = try #require(
      store.assets(withLocalIdentifiers: [LocalIdentifier("c")], options: FetchOptions()).first)
    var added = own
    added.resources += other.resources
    var exchanged = own
    exchanged.resources = other.resources
    // A remote file is found by its address, too: the path of an allowed one does not make it another file.
    var renamed = own
    renamed.resources = try other.resources.map { resource in
      var resource = resource
      resource.path = try #require(own.primaryResource?.path)
      resource.remoteAddress = "nas:c.jpg"
      return resource
    }
    let forged = [added, exchanged, renamed].map { ($0, status == .authorized) }
    for (asset, isGiven) in [(own, true)] + forged {
      let resource = try #require(asset.resources.last)
      let refusals = Mutex<[AssetError.Code]>([])
      func attempt(_ body: () throws(AssetError) -> Void) {
        do throws(AssetError) { try body() } catch { refusals.withLock { $0.append(error.code) } }
      }
      attempt { () throws(AssetError) in _ = try manager.details(of: asset) }
      attempt { () throws(AssetError) in try manager.download(resource, of: asset) { _ in .proceed } }
      _ = manager.requestImage(
        ImageRequest(asset: asset, targetSize: PixelSize(width: 8, height: 8), contentMode: .aspectFit),
        priority: .preview,
        progressHandler: nil
      ) { result in
        if case .failed(let error) = result.content { refusals.withLock { $0.append(error.code) } }
      }
      _ = manager.requestImageData(ImageDataRequest(asset: asset), progressHandler: nil) { result in
        if case .failed(let error) = result.content { refusals.withLock { $0.append(error.code) } }
      }
      let request = FrameRequest(asset: asset, targetSize: PixelSize(width: 8, height: 8))
      attempt { () throws(AssetError) in _ = try manager.frames(of: request, cancellation: Cancellation()) }
      let expected: [AssetError.Code] = Array(repeating: .notFound, count: 5)
      #expect(isGiven ? !refusals.withLock { $0 }.contains(.notFound) : refusals.withLock { $0 } == expected)
    }
  }

  @Test func `A file is held once as long as the manager exists, and not after a download that failed`()
    throws
  {
    let store = HoldingStore()
    var manager: (any AssetManager)? = LibraryAccessController(
      store: store, images: NoImages(), status: .authorized, consentRequest: Self.consentRequest,
      consent: NoConsentPresenter()
    ).manager
    for name in ["a", "a", "b"] {
      let asset = Asset.photo(name)
      store.fails.withLock { $0 = name == "b" }
      _ = try? manager?.download(try #require(asset.resources.first), of: asset) { _ in .proceed }
    }
    #expect(store.holds.withLock { $0 } == ["a": 1, "b": 0])
    manager = nil
    #expect(store.holds.withLock { $0 } == ["a": 0, "b": 0])
  }

  @Test(arguments: [true, false])
  func `A store without downloads needs none for local files, and says so for remote ones`(
    isLocal: Bool
  ) async throws {
    let resource = try #require(Asset.photo("a").resources.first)
    let access = ReadingAccess(isLocal: isLocal)
    func code(_ body: () async throws(AssetError) -> Void) async -> AssetError.Code? {
      do throws(AssetError) {
        try await body()
        return nil
      } catch {
        return error.code
      }
    }
    let expected: AssetError.Code? = isLocal ? nil : .unsupported
    #expect(
      await code { () throws(AssetError) in try access.download(resource) { _ in .proceed } } == expected)
    #expect(
      await code { () async throws(AssetError) in
        try await access.loadOriginal(of: resource, progressHandler: nil)
      } == expected)
  }

  /// Says only what every store must say.
  private struct ReadingAccess: OriginalAccess {
    let isLocal: Bool

    func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
      throw AssetError("a", "is not read here", code: .notFound)
    }

    func isLocal(_ resource: AssetResource) -> Bool { isLocal }
  }

  /// Remote files, and how often each is held.
  private final class HoldingStore: MemoryBackedStore {
    let memory = MemoryAssetStore()
    let fails = Mutex(false)
    let holds = Mutex<[String: Int]>([:])

    func isLocal(_ resource: AssetResource) -> Bool { false }

    func download(
      _ resource: AssetResource, progress: (Double) -> DownloadDecision
    ) throws(AssetError) {
      if fails.withLock({ $0 }) { throw AssetError("b", "the server is gone", code: .networkRequired) }
    }

    func hold(_ resource: AssetResource) { count(resource, 1) }

    func release(_ resource: AssetResource) { count(resource, -1) }

    private func count(_ resource: AssetResource, _ change: Int) {
      holds.withLock { $0[resource.originalFilename, default: 0] += change }
    }
  }

  @Test(arguments: [AuthorizationStatus.authorized, .limited, .denied, .notDetermined])
  func `Only full access shows deleted photos, restores them and deletes them for good`(
    status: AuthorizationStatus
  ) throws {
    let deleted: Set = [LocalIdentifier("b"), LocalIdentifier("c")]
    try store.perform([.delete(["b", "c"].map { LocalIdentifier($0) })])
    let album = SmartAlbum.recentlyDeleted.localIdentifier
    let manager = manager(status, allowed: deleted.union([LocalIdentifier("a")]))
    var options = FetchOptions()
    options.includeHiddenAssets = true
    let isSeen = status == .authorized
    #expect(names(manager.fetchAssets(in: album, options: options)) == (isSeen ? ["b", "c"] : []))
    #expect(manager.assetCount(in: album, options: options) == (isSeen ? 2 : 0))
    #expect(manager.fetchKeyAssets(in: album, options: options).isEmpty == !isSeen)
    let collections = manager.fetchCollections(of: [.all, .recentlyDeleted], options: options)
    #expect(collections.contains { $0.subtype == .smartAlbumRecentlyDeleted } == isSeen)
    // No other fetch returns them, whatever the access.
    #expect(manager.fetchAssets(withLocalIdentifiers: Array(deleted), options: options).isEmpty)
    #expect(deleted.isDisjoint(with: manager.fetchAssets(in: nil, options: options).identifiers))
    #expect(
      !manager.fetchCollections(of: .all, options: options).contains {
        $0.subtype == .smartAlbumRecentlyDeleted
      })
    for change in [AssetChange.restore([LocalIdentifier("b")]), .deletePermanently([LocalIdentifier("c")])] {
      if isSeen {
        try manager.performChanges([change])
      } else {
        #expect(throws: AssetError.self) { try manager.performChanges([change]) }
      }
    }
    #expect(names(store.assets(in: album, options: options)) == (isSeen ? [] : ["b", "c"]))
    #expect(store.assets(in: nil, options: options).identifiers.contains(LocalIdentifier("b")) == isSeen)
  }

  @Test func `Under limited access no search reveals the user's albums`() throws {
    let manager = manager(.limited, allowed: [LocalIdentifier("b")])
    var options = FetchOptions()
    options.search = try SearchQuery(parsing: "lisbon")
    #expect(manager.fetchAssets(in: nil, options: options).isEmpty)
    #expect(store.assets(in: nil, options: options).count == 2)
  }

  @Test func `Search completion covers only visible assets`() {
    var details = AssetDetails()
    details.camera = "Leica Q"
    store.add(.photo("b"), album: "Lisbon", details: details)
    details.camera = "Leica M"
    store.add(.photo("g"), album: "Lisbon", details: details)
    func texts(_ manager: any AssetManager) -> [String] {
      manager.searchTexts(in: .all, beginningWith: "l", collection: nil, options: FetchOptions()).map(\.text)
    }
    #expect(texts(manager(.authorized)) == ["Lisbon", "Leica M", "Leica Q"])
    #expect(texts(manager(.limited, allowed: [LocalIdentifier("b")])) == ["Leica Q"])
    #expect(texts(manager(.denied)).isEmpty)
  }

  @Test func `Full access includes lists, moments and key assets`() {
    store.add(.photo("g"), album: "Trips/Porto")
    let manager = manager(.authorized)
    #expect(manager.fetchCollectionLists(options: FetchOptions()).map(\.title) == ["Trips"])
    #expect(manager.fetchCollections(of: .moment, options: FetchOptions()).count == 1)
    #expect(manager.fetchKeyAssets(in: AssetCollection.recents, options: FetchOptions()).count == 3)
  }

  @Test func `Lists and albums are fetched level by level, and from an album upwards`() throws {
    store.add(.photo("g"), album: "Trips/2024/Porto")
    store.add(.photo("h"), album: "Trips/Home")
    var video = Asset.photo("v")
    video.mediaType = .video
    store.add(video, album: "Films/x")
    let own = UserAlbum.newIdentifier()
    try store.perform([.createAlbum(own, title: "Mine"), .addAssets([LocalIdentifier("a")], to: own)])
    let manager = manager(.authorized)
    let lists = Array(manager.fetchCollectionLists(in: nil))
    #expect(lists.map(\.title) == ["Films", "Trips"])
    #expect(Set(manager.fetchAlbums(in: nil).map(\.title)).isSuperset(of: ["Mine", "Lisbon"]))
    let trips = lists.last?.id
    let inner = try #require(manager.fetchCollectionLists(in: trips).first)
    #expect(inner.title == "2024")
    let porto = try #require(manager.fetchAlbums(in: inner.id).first)
    #expect(porto.title == "Porto" && manager.fetchAlbums(in: inner.id).count == 1)
    #expect(manager.fetchCollectionLists(containing: porto.id).map(\.title) == ["2024", "Trips"])
    #expect(manager.fetchCollectionLists(containing: inner.id).map(\.title) == ["Trips"])
    for none in [own, AssetCollection.recents, LocalIdentifier("none"), LocalIdentifier("Lisbon")] {
      #expect(manager.fetchCollectionLists(containing: none).isEmpty)
    }
    let videos = FetchOptions(filter: .matching(.videos))
    #expect(manager.fetchCollectionLists(in: nil, options: videos).map(\.title) == ["Films"])
    #expect(manager.fetchCollectionLists(containing: porto.id, options: videos).isEmpty)
    // The limit counts what is returned.
    var one = FetchOptions()
    one.fetchLimit = 1
    #expect(manager.fetchAlbums(in: inner.id, options: one).map(\.title) == ["Porto"])
    #expect(manager.fetchCollectionLists(containing: porto.id, options: one).map(\.title) == ["2024"])
    // Under limited access there are neither albums nor lists.
    let limited = self.manager(.limited, allowed: [LocalIdentifier("g")])
    #expect(limited.fetchAlbums(in: nil).isEmpty && limited.fetchCollectionLists(in: nil).isEmpty)
    #expect(limited.fetchCollectionLists(containing: porto.id).isEmpty)
  }

  @Test(arguments: AuthorizationStatus.allCases)
  func `Only visible assets can be changed`(status: AuthorizationStatus) throws {
    let manager = manager(status, allowed: [LocalIdentifier("b")])
    let (own, foreign) = (LocalIdentifier("b"), LocalIdentifier("c"))
    let both: [AssetChange] = [.setFavorite(own, true), .setFavorite(foreign, true)]
    let favorites = FetchOptions(filter: .matching(.favorites))
    switch status {
    case .authorized:
      try manager.performChanges(both)
      #expect(store.assets(in: nil, options: favorites).identifiers == [own, foreign])
    case .limited:
      #expect(throws: AssetError("c", "not among the photos that 'mutt' may see", code: .accessDenied)) {
        try manager.performChanges(both)
      }
      #expect(store.assets(in: nil, options: favorites).isEmpty)
      try manager.performChanges([.setFavorite(own, true)])
      #expect(store.assets(in: nil, options: favorites).identifiers == [own])
    case .notDetermined, .restricted, .denied:
      #expect(throws: AssetError("photos", "no access to them", code: .accessDenied)) {
        try manager.performChanges(both)
      }
      #expect(store.assets(in: nil, options: favorites).isEmpty)
    }
  }
}

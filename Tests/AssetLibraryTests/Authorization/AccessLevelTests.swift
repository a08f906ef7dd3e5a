import AssetLibrary
import Fixtures
import Synchronization
import Testing

/// Both access levels: decisions for one, and what they imply for the other.
@Suite struct AccessLevelTests {
  private let store = MemoryAssetStore()

  init() { store.add(.photo("a")) }

  private func access(
    _ decision: AccessDecision, consent: any ConsentPresenter = NoConsentPresenter(),
    record: (@Sendable (AccessDecision) -> Void)? = nil
  ) -> LibraryAccessController {
    LibraryAccessController(
      store: store, images: NoImages(), decision: decision,
      consentRequest: ConsentRequest(client: "mutt", purpose: "to attach photos"), consent: consent,
      record: record)
  }

  static let table: [(readWrite: AuthorizationStatus, addOnly: AuthorizationStatus, AuthorizationStatus)] = [
    (.notDetermined, .notDetermined, .notDetermined), (.notDetermined, .authorized, .authorized),
    (.notDetermined, .denied, .denied), (.restricted, .authorized, .restricted),
    (.denied, .authorized, .authorized),
    (.denied, .notDetermined, .notDetermined), (.authorized, .denied, .authorized),
    (.limited, .notDetermined, .authorized),
  ]

  @Test(arguments: table)
  func `Read access implies save access, and save access alone shows nothing`(
    readWrite: AuthorizationStatus, addOnly: AuthorizationStatus, expected: AuthorizationStatus
  ) {
    let manager = access(AccessDecision(readWrite: readWrite, addOnly: addOnly)).manager
    #expect(manager.authorizationStatus(for: .readWrite) == readWrite)
    #expect(manager.authorizationStatus(for: .addOnly) == expected)
    let isOpen = readWrite == .authorized
    #expect(manager.fetchAssets(in: nil, options: FetchOptions()).count == (isOpen ? 1 : 0))
    #expect(manager.libraryStatus.assetCount == (isOpen ? 1 : 0))
  }

  @Test(arguments: [
    (ConsentDecision.allowFullAccess, AuthorizationStatus.authorized), (.deny, .denied),
    (.selectPhotos, .denied),
  ])
  func `A request to save is a question of its own`(
    answer: ConsentDecision, expected: AuthorizationStatus
  ) async {
    let user = DecidedUser(answer)
    let manager = access(AccessDecision(readWrite: .denied), consent: user).manager
    #expect(await manager.requestAuthorization(for: .readWrite) == .denied)
    #expect(user.questions.isEmpty)
    #expect(await manager.requestAuthorization(for: .addOnly) == expected)
    #expect(user.questions.map(\.level) == [.addOnly])
    #expect(await manager.requestAuthorization(for: .addOnly) == expected)
    #expect(user.questions.count == 1)
    #expect(manager.fetchAssets(in: nil, options: FetchOptions()).isEmpty)
  }

  @Test func `One question is shown at a time, and its answer may settle both`() async {
    let user = AskedUser()
    let manager = access(AccessDecision(readWrite: .notDetermined), consent: user).manager
    async let first = manager.requestAuthorization(for: .readWrite)
    await user.waitForQuestion()
    async let second = manager.requestAuthorization(for: .addOnly)
    user.answer(.allowFullAccess)
    #expect(await first == .authorized)
    #expect(await second == .authorized)
    #expect(user.questionCount == 1)
  }

  @Test func `Without an answer nothing is decided or stored, and the next request is shown`() async {
    let kept = Counter()
    let library = access(AccessDecision(readWrite: .notDetermined)) { _ in kept.increment() }
    #expect(await library.manager.requestAuthorization(for: .readWrite) == .notDetermined)
    #expect(library.manager.authorizationStatus(for: .readWrite) == .notDetermined)
    #expect(kept.count == 0)
  }

  @Test func `A user's decision is stored, one made elsewhere is published and not stored again`() async {
    let kept = Mutex<[AccessDecision]>([])
    let library = access(AccessDecision(readWrite: .notDetermined), consent: DecidedUser(.selectPhotos)) {
      decision in
      kept.withLock { $0.append(decision) }
    }
    let heard = Mutex<[LibraryChange]>([])
    library.manager.observeChanges { change in heard.withLock { $0.append(change) } }
    #expect(await library.manager.requestAuthorization(for: .readWrite) == .limited)
    library.setLimitedSelection([LocalIdentifier("a")])
    let limited = AccessDecision(readWrite: .limited, allowed: AllowedAssets([LocalIdentifier("a")]))
    #expect(kept.withLock { $0 } == [AccessDecision(readWrite: .limited), limited])
    #expect(heard.withLock { $0 } == [.access, .access])
    library.apply(limited)
    #expect(heard.withLock { $0.count } == 2)
    library.apply(AccessDecision(readWrite: .denied))
    #expect(heard.withLock { $0.count } == 3)
    #expect(kept.withLock { $0.count } == 2)
    #expect(library.manager.fetchAssets(in: nil, options: FetchOptions()).isEmpty)
    #expect(library.wholeLibrary.fetchAssets(in: nil, options: FetchOptions()).isEmpty)
  }

  @Test func `A file that replaced an allowed one is not allowed`() {
    let (id, other) = (LocalIdentifier("a"), LocalIdentifier("b"))
    let allowed = AllowedAssets([id, other], successorFiles: [other: 7])
    #expect(allowed.contains(id, successorFile: nil))
    #expect(!allowed.contains(id, successorFile: 9))
    #expect(allowed.contains(other, successorFile: 7))
    #expect(!allowed.contains(other, successorFile: nil))
    #expect(!allowed.contains(LocalIdentifier("c"), successorFile: nil))
  }
}

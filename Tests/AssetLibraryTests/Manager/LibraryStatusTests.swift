import AssetLibrary
import Fixtures
import Synchronization
import Testing

/// What a client learns about the library as a whole.
@Suite struct LibraryStatusTests {
  private func access(
    _ store: any AssetStore, _ status: AuthorizationStatus, allowed: Set<LocalIdentifier> = []
  ) -> LibraryAccessController {
    LibraryAccessController(
      store: store, images: NoImages(), status: status, allowed: allowed,
      consentRequest: ConsentRequest(client: "mutt"), consent: NoConsentPresenter())
  }

  @Test(arguments: AuthorizationStatus.allCases)
  func `Unreadable files are listed only with full access`(status: AuthorizationStatus) {
    let issues = [AssetError("secret.jpg", "the file is empty")]
    let store = DamagedStore(issues)
    store.memory.add(.photo("a"))
    let access = access(store, status, allowed: [LocalIdentifier("a")])
    #expect(access.manager.libraryStatus.issues == (status == .authorized ? issues : []))
    let isOpen = status == .authorized || status == .limited
    #expect(access.wholeLibrary.libraryStatus.issues == (isOpen ? issues : []))
  }

  @Test func `A released manager no longer observes the store`() {
    let store = DamagedStore()
    do {
      let access = access(store, .authorized)
      #expect(access.manager.libraryStatus.assetCount == 0)
      #expect(store.observerCount > 0)
    }
    #expect(store.observerCount == 0)
  }

  @Test func `New access is reported once`() throws {
    let store = MemoryAssetStore()
    for name in ["a", "b"] { store.add(.photo(name)) }
    let access = access(store, .limited, allowed: [LocalIdentifier("a")])
    let heard = Mutex<[LibraryChange]>([])
    access.manager.observeChanges { change in heard.withLock { $0.append(change) } }
    try store.perform([.setFavorite(LocalIdentifier("a"), true)])
    try store.perform([.setFavorite(LocalIdentifier("b"), true)])
    #expect(heard.withLock { $0 } == [.contents])
  }
}

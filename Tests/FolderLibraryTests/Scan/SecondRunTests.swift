import AssetLibrary
import Fixtures
import TestScheduling
import Testing

import FolderLibrary

/// Libraries that a program opens with a stored index.
@Suite(.onOwnThreads) struct SecondRunTests {
  private let library: TestLibrary

  init() throws {
    library = try TestLibrary()
    try library.photos.writePhoto("a.jpg", day: 1)
    try library.photos.writePhoto("b.jpg", day: 2)
  }

  private func open() -> FolderAssetStore {
    FolderAssetStore(sources: [library.photos.filePath], locations: library.locations, watches: true)
  }

  @Test func `A later run completes by itself and follows changes`() throws {
    open().waitUntilComplete()
    try library.photos.writePhoto("c.jpg", day: 3)
    let store = open()
    store.start()
    // Nothing else is called: the index is compared with the disk all the same.
    #expect(eventually { store.status.isComplete && store.status.assetCount == 3 })
    try library.photos.writePhoto("d.jpg", day: 4)
    #expect(eventually { store.status.assetCount == 4 })
  }

  @Test func `A store starts once, at the latest when it is waited for`() {
    let store = open()
    store.waitUntilComplete()
    #expect(store.status.isComplete && store.status.assetCount == 2)
    store.start()
    store.waitUntilComplete()
    #expect(store.status.isComplete && store.status.assetCount == 2)
  }

  @Test func `The manager waits on first and later runs`() async {
    for _ in 0..<2 {
      let access = LibraryAccessController(
        store: open(), images: NoImages(), status: .authorized,
        consentRequest: ConsentRequest(client: "test"), consent: NoConsentPresenter())
      await access.manager.waitUntilComplete()
      #expect(access.manager.libraryStatus.isComplete && access.manager.fetchAssets().count == 2)
    }
  }
}

import AssetLibrary
import Fixtures
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

/// What is reported about sources that can't be read at all.
@Suite(.onOwnThreads) struct UnreadableSourceTests {
  private let source: ScriptedSource

  init() throws {
    source = try ScriptedSource()
    source.write(try TestPhoto(width: 16, height: 12).bytes(), to: "a.jpg")
    source.listingFailure = AssetError(source.name, "access denied")
  }

  private func library(with folders: [FilePath] = []) -> FolderAssetStore {
    let store = FolderAssetStore(sources: folders, candidates: nil, remotes: [source])
    store.start()
    store.waitUntilComplete()
    return store
  }

  @Test func `A server that can't be listed is an unreadable source until a retry succeeds`() {
    let store = library()
    #expect(store.status.unreadableSources == [AssetError("nas:Photos", "access denied")])
    #expect(store.status.isUnreadable)
    // The second attempt reports its own reason, and not both.
    source.listingFailure = AssetError(source.name, "no such file or folder")
    store.resumeReading()
    #expect(
      eventually {
        store.status.isComplete
          && store.status.unreadableSources == [AssetError("nas:Photos", "no such file or folder")]
      })
    #expect(store.status.issues.count == 1)
    source.listingFailure = nil
    store.resumeReading()
    #expect(eventually { store.status.isComplete && store.status.assetCount == 1 })
    #expect(store.status.unreadableSources.isEmpty && !store.status.isUnreadable)
    // Nothing is read again if everything could be read.
    let listed = source.listed.count
    store.resumeReading()
    store.updater.waitUntilStored()
    #expect(source.listed.count == listed)
  }

  @Test func `One unreadable source of several is reported, and the library is readable`() throws {
    let folder = try TemporaryFolder()
    try folder.write(try TestPhoto(width: 16, height: 12).bytes(), to: "b.jpg")
    let store = library(with: [folder.filePath])
    #expect(store.status.unreadableSources.map(\.subject) == ["nas:Photos"])
    #expect(!store.status.isUnreadable && store.status.assetCount == 1)
  }

  @Test func `Unreadable files do not make their source unreadable`() {
    source.listingFailure = nil
    source.isGone = true
    let store = library()
    #expect(store.status.assetCount == 1 && !store.status.issues.isEmpty)
    #expect(store.status.unreadableSources.isEmpty && !store.status.isUnreadable)
  }
}

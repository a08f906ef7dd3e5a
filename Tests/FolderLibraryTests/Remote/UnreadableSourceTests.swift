import AssetLibrary
import Fixtures
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

/// What is told of sources of which nothing can be read.
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

  @Test func `A server that can't be listed is a source that can't be read, until it is tried again`() {
    let store = library()
    #expect(store.status.unreadableSources == [AssetError("nas:Photos", "access denied")])
    #expect(store.status.isUnreadable)
    // The second try says another reason, and not both.
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
    // Nothing is read again where all could be.
    let listed = source.listed.count
    store.resumeReading()
    store.updater.waitUntilKept()
    #expect(source.listed.count == listed)
  }

  @Test func `One source of several that can't be read is named, and the library is readable`() throws {
    let folder = try TemporaryFolder()
    try folder.write(try TestPhoto(width: 16, height: 12).bytes(), to: "b.jpg")
    let store = library(with: [folder.filePath])
    #expect(store.status.unreadableSources.map(\.subject) == ["nas:Photos"])
    #expect(!store.status.isUnreadable && store.status.assetCount == 1)
  }

  @Test func `Files that can't be read make no source unreadable`() {
    source.listingFailure = nil
    source.isGone = true
    let store = library()
    #expect(store.status.assetCount == 1 && !store.status.issues.isEmpty)
    #expect(store.status.unreadableSources.isEmpty && !store.status.isUnreadable)
  }
}

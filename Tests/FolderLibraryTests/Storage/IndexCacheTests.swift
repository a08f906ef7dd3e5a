import AssetLibrary
import Fixtures
import FoundationEssentials
import GRDB
import TestScheduling
import Testing

@testable import FolderLibrary

@Suite(.onOwnThreads) struct IndexCacheTests {
  private let library: TestLibrary

  init() throws {
    library = try TestLibrary()
    try library.photos.writePhoto("a.jpg", day: 1)
    try library.photos.writePhoto("folder/b.jpg", day: 2)
  }

  private func folderCount() throws -> Int? {
    let queue = try TestLibrary.queue(library.index)
    defer { try? queue.close() }
    return try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM folder") }
  }

  @Test func `Without an index there is nothing to clear`() throws {
    let cache = IndexCache(library.locations)
    #expect(cache.byteCount == nil)
    try cache.clear()
    #expect(cache.byteCount == nil)
  }

  @Test func `The index is cleared while a library that uses it keeps working`() throws {
    let cache = IndexCache(library.locations)
    let before = library.snapshot()
    let store = library.follow()
    #expect(try folderCount() == 2)
    let ledger = try #require(FileManager.default.contents(atPath: library.ledger))
    try cache.clear()
    #expect(try folderCount() == 0)
    #expect(try #require(cache.byteCount) > 0)
    #expect(FileManager.default.contents(atPath: library.ledger) == ledger)
    // New pages are written into the same file.
    try library.photos.writePhoto("new/c.jpg", day: 3)
    #expect(eventually { store.everything.count == 3 && (try? folderCount()) ?? 0 > 0 })
    library.photos.remove("new")
    #expect(eventually { store.everything.count == 2 })
    #expect(store.status.notes.isEmpty)
    #expect(library.open().everything.map(\.id) == before.assets.map(\.id))
  }
}

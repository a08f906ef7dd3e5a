import Fixtures
import FolderLibrary
import Synchronization
import SystemPackage
import Testing

@testable import RemoteLibrary

/// Which thumbnails of remote files are stored, and what is known about them.
@Suite struct RemoteThumbnailsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func database(limit: Int64 = 1 << 20) -> RemoteDatabase {
    RemoteDatabase(at: FilePath(folder.path).appending("remote.sqlite"), thumbnailLimit: limit)
  }

  private func copies(_ thumbnails: RemoteThumbnails) -> RemoteCopies {
    var copies = RemoteCopies()
    thumbnails.copy(to: &copies)
    return copies
  }

  @Test func `A stored thumbnail is available in the next run, with its kind`() {
    let first = RemoteThumbnails(database())
    #expect(first.keep(.embedded([1, 2, 3], place: 700), of: 5, makesRoom: false))
    #expect(first.keep(.made([4, 5]), of: .max, makesRoom: false))
    #expect(copies(first).madeThumbnails == [.max])
    let second = RemoteThumbnails(database())
    #expect(second.thumbnail(of: 5) == .embedded([1, 2, 3], place: 700))
    #expect(second.thumbnail(of: .max) == .made([4, 5]))
    #expect(copies(second).madeThumbnails == [.max] && copies(second).lostThumbnails.isEmpty)
  }

  @Test func `A thumbnail that does not exist is recorded as such until one is stored`() {
    let thumbnails = RemoteThumbnails(database())
    let told = Mutex<[Set<UInt64>]>([])
    thumbnails.onChange { told.withLock { $0.append(copies(thumbnails).lostThumbnails) } }
    #expect(thumbnails.thumbnail(of: 7) == nil && thumbnails.thumbnail(of: 7) == nil)
    #expect(thumbnails.keep(.embedded([1], place: 0), of: 7, makesRoom: true))
    #expect(told.withLock { $0 } == [[7], []])
    // One that was there all along changes nothing.
    #expect(thumbnails.keep(.embedded([1], place: 0), of: 8, makesRoom: true))
    #expect(told.withLock { $0.count } == 2)
    #expect(thumbnails.keep(.made([1]), of: 9, makesRoom: true))
    #expect(told.withLock { $0.count } == 3)
  }

  @Test func `A thumbnail that is not visible displaces no other`() {
    let database = database(limit: 1000)
    let bytes = [UInt8](repeating: 1, count: 100)
    for version in 0..<10 as Range<UInt64> {
      #expect(database.keep(.embedded(bytes, place: 0), of: version, makesRoom: false))
    }
    #expect(!database.keep(.embedded(bytes, place: 0), of: 10, makesRoom: false))
    #expect(database.thumbnail(of: 10) == nil)
    for version in 0..<10 as Range<UInt64> { #expect(database.thumbnail(of: version) != nil) }
    // A visible thumbnail displaces the oldest ones.
    #expect(database.keep(.embedded(bytes, place: 0), of: 11, makesRoom: true))
    #expect(database.thumbnail(of: 11) != nil)
    // Counted again when the file is opened later.
    let kept = (0..<12 as Range<UInt64>).count { database.thumbnail(of: $0) != nil }
    #expect(kept <= 10)
    let other = self.database(limit: Int64(kept * 100))
    #expect(!other.keep(.embedded(bytes, place: 0), of: 12, makesRoom: false))
    #expect(
      self.database(limit: Int64(kept * 100 + 100)).keep(.embedded(bytes, place: 0), of: 12, makesRoom: false)
    )
  }

  @Test func `A thumbnail larger than the limit is not stored`() {
    let database = database(limit: 1000)
    #expect(!database.keep(.made([UInt8](repeating: 1, count: 2000)), of: 1, makesRoom: true))
    #expect(database.keep(.made([1]), of: 2, makesRoom: true))
  }

  @Test func `Without storage nothing is stored`() {
    let database = RemoteDatabase(at: "/dev/null/remote.sqlite")
    #expect(!database.keep(.made([1]), of: 1, makesRoom: true))
    #expect(database.madeThumbnails.isEmpty && database.thumbnail(of: 1) == nil)
  }
}

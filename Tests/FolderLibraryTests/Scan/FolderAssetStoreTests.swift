import AssetLibrary
import Fixtures
import FolderLibrary
import Metadata
import Pixels
import SystemPackage
import Testing

@Suite struct FolderAssetStoreTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `The newest photo comes first, ties are sorted by path bytes`() throws {
    try folder.writePhoto("b.jpg", day: 2)
    try folder.writePhoto("z/old.jpg", day: 1)
    try folder.writePhoto("a/tie.jpg", day: 3)
    try folder.writePhoto("a.jpg", day: 3)
    try folder.writePhoto("B.jpg", day: 3)
    #expect(folder.library().names == ["B.jpg", "a.jpg", "tie.jpg", "b.jpg", "old.jpg"])
  }

  @Test func `Without a camera date the file's date counts`() throws {
    try folder.writePhoto("camera.jpg", day: 2)
    try folder.writePhoto("old.jpg", day: nil)
    try folder.writePhoto("new.jpg", day: nil)
    try folder.setModificationTime(1_000_000_000, of: "old.jpg")
    try folder.setModificationTime(1_900_000_000, of: "new.jpg")
    #expect(folder.library().names == ["new.jpg", "camera.jpg", "old.jpg"])
  }

  @Test(arguments: Orientation.allCases)
  func `Metadata of the file is known`(orientation: Orientation) throws {
    var photo = TestPhoto(
      width: 64, height: 32, orientation: orientation,
      date: CivilTime(year: 2024, month: 5, day: 2, hour: 14, minute: 10, second: 9, utcOffset: 3600))
    photo.embedThumbnail()
    let file = try photo.file()
    try folder.write(file.bytes, to: "a.jpg")
    let asset = try #require(folder.library().all().first)
    let resource = try #require(asset.primaryResource)
    #expect(asset.pixelSize == PixelSize(width: 64, height: 32))
    #expect(asset.mediaType == .image)
    #expect(resource.storedSize == photo.storedSize)
    #expect(resource.orientation == orientation)
    #expect(resource.thumbnail == file.thumbnail)
    #expect(resource.byteCount == Int64(file.bytes.count))
    #expect(
      asset.creationDate
        == AssetDate(year: 2024, month: 5, day: 2, hour: 14, minute: 10, second: 9, utcOffset: 3600))
  }

  @Test func `Camera metadata is read on demand`() throws {
    var photo = TestPhoto(width: 16, height: 12)
    photo.setCamera()
    try folder.write(try photo.bytes(), to: "a.jpg")
    try folder.write([], to: "broken.jpg")
    let library = folder.library()
    let sound = try #require(library.all().first { !$0.isBroken })
    let details = try library.details(of: sound)
    #expect(details.camera == "Canon EOS 90D")
    #expect(details.isoSpeed == 200)
    #expect(details.fNumber == 4)
    let broken = try #require(library.all().first { $0.isBroken })
    #expect(try library.details(of: broken) == AssetDetails())
    folder.remove("a.jpg")
    #expect(throws: AssetError("\(folder.path)/a.jpg", "No such file or directory", code: .notFound)) {
      try library.details(of: sound)
    }
  }

  @Test func `Bytes can be read at any offset`() throws {
    try folder.writePhoto("a.jpg")
    let library = folder.library()
    let reader = try library.reader(for: try #require(library.all().first?.primaryResource))
    let all = try reader.bytes(in: 0..<reader.count)
    #expect(all.count == reader.count)
    #expect(try reader.bytes(in: 5..<9) == Array(all[5..<9]))
    #expect(try reader.bytes(in: reader.count - 2..<reader.count + 50) == Array(all.suffix(2)))
    #expect(try reader.bytes(in: reader.count..<reader.count + 5).isEmpty)
  }

  @Test(arguments: AssetSort.allCases)
  func `Fetches are sorted and limited`(sort: AssetSort) throws {
    for (day, name) in [(1, "c.jpg"), (2, "a.jpg"), (3, "b.jpg")] { try folder.writePhoto(name, day: day) }
    var options = FetchOptions(sort: sort)
    let all = folder.library().all(options)
    #expect(all == all.sorted(by: sort.areInIncreasingOrder))
    options.fetchLimit = 2
    #expect(folder.library().all(options) == Array(all.prefix(2)))
  }

  @Test func `Observers are notified of the end of the scan`() async throws {
    try folder.writePhoto("a.jpg")
    let store = FolderAssetStore(sources: [folder.filePath])
    let (news, signal) = AsyncStream<Bool>.makeStream()
    store.observeChanges { _ in signal.yield(store.status.isComplete) }
    #expect(!store.status.isComplete)
    store.start()
    for await isComplete in news where isComplete { break }
    #expect(store.names == ["a.jpg"])
  }
}

import AssetLibrary
import Fixtures
import Glibc
import Pixels
import Synchronization
import SystemPackage
import TestScheduling
import Testing

@testable import Imaging

/// Thumbnails made in advance.
@Suite(.onOwnThreads, .timeLimit(.minutes(120))) struct ThumbnailWarmerTests {
  private let library = TestLibrary()
  private let folder: TemporaryFolder
  private let directory: ThumbnailDirectory
  private let box = PixelSize(width: 160, height: 120)

  init() throws {
    folder = try TemporaryFolder()
    let path = FilePath(folder.path)
    directory = ThumbnailDirectory(
      root: path.appending("thumbnails"), state: path.appending("tpick"), version: "1")
  }

  /// Assets with real files.
  private func add(_ count: Int, width: Int = 640, height: Int = 480) throws -> [Asset] {
    let bytes = try TestPhoto(width: width, height: height).bytes()
    return try (0..<count).map { number in
      let name = "\(width)-\(number).jpg"
      try folder.write(bytes, to: name)
      return library.add(
        bytes, named: "\(folder.path)/\(name)", storedSize: PixelSize(width: width, height: height))
    }
  }

  private func warmer(limit: Int = 1 << 30) -> ThumbnailWarmer {
    ThumbnailWarmer(library.store, directory: directory, limit: limit)
  }

  @Test func `More thumbnails than the queue holds are made, and none twice`() throws {
    let assets = try add(100)
    let seen = Mutex<[Int]>([])
    let first = warmer().warm(assets, for: box) { done in seen.withLock { $0.append(done) } }
    #expect(first == ThumbnailWarmer.Tally(made: 100))
    #expect(seen.withLock { $0.sorted() } == Array(1...100))
    #expect(directory.status().own.files == 100)
    let again = warmer()
    #expect(again.warm(assets, for: box) { _ in } == ThumbnailWarmer.Tally(present: 100))
    #expect(again.counters.decodes == 0)
    // They are large enough to fill the box.
    let pipeline = ImagePipeline(
      store: library.store, thumbnails: ThumbnailCache(directory, keepsThumbnails: false))
    let request = ImageRequest(
      asset: assets[0], targetSize: box, contentMode: .aspectFill,
      options: ImageRequestOptions(resizeMode: .exact, isSynchronous: true))
    _ = pipeline.requestImage(request, priority: .visible, progressHandler: nil) { _ in }
    #expect(pipeline.counters.decodes == 0 && pipeline.counters.storedThumbnails == 1)
  }

  @Test func `Photos that need no thumbnail, and those that can't be displayed, are counted`() throws {
    var assets = try add(2) + add(1, width: 64, height: 48)
    try folder.write(Array("words".utf8), to: "broken.jpg")
    assets.append(
      library.add(
        Array("words".utf8), named: "\(folder.path)/broken.jpg", storedSize: PixelSize(width: 9, height: 9)))
    let tally = warmer().warm(assets, for: box) { _ in }
    #expect((tally.made, tally.unneeded, tally.failures.count, tally.lost) == (2, 1, 1, 0))
    #expect(tally.count == 4)
  }

  @Test func `Thumbnails beyond the limit are skipped, the first are made`() throws {
    // More than can be under way at once, two for each processor.
    let count = 40 + 2 * sysconf(Int32(_SC_NPROCESSORS_ONLN))
    let assets = try add(count)
    let tally = warmer(limit: 1).warm(assets, for: box) { _ in }
    // Those that were running when the first was done.
    #expect(tally.made >= 1 && tally.left >= 1 && tally.made + tally.left == count)
    #expect(directory.status().own.files == tally.made)
    #expect(directory.byteCount(of: FilePath("\(folder.path)/640-0.jpg")) > 0)
    #expect(directory.byteCount(of: FilePath("\(folder.path)/640-\(count - 1).jpg")) == 0)
  }

  @Test func `A folder that can't be written is reported`() throws {
    try folder.write([1], to: "thumbnails")
    let assets = try add(3)
    #expect(warmer().warm(assets, for: box) { _ in } == ThumbnailWarmer.Tally(lost: 3))
  }

  @Test func `An empty list is handled`() {
    #expect(warmer().warm([], for: box) { _ in } == ThumbnailWarmer.Tally())
  }
}

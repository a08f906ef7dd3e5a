import AssetLibrary
import Dispatch
import Fixtures
import Pixels
import SystemPackage
import TestScheduling
import Testing

@testable import Imaging

/// The pipeline's use of thumbnails on disk: existing ones are used, missing ones are stored.
@Suite(.timeLimit(.minutes(120))) struct ThumbnailCacheTests {
  private let library = TestLibrary()
  private let folder: TemporaryFolder
  private let directory: ThumbnailDirectory

  init() throws {
    folder = try TemporaryFolder()
    let path = FilePath(folder.path)
    directory = ThumbnailDirectory(
      root: path.appending("thumbnails"), state: path.appending("tpick"), version: "1")
  }

  private func pipeline(keeps: Bool = true) -> ImagePipeline {
    ImagePipeline(
      store: library.store, thumbnails: ThumbnailCache(directory, keepsThumbnails: keeps))
  }

  /// An asset with a real file.
  private func add(_ bytes: [UInt8], size: PixelSize, orientation: Orientation = .topLeft) throws -> Asset {
    try folder.write(bytes, to: "photo.jpg")
    try folder.setModificationTime(1_700_000_000 + bytes.count, of: "photo.jpg")
    return library.add(
      bytes, named: "\(folder.path)/photo.jpg", orientation: orientation,
      storedSize: orientation.swapsAxes ? size.transposed : size)
  }

  /// Waits until the pipeline has stored `count` thumbnails, which it does after answering.
  private func waitForKept(_ count: Int, _ pipeline: ImagePipeline) async throws {
    try await onOwnThread { #expect(eventually { pipeline.counters.keptThumbnails >= count }) }
  }

  @Test(arguments: [Orientation.topLeft, .rightTop, .bottomLeft], [ContentMode.aspectFit, .aspectFill])
  func `A decoded photo is read from disk the next time`(
    orientation: Orientation, mode: ContentMode
  ) async throws {
    let size = PixelSize(width: 800, height: 600)
    let photo = TestPhoto(width: size.width, height: size.height, orientation: orientation)
    let asset = try add(try photo.bytes(), size: size, orientation: orientation)
    let first = pipeline()
    let made = await first.answers(to: asset, size: .square(120), mode: mode)
    try await waitForKept(1, first)
    let second = pipeline()
    let found = await second.answers(to: asset, size: .square(120), mode: mode)
    #expect(second.counters.storedThumbnails == 1 && second.counters.decodes == 0)
    #expect(found.answers == made.answers)
    #expect(found.pictures.map(TestPicture.corners) == [TestPicture.Corner.allCases])
  }

  @Test(
    arguments: [Orientation.topLeft, .rightTop, .bottomLeft],
    [
      (PixelSize(width: 97, height: 113), ContentMode.aspectFill), (.square(120), .aspectFit),
      (.square(301), .aspectFit),
    ])
  func `A photo has the same pixels when decoded and when read from disk`(
    orientation: Orientation, shown: (size: PixelSize, mode: ContentMode)
  ) async throws {
    let size = PixelSize(width: 1003, height: 751)
    let photo = try #require(JPEGEncoder.file(of: Self.detailed(size)))
    let asset = try add(
      photo, size: orientation.swapsAxes ? size.transposed : size, orientation: orientation)
    let first = pipeline()
    let made = await first.answers(to: asset, size: shown.size, mode: shown.mode)
    try await waitForKept(1, first)
    let second = pipeline()
    let found = await second.answers(to: asset, size: shown.size, mode: shown.mode)
    #expect(second.counters.storedThumbnails == 1 && second.counters.decodes == 0)
    #expect(made.pictures.count == 1 && found.pictures == made.pictures)
  }

  /// Detail that no two methods of reduction render alike.
  private static func detailed(_ size: PixelSize) -> PixelBuffer {
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        bytes += [
          UInt8(truncatingIfNeeded: x * x + y), UInt8(truncatingIfNeeded: x ^ y), UInt8(x / 13 * y % 256),
          255,
        ]
      }
    }
    return PixelBuffer(size: size, bytes: bytes)
  }

  /// A decoder for heavy formats that returns one picture.
  private struct ForeignPictures: ForeignDecoder {
    let picture: PixelBuffer

    func picture(
      of reader: any ResourceReader, request: ForeignRequest, isCancelled: () -> Bool
    ) throws(AssetError) -> ForeignPicture? {
      ForeignPicture(pixels: picture, sourceSize: picture.size)
    }

    func frames(
      of reader: any ResourceReader, range: Range<Int>, name: String, targetSize: PixelSize,
      cancellation: Cancellation
    ) throws(AssetError) -> any FrameReader {
      throw AssetError(name, "it can't be played")
    }
  }

  @Test func `A photo of a heavy format has the same pixels the next time`() async throws {
    let size = PixelSize(width: 903, height: 677)
    let bytes = MediaBytes.ftyp("heic", ["mif1"])
    try folder.write(bytes, to: "photo.heic")
    try folder.setModificationTime(1_700_000_000, of: "photo.heic")
    let asset = library.add(
      bytes, named: "\(folder.path)/photo.heic", storedSize: size, type: "public.heic")
    let pipelines = (0..<2).map { _ in
      ImagePipeline(
        store: library.store, foreign: ForeignPictures(picture: Self.detailed(size)),
        thumbnails: ThumbnailCache(directory, keepsThumbnails: true))
    }
    let made = await pipelines[0].answers(to: asset, size: .square(97), mode: .aspectFill)
    try await waitForKept(1, pipelines[0])
    let found = await pipelines[1].answers(to: asset, size: .square(97), mode: .aspectFill)
    #expect(pipelines[1].counters.storedThumbnails == 1)
    #expect(made.pictures.count == 1 && found.pictures == made.pictures)
  }

  @Test func `With a thumbnail on disk no degraded picture is delivered first`() async throws {
    var photo = TestPhoto(width: 640, height: 480)
    photo.embedThumbnail()
    let file = try photo.file()
    try folder.write(file.bytes, to: "photo.jpg")
    let asset = library.add(file.bytes, named: "\(folder.path)/photo.jpg", thumbnail: file.thumbnail)
    let first = pipeline()
    let made = await first.answers(to: asset, size: .square(80), count: 2)
    #expect(made.answers.first == .degraded(PixelSize(width: 80, height: 60)))
    try await waitForKept(1, first)
    let found = await pipeline().answers(to: asset, size: .square(80))
    #expect(found.answers == [.final(PixelSize(width: 80, height: 60), note: nil)])
  }

  @Test func `A read-only cache writes no files`() async throws {
    let size = PixelSize(width: 800, height: 600)
    let asset = try add(try TestPhoto(width: 800, height: 600).bytes(), size: size)
    let looker = pipeline(keeps: false)
    _ = await looker.answers(to: asset, size: .square(120))
    let next = pipeline()
    _ = await next.answers(to: asset, size: .square(120))
    #expect(next.counters.decodes == 1)
  }

  @Test(arguments: [(PixelSize(width: 60, height: 40), 120), (PixelSize(width: 800, height: 600), 700)])
  func `Small pictures and previews are not stored`(size: PixelSize, side: Int) async throws {
    let asset = try add(try TestPhoto(width: size.width, height: size.height).bytes(), size: size)
    let first = pipeline()
    _ = await first.answers(to: asset, size: .square(side))
    let second = pipeline()
    _ = await second.answers(to: asset, size: .square(side))
    #expect(second.counters.decodes == 1)
    #expect(directory.status().all.files == 0)
  }

  @Test func `An incomplete picture of a damaged file is not stored`() async throws {
    let bytes = try TestPhoto(width: 800, height: 600).bytes()
    let size = PixelSize(width: 800, height: 600)
    let cut = Array(bytes.prefix(bytes.count * 2 / 3))
    try folder.write(cut, to: "cut.jpg")
    try folder.setModificationTime(1_600_000_000, of: "cut.jpg")
    let damaged = library.add(cut, named: "\(folder.path)/cut.jpg", storedSize: size)
    let first = pipeline()
    let log = await first.answers(to: damaged, size: .square(120))
    #expect(log.pictures.count == 1)
    // Thumbnails are written in sequence: when a complete file's exists, earlier ones have been written.
    _ = await first.answers(to: try add(bytes, size: size), size: .square(120))
    try await waitForKept(1, first)
    let second = pipeline()
    let again = await second.answers(to: damaged, size: .square(120))
    #expect(second.counters.storedThumbnails == 0)
    #expect(again.answers == log.answers)
  }

  @Test func `A file that can't be decoded is not retried, and the reason is kept`() async throws {
    let bytes = Array(try TestPhoto(width: 800, height: 600).bytes().prefix(300))
    let asset = try add(bytes, size: PixelSize(width: 800, height: 600))
    let first = await pipeline().answers(to: asset, size: .square(120))
    #expect(directory.status().failures.files == 1)
    let second = pipeline()
    let again = await second.answers(to: asset, size: .square(120))
    guard case .failed(let error) = try #require(again.answers.last) else {
      Issue.record("it was shown")
      return
    }
    #expect(first.answers == again.answers)
    #expect(!error.reason.isEmpty)
    // Until it has settled the file may still be being written.
    try folder.write(Array(bytes.dropLast()), to: "fresh.jpg")
    try folder.setModificationTime(1_700_000_000, of: "fresh.jpg")
    let fresh = library.add(Array(bytes.dropLast()), named: "\(folder.path)/fresh.jpg")
    for (age, count) in [(-1, 1), (0, 1), (1, 1), (2, 2)] {
      let cache = ThumbnailCache(directory, keepsThumbnails: true) { 1_700_000_000 + age }
      _ = await ImagePipeline(store: library.store, thumbnails: cache).answers(to: fresh, size: .square(120))
      #expect(directory.status().failures.files == count)
    }
    // A file that is complete now counts as another one.
    let whole = try add(
      try TestPhoto(width: 800, height: 600).bytes(), size: PixelSize(width: 800, height: 600))
    let third = await pipeline().answers(to: whole, size: .square(120))
    #expect(third.pictures.count == 1)
  }
}

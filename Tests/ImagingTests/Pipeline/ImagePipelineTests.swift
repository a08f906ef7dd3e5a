import AssetLibrary
import Fixtures
import Imaging
import Pixels
import Testing

@Suite(.timeLimit(.minutes(120))) struct ImagePipelineTests {
  private let library = TestLibrary()

  @Test(arguments: Orientation.allCases, [ContentMode.aspectFit, .aspectFill])
  func `Every orientation is displayed upright`(orientation: Orientation, mode: ContentMode) async throws {
    let asset = try library.add(TestPhoto(width: 160, height: 100, orientation: orientation))
    let pipeline = ImagePipeline(store: library.store)
    let log = await pipeline.answers(to: asset, size: .square(60), mode: mode)
    let picture = try #require(log.pictures.last)
    #expect(TestPicture.corners(of: picture) == TestPicture.Corner.allCases)
  }

  @Test(arguments: Orientation.allCases)
  func `The embedded thumbnail comes first, upright and without black bars`(
    orientation: Orientation
  ) async throws {
    var photo = TestPhoto(width: 320, height: 180, orientation: orientation)
    photo.embedThumbnail()
    let asset = try library.add(photo)
    let pipeline = ImagePipeline(store: library.store)
    let log = await pipeline.answers(to: asset, size: .square(64), count: 2)
    #expect(
      log.answers == [
        .degraded(PixelSize(width: 64, height: 36)), .final(PixelSize(width: 64, height: 36), note: nil),
      ])
    for picture in log.pictures {
      #expect(TestPicture.corners(of: picture) == TestPicture.Corner.allCases)
      // A bar would be visible here first.
      #expect(TestPicture.Corner(of: picture[1, 1]) == .topLeft)
    }
  }

  struct Modes: Sendable {
    var delivery: ImageRequestOptions.DeliveryMode
    var answers: [Answer]
  }

  static let modes: [Modes] = [
    Modes(
      delivery: .opportunistic,
      answers: [
        .degraded(PixelSize(width: 160, height: 120)), .final(PixelSize(width: 200, height: 150), note: nil),
      ]),
    Modes(delivery: .highQualityFormat, answers: [.final(PixelSize(width: 200, height: 150), note: nil)]),
    Modes(delivery: .fastFormat, answers: [.degraded(PixelSize(width: 160, height: 120))]),
  ]

  @Test(arguments: modes)
  func `Each delivery mode has its answers, and a thumbnail is never enlarged`(modes: Modes) async throws {
    var photo = TestPhoto(width: 400, height: 300)
    photo.embedThumbnail()
    let asset = try library.add(photo)
    let pipeline = ImagePipeline(store: library.store, workers: 1)
    let log = await pipeline.answers(
      to: asset, size: .square(200), delivery: modes.delivery, count: modes.answers.count)
    // The only worker has finished the first request once it has answered another.
    _ = await pipeline.answers(to: asset, size: .square(10), delivery: .highQualityFormat)
    #expect(log.answers == modes.answers)
  }

  @Test func `A cached picture is delivered at once, without a degraded one`() async throws {
    var photo = TestPhoto(width: 400, height: 300)
    photo.embedThumbnail()
    let asset = try library.add(photo)
    let pipeline = ImagePipeline(store: library.store, workers: 1)
    _ = await pipeline.answers(to: asset, size: .square(80), count: 2)
    let again = await pipeline.answers(to: asset, size: .square(80))
    #expect(again.answers == [.final(PixelSize(width: 80, height: 60), note: nil)])
    #expect(pipeline.counters.decodes == 1)
  }

  @Test func `The cache never exceeds its limit`() async throws {
    let asset = try library.add(TestPhoto(width: 64, height: 64))
    let pipeline = ImagePipeline(store: library.store, cacheLimit: 0, workers: 1)
    for _ in 0..<2 { _ = await pipeline.answers(to: asset, size: .square(32)) }
    #expect(pipeline.counters.decodes == 2)
  }
}

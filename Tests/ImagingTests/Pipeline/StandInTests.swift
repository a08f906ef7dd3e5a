import AssetLibrary
import Fixtures
import Pixels
import Testing

@testable import Imaging

/// Pictures of another size that are shown until the requested one is made.
@Suite(.timeLimit(.minutes(120))) struct StandInTests {
  private let library = TestLibrary()

  private func make(
    _ asset: Asset, _ side: Int, _ mode: ContentMode, in pipeline: ImagePipeline
  ) async -> [Answer] {
    let request = ImageRequest(
      asset: asset, targetSize: .square(side), contentMode: mode,
      options: ImageRequestOptions(resizeMode: .exact))
    var answers: [Answer] = []
    for await result in pipeline.images(for: request) { answers.append(Answer(result)) }
    return answers
  }

  @Test func `The largest picture in memory comes first, also without a thumbnail in the file`() async throws
  {
    let asset = try library.add(TestPhoto(width: 800, height: 600))
    let pipeline = ImagePipeline(store: library.store)
    for side in [100, 300, 200] { _ = await make(asset, side, .aspectFit, in: pipeline) }
    let answers = await make(asset, 400, .aspectFit, in: pipeline)
    let size = PixelSize(width: 300, height: 225)
    #expect(answers == [.degraded(size), .final(PixelSize(width: 400, height: 300), note: nil)])
  }

  @Test func `A picture that shows everything is cropped for a request that does not`() async throws {
    let asset = try library.add(TestPhoto(width: 800, height: 600))
    let pipeline = ImagePipeline(store: library.store)
    _ = await make(asset, 400, .aspectFit, in: pipeline)
    #expect(
      await make(asset, 500, .aspectFill, in: pipeline)
        == [.degraded(.square(300)), .final(.square(500), note: nil)])
    // What is cropped does not show enough for one that is not, but for another crop of the same proportions.
    let other = try library.add(TestPhoto(width: 800, height: 600), named: "other.jpg")
    _ = await make(other, 300, .aspectFill, in: pipeline)
    #expect(
      await make(other, 500, .aspectFill, in: pipeline)
        == [.degraded(.square(300)), .final(.square(500), note: nil)])
    let third = try library.add(TestPhoto(width: 800, height: 600), named: "third.jpg")
    _ = await make(third, 300, .aspectFill, in: pipeline)
    #expect(await make(third, 400, .aspectFit, in: pipeline).count == 1)
  }

  @Test func `A larger picture in memory is reduced to the requested size`() async throws {
    let asset = try library.add(TestPhoto(width: 800, height: 600))
    let pipeline = ImagePipeline(store: library.store)
    _ = await make(asset, 300, .aspectFill, in: pipeline)
    for answer in await make(asset, 100, .aspectFill, in: pipeline) {
      #expect(answer == .degraded(.square(100)) || answer == .final(.square(100), note: nil))
    }
  }

  @Test func `Huge sizes can be requested`() async throws {
    let asset = try library.add(TestPhoto(width: 80, height: 60))
    let pipeline = ImagePipeline(store: library.store)
    _ = await make(asset, 30, .aspectFill, in: pipeline)
    let answers = await make(asset, 1 << 62, .aspectFill, in: pipeline)
    #expect(answers.last == .final(PixelSize(width: 80, height: 60), note: nil))
  }

  @Test func `A smaller picture in memory than the thumbnail in the file does not replace it`() async throws {
    var photo = TestPhoto(width: 800, height: 600)
    photo.embedThumbnail()
    let asset = try library.add(photo)
    let plain = await make(asset, 400, .aspectFit, in: ImagePipeline(store: library.store))
    let pipeline = ImagePipeline(store: library.store)
    _ = await make(asset, 8, .aspectFit, in: pipeline)
    #expect(await make(asset, 400, .aspectFit, in: pipeline) == plain)
  }

  @Test func `The cache forgets the shapes of pictures that left it`() {
    let picture = PixelBuffer(size: .square(10), filledWith: .black)
    var cache = PictureCache(limit: picture.cost * 2)
    func work(_ name: String, _ side: Int) -> ImageWork { ImageWork(.of(name, side: side)) }
    cache.insert(picture, for: work("a", 10))
    #expect(cache.hasStandIn(for: work("a", 20)) && !cache.hasStandIn(for: work("a", 10)))
    #expect(cache.standIn(for: work("a", 20))?.size == .square(10))
    for name in ["b", "c", "d"] { cache.insert(picture, for: work(name, 10)) }
    #expect(cache.standIn(for: work("a", 20)) == nil && !cache.hasStandIn(for: work("a", 20)))
  }

  @Test func `A smaller limit removes pictures, and a larger one keeps more`() {
    let picture = PixelBuffer(size: .square(10), filledWith: .black)
    var cache = PictureCache(limit: picture.cost * 4)
    let works = (1...4).map { ImageWork(.of("\($0)")) }
    for work in works { cache.insert(picture, for: work) }
    cache.limit = picture.cost
    #expect(works.filter { cache.value(for: $0) != nil }.count <= 1)
    cache.limit = picture.cost * 4
    for work in works { cache.insert(picture, for: work) }
    #expect(works.allSatisfy { cache.value(for: $0) != nil })
  }
}

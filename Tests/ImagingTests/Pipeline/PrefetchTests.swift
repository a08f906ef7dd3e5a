import AssetLibrary
import Fixtures
import Pixels
import Testing

@testable import Imaging

/// Pictures that are requested before they are visible.
@Suite(.timeLimit(.minutes(120))) struct PrefetchTests {
  private let library = TestLibrary()

  private func request(_ asset: Asset, side: Int = 50) -> ImageRequest {
    ImageRequest(
      asset: asset, targetSize: .square(side), contentMode: .aspectFit,
      options: ImageRequestOptions(resizeMode: .exact))
  }

  /// Prefetches a picture and waits until it is made.
  private func prefetch(_ request: ImageRequest, in pipeline: ImagePipeline) async {
    for await _ in pipeline.images(for: request, priority: .preheat) {}
  }

  @Test func `A prefetched picture answers an equal request without being made again`() async throws {
    var photo = TestPhoto(width: 400, height: 300)
    photo.embedThumbnail()
    let asset = try library.add(photo)
    let pipeline = ImagePipeline(store: library.store)
    await prefetch(request(asset), in: pipeline)
    let decodes = pipeline.counters.decodes
    var results: [ImageResult] = []
    for await result in pipeline.images(for: request(asset)) { results.append(result) }
    #expect(results.map(\.isFinal) == [true])
    #expect(pipeline.counters.decodes == decodes)
    #expect(pipeline.counters.hits >= 1)
  }

  enum Difference: CaseIterable {
    case asset, size, mode, resize, crop
  }

  @Test(arguments: Difference.allCases)
  func `A request that differs in any way needs another picture`(difference: Difference) async throws {
    let asset = try library.add(TestPhoto(width: 400, height: 300), named: "a")
    let other = try library.add(TestPhoto(width: 400, height: 300), named: "b")
    let pipeline = ImagePipeline(store: library.store)
    await prefetch(request(asset), in: pipeline)
    var changed = request(asset)
    switch difference {
    case .asset: changed = request(other)
    case .size: changed = request(asset, side: 51)
    case .mode: changed.contentMode = .aspectFill
    case .resize: changed.options.resizeMode = .fast
    case .crop: changed.options.normalizedCropRect = NormalizedRect(x: 0, y: 0, width: 0.5, height: 1)
    }
    let before = pipeline.counters
    for await _ in pipeline.images(for: changed) {}
    #expect(pipeline.counters.decodes == before.decodes + 1)
    #expect(pipeline.counters.hits == before.hits)
  }

  @Test func `A prefetch stopped before its start is never made`() async throws {
    let assets = try (0..<8).map { try library.add(TestPhoto(width: 64, height: 64), named: "\($0)") }
    let store = GatedStore(library.store)
    let pipeline = ImagePipeline(store: store, workers: 1)
    // The newest request runs first.
    let prefetches = assets.reversed().map { asset in
      pipeline.requestImage(request(asset), priority: .preheat) { _ in }
    }
    await store.waitForArrival()
    for prefetch in prefetches { pipeline.cancelImageRequest(prefetch) }
    for _ in 0..<2 { store.open() }
    for await _ in pipeline.images(for: request(assets[7])) {}
    #expect(pipeline.counters.decodes == 1)
    #expect(pipeline.counters.cancelled == 8)
  }
}

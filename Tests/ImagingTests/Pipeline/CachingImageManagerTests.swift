import AssetLibrary
import Fixtures
import Imaging
import Pixels
import Testing

@Suite(.timeLimit(.minutes(10))) struct CachingImageManagerTests {
  private let library = TestLibrary()

  private func request(_ asset: Asset, side: Int = 50) -> ImageRequest {
    ImageRequest(
      asset: asset, targetSize: .square(side), contentMode: .aspectFit,
      options: ImageRequestOptions(resizeMode: .exact))
  }

  /// Makes the pictures ready and waits until they are.
  private func cache(
    _ requests: [ImageRequest], in manager: CachingImageManager, _ pipeline: ImagePipeline
  ) async {
    manager.startCachingImages(for: requests)
    // Equal requests join the work: their answers come when the cached pictures are made.
    for request in requests {
      for await _ in manager.images(for: request, priority: .preheat) {}
    }
  }

  @Test func `A cached picture answers an equal request without being made again`() async throws {
    var photo = TestPhoto(width: 400, height: 300)
    photo.embedThumbnail()
    let asset = try library.add(photo)
    let pipeline = ImagePipeline(store: library.store)
    let manager = CachingImageManager(pipeline)
    await cache([request(asset)], in: manager, pipeline)
    let decodes = pipeline.counters.decodes
    var results: [ImageResult] = []
    for await result in manager.images(for: request(asset)) { results.append(result) }
    #expect(results.map(\.isFinal) == [true])
    #expect(pipeline.counters.decodes == decodes)
    #expect(pipeline.counters.hits >= 1)
  }

  enum Difference: CaseIterable {
    case asset, size, mode, resize, crop
  }

  @Test(arguments: Difference.allCases)
  func `Any difference makes it another picture`(difference: Difference) async throws {
    let asset = try library.add(TestPhoto(width: 400, height: 300), named: "a")
    let other = try library.add(TestPhoto(width: 400, height: 300), named: "b")
    let pipeline = ImagePipeline(store: library.store)
    let manager = CachingImageManager(pipeline)
    await cache([request(asset)], in: manager, pipeline)
    var changed = request(asset)
    switch difference {
    case .asset: changed = request(other)
    case .size: changed = request(asset, side: 51)
    case .mode: changed.contentMode = .aspectFill
    case .resize: changed.options.resizeMode = .fast
    case .crop: changed.options.normalizedCropRect = NormalizedRect(x: 0, y: 0, width: 0.5, height: 1)
    }
    let before = pipeline.counters
    for await _ in manager.images(for: changed) {}
    #expect(pipeline.counters.decodes == before.decodes + 1)
    #expect(pipeline.counters.hits == before.hits)
  }

  @Test func `What is stopped before it starts is never made`() async throws {
    let assets = try (0..<8).map { try library.add(TestPhoto(width: 64, height: 64), named: "\($0)") }
    let store = GatedStore(library.store)
    let pipeline = ImagePipeline(store: store, workers: 1)
    let manager = CachingImageManager(pipeline)
    manager.startCachingImages(for: assets.map { request($0) })
    await store.waitForArrival()
    manager.setCachedImages(for: [request(assets[0]), request(assets[5])])
    manager.stopCachingImagesForAllAssets()
    for _ in 0..<2 { store.open() }
    for await _ in manager.images(for: request(assets[7])) {}
    #expect(pipeline.counters.decodes == 1)
    #expect(pipeline.counters.cancelled == 8)
  }

  @Test(arguments: [
    (0, 3, 4, 100, 0..<12, 12..<18, 0..<0), (12, 3, 3, 100, 12..<21, 21..<27, 6..<12),
    (6, 3, 4, 20, 6..<18, 18..<20, 0..<6), (0, 3, 4, 0, 0..<0, 0..<0, 0..<0),
    (3, 3, 1, 9, 3..<6, 6..<9, 0..<3),
  ])
  func `Half a screen each way is preheated`(
    first: Int, columns: Int, rows: Int, count: Int, visible: Range<Int>, ahead: Range<Int>,
    behind: Range<Int>
  ) {
    let window = PreheatWindow(first: first, columns: columns, rows: rows, count: count)
    #expect(window.visible == visible)
    #expect(window.ahead == ahead)
    #expect(window.behind == behind)
  }
}

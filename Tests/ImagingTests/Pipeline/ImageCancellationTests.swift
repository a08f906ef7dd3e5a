import AssetLibrary
import Fixtures
import Imaging
import Pixels
import Testing

@Suite(.timeLimit(.minutes(30))) struct ImageCancellationTests {
  private let library = TestLibrary()

  private func request(_ asset: Asset) -> ImageRequest {
    ImageRequest(
      asset: asset, targetSize: .square(50), contentMode: .aspectFit,
      options: ImageRequestOptions(resizeMode: .exact))
  }

  @Test func `A running request that is cancelled gets one answer`() async throws {
    let asset = try library.add(TestPhoto(width: 100, height: 100))
    let store = GatedStore(library.store)
    let pipeline = ImagePipeline(store: store, workers: 1)
    let log = AnswerLog()
    let id = pipeline.requestImage(request(asset), priority: .visible, resultHandler: log.receive)
    await store.waitForArrival()
    pipeline.cancelImageRequest(id)
    pipeline.cancelImageRequest(id)
    await log.wait(for: 1)
    store.open()
    // The worker is through with the first job when it comes to the next.
    store.open()
    let other = try library.add(TestPhoto(width: 9, height: 9), named: "other")
    _ = await pipeline.answers(to: other, size: .square(9))
    #expect(log.answers == [.cancelled])
    #expect(pipeline.counters.cancelled == 1)
  }

  @Test func `A waiting request that is cancelled never starts`() async throws {
    let first = try library.add(TestPhoto(width: 100, height: 100), named: "first")
    let second = try library.add(TestPhoto(width: 100, height: 100), named: "second")
    let store = GatedStore(library.store)
    let pipeline = ImagePipeline(store: store, workers: 1)
    let (running, waiting) = (AnswerLog(), AnswerLog())
    _ = pipeline.requestImage(request(first), priority: .visible, resultHandler: running.receive)
    await store.waitForArrival()
    let id = pipeline.requestImage(request(second), priority: .preview, resultHandler: waiting.receive)
    pipeline.cancelImageRequest(id)
    await waiting.wait(for: 1)
    store.open()
    await running.wait(for: 1)
    #expect(waiting.answers == [.cancelled])
    #expect(running.answers == [.final(.square(50), note: nil)])
    #expect(pipeline.counters.decodes == 1)
  }

  @Test func `One of two waiters leaves without harm to the other`() async throws {
    let asset = try library.add(TestPhoto(width: 100, height: 100))
    let store = GatedStore(library.store)
    let pipeline = ImagePipeline(store: store, workers: 1)
    let (leaving, staying) = (AnswerLog(), AnswerLog())
    let id = pipeline.requestImage(request(asset), priority: .visible, resultHandler: leaving.receive)
    await store.waitForArrival()
    _ = pipeline.requestImage(request(asset), priority: .prefetch, resultHandler: staying.receive)
    pipeline.cancelImageRequest(id)
    store.open()
    await leaving.wait(for: 1)
    await staying.wait(for: 1)
    #expect(leaving.answers == [.cancelled])
    #expect(staying.answers == [.final(.square(50), note: nil)])
    #expect(pipeline.counters.decodes == 1)
  }

  @Test func `A request that was cancelled and made again is answered`() async throws {
    let asset = try library.add(TestPhoto(width: 100, height: 100))
    let store = GatedStore(library.store)
    let pipeline = ImagePipeline(store: store, workers: 2)
    let (old, new) = (AnswerLog(), AnswerLog())
    let id = pipeline.requestImage(request(asset), priority: .visible, resultHandler: old.receive)
    await store.waitForArrival()
    pipeline.cancelImageRequest(id)
    _ = pipeline.requestImage(request(asset), priority: .visible, resultHandler: new.receive)
    await store.waitForArrival()
    store.open()
    store.open()
    await new.wait(for: 1)
    await old.wait(for: 1)
    #expect(old.answers == [.cancelled])
    #expect(new.answers == [.final(.square(50), note: nil)])
  }

  @Test func `A request that was answered can't be cancelled any more`() async throws {
    let asset = try library.add(TestPhoto(width: 100, height: 100))
    let pipeline = ImagePipeline(store: library.store, workers: 1)
    let log = AnswerLog()
    let id = pipeline.requestImage(request(asset), priority: .visible, resultHandler: log.receive)
    await log.wait(for: 1)
    pipeline.cancelImageRequest(id)
    _ = await pipeline.answers(to: asset, size: .square(20))
    #expect(log.answers == [.final(.square(50), note: nil)])
    #expect(pipeline.counters.cancelled == 0)
  }
}

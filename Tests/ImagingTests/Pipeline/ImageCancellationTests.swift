import AssetLibrary
import Fixtures
import Imaging
import Pixels
import Testing

@Suite(.timeLimit(.minutes(120))) struct ImageCancellationTests {
  private let library = TestLibrary()

  private func request(_ asset: Asset) -> ImageRequest {
    ImageRequest(
      asset: asset, targetSize: .square(50), contentMode: .aspectFit,
      options: ImageRequestOptions(resizeMode: .exact))
  }

  @Test func `A canceled running request gets one answer`() async throws {
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
    // The worker has finished the first job when it reaches the next.
    store.open()
    let other = try library.add(TestPhoto(width: 9, height: 9), named: "other")
    _ = await pipeline.answers(to: other, size: .square(9))
    #expect(log.answers == [.cancelled])
    #expect(pipeline.counters.cancelled == 1)
  }

  @Test func `A canceled waiting request never starts`() async throws {
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

  @Test func `Canceling one of two requests does not affect the other`() async throws {
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

  @Test func `A request that is canceled and repeated is answered`() async throws {
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

  @Test func `An answered request can no longer be canceled`() async throws {
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

import AssetLibrary
import Fixtures
import Pixels
import Synchronization
import Testing

@testable import Imaging

/// Remote originals, and requests for bytes.
@Suite(.timeLimit(.minutes(120))) struct DownloadTests {
  private let library = TestLibrary()

  private func remote(_ name: String = "photo.jpg") throws -> Asset {
    let asset = try library.add(TestPhoto(width: 320, height: 240), named: name)
    library.store.setRemote(asset.resources[0])
    return asset
  }

  private func request(_ asset: Asset, side: Int) -> ImageRequest {
    ImageRequest(
      asset: asset, targetSize: .square(side), contentMode: .aspectFit,
      options: ImageRequestOptions(resizeMode: .exact, isNetworkAccessAllowed: true))
  }

  @Test func `Progress is reported while data arrives, then the picture`() async throws {
    let pipeline = ImagePipeline(store: library.store)
    let progress = Mutex<[Double]>([])
    let log = AnswerLog()
    _ = pipeline.requestImage(
      request(try remote(), side: 60), priority: .visible,
      progressHandler: { fraction in
        progress.withLock { $0.append(fraction) }
        return .proceed
      }, resultHandler: log.receive)
    await log.wait(for: 1)
    #expect(log.answers == [.final(PixelSize(width: 60, height: 45), note: nil)])
    let heard = progress.withLock { $0 }
    #expect(heard.last == 1)
    #expect(heard == heard.sorted())
    #expect(pipeline.counters.downloads == 1)
  }

  @Test func `Stopping from the progress handler cancels the request`() async throws {
    let pipeline = ImagePipeline(store: library.store)
    let log = AnswerLog()
    _ = pipeline.requestImage(
      request(try remote(), side: 60), priority: .visible,
      progressHandler: { $0 < 0.5 ? .proceed : .stop }, resultHandler: log.receive)
    await log.wait(for: 1)
    #expect(log.answers == [.cancelled])
  }

  @Test func `Two sizes of one original share one download`() {
    var table = RequestTable()
    let away = SourceState(isRemote: true)
    for (id, side) in [(1, 50), (2, 80)] as [(UInt64, Int)] {
      var request = ImageRequest.of("a", side: side)
      request.options.isNetworkAccessAllowed = true
      _ = table.submit(
        ImageRequestID(rawValue: id), WorkRequest(request), priority: .visible, source: away)
    }
    let download = table.nextDownload()
    #expect(download != nil)
    #expect(table.nextDownload() == nil)
    #expect(table.nextJob() == nil)
    guard let download else { return }
    #expect(table.progressed(download, to: 0.25) == [1, 2])
    #expect(table.downloadProgress(of: 2) == 0.25)
    #expect(table.finished(download, succeeded: true).isEmpty)
    #expect(table.nextJob() != nil)
    #expect(table.nextJob() != nil)
  }

  @Test func `A failed download answers all its requests`() throws {
    var table = RequestTable()
    var request = ImageRequest.of("a")
    request.options.isNetworkAccessAllowed = true
    let away = SourceState(isRemote: true)
    _ = table.submit(1, WorkRequest(request), priority: .visible, source: away)
    _ = table.submit(2, WorkRequest(request), priority: .visible, source: away)
    let next = table.nextDownload()
    let download = try #require(next)
    #expect(table.finished(download, succeeded: false) == [.last(1), .last(2)])
    #expect(table.isEmpty)
  }

  @Test func `A download stops when its last request is canceled`() throws {
    var table = RequestTable()
    var request = ImageRequest.of("a")
    request.options.isNetworkAccessAllowed = true
    let away = SourceState(isRemote: true)
    _ = table.submit(1, WorkRequest(request), priority: .visible, source: away)
    request.targetSize = .square(9)
    _ = table.submit(2, WorkRequest(request), priority: .visible, source: away)
    let next = table.nextDownload()
    let download = try #require(next)
    #expect(table.cancel(1).stop.isEmpty)
    #expect(table.cancel(2).stop == [download.run])
    #expect(table.finished(download, succeeded: true).isEmpty)
  }

  @Test func `Progress of a canceled download reaches no request`() throws {
    var table = RequestTable()
    var request = ImageRequest.of("a")
    request.options.isNetworkAccessAllowed = true
    let away = SourceState(isRemote: true)
    var downloads: [ImageDownload] = []
    for id in [1, 2] as [ImageRequestID] {
      _ = table.submit(id, WorkRequest(request), priority: .visible, source: away)
      let next = table.nextDownload()
      downloads.append(try #require(next))
      if id == 1 { _ = table.cancel(id) }
    }
    #expect(table.progressed(downloads[1], to: 0.25) == [2])
    #expect(table.progressed(downloads[0], to: 0.75) == [])
    #expect(table.downloadProgress(of: 2) == 0.25)
    #expect(table.finished(downloads[0], succeeded: true).isEmpty)
    #expect(table.nextJob() == nil)
  }

  // MARK: Data

  private func data(
    _ request: ImageDataRequest, _ pipeline: ImagePipeline
  ) async -> ImageDataResult {
    await withCheckedContinuation { continuation in
      _ = pipeline.requestImageData(request, progressHandler: nil) { continuation.resume(returning: $0) }
    }
  }

  @Test func `Image data comes with its format and orientation`() async throws {
    let asset = try library.add(TestPhoto(width: 40, height: 30, orientation: .rightTop))
    let pipeline = ImagePipeline(store: library.store)
    let result = await data(ImageDataRequest(asset: asset), pipeline)
    guard case .data(let bytes, "public.jpeg", .rightTop) = result.content else {
      Issue.record("no data came")
      return
    }
    let reader = try library.store.reader(for: asset.resources[0])
    #expect(try reader.bytes(in: 0..<reader.count) == bytes)
  }

  @Test(arguments: [true, false])
  func `Data of a remote original is downloaded or refused`(network: Bool) async throws {
    let asset = try remote()
    let pipeline = ImagePipeline(store: library.store)
    let request = ImageDataRequest(asset: asset, isNetworkAccessAllowed: network)
    let result = await data(request, pipeline)
    switch result.content {
    case .data(let bytes, _, _): #expect(network && !bytes.isEmpty)
    case .failed: #expect(!network)
    case .cancelled: Issue.record("the download was not canceled")
    }
    #expect(result.isInCloud == !network)
  }

  // MARK: Budgets

  @Test func `Prefetching happens if the budget allows, and always for thumbnails`() {
    var table = RequestTable()
    _ = table.submit(1, WorkRequest(.of("a")), priority: .preheat, source: SourceState(cost: 100))
    #expect(table.hasPrefetchJob(pixelsLeft: 100))
    #expect(!table.hasPrefetchJob(pixelsLeft: 99))
    _ = table.submit(
      2, WorkRequest(.of("b")), priority: .preheat, source: SourceState(hasThumbnail: true, cost: 100))
    #expect(table.hasPrefetchJob(pixelsLeft: 99))
  }

  @Test func `Decoding returns its share of the pixel budget`() async throws {
    // Each of them exceeds the whole budget and must wait until nothing else runs.
    let pipeline = ImagePipeline(store: library.store, pixelBudget: 1000)
    for name in ["a", "b", "c"] {
      let asset = try library.add(TestPhoto(width: 320, height: 240), named: name)
      let log = await pipeline.answers(to: asset, size: .square(60))
      #expect(log.answers == [.final(PixelSize(width: 60, height: 45), note: nil)])
    }
  }

  @Test func `Large pictures wait for budget, and a single one always runs`() {
    var table = RequestTable()
    for id in 1...2 as ClosedRange<UInt64> {
      _ = table.submit(
        ImageRequestID(rawValue: id), WorkRequest(.of("\(id)")), priority: .visible,
        source: SourceState(cost: 100))
    }
    #expect(table.nextJob(pixelsLeft: .max)?.cost == 100)
    #expect(table.nextJob(pixelsLeft: 99) == nil)
    _ = table.submit(
      3, WorkRequest(.of("3")), priority: .visible, source: SourceState(cost: 7))
    #expect(table.nextJob(pixelsLeft: 99)?.cost == 7)
    #expect(table.nextJob(pixelsLeft: 100)?.cost == 100)
  }
}

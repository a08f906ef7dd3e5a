import AssetLibrary
import Pixels
import Synchronization
import TerminalGraphics
import Testing

@testable import PickerRuntime
@testable import PickerUI

@Suite struct PictureStoreTests {
  private let images = ScriptedImages()
  private let clock = TestClock()
  private let reports = Mailbox<[PictureKey: PictureStatus]>()
  /// Receives a message for each scheduled retry.
  private let retries = Mailbox<Bool>()

  /// - Parameters:
  ///   - bytes: The file size of a picture.
  ///   - images: The image manager; nil = the scripted one of this test.
  private func store(
    bytes: Int = 100, cacheLimit: Int = 1 << 20, images: (any ImageManager)? = nil
  ) -> PictureStore {
    var options = PictureOptions()
    options.graphics = .iterm
    options.cacheLimit = cacheLimit
    // Fewer bytes for a slower link would be harder to observe in a test than more.
    options.compress = { pixels, quality in
      [UInt8](repeating: pixels.bytes[0], count: quality == .full ? bytes : 50 * bytes)
    }
    return PictureStore(
      options, on: ScriptedTerminal().traits, cell: PixelSize(width: 10, height: 20),
      manager: LibraryAccessController(MemoryAssetStore(), images ?? self.images).manager, clock: clock,
      onRetryDue: { [retries] in retries.post(true) }
    ) { [reports] in if case .pictures(let statuses) = $0 { reports.post(statuses) } }
  }

  private static func wants(_ names: String..., priority: ImagePriority = .visible) -> [PictureRequest] {
    names.map { .thumbnail(.photo($0), priority) }
  }

  private static func key(_ name: String) -> PictureKey { wants(name)[0].key }

  @Test func `Missing pictures are requested, the most urgent last, which the pipeline takes first`() {
    let store = store()
    #expect(store.demand(Self.wants("a", "b", "c")).isEmpty)
    #expect(images.takeAsked() == ["c", "b", "a"])
    #expect(store.demand(Self.wants("a", "b", "c", "d")).isEmpty)
    #expect(images.takeAsked() == ["d"])
  }

  @Test func `A histogram is computed only from a whole preview`() throws {
    let store = store()
    var part = PictureKey(.photo("a"), size: PictureRequest.size, mode: .aspectFit)
    part.part = PicturePart(region: .whole, size: PictureRequest.size)
    let keys = [part, part.whole, Self.key("a")]
    _ = store.demand(keys.map { PictureRequest(key: $0, asset: .photo("a"), priority: .visible) })
    images.answer("a")
    let statuses = reports.takeAll().reduce(into: [:]) { all, new in all.merge(new) { $1 } }
    let withLevels = keys.map { key in
      if case .ready(_, .some) = statuses[key] { true } else { false }
    }
    #expect(withLevels == [false, true, false])
  }

  @Test func `Unavailable photos are dimmed`() throws {
    let store = store()
    var dimmed = Self.key("a")
    dimmed.isDimmed = true
    _ = store.demand(
      [dimmed, Self.key("b")].map { PictureRequest(key: $0, asset: .photo("a"), priority: .visible) })
    images.answer("a", fill: 90)
    let bytes = store.picture(for: dimmed)
    var plain = Self.key("a")
    plain.isDimmed = false
    _ = store.demand([PictureRequest(key: plain, asset: .photo("a"), priority: .visible)])
    images.answer("a", fill: 30)
    #expect(try #require(bytes).encoded == #require(store.picture(for: plain)).encoded)
  }

  @Test func `Picks have a frame in the theme's color`() throws {
    let store = store()
    var picked = Self.key("a")
    picked.isPicked = true
    _ = store.demand([PictureRequest(key: picked, asset: .photo("a"), priority: .visible)])
    images.answer("a", fill: 90)
    let framed = try #require(store.picture(for: picked))
    // The encoder of this test repeats the first byte: without a theme the frame is white.
    _ = store.demand([PictureRequest(key: Self.key("b"), asset: .photo("b"), priority: .visible)])
    images.answer("b", fill: 255)
    #expect(try framed.encoded == #require(store.picture(for: Self.key("b"))).encoded)
  }

  @Test func `A changed priority moves a request instead of repeating it`() {
    let store = store()
    _ = store.demand(Self.wants("a") + Self.wants("b", priority: .preheat))
    _ = store.demand(Self.wants("b") + Self.wants("a", priority: .preheat))
    #expect(images.takeAsked() == ["b", "a"])
    #expect(images.open.map(\.name) == ["b", "a"])
    #expect(images.open.map(\.priority) == [.visible, .preheat])
  }

  @Test func `Unwanted requests are canceled, and made again later`() {
    let store = store()
    _ = store.demand(Self.wants("a", "b"))
    _ = store.demand(Self.wants("b"))
    #expect(images.cancelled == ["a"])
    _ = store.demand(Self.wants("a", "b"))
    #expect(images.takeAsked() == ["b", "a", "a"])
  }

  @Test func `A preview whose original is being downloaded is requested again after its thumbnail`() {
    let store = store()
    var asset = Asset.photo("a")
    asset.resources[0].isLocallyAvailable = false
    let key = PictureKey(asset, size: PictureRequest.size, mode: .aspectFit)
    func demand() { _ = store.demand([PictureRequest(key: key, asset: asset, priority: .preview)]) }
    demand()
    demand()
    #expect(images.takeAsked() == ["a"])
    asset.resources[0].hasLocalThumbnail = true
    demand()
    #expect(images.takeAsked() == ["a"] && images.cancelled == ["a"])
    #expect(images.open.map(\.request.asset.resources[0].hasLocalThumbnail) == [true])
    images.answer("a", isDegraded: true)
    // A present picture is not requested again when other properties change.
    asset.rating = 3
    demand()
    #expect(images.takeAsked().isEmpty && images.cancelled == ["a"])
  }

  @Test func `A picture is encoded and reported; afterwards it is available at once`() throws {
    let store = store()
    _ = store.demand(Self.wants("a"))
    #expect(store.picture(for: Self.key("a")) == nil)
    images.answer("a", fill: 7)
    let ready = [Self.key("a"): PictureStatus.ready(note: nil)]
    #expect(reports.takeAll(within: .zero) == [ready])
    let picture = try #require(store.picture(for: Self.key("a")))
    #expect(picture.encoded.size == CellSize(columns: 4, rows: 2) && !picture.isTransient)
    // It was reported before it was unwanted for a while.
    #expect(store.demand(Self.wants("a", "b")).isEmpty)
    #expect(store.demand(Self.wants("b")).isEmpty)
    #expect(store.demand(Self.wants("a", "b")) == ready)
    #expect(images.takeAsked() == ["a", "b"])
  }

  @Test func `A coarse picture is shown until the final one arrives, which has another version`() throws {
    let store = store()
    _ = store.demand(Self.wants("a"))
    images.answer("a", fill: 1, isDegraded: true)
    let coarse = try #require(store.picture(for: Self.key("a")))
    #expect(store.hasPendingVisiblePictures)
    #expect(store.demand(Self.wants("a")).isEmpty)
    #expect(images.takeAsked() == ["a"])
    images.answer("a", fill: 2, note: "it ends early")
    let final = try #require(store.picture(for: Self.key("a")))
    #expect(final.version != coarse.version && final.encoded != coarse.encoded)
    #expect(reports.takeAll(within: .zero).last == [Self.key("a"): .ready(note: "it ends early")])
    #expect(!store.hasPendingVisiblePictures)
  }

  @Test func `A permanent failure is reported once and not retried`() {
    let store = store()
    _ = store.demand(Self.wants("a"))
    images.fail("a", "the file is damaged")
    let failed = [Self.key("a"): PictureStatus.failed(reason: "the file is damaged")]
    #expect(reports.takeAll(within: .zero) == [failed])
    #expect(store.demand(Self.wants("a")).isEmpty)
    #expect(store.demand([]).isEmpty)
    #expect(store.demand(Self.wants("a")) == failed)
    #expect(images.takeAsked() == ["a"])
  }

  @Test func `A temporary failure is retried while the picture is wanted`() {
    let store = store()
    _ = store.demand(Self.wants("a"))
    for pause in [5, 10, 20] {
      #expect(images.takeAsked() == ["a"])
      images.fail("a", "it takes too long", isTransient: true)
      clock.advance(by: .seconds(pause - 1))
      #expect(retries.isEmpty)
      // A retry without a failure requests nothing.
      store.retry()
      #expect(images.takeAsked().isEmpty)
      clock.advance(by: .seconds(1))
      #expect(retries.takeAll(within: .zero) == [true])
      store.retry()
    }
    #expect(images.takeAsked() == ["a"])
    images.fail("a", "it takes too long", isTransient: true)
    // The picture is no longer wanted.
    _ = store.demand([])
    clock.advance(by: .seconds(40))
    #expect(retries.takeAll(within: .zero) == [true])
    store.retry()
    #expect(images.takeAsked().isEmpty)
    // A fault of the file is not retried.
    _ = store.demand(Self.wants("b"))
    images.fail("b", "the picture is damaged")
    clock.advance(by: .seconds(10_000))
    #expect(retries.isEmpty)
  }

  @Test func `An answer within the request call is received`() throws {
    let store = store(images: PromptImages())
    #expect(store.demand(Self.wants("a")).isEmpty)
    let failed = [Self.key("a"): PictureStatus.failed(reason: "no access to them")]
    #expect(reports.takeAll(within: .zero) == [failed])
    #expect(!store.hasPendingVisiblePictures)
  }

  @Test func `A picture made for another terminal is not shown on this one`() throws {
    let store = store()
    _ = store.demand(Self.wants("a"))
    images.answer("a", fill: 1)
    let before = try #require(store.picture(for: Self.key("a")))
    _ = reports.takeAll(within: .zero)
    var other = ScriptedTerminal().traits
    other.backdrop = .color(.white)
    store.setTraits(other, cell: PixelSize(width: 10, height: 20))
    #expect(store.picture(for: Self.key("a")) == nil)
    // The key is unchanged, so the picker has no reason to request it.
    #expect(images.takeAsked() == ["a", "a"])
    images.answer("a", fill: 1)
    let after = try #require(store.picture(for: Self.key("a")))
    #expect(after.version > before.version)
    #expect(reports.takeAll(within: .zero) == [[Self.key("a"): .ready(note: nil)]])
    // With another cell size the keys differ, and the picker requests them itself.
    store.setCellSize(PixelSize(width: 12, height: 24))
    #expect(images.takeAsked().isEmpty && store.picture(for: Self.key("a")) == nil)
  }

  @Test func `A picker that has dropped its pictures gets them reported again`() {
    let store = store()
    _ = store.demand(Self.wants("a"))
    images.answer("a")
    #expect(store.demand(Self.wants("a")).isEmpty)
    store.forgetReportedStatuses()
    #expect(store.demand(Self.wants("a")) == [Self.key("a"): .ready(note: nil)])
    #expect(store.demand(Self.wants("a")).isEmpty)
  }

  @Test func `Only visible pictures are waited for`() {
    let store = store()
    _ = store.demand(Self.wants("a", priority: .preheat))
    #expect(!store.hasPendingVisiblePictures)
    _ = store.demand(Self.wants("b", priority: .preview))
    #expect(store.hasPendingVisiblePictures)
  }

  @Test func `The cache keeps the most recently used pictures within its limit`() {
    // A file of 3,000 bytes makes a picture of slightly more than 4,000.
    let store = store(bytes: 3000, cacheLimit: 10_000)
    for name in ["a", "b"] {
      _ = store.demand(Self.wants(name))
      images.answer(name)
    }
    #expect(store.picture(for: Self.key("a")) != nil)
    _ = store.demand(Self.wants("c"))
    images.answer("c")
    let kept = ["a", "b", "c"].filter { store.picture(for: Self.key($0)) != nil }
    #expect(kept.contains("c") && kept.count <= 2 && !kept.contains("b"))
    _ = images.takeAsked()
    _ = store.demand(Self.wants("b"))
    #expect(images.takeAsked() == ["b"])
  }

  @Test func `Four parts of pictures are cached`() throws {
    let store = store()
    let keys = try (0..<6).map { number in
      var key = Self.key("a")
      let corner = Double(number) / 10
      key.part = PicturePart(
        region: try #require(NormalizedRect(x: corner, y: 0, width: 0.1, height: 0.1)),
        size: PictureRequest.size
      )
      return key
    }
    for key in keys {
      _ = store.demand([PictureRequest(key: key, asset: .photo("a"), priority: .preview)])
      images.answer("a")
    }
    #expect(
      keys.map { store.picture(for: $0) != nil } == [false, false]
        + Array(repeating: true, count: 4))
  }

  @Test func `Another encoder applies to later pictures`() throws {
    let store = store()
    _ = store.demand(Self.wants("a", "b"))
    images.answer("a")
    #expect(!store.setQuality(.speed))
    images.answer("b")
    let costs = ["a", "b"].compactMap { store.picture(for: Self.key($0))?.encoded.cost }
    #expect(costs.count == 2 && costs[0] < 1000 && costs[1] > 5000)
  }
}

/// An image manager that refuses each request within the call, as after access was revoked.
private struct PromptImages: ImageManager {
  func requestImage(
    _ request: ImageRequest, priority: ImagePriority,
    progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID {
    let id = ImageRequestID(rawValue: 1)
    resultHandler(
      ImageResult(requestID: id, content: .failed(AssetError("photos", "no access to them")), isLast: true))
    return id
  }

  func requestImageData(
    _ request: ImageDataRequest, progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageDataResult) -> Void
  ) -> ImageRequestID { ImageRequestID(rawValue: 0) }

  func frames(
    of request: FrameRequest, cancellation: Cancellation
  ) throws(AssetError) -> any FrameReader {
    throw AssetError(request.asset.id.rawValue, "does not move")
  }

  func setPriority(_ priority: ImagePriority, of request: ImageRequestID) {}
  func cancelImageRequest(_ request: ImageRequestID) {}
}

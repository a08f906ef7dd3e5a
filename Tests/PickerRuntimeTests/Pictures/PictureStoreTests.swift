import AssetLibrary
import Pixels
import Synchronization
import TerminalGraphics
import Testing

@testable import PickerRuntime
@testable import PickerUI

@Suite struct PictureStoreTests {
  private let images = ScriptedImages()
  private let reports = Mailbox<[PictureKey: PictureStatus]>()
  private static let cell = PixelSize(width: 10, height: 20)

  /// - Parameter bytes: how many the file of a picture has.
  private static func encoder(bytes: Int = 100) -> InlineImageEncoder {
    InlineImageEncoder(cell: cell) { pixels in [UInt8](repeating: pixels.bytes[0], count: bytes) }
  }

  private func store(bytes: Int = 100, cacheLimit: Int = 1 << 20) -> PictureStore {
    PictureStore(
      manager: LibraryAccessController(MemoryAssetStore(), images).manager,
      encoders: PictureEncoders(encoder: Self.encoder(bytes: bytes)),
      backdrop: .color(.black), cacheLimit: cacheLimit, report: { [reports] in reports.post($0) })
  }

  private static func wants(_ names: String..., priority: ImagePriority = .visible) -> [PictureRequest] {
    names.map { .thumbnail(.photo($0), priority) }
  }

  private static func key(_ name: String) -> PictureKey { wants(name)[0].key }

  @Test func `What is missing is asked for, the most urgent last, which the pipeline takes first`() {
    let store = store()
    #expect(store.demand(Self.wants("a", "b", "c")).isEmpty)
    #expect(images.takeAsked() == ["c", "b", "a"])
    #expect(store.demand(Self.wants("a", "b", "c", "d")).isEmpty)
    #expect(images.takeAsked() == ["d"])
  }

  @Test func `The levels are those of a whole preview, and of nothing else`() throws {
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

  @Test func `What can't be picked is darker`() throws {
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

  @Test func `What is picked has a frame of the theme's color`() throws {
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

  @Test func `What became more or less urgent is moved, not asked for again`() {
    let store = store()
    _ = store.demand(Self.wants("a") + Self.wants("b", priority: .preheat))
    _ = store.demand(Self.wants("b") + Self.wants("a", priority: .preheat))
    #expect(images.takeAsked() == ["b", "a"])
    #expect(images.open.map(\.name) == ["b", "a"])
    #expect(images.open.map(\.priority) == [.visible, .preheat])
  }

  @Test func `What nobody wants is cancelled, and asked for again later`() {
    let store = store()
    _ = store.demand(Self.wants("a", "b"))
    _ = store.demand(Self.wants("b"))
    #expect(images.cancelled == ["a"])
    _ = store.demand(Self.wants("a", "b"))
    #expect(images.takeAsked() == ["b", "a", "a"])
  }

  @Test func `A preview whose original is being brought is asked for again when its thumbnail has come`() {
    let store = store()
    var asset = Asset.photo("a")
    asset.resources[0].isLocallyAvailable = false
    let key = PictureKey(asset, size: PictureRequest.size, mode: .aspectFit)
    func demand() { _ = store.demand([PictureRequest(key: key, asset: asset, priority: .preview)]) }
    demand()
    demand()
    #expect(images.takeAsked() == ["a"])
    asset.resources[0].hasThumbnailHere = true
    demand()
    #expect(images.takeAsked() == ["a"] && images.cancelled == ["a"])
    #expect(images.open.map(\.request.asset.resources[0].hasThumbnailHere) == [true])
    images.answer("a", isDegraded: true)
    // What is there is not asked for again, whatever else comes to be known.
    asset.rating = 3
    demand()
    #expect(images.takeAsked().isEmpty && images.cancelled == ["a"])
  }

  @Test func `A picture is encoded and told; afterwards it is known at once`() throws {
    let store = store()
    _ = store.demand(Self.wants("a"))
    #expect(store.picture(for: Self.key("a")) == nil)
    images.answer("a", fill: 7)
    let ready = [Self.key("a"): PictureStatus.ready(note: nil)]
    #expect(reports.takeAll(within: .zero) == [ready])
    let picture = try #require(store.picture(for: Self.key("a")))
    #expect(picture.encoded.size == CellSize(columns: 4, rows: 2) && !picture.isTransient)
    #expect(store.demand(Self.wants("a", "b")) == ready)
    #expect(images.takeAsked() == ["a", "b"])
  }

  @Test func `A coarse picture is shown until the real one is there, which has another number`() throws {
    let store = store()
    _ = store.demand(Self.wants("a"))
    images.answer("a", fill: 1, isDegraded: true)
    let coarse = try #require(store.picture(for: Self.key("a")))
    #expect(store.awaitsMoreInSight)
    #expect(store.demand(Self.wants("a")).count == 1)
    #expect(images.takeAsked() == ["a"])
    images.answer("a", fill: 2, note: "it ends early")
    let final = try #require(store.picture(for: Self.key("a")))
    #expect(final.version != coarse.version && final.encoded != coarse.encoded)
    #expect(reports.takeAll(within: .zero).last == [Self.key("a"): .ready(note: "it ends early")])
    #expect(!store.awaitsMoreInSight)
  }

  @Test func `What can't be had is told once, and not asked for again`() {
    let store = store()
    _ = store.demand(Self.wants("a"))
    images.fail("a", "the file is damaged")
    let failed = [Self.key("a"): PictureStatus.failed(reason: "the file is damaged")]
    #expect(reports.takeAll(within: .zero) == [failed])
    #expect(store.demand(Self.wants("a")) == failed)
    #expect(images.takeAsked() == ["a"])
  }

  @Test func `What passes is asked for again after a pause, which grows`() {
    let clock = Mutex(ContinuousClock.now)
    let store = PictureStore(
      manager: LibraryAccessController(MemoryAssetStore(), images).manager,
      encoders: PictureEncoders(encoder: Self.encoder()),
      backdrop: .color(.black), cacheLimit: 1 << 20, now: { clock.withLock { $0 } },
      report: { [reports] in reports.post($0) })
    let failed = [Self.key("a"): PictureStatus.failed(reason: "it takes too long")]
    _ = store.demand(Self.wants("a"))
    for pause in [5, 10, 20] {
      #expect(images.takeAsked() == ["a"])
      images.fail("a", "it takes too long", isTransient: true)
      #expect(store.demand(Self.wants("a")) == failed)
      clock.withLock { $0 += .seconds(pause - 1) }
      #expect(store.demand(Self.wants("a")) == failed)
      #expect(images.takeAsked().isEmpty)
      clock.withLock { $0 += .seconds(1) }
      // Until there is news it is as it was.
      #expect(store.demand(Self.wants("a")) == failed)
    }
    images.answer("a", fill: 7)
    #expect(store.demand(Self.wants("a")) == [Self.key("a"): .ready(note: nil)])
  }

  @Test func `What passes is asked for again by itself, as long as it is wanted`() {
    let clock = Mutex(ContinuousClock.now)
    let timers = Mutex<[(pause: Duration, action: @Sendable () -> Void)]>([])
    let store = PictureStore(
      manager: LibraryAccessController(MemoryAssetStore(), images).manager,
      encoders: PictureEncoders(encoder: Self.encoder()),
      backdrop: .color(.black), cacheLimit: 1 << 20, now: { clock.withLock { $0 } },
      call: { pause, action in timers.withLock { $0.append((pause, action)) } },
      report: { [reports] in reports.post($0) })
    _ = store.demand(Self.wants("a"))
    for pause in [5, 10] {
      #expect(images.takeAsked() == ["a"])
      images.fail("a", "it takes too long", isTransient: true)
      let timer = timers.withLock { $0.removeFirst() }
      #expect(timer.pause == .seconds(pause))
      clock.withLock { $0 += timer.pause }
      timer.action()
    }
    #expect(images.takeAsked() == ["a"])
    images.fail("a", "it takes too long", isTransient: true)
    // Nobody looks at it any more.
    _ = store.demand([])
    let timer = timers.withLock { $0.removeFirst() }
    clock.withLock { $0 += timer.pause }
    timer.action()
    #expect(images.takeAsked().isEmpty)
    // What is the file's own fault is left alone.
    _ = store.demand(Self.wants("b"))
    images.fail("b", "the picture is damaged")
    #expect(timers.withLock { $0.isEmpty })
  }

  @Test func `Only pictures in sight are waited for`() {
    let store = store()
    _ = store.demand(Self.wants("a", priority: .preheat))
    #expect(!store.awaitsMoreInSight)
    _ = store.demand(Self.wants("b", priority: .preview))
    #expect(store.awaitsMoreInSight)
  }

  @Test func `No more bytes are kept than the limit allows, those used last`() {
    // A file of 3,000 bytes makes a picture of some more than 4,000.
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

  @Test func `Four parts of pictures are kept`() throws {
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

  @Test func `Another encoder makes what comes from now on`() throws {
    let store = store()
    _ = store.demand(Self.wants("a", "b"))
    images.answer("a")
    store.use(PictureEncoders(encoder: Self.encoder(bytes: 5000)), shown: [])
    images.answer("b")
    let costs = ["a", "b"].compactMap { store.picture(for: Self.key($0))?.encoded.cost }
    #expect(costs.count == 2 && costs[0] < 1000 && costs[1] > 5000)
  }
}

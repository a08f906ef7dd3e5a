import AssetLibrary
import CodecProtocol
import Fixtures
import Pixels
import Synchronization
import SystemPackage
import Testing

@testable import Imaging

/// Files on which decoding stalls: the machine may be the cause, so they are not broken.
@Suite(.timeLimit(.minutes(120))) struct StalledFileTests {
  /// Stalls a given number of times, then makes a picture.
  private final class Decoder: ForeignDecoder {
    let stalls: Mutex<Int>
    let tries = Mutex(0)

    init(stalls: Int) {
      self.stalls = Mutex(stalls)
    }

    func picture(
      of reader: any ResourceReader, request: ForeignRequest, isCancelled: () -> Bool
    ) throws(AssetError) -> ForeignPicture? {
      tries.withLock { $0 += 1 }
      let isStalled = stalls.withLock { stalls in
        stalls -= 1
        return stalls >= 0
      }
      if isStalled { throw AssetError(request.name, "reading it takes too long", isStall: true) }
      let size = PixelSize(width: 400, height: 300)
      return ForeignPicture(pixels: PixelBuffer(size: size, filledWith: .white), sourceSize: size, note: nil)
    }

    func frames(
      of reader: any ResourceReader, range: Range<Int>, name: String, targetSize: PixelSize,
      cancellation: Cancellation
    ) throws(AssetError) -> any FrameReader {
      throw AssetError(name, "it can't be played")
    }
  }

  private final class TestClock: Sendable {
    private let time = Mutex(ContinuousClock.now)
    var now: ContinuousClock.Instant { time.withLock { $0 } }
    func advance(by seconds: Int) { time.withLock { $0 += .seconds(seconds) } }
  }

  private let library = TestLibrary()
  private let cache: TemporaryThumbnails
  private let asset: Asset
  private let clock = TestClock()

  init() throws {
    cache = try TemporaryThumbnails()
    let heic = MediaBytes.ftyp("heic", ["mif1"])
    try cache.folder.write(heic, to: "a.heic")
    asset = library.add(
      heic, named: "\(cache.folder.path)/a.heic", storedSize: PixelSize(width: 400, height: 300),
      type: "public.heic")
  }

  /// Requests the picture once, as a run of its own or as part of one.
  /// - Returns: Why there is none; nil if it was made.
  private func failure(_ loader: ImageLoader) throws -> String? {
    let request = ImageRequest(
      asset: asset, targetSize: .square(100), contentMode: .aspectFit,
      options: ImageRequestOptions(deliveryMode: .highQualityFormat, resizeMode: .exact))
    let job = ImageJob(
      work: ImageWork(request), asset: asset, phase: .final, run: 1, isBackground: false, cost: 0)
    if case .failure(let error) = loader.run(job, Cancellation(), .visible).outcome { return error.reason }
    return nil
  }

  private func loader(_ decoder: Decoder) -> ImageLoader {
    ImageLoader(
      store: library.store, renderer: PictureRenderer(foreign: decoder),
      thumbnails: ThumbnailCache(cache.directory(), keepsThumbnails: true),
      stalled: StalledFiles { [clock] in clock.now })
  }

  @Test func `A temporary stall breaks nothing in the next run`() throws {
    #expect(try failure(loader(Decoder(stalls: 1))) != nil)
    #expect(try failure(loader(Decoder(stalls: 0))) == nil)
  }

  @Test func `A file that stalls in three runs is not tried again`() throws {
    for _ in 1...3 {
      let decoder = Decoder(stalls: 100)
      #expect(try failure(loader(decoder)) == "reading it takes too long")
      #expect(decoder.tries.withLock { $0 } == 1)
    }
    let decoder = Decoder(stalls: 0)
    #expect(try failure(loader(decoder)) == "reading it takes too long")
    #expect(decoder.tries.withLock { $0 } == 0)
    // A changed file counts as another one.
    try cache.folder.setModificationTime(1_000_000, of: "a.heic")
    #expect(try failure(loader(decoder)) == nil)
  }

  @Test func `Within a run it is retried after a growing pause, and counts once`() throws {
    let decoder = Decoder(stalls: 4)
    let loader = loader(decoder)
    for (index, pause) in [20, 40, 80, 160].enumerated() {
      #expect(try failure(loader) != nil)
      clock.advance(by: pause - 1)
      #expect(try failure(loader) != nil)
      #expect(decoder.tries.withLock { $0 } == index + 1)
      clock.advance(by: 1)
    }
    #expect(try failure(loader) == nil)
  }

  @Test func `A changed file is tried at once`() throws {
    let loader = loader(Decoder(stalls: 1))
    #expect(try failure(loader) != nil)
    try cache.folder.setModificationTime(1_000_000, of: "a.heic")
    #expect(try failure(loader) == nil)
  }

  @Test func `Lack of memory or time counts as a stall, a damaged file does not`() {
    for error in [CodecError.noMemory, .late, .hung, .died] {
      #expect(AssetError("a", error).isStall && AssetError("a", error).isTransient)
    }
    #expect(!AssetError("a", CodecError.unreadable("damaged")).isTransient)
  }
}

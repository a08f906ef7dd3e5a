import AssetLibrary
import Pixels
import Testing

@testable import PickerRuntime
@testable import PickerUI
@testable import TerminalGraphics

/// Stills for the tile under the mouse, as the picture store makes them.
@Suite(.timeLimit(.minutes(120))) struct StillReaderTests {
  private let images = ScriptedImages()
  private let clock = HeldClock()
  private let reports = Mailbox<[PictureKey: PictureStatus]>()
  private let asset = Asset.photo("clip")

  private func store(_ change: (inout TerminalTraits) -> Void = { _ in }) -> PictureStore {
    var options = PictureOptions()
    options.compress = { pixels, _ in [pixels.bytes[0]] }
    var traits = ScriptedTerminal().traits
    traits.capabilities.name = "iTerm2 3.5"
    traits.capabilities.quirks = TerminalQuirks(of: TerminalName("iTerm2 3.5"), in: TerminalEnvironment())
    change(&traits)
    return PictureStore(
      options, on: traits, cell: PixelSize(width: 10, height: 20),
      manager: LibraryAccessController(MemoryAssetStore(), images).manager, clock: clock
    ) { [reports] in if case .pictures(let statuses) = $0 { reports.post(statuses) } }
  }

  private func wants(_ stills: Int..., of asset: Asset? = nil) -> [PictureRequest] {
    let want = PictureRequest.thumbnail(asset ?? self.asset)
    return stills.map {
      PictureRequest(key: want.key.showing(still: $0), asset: want.asset, priority: .visible)
    }
  }

  /// Twenty frames in two seconds.
  private func move(statesLength: Bool = true, _ asset: Asset? = nil) -> ScriptedFrames {
    let frames = ScriptedFrames(count: 20, playCount: 1, statesLength: statesLength)
    images.setFrames(frames, of: asset ?? self.asset)
    return frames
  }

  @Test func `Stills of one file are read one after the other, each in the middle of its part`() async throws
  {
    let frames = move()
    let store = store()
    defer { store.stopStills() }
    for still in [4, 0, 9] {
      let want = wants(still)
      #expect(store.demand(want).isEmpty)
      #expect(await reports.taken() == [[want[0].key: .ready(note: nil)]])
      #expect(store.picture(for: want[0].key) != nil)
    }
    // The first frame tells the length.
    #expect(frames.made == [0, 9, 1, 19])
    #expect(images.frameRequests.map(\.asset.id) == [asset.id] && images.takeAsked().isEmpty)
  }

  @Test func `A still that was shown is kept like other pictures`() async throws {
    let frames = move()
    let store = store()
    defer { store.stopStills() }
    for still in [4, 7] {
      _ = store.demand(wants(still))
      _ = await reports.taken()
    }
    #expect(store.demand(wants(4)) == [wants(4)[0].key: .ready(note: nil)])
    #expect(frames.made == [0, 9, 15])
  }

  @Test func `Without a stated length all frames are read once`() async throws {
    let frames = move(statesLength: false)
    let store = store()
    defer { store.stopStills() }
    for still in [4, 8] {
      _ = store.demand(wants(still))
      _ = await reports.taken()
    }
    #expect(frames.made.suffix(2) == [9, 17] && frames.made.prefix(2) == [0, 17])
  }

  @Test func `A known duration needs no length`() async throws {
    let frames = move(statesLength: false)
    var asset = asset
    asset.duration = 2
    let store = store()
    defer { store.stopStills() }
    _ = store.demand(wants(4, of: asset))
    _ = await reports.taken()
    #expect(frames.made == [0, 9])
  }

  @Test func `The file is closed when the mouse leaves the tile, and for another file`() async throws {
    var other = Asset.photo("other")
    other.playbackStyle = .video
    _ = move()
    _ = move(other)
    let store = store()
    defer { store.stopStills() }
    _ = store.demand(wants(4))
    _ = await reports.taken()
    #expect(images.cancellations.map(\.isCancelled) == [false])
    _ = store.demand(wants(2, of: other))
    _ = await reports.taken()
    #expect(images.cancellations.map(\.isCancelled) == [true, false])
    _ = store.demand([])
    #expect(images.cancellations.map(\.isCancelled) == [true, true])
    _ = store.demand(wants(1))
    _ = await reports.taken()
    #expect(images.frameRequests.map(\.asset.id.rawValue) == ["clip", "other", "clip"])
  }

  @Test func `The file is closed when the mouse rests for long`() async throws {
    _ = move()
    let store = store()
    defer { store.stopStills() }
    _ = store.demand(wants(4))
    _ = await reports.taken()
    #expect(await clock.nextWait() == .seconds(3))
    clock.advance(by: .seconds(3))
    _ = store.demand(wants(5))
    _ = await reports.taken()
    #expect(store.picture(for: wants(5)[0].key) != nil)
  }

  @Test func `A file that can't be read is a failure of each still`() async throws {
    let store = store()
    defer { store.stopStills() }
    for still in [4, 5] {
      _ = store.demand(wants(still))
      #expect(await reports.taken() == [[wants(still)[0].key: .failed(reason: "does not move")]])
    }
  }

  @Test func `A still covers its tile, with the mark of a pick`() async throws {
    _ = move()
    var wide = asset
    wide.pixelSize = PixelSize(width: 400, height: 200)
    images.setFrames(ScriptedFrames(count: 20, playCount: 1, statesLength: true), of: wide)
    let store = store()
    defer { store.stopStills() }
    var want = wants(4, of: wide)[0]
    want.key.isPicked = true
    _ = store.demand([want])
    _ = await reports.taken()
    #expect(images.frameRequests.first?.targetSize == PixelSize(width: 80, height: 40))
    // The encoder of this test repeats the first byte: that of the white frame.
    let framed = try #require(store.picture(for: want.key)).encoded
    _ = store.demand(wants(4, of: wide))
    _ = await reports.taken()
    #expect(try framed != #require(store.picture(for: wants(4, of: wide)[0].key)).encoded)
  }

  @Test func `Over a slow link no still is read`() {
    _ = move()
    let store = store()
    defer { store.stopStills() }
    _ = store.setQuality(.full, isLinkSlow: true)
    #expect(store.demand(wants(4)).isEmpty && images.frameRequests.isEmpty && !store.playsInGrid)
    #expect(!store.hasPendingVisiblePictures)
  }

  @Test func `Where the terminal keeps few pictures no still is read`() {
    _ = move()
    let store = store {
      $0.capabilities.name = "tmux 3.5a"
      $0.capabilities.hasSixel = true
      $0.capabilities.tmuxClient = TmuxClient(
        name: "XTerm(379)", allowsPassthrough: false, hasSixel: true, hasCellSize: true)
      $0.capabilities.quirks = TerminalQuirks(of: TerminalName("tmux 3.5a"), in: TerminalEnvironment())
    }
    #expect(store.mostPictures != nil)
    #expect(store.demand(wants(4)).isEmpty && images.frameRequests.isEmpty && !store.playsInGrid)
  }
}

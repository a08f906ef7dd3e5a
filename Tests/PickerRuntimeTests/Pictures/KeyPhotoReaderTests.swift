import AssetLibrary
import Pixels
import Testing

@testable import PickerRuntime
@testable import PickerUI
@testable import TerminalGraphics

/// Frames of clips in place of still images, as the picture store makes them.
@Suite(.timeLimit(.minutes(120))) struct KeyPhotoReaderTests {
  private let images = ScriptedImages()
  private let reports = Mailbox<[PictureKey: PictureStatus]>()

  private func store() -> PictureStore {
    var options = PictureOptions()
    options.graphics = .iterm
    options.compress = { pixels, _ in [pixels.bytes[0]] }
    return PictureStore(
      options, on: ScriptedTerminal().traits, cell: PixelSize(width: 10, height: 20),
      manager: LibraryAccessController(MemoryAssetStore(), images).manager, clock: TestClock()
    ) { [reports] in if case .pictures(let statuses) = $0 { reports.post(statuses) } }
  }

  private func want(_ asset: Asset, at milliseconds: Int) -> PictureRequest {
    var want = PictureRequest.thumbnail(asset)
    want.key.keyPhotoTime = .milliseconds(milliseconds)
    return want
  }

  /// Twenty frames in two seconds.
  private func move(_ asset: Asset) -> ScriptedFrames {
    let frames = ScriptedFrames(count: 20, playCount: 1)
    images.setFrames(frames, of: asset)
    return frames
  }

  @Test func `The key photos of several files are read, and no other frames`() async throws {
    let assets = [Asset.photo("a"), .photo("b")]
    let frames = assets.map(move)
    let wants = [want(assets[0], at: 450), want(assets[1], at: 0), .thumbnail(.photo("c"))]
    let store = store()
    defer { store.stopStills() }
    #expect(store.demand(wants).isEmpty)
    var statuses: [PictureKey: PictureStatus] = [:]
    while statuses.count < 2 {
      for new in await reports.taken() { statuses.merge(new) { $1 } }
    }
    #expect(statuses == [wants[0].key: .ready(note: nil), wants[1].key: .ready(note: nil)])
    #expect(frames.map(\.made) == [[4], [0]] && images.takeAsked() == ["c"])
    #expect(wants.map { store.picture(for: $0.key) != nil } == [true, true, false])
  }

  @Test func `Another frame of the same photo is another picture`() async throws {
    let asset = Asset.photo("a")
    let frames = move(asset)
    let store = store()
    defer { store.stopStills() }
    for time in [450, 1200, 450] {
      let known = store.demand([want(asset, at: time)])
      if known.isEmpty { _ = await reports.taken() }
      #expect(store.picture(for: want(asset, at: time).key) != nil)
    }
    #expect(frames.made == [4, 12])
  }

  @Test func `A part of it is cut out of the whole frame`() async throws {
    let asset = Asset.photo("a")
    _ = move(asset)
    var want = want(asset, at: 450)
    want.key.mode = .aspectFit
    want.key.part = PicturePart(
      region: try #require(NormalizedRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5)),
      size: PixelSize(width: 30, height: 30))
    let store = store()
    defer { store.stopStills() }
    _ = store.demand([want])
    #expect(await reports.taken() == [[want.key: .ready(note: nil)]])
    #expect(images.frameRequests.map(\.targetSize) == [PixelSize(width: 1 << 16, height: 1 << 16)])
  }

  @Test func `A clip that can't be read is a failure`() async throws {
    let want = want(.photo("a"), at: 450)
    let store = store()
    defer { store.stopStills() }
    _ = store.demand([want])
    #expect(await reports.taken() == [[want.key: .failed(reason: "does not move")]])
  }
}

import AssetLibrary
import Pixels
import SystemPackage
import Testing

@testable import PickerUI

@Suite struct PlaybackTests {
  /// Animations "0", "1" and "2", the photo "3", the Live Photo "4".
  private static let library: [Asset] = {
    var assets: [Asset] = .numbered(6)
    for index in 0..<3 { assets[index].playbackStyle = .imageAnimated }
    assets[4].playbackStyle = .livePhoto
    assets[4].resources.append(
      AssetResource(
        type: .pairedVideo, path: "p/4.mov", uniformTypeIdentifier: "com.apple.quicktime-movie", byteCount: 9)
    )
    return assets
  }()

  private static func open(size: CellSize = CellSize(columns: 120, rows: 40)) -> TestPicker {
    var picker = TestPicker.open(library, size: size)
    picker.makeDemanded()
    return picker
  }

  private static func plays(_ effects: [PickerEffect]) -> [PlaybackRequest] {
    effects.compactMap { if case .play(let request) = $0 { request } else { nil } }
  }

  private static func timers(_ effects: [PickerEffect]) -> [PickerTimer] {
    effects.compactMap(\.timer).filter { if case .playback = $0 { true } else { false } }
  }

  @Test func `A key plays the item at the cursor at once`() throws {
    var picker = Self.open()
    let effects = picker.press(.character("w"))
    let request = try #require(Self.plays(effects).first)
    #expect(request.asset.id.rawValue == "0" && request.key.mode == .aspectFit)
    #expect(Self.timers(effects).isEmpty)
    #expect(picker.press(.character("w")).contains(.stopPlaying))
    #expect(Self.plays(picker.press(.character("w"))).count == 1)
  }

  @Test func `A moving picture replaces the still one, also before that is present`() throws {
    var picker = TestPicker.open(Self.library)
    #expect(picker.frame.slots.isEmpty)
    let request = try #require(Self.plays(picker.press(.character("w"))).first)
    #expect(picker.frame.slots.isEmpty)
    picker.send(.playback(.frame, generation: request.generation))
    #expect(picker.frame.slots.map(\.key) == [request.key])
    picker.press(.right)
    #expect(picker.frame.slots.isEmpty)
  }

  @Test func `Moving on stops playback, pausing on an item starts it`() throws {
    var picker = Self.open()
    picker.press(.character("w"))
    let first = picker.press(.right)
    #expect(first.contains(.stopPlaying) && Self.plays(first).isEmpty)
    let second = picker.press(.right)
    // Nothing is playing that would have to be stopped.
    #expect(!second.contains(.stopPlaying))
    let (early, late) = (try #require(Self.timers(first).first), try #require(Self.timers(second).first))
    #expect(Self.plays(picker.send(.timer(early))).isEmpty)
    #expect(Self.plays(picker.send(.timer(late))).map(\.asset.id.rawValue) == ["2"])
    // A second timer has no effect.
    #expect(Self.plays(picker.send(.timer(late))).isEmpty)
    #expect(Self.plays(picker.press(.space)).isEmpty)
  }

  @Test func `A still item does not play, and the next moving one does`() throws {
    var picker = Self.open()
    picker.press(.character("w"), .right, .right)
    let photo = picker.press(.right)
    #expect(Self.timers(photo).isEmpty && Self.plays(photo).isEmpty)
    let live = picker.press(.right)
    let timer = try #require(Self.timers(live).first)
    #expect(Self.plays(picker.send(.timer(timer))).map(\.asset.id.rawValue) == ["4"])
  }

  @Test func `A still item says that it can't be played`() {
    var picker = Self.open()
    picker.press(.right, .right, .right)
    #expect(Self.plays(picker.press(.character("w"))).isEmpty)
    #expect(picker.lastLine.contains("3 has nothing to play"))
    picker.press(.left)
    picker.press(.character("w"), .right)
    picker.press(.character("w"))
    #expect(picker.lastLine.contains("Playback off"))
    #expect(Self.timers(picker.press(.left)).isEmpty)
  }

  @Test func `An overlay over the preview stops playback`() throws {
    var picker = Self.open()
    picker.press(.character("w"))
    #expect(picker.press(.character("?")).contains(.stopPlaying))
    let timer = try #require(Self.timers(picker.press(.escape)).first)
    #expect(Self.plays(picker.send(.timer(timer))).count == 1)
  }

  @Test func `A resize restarts playback`() throws {
    var picker = Self.open()
    let before = try #require(Self.plays(picker.press(.character("w"))).first)
    let effects = picker.press(.character("o"))
    #expect(effects.contains(.stopPlaying))
    let timer = try #require(Self.timers(effects).first)
    let after = try #require(Self.plays(picker.send(.timer(timer))).first)
    #expect(after.key != before.key && after.generation > before.generation)
  }

  @Test func `Messages about a previous item are stale`() throws {
    var picker = Self.open()
    let old = try #require(Self.plays(picker.press(.character("w"))).first)
    let timer = try #require(Self.timers(picker.press(.right)).first)
    picker.send(.playback(.frame, generation: old.generation))
    // The picture of the next one is still.
    picker.makeDemanded()
    let still = try #require(picker.frame.slots.first { $0.key.mode == .aspectFit }).key
    #expect(still.asset.rawValue == "1")
    let new = try #require(Self.plays(picker.send(.timer(timer))).first)
    picker.send(.playback(.failed(reason: "the file is damaged"), generation: old.generation))
    #expect(!picker.shows("can't be played"))
    picker.send(.playback(.failed(reason: "the file is damaged"), generation: new.generation))
    #expect(picker.lastLine.contains("1 can't be played: the file is damaged"))
  }

  @Test func `The version that is shown is the one that plays`() throws {
    var library = Self.library
    library[0].playbackStyle = .video
    library[0].resources[0].type = .fullSizeVideo
    library[0].resources.append(
      AssetResource(type: .video, path: "p/0.mov", uniformTypeIdentifier: "public.mpeg-4", byteCount: 9))
    var picker = TestPicker.open(library, size: CellSize(columns: 120, rows: 40))
    picker.press(.character("o"))
    picker.makeDemanded()
    let edit = try #require(Self.plays(picker.press(.character("w"))).first)
    #expect(edit.frames.resource?.type == .fullSizeVideo)
    let effects = picker.press(.character("e"))
    #expect(effects.contains(.stopPlaying))
    let timer = try #require(Self.timers(effects).first)
    let original = try #require(Self.plays(picker.send(.timer(timer))).first)
    #expect(original.frames.resource?.path == "p/0.mov" && original.key != edit.key)
  }

  @Test func `A finished item plays again on request, not by itself`() throws {
    var picker = Self.open()
    let request = try #require(Self.plays(picker.press(.character("w"))).first)
    picker.send(.playback(.frame, generation: request.generation))
    picker.send(.playback(.ended, generation: request.generation))
    // The last frame stays.
    #expect(picker.frame.slots.contains { $0.key == request.key })
    #expect(Self.plays(picker.press(.space)).isEmpty)
    #expect(Self.plays(picker.press(.character("w"))).map(\.key) == [request.key])
    picker.press(.right)
    let timer = try #require(Self.timers(picker.press(.left)).first)
    #expect(Self.plays(picker.send(.timer(timer))).count == 1)
  }

  @Test func `Without a visible preview it opens in full screen`() throws {
    var picker = Self.open()
    picker.press(.character("p"))
    let request = try #require(Self.plays(picker.press(.character("w"))).first)
    #expect(picker.isFullScreen)
    #expect(request.asset.id.rawValue == "0")
    #expect(picker.lastLine.contains("w stop"))
  }

  @Test func `Without a preview nothing plays`() {
    var picker = TestPicker.open(Self.library) { $0.configuration.disabledCapabilities = .preview }
    #expect(Self.plays(picker.press(.character("w"))).isEmpty)
    #expect(picker.lastLine.contains("The preview is disabled"))
  }

  @Test func `Without graphics nothing plays`() throws {
    var picker = TestPicker(Self.library)
    var metrics = ScreenMetrics.size(CellSize(columns: 120, rows: 40))
    metrics.pictureGeometry = nil
    picker.send(.resized(metrics))
    picker.send(.authorization(.authorized))
    picker.answerFetch()
    #expect(Self.plays(picker.press(.character("w"))).isEmpty)
    #expect(!picker.effects.contains { if case .play = $0 { true } else { false } })
    // Playback works once pictures can be drawn.
    let effects = picker.send(.resized(.size(CellSize(columns: 120, rows: 40))))
    let timer = try #require(Self.timers(effects).first)
    #expect(Self.plays(picker.send(.timer(timer))).map(\.asset.id.rawValue) == ["0"])
  }

  @Test func `The key's description says what it does, also before anything plays`() throws {
    var picker = Self.open()
    picker.press(.character("o"))
    #expect(picker.lastLine.contains("w play"))
    let request = try #require(Self.plays(picker.press(.character("w"))).first)
    #expect(picker.lastLine.contains("w stop"))
    picker.send(.playback(.ended, generation: request.generation))
    #expect(picker.lastLine.contains("w play"))
    // On the next item playback waits for a second, and the key cancels it.
    picker.press(.right)
    #expect(picker.lastLine.contains("w stop"))
    picker.press(.character("w"))
    #expect(picker.lastLine.contains("w play"))
    // The next item does not wait to play either.
    let effects = picker.press(.left)
    #expect(Self.timers(effects).isEmpty)
  }
}

import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// `play-in-grid`: the tile under the cursor plays.
@Suite struct GridPlaybackTests {
  private static func open(playsInGrid: Bool = true) -> TestPicker {
    var assets: [Asset] = .numbered(6)
    for index in 0..<3 { assets[index].playbackStyle = .imageAnimated }
    var picker = TestPicker.open(assets) { $0.screen.playsInGrid = playsInGrid }
    picker.makeDemanded()
    return picker
  }

  private static func plays(_ effects: [PickerEffect]) -> [PlaybackRequest] {
    effects.compactMap { if case .play(let request) = $0 { request } else { nil } }
  }

  /// Moves to the next item, and lets the cursor rest.
  private static func rest(_ picker: inout TestPicker) -> [PickerEffect] {
    let effects = picker.press(.right)
    picker.makeDemanded()
    return (effects + picker.press(.left) + picker.press(.right)).compactMap(\.timer).filter {
      if case .playback = $0 { true } else { false }
    }.flatMap { picker.send(.timer($0)) }
  }

  @Test func `A tile plays once the cursor has rested on it, and stops when it moves`() throws {
    var picker = Self.open()
    let request = try #require(Self.plays(Self.rest(&picker)).first)
    #expect(request.asset.id.rawValue == "1" && request.isInGrid && request.key.mode == .aspectFill)
    // The frames cover the tile.
    let frame = request.frames.targetSize
    #expect(frame.width >= request.key.size.width && frame.height >= request.key.size.height)
    picker.send(.playback(.frame(PlaybackMoment(time: .seconds(1))), generation: request.generation))
    #expect(picker.frame.slots.contains { $0.key == request.key })
    #expect(picker.press(.right).contains(.stopPlaying))
  }

  @Test func `Without the setting nothing plays`() {
    var picker = Self.open(playsInGrid: false)
    #expect(Self.plays(Self.rest(&picker)).isEmpty)
  }

  @Test func `A picked tile keeps its mark and stays still`() throws {
    var picker = Self.open()
    _ = try #require(Self.plays(Self.rest(&picker)).first)
    #expect(picker.press(.space).contains(.stopPlaying))
  }

  @Test func `The keys of the grid keep their meaning`() throws {
    var picker = Self.open()
    let request = try #require(Self.plays(Self.rest(&picker)).first)
    picker.send(.playback(.frame(PlaybackMoment(time: .seconds(1))), generation: request.generation))
    let effects = picker.press(".")
    #expect(!effects.contains { if case .controlPlayback = $0 { true } else { false } })
    #expect(picker.lastLine.contains("Hidden photos are shown"))
  }

  @Test func `The key for playback plays in the preview`() throws {
    var picker = Self.open()
    _ = try #require(Self.plays(Self.rest(&picker)).first)
    let request = try #require(Self.plays(picker.press("w")).first)
    #expect(!request.isInGrid && request.key.mode == .aspectFit && request.asset.id.rawValue == "1")
  }

  @Test func `A box over the grid and a lost focus pause it`() throws {
    var picker = Self.open()
    let request = try #require(Self.plays(Self.rest(&picker)).first)
    picker.send(.playback(.frame(PlaybackMoment(time: .seconds(1))), generation: request.generation))
    #expect(picker.send(.focused(false)).contains(.controlPlayback(.pause)))
    #expect(picker.send(.focused(true)).contains(.controlPlayback(.resume)))
  }

  @Test func `A video that can't be played is no news here`() throws {
    var picker = Self.open()
    let request = try #require(Self.plays(Self.rest(&picker)).first)
    picker.send(.playback(.failed(reason: "damaged"), generation: request.generation))
    #expect(!picker.lastLine.contains("can't be played"))
  }
}

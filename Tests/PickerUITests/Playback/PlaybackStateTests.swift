import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct PlaybackStateTests {
  private static let asset = Asset.photo("a")
  private static let key = PictureKey(asset, size: PixelSize(width: 40, height: 30), mode: .aspectFit)

  @Test func `The viewed item waits, plays, and stops when another one is viewed`() {
    var playback = Playback()
    let waiting = playback.follow(Self.key)
    #expect(waiting.compactMap(\.timer) == [.playback(generation: 1)])
    #expect(playback.follow(Self.key).isEmpty)
    let request = PlaybackRequest(generation: 1, asset: Self.asset, key: Self.key)
    #expect(playback.start(Self.asset, Self.key) == [.play(request)])
    #expect(playback.phase == .playing)
    #expect(playback.start(Self.asset, Self.key).isEmpty)
    #expect(playback.follow(nil) == [.stopPlaying])
    #expect(playback.key == nil && playback.phase == .waiting)
  }

  @Test func `Only the current picture is played`() {
    var playback = Playback()
    _ = playback.follow(Self.key)
    let other = PictureKey(.photo("b"), size: PixelSize(width: 40, height: 30), mode: .aspectFit)
    #expect(playback.start(.photo("b"), other).isEmpty)
    #expect(playback.phase == .waiting)
  }

  @Test func `A moving picture is shown where it plays, once it has a frame`() {
    var playback = Playback()
    _ = playback.follow(Self.key)
    #expect(!playback.shows(Self.key))
    _ = playback.start(Self.asset, Self.key)
    let outcome = playback.handle(.frame(PlaybackMoment(time: .zero)), generation: 1, of: Self.asset)
    #expect(outcome.effects.isEmpty && outcome.failure == nil)
    #expect(playback.shows(Self.key))
    _ = playback.follow(nil)
    #expect(!playback.shows(Self.key))
  }
}

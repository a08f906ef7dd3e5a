import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// The key for the user's own player.
@Suite struct PlayerRunTests {
  /// The video "0", the photo "1", the Live Photo "2", the video "3" on a server.
  private static let library: [Asset] = {
    var assets: [Asset] = .numbered(4)
    for index in [0, 3] { assets[index].playbackStyle = .video }
    assets[2].playbackStyle = .livePhoto
    assets[2].resources.append(
      AssetResource(
        type: .pairedVideo, path: "p/2.mov", uniformTypeIdentifier: "com.apple.quicktime-movie", byteCount: 9)
    )
    assets[3].resources[0].remoteAddress = "nas:3.mp4"
    return assets
  }()

  private static func open() -> TestPicker {
    var picker = TestPicker.open(library, size: CellSize(columns: 120, rows: 40))
    picker.makeDemanded()
    return picker
  }

  @Test func `The file of the photo under the cursor is made ready, then played`() {
    var picker = Self.open()
    let run = PlayerRun(Self.library[0])
    #expect(picker.press(.character("W")).contains(.preparePlayer(run)))
    #expect(picker.send(.playerReady(run)).contains(.runPlayer(run)))
    picker.press(.right, .right)
    let clip = PlayerRun(Self.library[2])
    #expect(picker.press(.character("W")).contains(.preparePlayer(clip)))
    #expect(clip.resource?.path == "p/2.mov")
  }

  @Test func `What plays in the preview pauses meanwhile`() throws {
    var picker = Self.open()
    picker.press(.character("w"))
    let run = PlayerRun(Self.library[0])
    let effects = picker.send(.playerReady(run))
    let pause = try #require(effects.firstIndex(of: .controlPlayback(.pause)))
    #expect(try pause < #require(effects.firstIndex(of: .runPlayer(run))))
    #expect(!picker.send(.playerReady(run)).contains(.controlPlayback(.resume)))
  }

  @Test func `A still photo has nothing to play`() {
    var picker = Self.open()
    picker.press(.right)
    let effects = picker.press(.character("W"))
    #expect(!effects.contains { if case .preparePlayer = $0 { true } else { false } })
    #expect(picker.lastLine.contains("1 has nothing to play"))
  }

  @Test func `A download is shown, and does not start the player once the user has moved on`() {
    var picker = Self.open()
    picker.press(.end)
    let run = PlayerRun(Self.library[3])
    #expect(picker.press(.character("W")).contains(.preparePlayer(run)))
    #expect(picker.lastLine.contains("Downloading 3 for the player"))
    picker.press(.home)
    let effects = picker.send(.playerReady(run))
    #expect(effects.contains(.discardPlayer(run)) && !effects.contains(.runPlayer(run)))
    #expect(picker.lastLine.contains("3 is downloaded"))
    picker.press(.end, .character("?"))
    #expect(!picker.send(.playerReady(run)).contains(.runPlayer(run)))
  }
}

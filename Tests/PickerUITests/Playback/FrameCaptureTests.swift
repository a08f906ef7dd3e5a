import AssetLibrary
import SystemPackage
import Testing

@testable import PickerUI

/// A frame becomes a photo.
@Suite struct FrameCaptureTests {
  /// A video "0", and the same on a server.
  private static func library(_ name: FilePath = "p/IMG_0040.MOV") -> [Asset] {
    var assets: [Asset] = .numbered(2)
    for index in 0..<2 { assets[index].playbackStyle = .video }
    assets[0].resources[0].path = name
    assets[0].creationDate = AssetDate(
      year: 2024, month: 12, day: 31, hour: 23, minute: 59, second: 50, nanosecond: 800_000_000,
      utcOffset: 3600)
    assets[1].resources[0].remoteAddress = "nas:1.mov"
    return assets
  }

  /// Plays the item at the cursor, and reports a frame.
  private static func play(
    _ picker: inout TestPicker, _ key: Key = .character("w"), at time: Duration
  ) throws {
    let effects = picker.press(key)
    let request = try #require(
      effects.compactMap { if case .play(let request) = $0 { request } else { nil } }.first)
    picker.send(
      .playback(.frame(PlaybackMoment(time: time, length: .seconds(9000))), generation: request.generation))
  }

  private static func saved(_ effects: [PickerEffect]) -> [FrameCapture] {
    effects.compactMap { effect in
      if case .edit(let edit) = effect, case .saveFrame(let capture) = edit.request { capture } else { nil }
    }
  }

  @Test func `The frame that is seen is saved, and undo removes the photo`() throws {
    var picker = TestPicker.open(Self.library())
    picker.makeDemanded()
    #expect(Self.saved(picker.press(.character("S"))).isEmpty)
    try Self.play(&picker, at: .milliseconds(12_340))
    let effects = picker.press(.character("S"))
    let capture = try #require(Self.saved(effects).first)
    #expect(capture.frames.asset.id.rawValue == "0" && capture.time == .milliseconds(12_340))
    // It goes on playing.
    #expect(!effects.contains { if case .controlPlayback = $0 { true } else { false } })
    guard case .edit(let edit)? = effects.first(where: { if case .edit = $0 { true } else { false } }) else {
      return
    }
    let new = LocalIdentifier(rawValue: "new")
    picker.send(.edited(LibraryEditAnswer(edit, [.createAsset(new)], .success([.delete([new])]))))
    #expect(picker.lastLine.contains("IMG_0040-frame-00m12s340.jpg saved · Press U to undo"))
    let undo = picker.press(.character("U")).compactMap { effect in
      if case .edit(let edit) = effect { edit.request } else { nil }
    }
    #expect(undo == [.changes([.delete([new])])])
  }

  @Test func `The date is that of the clip and the time in it`() {
    let capture = FrameCapture(of: Self.library()[0], .current, at: .milliseconds(9_340))
    #expect(
      capture.date
        == AssetDate(
          year: 2025, month: 1, day: 1, second: 0, nanosecond: 140_000_000, utcOffset: 3600))
  }

  private static let long = String(repeating: "ä", count: 120)

  @Test(
    arguments: [
      ("p/IMG_0040.MOV", 12_340, "IMG_0040-frame-00m12s340"), ("a.b.mp4", 0, "a.b-frame-00m00s000"),
      ("clip", 3_725_004, "clip-frame-1h02m05s004"), ("p/.hidden.mp4", 60_000, "_hidden-frame-01m00s000"),
      ("p/a\nb.mp4", 0, "a_b-frame-00m00s000"),
      ("\(long).mp4", 0, "\(long.prefix(79))-frame-00m00s000"),
    ] as [(String, Int, String)])
  func `The photo is named after the clip and the time`(path: String, milliseconds: Int, name: String) {
    let asset = Self.library(FilePath(path))[0]
    #expect(FrameCapture(of: asset, .current, at: .milliseconds(milliseconds)).name == name)
  }

  @Test func `A read-only library takes no frame, and says why`() throws {
    var picker = TestPicker.open(Self.library()) { $0.isReadOnly = true }
    picker.makeDemanded()
    try Self.play(&picker, at: .seconds(1))
    #expect(Self.saved(picker.press(.character("S"))).isEmpty)
    #expect(picker.lastLine.contains("The library is read-only"))
  }

  @Test func `A clip on a server can't have frames beside it`() throws {
    var picker = TestPicker.open(Self.library())
    picker.makeDemanded()
    picker.press(.right)
    try Self.play(&picker, at: .seconds(1))
    #expect(Self.saved(picker.press(.character("S"))).isEmpty)
    #expect(picker.lastLine.contains("is on a server, where no frame can be saved"))
  }
}

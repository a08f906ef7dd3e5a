import AssetLibrary
import SystemPackage
import Testing

@testable import PickerUI

/// A frame of a Live Photo's clip is its still image in the result.
@Suite struct KeyPhotoTests {
  /// Live Photos "0" and "1", a photo "2", and a video "3".
  private static var library: [Asset] {
    var assets: [Asset] = .numbered(4)
    for index in 0..<2 {
      assets[index].playbackStyle = .livePhoto
      assets[index].mediaSubtypes = .livePhoto
      assets[index].resources[0].path = FilePath("p/\(index).heic")
      assets[index].resources[0].uniformTypeIdentifier = "public.heic"
      assets[index].resources.append(
        AssetResource(
          type: .pairedVideo, path: FilePath("p/\(index).mov"),
          uniformTypeIdentifier: "com.apple.quicktime-movie", byteCount: 9))
    }
    assets[3].playbackStyle = .video
    assets[3].mediaType = .video
    return assets
  }

  private static func open(
    _ library: [Asset] = library, _ change: (inout PickerOptions) -> Void = { _ in }
  ) -> TestPicker {
    var picker = TestPicker.open(library, configure: change)
    picker.makeDemanded()
    return picker
  }

  /// Plays the photo at the cursor, and reports a frame.
  private static func play(_ picker: inout TestPicker, at time: Duration) throws {
    let effects = picker.press(.character("w"))
    let request = try #require(
      effects.compactMap { if case .play(let request) = $0 { request } else { nil } }.first)
    picker.send(
      .playback(.frame(PlaybackMoment(time: time, length: .seconds(3))), generation: request.generation))
  }

  /// The key photos of a result whose files are made first.
  private static func delivered(_ effects: [PickerEffect]) -> [String: Duration?]? {
    for case .deliver(let assets, _) in effects {
      return Dictionary(uniqueKeysWithValues: assets.map { ($0.id.rawValue, $0.keyPhotoTime) })
    }
    return nil
  }

  /// The key photos of the pictures to have ready, by asset.
  private static func shown(_ picker: TestPicker, _ mode: ContentMode) -> [String: Set<Duration?>] {
    Dictionary(
      picker.demand.filter { $0.key.mode == mode }.map { ($0.asset.id.rawValue, [$0.key.keyPhotoTime]) }
    ) { $0.union($1) }
  }

  @Test(arguments: [true, false])
  func `The frame that is seen is the key photo of the result`(isPicked: Bool) throws {
    var picker = Self.open()
    #expect(Self.delivered(picker.press(.character("K"))) == nil)
    try Self.play(&picker, at: .milliseconds(1500))
    let effects = picker.press(.character("K"))
    #expect(picker.lastLine.contains("The frame at 0:01.50 is the key photo of 0.heic"))
    // It goes on playing.
    #expect(!effects.contains { if case .stopPlaying = $0 { true } else { false } })
    #expect(!effects.contains { if case .controlPlayback = $0 { true } else { false } })
    if isPicked { picker.press(.space) }
    #expect(Self.delivered(picker.press(.enter)) == ["0": .milliseconds(1500)])
  }

  @Test func `Another frame replaces it, and a key returns to the original one`() throws {
    var picker = Self.open()
    try Self.play(&picker, at: .milliseconds(1500))
    picker.press(.character("K"))
    picker.press(.character("w"), .character("w"))
    picker.press(.character("2"))
    picker.press(.character("K"))
    #expect(Self.delivered(picker.press(.enter)) == ["0": .milliseconds(600)])
    picker = Self.open()
    try Self.play(&picker, at: .milliseconds(1500))
    picker.press(.character("K"))
    picker.press(.character("\\"))
    #expect(picker.lastLine.contains("The original key photo of 0.heic is used"))
    #expect(Self.shown(picker, .aspectFill)["0"] == [nil])
    // Nothing has to be made.
    #expect(Self.delivered(picker.press(.enter)) == nil)
  }

  @Test func `The thumbnail shows it at once, and the preview when the photo is seen again`() throws {
    var picker = Self.open()
    #expect(Self.shown(picker, .aspectFill) == ["0": [nil], "1": [nil], "2": [nil], "3": [nil]])
    try Self.play(&picker, at: .milliseconds(1500))
    picker.press(.character("K"))
    let time: Set<Duration?> = [.milliseconds(1500)]
    #expect(Self.shown(picker, .aspectFill) == ["0": time, "1": [nil], "2": [nil], "3": [nil]])
    // The clip plays on in its picture.
    #expect(Self.shown(picker, .aspectFit)["0"] == [nil])
    picker.press(.right)
    #expect(Self.shown(picker, .aspectFit)["0"] == time && Self.shown(picker, .aspectFit)["1"] == [nil])
    picker.press(.left)
    #expect(picker.demand.first { $0.priority == .preview }?.key.keyPhotoTime == .milliseconds(1500))
  }

  @Test func `The time line marks it`() throws {
    var picker = Self.open()
    try Self.play(&picker, at: .seconds(1))
    #expect(!picker.shows("✓"))
    picker.press(.character("K"))
    #expect(picker.shows("✓"))
  }

  @Test func `A picked key photo counts with an estimated size`() throws {
    var picker = Self.open { $0.configuration.selectionLimit = 0 }
    try Self.play(&picker, at: .seconds(1))
    picker.press(.character("K"))
    picker.press(.character("a"))
    #expect(picker.selected == ["0", "1", "2", "3"])
    #expect(picker.shows("4 picked · ≈"), "\(picker.lastLine)")
  }

  @Test func `No key photo is promised where none can be delivered`() throws {
    for (change, reason) in [
      ({ $0.configuration.representation.mode = .current }, "which is not accepted"),
      ({ $0.configuration.selection = .continuous }, "picks are reported at once"),
      (
        { $0.configuration.representation.acceptedTypes = try? AcceptedTypes(parsing: "video/*") },
        "Only the clip is used of 0.heic"
      ),
    ] as [((inout PickerOptions) -> Void, String)] {
      var picker = Self.open(Self.library, change)
      try Self.play(&picker, at: .seconds(1))
      picker.press(.character("K"))
      #expect(picker.lastLine.contains(reason), "\(picker.lastLine)")
      #expect(Self.shown(picker, .aspectFill)["0"] == [nil])
    }
  }

  @Test func `A video has no key photo`() throws {
    var picker = Self.open([Self.library[3]])
    try Self.play(&picker, at: .seconds(1))
    picker.press(.character("K"))
    #expect(picker.lastLine.contains("Only a Live Photo has a key photo"))
  }

  @Test func `Only the clip of the version that is used has the key photo`() throws {
    var edited = Self.library[0]
    edited.resources.insert(
      AssetResource(
        type: .fullSizePhoto, path: "p/E0.heic", uniformTypeIdentifier: "public.heic", byteCount: 9), at: 0)
    edited.resources.append(
      AssetResource(
        type: .fullSizePairedVideo, path: "p/E0.mov", uniformTypeIdentifier: "com.apple.quicktime-movie",
        byteCount: 9))
    edited.resources.swapAt(2, 3)
    var picker = Self.open([edited])
    picker.press(.character("e"))
    picker.makeDemanded()
    try Self.play(&picker, at: .seconds(1))
    picker.press(.character("K"))
    #expect(picker.lastLine.contains("This is not the version that is used of"))
    // The original, which has another clip, is shown as it was.
    picker = Self.open([edited])
    try Self.play(&picker, at: .seconds(1))
    picker.press(.character("K"), .character("e"))
    let preview = try #require(picker.demand.first { $0.priority == .preview }?.key)
    #expect(preview.version != .current && preview.keyPhotoTime == nil)
    #expect(Self.shown(picker, .aspectFill)["0"] == [.seconds(1)])
    // An unedited one has the same clip in all versions.
    picker = Self.open([Self.library[0]]) { $0.configuration.version = .unadjusted }
    try Self.play(&picker, at: .seconds(1))
    picker.press(.character("K"))
    #expect(Self.delivered(picker.press(.enter)) == ["0": .seconds(1)])
  }
}

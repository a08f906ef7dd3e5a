import AssetLibrary
import SystemPackage
import Testing

@testable import PickerUI

/// A part of a video is the result.
@Suite struct TrimmingTests {
  /// Videos "0" and "1" of 90 seconds, and a photo "2".
  private static var library: [Asset] {
    var assets: [Asset] = .numbered(3)
    for index in 0..<2 {
      assets[index].playbackStyle = .video
      assets[index].mediaType = .video
      assets[index].duration = 90
      assets[index].resources[0].path = FilePath("p/\(index).mp4")
      assets[index].resources[0].uniformTypeIdentifier = "public.mpeg-4"
    }
    return assets
  }

  private static func open(_ change: (inout PickerOptions) -> Void = { _ in }) -> TestPicker {
    var picker = TestPicker.open(library, configure: change)
    picker.makeDemanded()
    return picker
  }

  /// Plays the video at the cursor; frames are reported by `show`.
  private static func play(_ picker: inout TestPicker) throws -> Int {
    let effects = picker.press(.character("w"))
    return try #require(
      effects.compactMap { if case .play(let request) = $0 { request.generation } else { nil } }.first)
  }

  private static func show(_ time: Duration, _ generation: Int, _ picker: inout TestPicker) {
    picker.send(
      .playback(.frame(PlaybackMoment(time: time, length: .seconds(90))), generation: generation))
  }

  /// The parts that are delivered, by asset.
  private static func delivered(_ effects: [PickerEffect]) -> [String: Range<Duration>?]? {
    for effect in effects {
      if case .deliver(let assets, _) = effect {
        return Dictionary(uniqueKeysWithValues: assets.map { ($0.id.rawValue, $0.trim) })
      }
      if case .finish(.picked(let assets, _, _)) = effect {
        return Dictionary(uniqueKeysWithValues: assets.map { ($0.id.rawValue, $0.trim) })
      }
    }
    return nil
  }

  @Test func `The part between two frames is delivered, the last one included`() throws {
    var picker = Self.open()
    let run = try Self.play(&picker)
    Self.show(.seconds(12), run, &picker)
    picker.press(.character("["))
    #expect(picker.lastLine.contains("From 0:12.00 to 1:30.00 is used of 0.mp4"))
    Self.show(.seconds(20), run, &picker)
    picker.press(.character("]"))
    #expect(picker.lastLine.contains("From 0:12.00 to 0:20.00 is used"))
    picker.press(.space)
    let part = Duration.seconds(12)..<(.seconds(20) + .milliseconds(1))
    #expect(Self.delivered(picker.press(.enter)) == ["0": part])
  }

  @Test func `The last frame counts with its duration`() throws {
    var picker = Self.open { $0.configuration.requirements.maximumDuration = 60 }
    let run = try Self.play(&picker)
    picker.send(
      .playback(
        .frame(PlaybackMoment(time: .seconds(59), duration: .seconds(2), length: .seconds(90))),
        generation: run))
    picker.press(.character("]"))
    #expect(picker.lastLine.contains("it is longer than 1:00"))
    picker.send(
      .playback(
        .frame(PlaybackMoment(time: .seconds(58), duration: .seconds(2), length: .seconds(90))),
        generation: run))
    picker.press(.character("]"))
    #expect(Self.delivered(picker.press(.enter)) == ["0": .zero..<(.seconds(60) - .milliseconds(1))])
  }

  @Test func `Without a pick the part of the photo under the cursor is delivered`() throws {
    var picker = Self.open()
    let run = try Self.play(&picker)
    Self.show(.seconds(80), run, &picker)
    picker.press(.character("["))
    #expect(Self.delivered(picker.press(.enter)) == ["0": .seconds(80)..<(.seconds(90))])
  }

  @Test func `A video without edits has parts also if its original is asked for`() throws {
    var picker = Self.open { $0.configuration.version = .unadjusted }
    let run = try Self.play(&picker)
    Self.show(.seconds(80), run, &picker)
    picker.press(.character("["))
    #expect(Self.delivered(picker.press(.enter)) == ["0": .seconds(80)..<(.seconds(90))])
  }

  @Test func `The whole is delivered again after the key for it`() throws {
    var picker = Self.open()
    let run = try Self.play(&picker)
    Self.show(.seconds(80), run, &picker)
    picker.press(.character("["))
    picker.press(.character("\\"))
    #expect(picker.lastLine.contains("The whole of 0.mp4 is used"))
    #expect(Self.delivered(picker.press(.enter)) == ["0": nil])
  }

  @Test func `A video that is too long is picked with a part that is short enough`() throws {
    var picker = Self.open { $0.configuration.requirements.maximumDuration = 60 }
    picker.press(.space)
    #expect(picker.selected.isEmpty)
    #expect(picker.lastLine.contains("it is longer than 1:00. Press w to play it"))
    let run = try Self.play(&picker)
    Self.show(.seconds(10), run, &picker)
    // The part has the length that is allowed.
    picker.press(.character("["))
    #expect(picker.lastLine.contains("From 0:10.00 to 1:10.00 is used"))
    picker.press(.space)
    #expect(picker.selected == ["0"])
    // Longer again, it is no longer picked.
    picker.press(.character("\\"))
    #expect(picker.selected.isEmpty)
    #expect(picker.lastLine.contains("no longer picked: it is longer than 1:00"))
  }

  /// Opens a picker that takes files of at most 10 MB, with videos of 90 MB: a second has a megabyte.
  private static func openLimited(_ change: (inout PickerOptions) -> Void = { _ in }) -> TestPicker {
    var assets = library
    for index in 0..<2 { assets[index].resources[0].byteCount = 90_000_000 }
    var picker = TestPicker.open(assets) {
      $0.configuration.requirements.maximumByteCount = 10_000_000
      change(&$0)
    }
    picker.makeDemanded()
    return picker
  }

  @Test func `A video that is too large is picked with a part that is probably small enough`() throws {
    var picker = Self.openLimited()
    picker.press(.space)
    #expect(picker.selected.isEmpty)
    #expect(picker.lastLine.contains("it is larger than 10.0 MB. Press w to play it"))
    let run = try Self.play(&picker)
    Self.show(.seconds(10), run, &picker)
    // A fifth is kept for scenes that need more than the average.
    picker.press(.character("["))
    #expect(picker.lastLine.contains("From 0:10.00 to 0:18.00 is used of 0.mp4"))
    picker.press(.space)
    #expect(picker.selected == ["0"])
    Self.show(.seconds(25), run, &picker)
    picker.press(.character("]"))
    #expect(picker.selected.isEmpty)
    #expect(
      picker.lastLine.contains("no longer picked: it has about 15.0 MB, more than 10.0 MB"))
    Self.show(.seconds(19), run, &picker)
    picker.press(.character("]"))
    picker.press(.space)
    let part = Duration.seconds(10)..<(.seconds(19) + .milliseconds(1))
    #expect(Self.delivered(picker.press(.enter)) == ["0": part])
  }

  @Test func `The byte limit of the result counts as well`() throws {
    var picker = Self.openLimited {
      $0.configuration.requirements.maximumByteCount = nil
      $0.configuration.representation.byteCount = 10_000_000
    }
    picker.press(.space)
    #expect(picker.selected.isEmpty)
    #expect(picker.lastLine.contains("it exceeds the size limit. Press w to play it"))
    let run = try Self.play(&picker)
    Self.show(.seconds(10), run, &picker)
    picker.press(.character("["))
    #expect(picker.lastLine.contains("From 0:10.00 to 0:18.00 is used of 0.mp4"))
    picker.press(.space)
    #expect(Self.delivered(picker.press(.enter)) == ["0": .seconds(10)..<(.seconds(18))])
  }

  @Test func `The shorter of two limits counts`() throws {
    for (most, end) in [(5.0, "0:15.00"), (60.0, "0:18.00")] {
      var picker = Self.openLimited { $0.configuration.requirements.maximumDuration = most }
      let run = try Self.play(&picker)
      Self.show(.seconds(10), run, &picker)
      picker.press(.character("["))
      #expect(picker.lastLine.contains("From 0:10.00 to \(end) is used of 0.mp4"))
    }
  }

  @Test func `Picking all photos picks a video by its part, with the size of the part`() throws {
    var picker = Self.openLimited { $0.configuration.selectionLimit = 0 }
    let run = try Self.play(&picker)
    Self.show(.seconds(10), run, &picker)
    picker.press(.character("["))
    picker.press(.character("a"))
    // The other video is too large, and the photo is none.
    #expect(picker.selected == ["0", "2"])
    #expect(picker.shows("2 picked · ≈10.0 MB"), "\(picker.lastLine)")
  }

  @Test func `A part that is too short is reported at once`() throws {
    var picker = Self.open { $0.configuration.requirements.minimumDuration = 3 }
    let run = try Self.play(&picker)
    Self.show(.seconds(2), run, &picker)
    picker.press(.character("]"))
    #expect(picker.lastLine.contains("it is shorter than 0:03"))
    picker.press(.space)
    #expect(picker.selected.isEmpty)
  }

  @Test func `No part is promised where none can be made`() throws {
    for change in [
      { $0.configuration.representation.mode = .current },
      { $0.configuration.selection = .continuous },
    ] as [(inout PickerOptions) -> Void] {
      var picker = Self.open {
        change(&$0)
        $0.configuration.requirements.maximumDuration = 60
      }
      picker.press(.space)
      #expect(!picker.lastLine.contains("to play it"))
      let run = try Self.play(&picker)
      Self.show(.seconds(2), run, &picker)
      picker.press(.character("["))
      #expect(!picker.lastLine.contains("is used of"))
    }
  }

  @Test func `Nothing is trimmed to nothing`() throws {
    var picker = Self.open()
    let run = try Self.play(&picker)
    Self.show(.zero, run, &picker)
    picker.press(.character("]"))
    #expect(picker.lastLine.contains("Nothing would be left of 0.mp4"))
    Self.show(.seconds(90), run, &picker)
    picker.press(.character("["))
    #expect(picker.lastLine.contains("Nothing would be left of 0.mp4"))
  }

  @Test func `The time line shows the part`() throws {
    var picker = Self.open()
    let run = try Self.play(&picker)
    Self.show(.seconds(30), run, &picker)
    picker.press(.character("["))
    Self.show(.seconds(60), run, &picker)
    picker.press(.character("]"))
    let text = picker.lines.joined(separator: "\n")
    #expect(text.contains("[0:30.00]"), "\(text)")
  }
}

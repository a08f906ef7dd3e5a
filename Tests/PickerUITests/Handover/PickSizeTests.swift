import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// The status line shows how many bytes will be delivered.
@Suite struct PickSizeTests {
  /// A Live Photo whose clip is a separate file, or embedded in the photo.
  private static func live(isEmbedded: Bool) -> Asset {
    var asset = Asset.heic("live")
    var clip = Asset.photo("clip", type: "com.apple.quicktime-movie", byteCount: 3_000_000).resources[0]
    clip.type = .pairedVideo
    if isEmbedded { clip.byteRange = 10..<20 }
    asset.resources.append(clip)
    return asset
  }

  @Test func `Unchanged files count with their own size`() {
    var picker = TestPicker.open([.photo("0"), .heic("1")])
    picker.press(.character("a"))
    #expect(picker.lastLine.contains("2 picked · 3.0 MB ·"))
  }

  @Test(arguments: [(false, "4.0 MB"), (true, "1.0 MB")])
  func `All files of an asset count if all are delivered`(isEmbedded: Bool, size: String) {
    let asset = Self.live(isEmbedded: isEmbedded)
    for (all, words) in [(true, size), (false, "1.0 MB")] {
      var picker = TestPicker.open([asset]) { $0.deliversAllResources = all }
      picker.press(.space)
      #expect(picker.lastLine.contains("1 picked · \(words) ·"))
      // The total is the same without examining the asset itself.
      picker.press(.character("u"), .character("a"))
      #expect(picker.lastLine.contains("1 picked · \(words) ·"))
    }
  }

  @Test func `A size that is not known yet is shown as approximate`() {
    var picker = TestPicker.open([.photo("0"), .photo("1")])
    picker.press(.space, .character("O"))
    #expect(picker.lastLine.contains("1 picked · 2.0 MB"))
    for letter in "2048" { picker.press(.character(letter)) }
    picker.press(.space)
    #expect(picker.lastLine.contains("1 picked · ≈368 kB · 2048 px"))
    picker.press(.escape, .escape, .right, .space)
    #expect(picker.lastLine.contains("2 picked · ≈737 kB · 2048 px"))
    // Picks restored by an undo are measured like all others.
    let undone = picker.press(.character("U")).compactMap(\.timer)
    for timer in undone { picker.send(.timer(timer)) }
    #expect(picker.lastLine.contains("1 picked · ≈368 kB"))
    let redone = picker.press(.character("O"), .backspace, .escape, .control("r")).compactMap(\.timer)
    for timer in redone { picker.send(.timer(timer)) }
    #expect(picker.lastLine.contains("2 picked · 4.0 MB"))
  }

  @Test func `ASCII terminals have a symbol for it as well`() {
    var picker = TestPicker.open([.photo("0")]) { options in
      options.symbols = .ascii
      options.configuration.representation.longestSide = 2048
    }
    picker.press(.space)
    #expect(picker.lastLine.contains("1 picked - ~368 kB - 2048 px"))
  }

  @Test func `Thousands of picks are measured again without being converted`() {
    var selection = Selection(limit: 0)
    let assets = FetchResult((0..<600).map { Asset.photo("\($0)") })
    let isWhole = selection.add(0..<600, of: assets) { _ in true }
    #expect(isWhole && selection.tally.byteCount == 1_200_000_000 && selection.tally.estimates == 0)
    let revision = selection.revision
    selection.use(selection.measure)
    #expect(selection.revision == revision)
    var measure = PickMeasure()
    measure.representation.byteCount = 1_000_000
    selection.use(measure)
    #expect(selection.revision == revision + 1)
    #expect(selection.tally.byteCount <= 600_000_000 && selection.tally.estimates == 600)
    selection.removeAll()
    #expect(selection.tally == PickTally() && selection.measure == measure)
  }
}

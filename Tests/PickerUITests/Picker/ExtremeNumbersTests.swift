import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// Sizes and positions that are impossible but may be reported.
@Suite struct ExtremeNumbersTests {
  private static let sizes: [Int64] = [.min, -1, 0, 999, 1 << 31, 5_000_000_000_000_000_000, .max]
  private static let places = [Int.min, -1, 0, 39, 1 << 16, 1 << 31, .max - 1, .max]

  private static func asset(_ name: String, _ size: Int64, side: Int = 4000) -> Asset {
    var asset = Asset.photo(name)
    asset.resources[0].byteCount = size
    asset.resources[0].storedSize = PixelSize(width: side, height: side)
    asset.pixelSize = PixelSize(width: side, height: side)
    var clip = asset.resources[0]
    clip.type = .pairedVideo
    asset.resources.append(clip)
    return asset
  }

  @Test(arguments: sizes, sizes)
  func `Picks of any size are added to the total and subtracted again`(first: Int64, second: Int64) {
    for all in [false, true] {
      let assets = [Self.asset("0", first), Self.asset("1", second), Self.asset("2", 999)]
      var picker = TestPicker.open(assets) { $0.deliversAllResources = all }
      picker.press(.space, .right, .space)
      #expect(picker.selected == ["0", "1"])
      #expect(picker.lastLine.contains("2 picked"))
      // The remaining pick is measured alone, as if the other had never been picked.
      picker.press(.left, .space)
      #expect(all || picker.lastLine.contains("1 picked · \(LocaleFormat().size(second)) "))
      // Neither is left.
      picker.press(.right, .space, .right, .space)
      #expect(picker.lastLine.contains("1 picked · \(LocaleFormat().size(all ? 1998 : 999)) "))
    }
  }

  @Test(arguments: sizes, [0, 1, 4000, Int(UInt32.max), Int.max])
  func `Info, options and downloads show any size`(size: Int64, side: Int) {
    var asset = Self.asset("0", size, side: side)
    asset.location = Location(latitude: .infinity, longitude: -1e300)
    asset.resources[0].isLocallyAvailable = false
    var picker = TestPicker.open([asset, Self.asset("1", size, side: side)])
    picker.press(.character("i"))
    _ = picker.frame
    picker.press(.escape, .space, .character("O"))
    for letter in "2048" { picker.press(.character(letter)) }
    picker.press(.space)
    _ = picker.frame
    picker.press(.escape, .escape, .enter)
    #expect(picker.shows("Downloading"))
    for fraction in [0, 0.5, 1] {
      picker.send(.downloaded(DownloadProgress(asset.id, fraction: fraction, elapsed: 1.5)))
      #expect(picker.shows("Downloading") && picker.shows("% of"))
    }
    for png in [RepresentationPlan.PictureFormat.jpeg, .png] {
      var options = RepresentationOptions()
      options.longestSide = 2048
      let plan = RepresentationPlan.picture(asset.resources[0], [png])
      _ = plan.estimatedByteCount(of: asset, options)
    }
  }

  @Test(arguments: places, places)
  func `The mouse can be anywhere`(row: Int, column: Int) {
    for isFullScreen in [false, true] {
      var picker = TestPicker.open(.numbered(100)) { $0.configuration.sort = .name }
      let tile = picker.tiles[1].rectangle
      if isFullScreen { picker.press(.character("o"), .character("+"), .character("+")) }
      let middle = tile
      for action in [
        MouseEvent.Action.press, .drag, .release, .rightPress, .wheelUp, .wheelDown, .press, .drag, .motion,
        .leave,
      ] {
        picker.send(.mouse(MouseEvent(.press, row: middle.row, column: middle.column)))
        picker.send(.mouse(MouseEvent(action, row: row, column: column)))
        picker.send(.mouse(MouseEvent(.release, row: row, column: column)))
      }
      #expect(picker.frame.size == CellSize(columns: 120, rows: 40))
    }
  }

  @Test(arguments: [
    (Int64.max, "9,223,372,036.8 GB"), (.min, "-9223372036854775808 B"), (999_499, "999 kB"),
    (999_500, "1.0 MB"), (1_049_999, "1.0 MB"), (1_050_000, "1.1 MB"),
  ])
  func `Any size is formatted`(size: Int64, text: String) {
    #expect(LocaleFormat().size(size) == text)
    #expect(LocaleFormat().number(.min) == "-9,223,372,036,854,775,808")
  }
}

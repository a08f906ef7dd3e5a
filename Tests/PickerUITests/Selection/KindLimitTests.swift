import AssetLibrary
import Fixtures
import Testing

@testable import PickerUI

/// Separate limits of images and videos within the total limit.
@Suite struct KindLimitTests {
  /// Every third is a video.
  private static let library: [Asset] = [Asset].numbered(12).enumerated().map { index, asset in
    var asset = asset
    if index % 3 == 0 { asset.mediaType = .video }
    return asset
  }

  private func open(
    limit: Int = 0, images: Int = 0, videos: Int = 0,
    configure: (inout PickerState.Options) -> Void = { _ in }
  ) -> TestPicker {
    TestPicker.open(Self.library, limit: limit) { options in
      options.configuration.sort = .name
      options.configuration.kindLimits = .init(images: images, videos: videos)
      configure(&options)
    }
  }

  @Test func `One more of a full kind is refused, one of another kind is not`() {
    var picker = open(limit: 4, videos: 1)
    picker.press(.space, .right, .right, .right, .space)
    #expect(picker.selected == ["0"])
    #expect(picker.lastLine.contains("limit of 1 video reached"))
    picker.press(.right, .space, .right, .space)
    #expect(picker.selected == ["0", "4", "5"])
    picker.press(.right, .right, .space, .right, .space)
    #expect(picker.selected == ["0", "4", "5", "7"])
    #expect(picker.lastLine.contains("limit of 4 reached"))
  }

  @Test(arguments: [
    (0, 2, ["1", "2"], "limit of 2 images reached"), (2, 0, ["0", "3"], "limit of 2 videos reached"),
  ])
  func `Bulk selections respect them`(videos: Int, images: Int, kept: [String], notice: String) {
    for inBulk in [false, true] {
      var picker = open(images: images, videos: videos) { if inBulk { $0.maximumSynchronousPicks = 1 } }
      picker.press(.character("a"))
      picker.selectInBulk()
      let isVideo = { (name: String) in (Int(name) ?? 0) % 3 == 0 }
      #expect(picker.selected.filter { isVideo($0) == (videos > 0) } == kept)
      #expect(picker.selected.filter { isVideo($0) != (videos > 0) }.count == (videos > 0 ? 8 : 4))
      #expect(picker.lastLine.contains(notice))
    }
  }

  @Test func `Room for one kind does not help the other`() {
    var selection = Selection(limit: 0, kindLimits: .init(images: 1, videos: 3))
    for name in ["a", "b"] { selection.preselect(.photo(name)) }
    #expect(selection.excess == 1)
  }

  @Test func `Both limits are named if both are reached`() {
    var picker = open(images: 3, videos: 2)
    picker.press(.character("a"))
    #expect(picker.selected == ["0", "1", "2", "3", "4"])
    #expect(picker.lastLine.contains("limit of 3 images and 2 videos reached: added 5 of 12 photos"))
  }

  @Test func `Too many preselected photos of a kind must be unselected`() {
    var picker = open(limit: 5, videos: 1) {
      $0.configuration.preselectedAssetIdentifiers = ["0", "1", "3", "6"].map { LocalIdentifier($0) }
    }
    picker.press(.enter)
    #expect(picker.outcome == nil)
    #expect(picker.lastLine.contains("3 videos picked, but the limit is 1: unpick 2 to continue"))
    picker.press(.space, .right, .right, .right, .space, .enter)
    guard case .picked(let assets, _, _) = picker.outcome else {
      Issue.record("not confirmed")
      return
    }
    #expect(assets.map(\.id.rawValue) == ["1", "6"])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `However the selection changes, counts are right and limits hold`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let assets: [Asset] = [Asset].numbered(400).enumerated().map { index, asset in
      var asset = asset
      if index % 4 == 0 { asset.mediaType = .video }
      asset.resources[0].byteCount = Int64(index)
      return asset
    }
    let limits = PickerConfiguration.KindLimits(images: 250, videos: 20)
    var selection = Selection(limit: Bool.random(using: &random) ? 0 : 260, kindLimits: limits)
    for _ in 0..<200 {
      let asset = assets[Int.random(in: 0..<400, using: &random)]
      switch Int.random(in: 0..<9, using: &random) {
      case 0:
        let first = Int.random(in: 0..<120, using: &random)
        _ = selection.add(first..<first + 280, of: FetchResult(assets)) { _ in true }
      case 1: selection.remove(asset.id)
      case 2: if let last = selection.identifiers.last { selection.removeLast(last) }
      case 3: selection.truncate(to: Int.random(in: 0..<400, using: &random))
      case 4:
        let removed = selection.takeOut(assets.prefix(40).map(\.id))
        if Bool.random(using: &random) { selection.putBack(removed) }
      case 5: selection.keep { $0 != asset.id && !$0.rawValue.hasSuffix("7") }
      case 6 where Int.random(in: 0..<4, using: &random) == 0: selection.removeAll()
      default:
        let isFull = selection.isFull(asset.mediaType) && !selection.contains(asset.id)
        #expect(selection.add(asset) == !isFull)
      }
      let picked = Array(selection.assets)
      #expect(selection.tally.videos == picked.count { $0.mediaType == .video })
      #expect(selection.tally.images == picked.count { $0.mediaType == .image })
      #expect(selection.byteCount == picked.reduce(0) { $0 + $1.byteCount })
      #expect(selection.tally.videos <= 20 && selection.tally.images <= 250 && selection.excess == 0)
    }
  }
}

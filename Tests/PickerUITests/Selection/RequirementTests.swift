import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// Visible items that can't be picked because they are too short, too long or too large.
@Suite struct RequirementTests {
  private static func video(_ name: String, _ duration: Double) -> Asset {
    var asset = Asset.photo(name)
    asset.mediaType = .video
    asset.duration = duration
    return asset
  }

  private static let library: [Asset] = {
    var large = Asset.photo("large")
    large.resources[0].byteCount = 20_000_000
    return [
      video("short", 2), video("long", 90), video("unknown", 0), large, video("good", 30), .photo("photo"),
    ]
  }()

  private func open(
    _ status: AuthorizationStatus = .authorized, configure: (inout PickerState.Options) -> Void = { _ in }
  ) -> TestPicker {
    TestPicker.open(Self.library, status: status) { options in
      options.configuration.sort = .name
      options.configuration.requirements = PickerRequirements(
        minimumDuration: 3, maximumDuration: 60, maximumByteCount: 10_000_000)
      configure(&options)
    }
  }

  @Test(arguments: [
    (0, "short can't be picked: it is shorter than 0:03"),
    (1, "long can't be picked: it is longer than 1:00"),
    (2, "unknown can't be picked: its duration is unknown"),
    (3, "large can't be picked: it is larger than 10.0 MB"),
  ])
  func `Such an item is refused with the reason`(index: Int, reason: String) {
    for key in [Key.space, .enter] {
      var picker = open()
      for _ in 0..<index { picker.press(.right) }
      picker.press(key)
      #expect(picker.selected.isEmpty && picker.outcome == nil)
      #expect(picker.lastLine.contains(reason))
    }
  }

  @Test(arguments: [false, true])
  func `Select-all skips it`(inBulk: Bool) {
    var picker = open { if inBulk { $0.maximumSynchronousPicks = 1 } }
    picker.press(.character("a"))
    picker.selectInBulk()
    #expect(picker.selected == ["good", "photo"])
  }

  @Test func `It is dimmed and marked, and no other photo is`() {
    let picker = open()
    let thumbnails = picker.demand.filter { $0.key.mode == .aspectFill }
    let dimmed = Set(thumbnails.filter(\.key.isDimmed).map(\.key.asset.rawValue))
    #expect(dimmed == ["short", "long", "unknown", "large"])
    #expect(Set(thumbnails.map(\.key.asset.rawValue)).subtracting(dimmed) == ["good", "photo"])
    let marked = picker.tiles.filter { picker.words(over: $0).contains(picker.options.symbols.badges.unfit) }
    #expect(marked.map(\.name) == ["short", "long", "unknown", "large"])
  }

  @Test func `It can't be preselected`() {
    let picker = open {
      $0.configuration.preselectedAssetIdentifiers = ["long", "good"].map { LocalIdentifier($0) }
    }
    #expect(picker.selected == ["good"])
    #expect(picker.lastLine.contains("long can't be picked"))
  }

  @Test func `A preselected video that is still being read is picked once its duration is known`() {
    var picker = TestPicker([Self.video("late", 0)]) { options in
      options.configuration.requirements.maximumDuration = 60
      options.configuration.preselectedAssetIdentifiers = [LocalIdentifier("late")]
    }
    picker.isComplete = false
    picker.send(.authorization(.authorized))
    picker.answerFetch()
    #expect(picker.selected.isEmpty && !picker.lastLine.contains("can't be picked"))
    picker.library = [Self.video("late", 30)]
    picker.isComplete = true
    picker.send(.libraryChanged)
    picker.answerFetches()
    #expect(picker.selected == ["late"])
  }

  @Test func `It can be allowed for limited access`() {
    var picker = open(.limited) { $0.opening.choosesAccess = true }
    picker.press(.space)
    #expect(picker.selected == ["short"])
  }
}

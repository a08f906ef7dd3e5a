import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct VersionTests {
  private func resource(
    _ name: String, _ type: AssetResource.Kind, _ identifier: String = "public.jpeg", width: Int = 4000
  ) -> AssetResource {
    AssetResource(
      type: type, path: .init(bytes: Array("p/\(name)".utf8)), uniformTypeIdentifier: identifier,
      byteCount: 1, storedSize: PixelSize(width: width, height: 3000))
  }

  /// A raw and a JPEG file, edited.
  private var edited: Asset {
    var asset = Asset.photo("IMG_1.JPG", day: 9)
    asset.resources = [
      resource("IMG_1_edited.JPG", .fullSizePhoto), resource("IMG_1.JPG", .photo),
      resource("IMG_1.DNG", .alternatePhoto, "com.adobe.raw-image", width: 6000),
    ]
    asset.hasAdjustments = true
    return asset
  }

  private func open(_ library: [Asset]) -> TestPicker {
    var picker = TestPicker.open(library) { $0.configuration.sort = .name }
    picker.press(.character("o"))
    picker.makeDemanded()
    return picker
  }

  @Test func `A key cycles through the files of a photo`() throws {
    var picker = open([edited, .photo("other")])
    #expect(picker.shows("IMG_1_edited.JPG") && picker.shows("edited, 1 of 3"))
    for (words, name, version) in [
      ("original, 2 of 3", "IMG_1.JPG", AssetVersion.unadjusted), ("RAW, 3 of 3", "IMG_1.DNG", .original),
      ("edited, 1 of 3", "IMG_1_edited.JPG", .current),
    ] {
      let before = picker.frame.slots.first?.key
      let effects = picker.press(.character("e"))
      #expect(picker.shows(words) && picker.shows(name), "\(words)")
      let want = try #require(picker.demand.first)
      #expect(want.key.version == version && want.request.options.version == version)
      #expect(want.asset == edited)
      // The previous one stays until the next arrives.
      #expect(picker.frame.slots.first?.key == before || effects.isEmpty)
      picker.makeDemanded()
      #expect(picker.frame.slots.first?.key == want.key)
    }
  }

  @Test func `Raw and JPEG versions are named by their format`() {
    var pair = edited
    pair.resources.removeFirst()
    pair.hasAdjustments = false
    var picker = open([pair])
    #expect(picker.shows("JPEG, 1 of 2"))
    picker.press(.character("e"))
    #expect(picker.shows("RAW, 2 of 2"))
    // A zoomed part is of the displayed version.
    picker.press(.character("z"))
    picker.makeDemanded()
    let key = picker.frame.slots.first?.key
    #expect(key?.version == .original)
    #expect(key?.part.map { Int(($0.region.width * 6000).rounded()) } == key?.part?.size.width)
  }

  @Test func `The next photo is shown in its default version, and a single file says so`() {
    var picker = open([edited, .photo("other")])
    picker.press(.character("e"), .right)
    #expect(picker.demand.allSatisfy { $0.key.version == .current })
    picker.press(.character("e"))
    #expect(picker.shows("other has only one version"))
    picker.press(.left)
    #expect(picker.shows("edited, 1 of 3"))
  }

  @Test func `The key shows the original in the pane as well`() {
    var picker = TestPicker.open([edited])
    picker.press(.character("e"))
    #expect(picker.shows("original, 2 of 3") && !picker.isFullScreen)
  }

  // MARK: Bursts

  private var burst: [Asset] {
    (1...4).map { number in
      var asset = Asset.photo("B\(number)", day: 5)
      (asset.burstIdentifier, asset.representsBurst) = ("burst", number == 2)
      return asset
    }
  }

  /// In full screen at the second photo of a burst, which represents it in the grid; the burst is requested.
  private func openBurst() throws -> TestPicker {
    var picker = TestPicker.open([burst[1], .photo("Z")]) {
      $0.configuration.sort = .name
      $0.configuration.filter = .matching(.images)
    }
    let effects = picker.press(.character("b"))
    var options = FetchOptions(filter: .matching(.images))
    options.sortDescriptors = AssetSort.oldest.descriptors
    #expect(effects.contains(.loadBurst("burst", options, .picking)))
    #expect(picker.isFullScreen)
    return picker
  }

  private func seen(_ picker: TestPicker) -> String? { picker.cursor }

  @Test func `Its pictures are viewed one by one, wrapping around`() throws {
    var picker = try openBurst()
    #expect(seen(picker) == "B2")
    picker.send(.burst("burst", burst))
    #expect(seen(picker) == "B3" && picker.shows("burst 3 of 4"))
    #expect(picker.demand.first?.asset.id.rawValue == "B3")
    #expect(picker.demand.filter { $0.priority == .prefetch }.map(\.asset.id.rawValue) == ["B4", "B2", "B1"])
    picker.press(.character("b"), .character("b"))
    #expect(seen(picker) == "B1")
    picker.press(.character("B"))
    #expect(seen(picker) == "B4")
    // In the grid the cursor is unchanged.
    picker.press(.escape)
    #expect(picker.tile("B2")?.isCursor == true)
  }

  @Test func `Keys pressed before the answer count, and another burst's answer does not`() throws {
    var picker = try openBurst()
    picker.press(.character("b"))
    picker.send(.burst("another", burst))
    #expect(seen(picker) == "B2")
    picker.send(.burst("burst", burst))
    #expect(seen(picker) == "B4")
    picker = try openBurst()
    picker.press(.right)
    picker.send(.burst("burst", burst))
    #expect(seen(picker) == "Z")
  }

  @Test func `The displayed picture is the one that is picked`() throws {
    var picker = try openBurst()
    picker.send(.burst("burst", burst))
    picker.press(.space)
    #expect(picker.selected == ["B3"])
    picker.press(.escape)
    #expect(seen(picker) == "B2")
    picker.press(.space, .enter)
    #expect(
      picker.outcome == .picked([burst[2], burst[1]]) || picker.outcome == .picked([burst[1], burst[2]]))
  }

  @Test func `It works from the sidebar as well; in the strip it says why not`() {
    var picker = TestPicker.open([burst[1], .photo("Z")]) { $0.configuration.sort = .name }
    picker.press(.backTab, .character("b"))
    picker.send(.burst("burst", burst))
    #expect(seen(picker) == "B3")
    picker = TestPicker.open([burst[1]])
    picker.press(.space, .character("r"), .character("o"), .character("b"))
    #expect(picker.shows("can be viewed from the grid, not from the selection"))
  }

  @Test func `Single photos and bursts of one say so`() throws {
    var picker = open([.photo("A")])
    picker.press(.character("b"))
    #expect(picker.shows("A is not part of a burst"))
    picker = try openBurst()
    picker.send(.burst("burst", [burst[1]]))
    #expect(picker.shows("No other photo in this burst"))
  }
}

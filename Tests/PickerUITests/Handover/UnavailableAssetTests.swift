import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// Photos that can't be delivered as requested can't be picked.
@Suite struct UnavailableAssetTests {
  private static let library: [Asset] = [
    .photo("0"), .heic("1"), .photo("2"), .heic("3"), .heic("4"), .photo("5"),
  ]

  private func open(
    limit: Int = 0, _ status: AuthorizationStatus = .authorized,
    configure: (inout PickerState.Options) -> Void = { _ in }
  ) -> TestPicker {
    .open(Self.library, limit: limit, status: status) { options in
      options.configuration.sort = .name
      options.accept("image/jpeg", .current)
      configure(&options)
    }
  }

  @Test func `An unavailable photo is refused with the reason`() {
    for key in [Key.space, .enter] {
      var picker = open(limit: 1)
      picker.press(.right, key)
      #expect(picker.selected.isEmpty && picker.outcome == nil)
      #expect(picker.lastLine.contains("1 can't be picked: a HEIC file can't be delivered as JPEG"))
    }
  }

  @Test func `It is dimmed and marked, and no other photo is`() {
    let picker = open()
    let thumbnails = picker.demand.filter { $0.key.mode == .aspectFill }
    #expect(Set(thumbnails.filter(\.key.isDimmed).map(\.key.asset.rawValue)) == ["1", "3", "4"])
    let marked = picker.tiles.filter { picker.words(over: $0).contains(picker.options.symbols.badges.unfit) }
    #expect(marked.map(\.name) == ["1", "3", "4"])
  }

  @Test(arguments: [false, true])
  func `Select-all and ranges skip it`(inBulk: Bool) {
    for keys in [[Key.character("a")], [.character("v"), .end]] {
      var picker = open { if inBulk { $0.maximumSynchronousPicks = 1 } }
      for key in keys { picker.press(key) }
      picker.selectInBulk()
      #expect(picker.selected == ["0", "2", "5"])
    }
  }

  @Test func `It does not count toward the limit`() {
    var picker = open(limit: 2)
    picker.press(.character("a"))
    #expect(picker.selected == ["0", "2"])
  }

  @Test func `Many unavailable photos are skipped like few`() {
    let library = (0..<600).map { $0 % 2 == 0 ? Asset.photo("\($0)") : .heic("\($0)") }
    var picker = TestPicker.open(library) { $0.accept("image/jpeg", .current) }
    picker.press(.character("a"))
    #expect(picker.selected == stride(from: 0, to: 600, by: 2).map(String.init))
  }

  @Test func `It can't be preselected`() {
    let picker = open {
      $0.configuration.preselectedAssetIdentifiers = ["1", "2"].map { LocalIdentifier($0) }
    }
    #expect(picker.selected == ["2"] && picker.lastLine.contains("1 can't be picked"))
  }

  @Test func `It can be allowed for limited access`() {
    var picker = open(.limited) { $0.opening.choosesAccess = true }
    picker.press(.right, .space)
    #expect(picker.selected == ["1"])
  }

  @Test func `If it can be converted it is available like any other`() {
    var picker = open { $0.accept("image/jpeg") }
    picker.press(.character("a"))
    #expect(picker.selected.count == 6)
  }

  @Test func `The version that the caller requests decides`() {
    var edited = Asset.heic("edited")
    edited.hasAdjustments = true
    var original = Asset.photo("original").resources[0]
    edited.resources[0].type = .fullSizePhoto
    original.type = .photo
    edited.resources.append(original)
    for (version, isPicked) in [(AssetVersion.current, false), (.unadjusted, true)] {
      var picker = TestPicker.open([edited]) { options in
        options.accept("image/jpeg", .current)
        options.configuration.version = version
      }
      picker.press(.character("a"))
      #expect(picker.selected.isEmpty != isPicked)
      picker.press(.space)
      #expect(picker.lastLine.contains("can't be picked") != isPicked)
    }
  }

  @Test func `A pick made unavailable by later options stays, is counted, and ends nothing`() {
    var picker = open { $0.accept("image/jpeg") }
    picker.press(.character("a"), .character("O"), .up, .space, .escape)
    #expect(picker.lastLine.contains("some types only"))
    #expect(picker.selected.count == 6 && picker.lastLine.contains("3 can't be used"))
    picker.press(.enter)
    #expect(picker.outcome == nil && picker.effects.allSatisfy { $0.delivery == nil })
    #expect(picker.lastLine.contains("1 can't be used: a HEIC file can't be delivered as JPEG"))
    picker.press(.character("O"), .backspace, .escape)
    #expect(!picker.lastLine.contains("can't be used"))
    picker.press(.enter)
    #expect(picker.effects.compactMap(\.delivered).map(\.count) == [6])
  }
}

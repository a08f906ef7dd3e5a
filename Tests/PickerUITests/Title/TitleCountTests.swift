import AssetLibrary
import Testing

@testable import PickerUI

@Suite struct TitleCountTests {
  private static func asset(_ name: String, _ kind: Character) -> Asset {
    if kind == "x" { return .broken(name) }
    var asset = Asset.photo(name)
    if kind == "v" { asset.mediaType = .video }
    return asset
  }

  /// p = a photo, v = a video, x = a file that can't be read.
  @Test(arguments: [
    ("ppp", "3 photos"), ("p", "1 photo"), ("vvvv", "4 videos"), ("ppv", "2 photos · 1 video"),
    ("pxx", "1 photo · 2 unreadable"), ("vx", "1 video · 1 unreadable"), ("x", "1 unreadable"),
    ("pvx", "1 photo · 1 video · 1 unreadable"),
  ])
  func `The title counts each kind of the displayed items`(kinds: String, words: String) {
    let assets = kinds.enumerated().map { Self.asset("\($0.offset)", $0.element) }
    let picker = TestPicker.open(assets)
    #expect(picker.title.items.contains(words), "\(picker.title)")
  }

  @Test func `A filtered list counts the matches`() {
    var picker = TestPicker.open([Self.asset("a", "p"), Self.asset("b", "v"), Self.asset("c", "v")])
    picker.library.removeFirst()
    picker.press(.character("f"))
    picker.press(.character("v"), .character("i"), .character("d"), .space)
    picker.answerFetch()
    #expect(picker.title.items.contains("2 videos"), "\(picker.title)")
  }

  @Test(arguments: [
    (80, "Limited access · 3 of 1,242 photos · m to choose others"),
    (55, "Limited access · 3 of 1,242 photos · m to choose others"),
    (54, "Limited access · m to choose others"), (35, "Limited access · m to choose others"),
    (34, "m to choose others"), (5, "m to choose others"),
  ])
  func `A banner that is too long keeps its key`(width: Int, text: String) {
    let parts = ["Limited access", "3 of 1,242 photos", "m to choose others"]
    #expect(GridState.bannerText(parts, width: width) == text)
  }

  @Test(arguments: [
    CellSize(columns: 120, rows: 40), .init(columns: 60, rows: 18), .init(columns: 34, rows: 9),
  ])
  func `The purpose of the photos is always on the screen`(size: CellSize) {
    var picker = TestPicker.open(size: size) { $0.client.purpose = "Attach\u{1B} to mail" }
    #expect(picker.shows("Attach"))
    #expect(!picker.lines.contains { $0.contains("\u{1B}") })
    #expect(picker.windowTitle.hasPrefix("Attach"))
    picker.press(.character("o"))
    #expect(picker.shows("Attach"), "full screen")
    // In the smallest windows the prompt has the only line.
    guard size.columns >= 40 else { return }
    picker.press(.escape, .character("/"), .character("a"))
    picker.answerFetches()
    #expect(picker.shows("Attach"), "search")
  }
}

extension String {
  /// The items of a title line, separated by at least three blanks.
  fileprivate var items: [String] {
    split(separator: "   ").map { String($0.trimmed) }
  }
}

import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct GridTests {
  /// Photos of some days, so many on each, the newest first.
  private static func days(_ counts: [Int]) -> [Asset] {
    counts.enumerated().flatMap { index, count in
      (0..<count).map { .photo("\(index)-\($0)", day: 100 - index) }
    }
  }

  @Test func `Each day has a header with its count, and the first one stays in sight`() {
    var picker = TestPicker.open(Self.days([9, 12, 20]))
    #expect(picker.shows("Wednesday 10 April 2024"))
    #expect(picker.shows("Tuesday 9 April 2024"))
    let first = picker.state.layout.cells.box(at: 0).row - 1
    #expect(picker.lines[first].contains("Wednesday 10 April 2024 ─"))
    picker.press(.end)
    #expect(picker.lines[first].contains("8 April 2024") || picker.lines[first].contains("9 April 2024"))
    #expect(picker.lines.count { $0.contains("8 April 2024") } == 1)
  }

  @Test func `There are no headers in another order`() {
    var picker = TestPicker.open(Self.days([9, 12]))
    picker.press(.character("s"), .down, .down, .enter)
    picker.answerFetches()
    #expect(!picker.state.layout.hasHeaders)
    #expect(!picker.shows("April 2024"))
    #expect(picker.state.library.userFilter.sort == .name)
    #expect(picker.lines[0].contains("name ▾"))
    // The photos of both days stand in one block.
    #expect(picker.state.library.assets.count == 21)
    #expect(
      picker.state.grid.rows.rowCount == (20 + picker.state.grid.rows.columns)
        / picker.state.grid.rows.columns)
  }

  @Test func `Moving up and down keeps its column past shorter rows`() {
    var picker = TestPicker.open(Self.days([9, 7, 9]), size: CellSize(columns: 120, rows: 60))
    let columns = picker.state.grid.rows.columns
    picker.press(.right, .right)
    for _ in 0..<9 { picker.press(.down) }
    #expect(picker.state.grid.rows.row(of: picker.state.grid.cursor) == picker.state.grid.rows.rowCount - 1)
    for _ in 0..<20 { picker.press(.up) }
    #expect(picker.state.grid.cursor == min(2, columns - 1))
  }

  static let jumps: [(String, Int?)] = [
    ("7", 6), ("41", 40), ("2024", 0), ("202404", 0), ("20240409", 9), ("20240408", 21), ("20240410", 0),
    ("2023", 40), ("20300101", 0), ("42", nil), ("0", nil),
  ]

  @Test(arguments: jumps)
  func `Digits lead to a photo or to a date`(digits: String, place: Int?) {
    var picker = TestPicker.open(Self.days([9, 12, 20]))
    picker.press(.right)
    for digit in digits { picker.press(.character(digit)) }
    #expect(picker.shows("Go to  \(digits)"))
    picker.press(.enter)
    if digits == "2023" {
      // Before the first photo: the last day is the nearest.
      #expect(picker.state.grid.cursor == 21)
    } else {
      #expect(picker.state.grid.cursor == place ?? 1)
    }
    #expect(picker.state.input.prompt == nil)
  }

  @Test func `That line takes digits only and says why`() {
    var picker = TestPicker.open()
    picker.press(.character("1"), .character("x"))
    #expect(picker.state.input.prompt?.editor.text == "1")
    #expect(picker.lastLine.contains("digits only"))
    picker.press(.escape)
    #expect(picker.state.grid.cursor == 0)
    #expect(picker.outcome == nil)
  }

  @Test func `Years stand beside the scroll bar`() {
    let library = (0..<400).map { Asset.photo("\($0)", day: 800 - 2 * $0) }
    let picker = TestPicker.open(library, size: CellSize(columns: 200, rows: 50))
    let ends = picker.lines.map { $0 }
    for year in ["2026", "2025", "2024"] {
      #expect(ends.contains { $0.contains("\(year)┃") || $0.contains("\(year) ") })
    }
    #expect(picker.shows("┃"))
  }

  @Test func `Thumbnails come in four sizes`() {
    var picker = TestPicker.open()
    var widths: [Int] = []
    picker.press(.character("-"), .character("-"), .character("-"))
    for _ in 0..<6 {
      widths.append(picker.state.layout.cells.box.columns)
      picker.press(.character("+"))
    }
    #expect(Set(widths).count == 4)
    #expect(widths == widths.sorted())
  }

  private static func asset(_ change: (inout Asset) -> Void) -> Asset {
    var asset = Asset.photo("a.jpg")
    change(&asset)
    return asset
  }

  static let badges: [(Asset, String)] = [
    (
      asset {
        $0.mediaType = .video; $0.duration = 12.4
      }, "▶ 0:12"
    ),
    (
      asset {
        $0.mediaType = .video; $0.duration = 3725
      }, "▶ 1:02:05"
    ),
    (asset { $0.mediaSubtypes = .livePhoto }, "◉"), (asset { $0.mediaSubtypes = .animated }, "↻"),
    (
      asset {
        $0.burstIdentifier = "b"; $0.representsBurst = true
      }, "❐7"
    ), (asset { $0.mediaSubtypes = .raw }, "RAW"),
    (asset { $0.mediaSubtypes = .hdr }, "HDR"), (asset { $0.mediaSubtypes = .panorama }, "↔"),
    (asset { $0.isFavorite = true }, "♥"), (asset { $0.hasAdjustments = true }, "✎"),
    (asset { $0.sourceType = .cloudShared }, "☁"), (.broken("a.jpg"), "✕"), (.photo("a\nb.jpg"), "⏎"),
    (
      asset {
        $0.mediaSubtypes = [.livePhoto, .hdr]; $0.isFavorite = true
      }, "◉ HDR ♥"
    ),
  ]

  @Test(arguments: badges)
  func `The caption says what is special`(asset: Asset, badge: String) throws {
    var picker = TestPicker.open([asset, .photo("b.jpg")])
    picker.send(.burstCounts(["b": 7]))
    let caption = picker.lines[picker.state.layout.cells.box(at: 0).endRow]
    #expect(caption.contains(badge))
  }

  @Test func `How many pictures a burst has is asked for once`() {
    let library = (0..<3).map { number in
      Self.asset { asset in
        asset.localIdentifier = .init("\(number)")
        asset.burstIdentifier = "b\(number)"
        asset.representsBurst = true
      }
    }
    var picker = TestPicker.open(library)
    #expect(picker.effects.contains(.countBursts(["b0", "b1", "b2"], .picking)))
    let before = picker.effects.count { if case .countBursts = $0 { true } else { false } }
    picker.press(.right, .down)
    #expect(picker.effects.count { if case .countBursts = $0 { true } else { false } } == before)
  }

  @Test func `A burst that was counted while the library was read is counted again in the end`() {
    let burst = Self.asset { asset in
      asset.burstIdentifier = "b"
      asset.representsBurst = true
    }
    var picker = TestPicker([burst])
    picker.isComplete = false
    picker.send(.authorization(.authorized))
    picker.answerFetch()
    let count = { (picker: TestPicker) in picker.effects.count { $0 == .countBursts(["b"], .picking) } }
    #expect(count(picker) == 1)
    picker.send(.burstCounts(["b": 2]))
    picker.send(.libraryChanged)
    picker.answerFetch()
    // It changes all the time: what is shown will do.
    #expect(count(picker) == 1 && picker.shows("❐2"))
    picker.isComplete = true
    picker.send(.libraryChanged)
    picker.answerFetch()
    #expect(count(picker) == 2 && picker.shows("❐2"))
    picker.send(.burstCounts(["b": 7]))
    #expect(picker.shows("❐7"))
    picker.press(.right)
    #expect(count(picker) == 2)
  }

  @Test func `What is known of a photo stands under its preview, beside it and in a box`() {
    let photo = Self.asset { asset in
      asset.location = Location(latitude: 38.7167, longitude: -9.1333)
      asset.rating = 4
    }
    var details = AssetDetails()
    details.camera = "Canon EOS 90D"
    details.lens = "EF-S 18-135"
    details.keywords = ["sea", "sun"]
    for (columns, isFullScreen) in [(120, false), (120, true), (70, false)] {
      var picker = TestPicker.open([photo], size: CellSize(columns: columns, rows: 40))
      if isFullScreen { picker.press(.character("o")) }
      picker.press(.character("i"))
      picker.send(.details(photo.id, details))
      for words in [
        "Camera", "Canon EOS 90D", "EF-S 18-135", "sea, sun", "38.7167° N, 9.1333° W", "★★★★", "a.jpg",
        "4000×3000", "12 MP", "2.0 MB",
      ] {
        #expect(picker.shows(words), "\(words) in \(columns)")
      }
      picker.press(.character("i"))
      #expect(!picker.shows("sea, sun"))
    }
  }

  @Test func `Signs have counterparts that every terminal knows`() {
    var picker = TestPicker.open(Self.days([9, 12]) + [.photo("Zürich….jpg")]) { $0.symbols = .ascii }
    picker.press(.space, .right, .character("f"))
    for line in picker.lines { #expect(line.unicodeScalars.allSatisfy(\.isASCII) || line.contains("Zürich")) }
    picker.press(.escape, .character("?"))
    for line in picker.lines { #expect(line.unicodeScalars.allSatisfy(\.isASCII) || line.contains("0–9")) }
  }
}

import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct GridTests {
  /// Photos of several days with the given counts, newest first.
  private static func days(_ counts: [Int]) -> [Asset] {
    counts.enumerated().flatMap { index, count in
      (0..<count).map { .photo("\(index)-\($0)", day: 100 - index) }
    }
  }

  @Test func `The day is shown above its first photo, and above the first on the screen`() throws {
    var picker = TestPicker.open(Self.days([9, 12, 20]))
    let names = picker.library.map(\.id.rawValue)
    let label = { (picker: TestPicker, index: Int) in
      guard let box = picker.tile(names[index])?.rectangle else { return "not visible" }
      return String(picker.lines[box.row - 1].dropFirst(box.column).prefix(box.columns))
    }
    // The photo at the cursor has the day in its frame.
    #expect(label(picker, 0).hasPrefix("Wed 10 Apr"))
    #expect(label(picker, 9).hasPrefix("Tue 9"))
    #expect(label(picker, 10).allSatisfy { $0 == " " })
    picker.press(.end)
    let first = try #require(picker.firstVisible.flatMap(names.firstIndex))
    #expect(label(picker, first).contains(first < 21 ? "9" : "8"))
    #expect(picker.lines[0].contains("April 2024"))
  }

  @Test func `A photo that is loading, or can't be shown, is a quiet tone in its whole tile`() throws {
    var picker = TestPicker.open([.photo("a.jpg"), .broken("b.jpg")], size: CellSize(columns: 80, rows: 24))
    let (loading, cursor) = (picker.frame, try #require(picker.tiles.first?.rectangle))
    let broken = CellRect(
      column: cursor.endColumn + 1, row: cursor.row, columns: cursor.columns, rows: cursor.rows)
    for box in [cursor, broken] {
      // Symbols may be in the corners.
      for row in box.row + 1..<box.endRow - 1 {
        let cells = loading.row(row).dropFirst(box.column).prefix(box.columns)
        #expect(cells.allSatisfy { $0.style.part == .placeholder }, "\(row)")
      }
    }
    let middle = loading.row(cursor.row + cursor.rows / 2).dropFirst(cursor.column).prefix(cursor.columns)
    #expect(middle.words.trimmed == picker.options.symbols.grid.loading)
    picker.makeDemanded()
    #expect(picker.frame.slots.map(\.rect) == [cursor])
  }

  @Test func `In other sort orders no days are shown`() {
    var picker = TestPicker.open(Self.days([9, 12]))
    #expect(picker.shows("April 2024"))
    picker.press(.character("s"), .down, .down, .enter)
    picker.answerFetches()
    #expect(!picker.shows("April 2024") && !picker.shows("Tue 9"))
    #expect(picker.query?.options.sortDescriptors == AssetSort.name.descriptors)
    #expect(picker.lines[0].contains("name ▾"))
  }

  @Test(arguments: [
    (CellSize(columns: 80, rows: 24), 18), (CellSize(columns: 100, rows: 30), 18),
    (CellSize(columns: 120, rows: 40), 24), (CellSize(columns: 200, rows: 60), 60),
  ])
  func `A library with few photos a day fills the screen`(size: CellSize, least: Int) {
    var picker = TestPicker.open(Self.days((0..<371).map { 1 + $0 % 4 }), size: size)
    picker.makeDemanded()
    let isShown = { (picker: TestPicker) in
      picker.frame.slots.count { $0.key.mode == .aspectFill && $0.rect.columns > 4 }
    }
    #expect(isShown(picker) >= least)
    guard size.columns == 120 else { return }
    for _ in 0..<30 { picker.press(.character("-")) }
    picker.makeDemanded()
    #expect(picker.frame.slots.count { $0.key.mode == .aspectFill } >= 60)
  }

  @Test func `Moving up and down keeps the column across shorter rows`() throws {
    var picker = TestPicker.open(Self.days([9, 7, 9]), size: CellSize(columns: 120, rows: 60))
    let columns = picker.columns
    picker.press(.right, .right)
    for _ in 0..<9 { picker.press(.down) }
    #expect(try #require(picker.cursorIndex) / columns == 24 / columns)
    for _ in 0..<20 { picker.press(.up) }
    #expect(picker.cursorIndex == min(2, columns - 1))
  }

  static let jumps: [(String, Int?)] = [
    ("7", 6), ("41", 40), ("2024", 0), ("202404", 0), ("20240409", 9), ("20240408", 21), ("20240410", 0),
    ("2023", 40), ("20300101", 0), ("42", nil), ("0", nil),
  ]

  @Test(arguments: jumps)
  func `Digits jump to a photo number or a date`(digits: String, place: Int?) {
    var picker = TestPicker.open(Self.days([9, 12, 20]))
    picker.press(.right)
    for digit in digits { picker.press(.character(digit)) }
    #expect(picker.shows("Go to  \(digits)"))
    picker.press(.enter)
    if digits == "2023" {
      // Before the first photo: the last day is the nearest.
      #expect(picker.cursorIndex == 21)
    } else {
      #expect(picker.cursorIndex == place ?? 1)
    }
    #expect(picker.prompt == nil)
  }

  @Test func `The jump prompt accepts only digits and explains errors`() {
    var picker = TestPicker.open()
    picker.press(.character("1"), .character("x"))
    #expect(picker.prompt == "1")
    #expect(picker.lastLine.contains("Digits only"))
    picker.press(.escape)
    #expect(picker.cursorIndex == 0)
    #expect(picker.outcome == nil)
  }

  @Test func `Years are shown beside the scroll bar`() {
    let library = (0..<400).map { Asset.photo("\($0)", day: 800 - 2 * $0) }
    let picker = TestPicker.open(library, size: CellSize(columns: 200, rows: 50))
    let ends = picker.lines.map { $0 }
    for year in ["2026", "2025", "2024"] {
      #expect(ends.contains { $0.contains("\(year)┃") || $0.contains("\(year) ") })
    }
    #expect(picker.shows("┃"))
  }

  @Test func `Plus and minus change the number of tiles in a row by one`() {
    var picker = TestPicker.open()
    let columns = picker.columns
    picker.press(.character("-"))
    #expect(picker.columns == columns + 1)
    picker.press(.character("+"), .character("+"))
    #expect(picker.columns == columns - 1)
    for _ in 0..<30 { picker.press(.character("+")) }
    #expect(picker.columns == 2)
    for _ in 0..<40 { picker.press(.character("-")) }
    #expect(picker.tiles[0].rectangle.columns >= 4)
  }

  @Test(arguments: [GridSize.small, .medium, .large, .extraLarge, .columns(7)])
  func `Each tile size fills the width to within a column per tile`(size: GridSize) {
    for width in 60...200 {
      let picker = TestPicker.open(size: CellSize(columns: width, rows: 40)) { $0.screen.gridSize = size }
      let row = picker.tiles.prefix(picker.columns).map(\.rectangle)
      guard let first = row.first, let last = row.last else { continue }
      let (start, end) = Self.area(of: picker)
      #expect(first.column >= start && last.endColumn <= end)
      let (used, columns) = (last.endColumn - first.column, end - start)
      #expect(columns - used < max(1, row.count - 1), "\(width)")
    }
  }

  @Test func `Room for years at the right is balanced by the margin at the left`() {
    for width in 140...240 {
      let size = CellSize(columns: width, rows: 40)
      let picker = TestPicker.open(size: size) { $0.screen.showsPreview = false }
      let row = picker.tiles.prefix(picker.columns).map(\.rectangle)
      guard let first = row.first, let last = row.last else { continue }
      let (start, end) = Self.area(of: picker)
      let (left, right) = (first.column - start, end - last.endColumn)
      // Four columns are for years.
      #expect(right == 0 || abs(right + 4 - left) <= 1, "\(width): \(left), \(right)")
    }
  }

  /// The columns for tiles between the albums and the preview: without the one for the cursor's frame before them, and
  /// without those for the scroll bar and a gap or, with enough room, the years.
  static func area(of picker: TestPicker) -> (start: Int, end: Int) {
    let start = picker.sidebarWidth.map { $0 + 1 } ?? 0
    let tiles = picker.tiles.map(\.rectangle.endColumn)
    let preview = picker.previewRectangle.map { $0.column - 1 } ?? 0
    let end = preview >= tiles.max() ?? 0 ? preview : picker.metrics.size.columns
    return (start + 1, end - (end - start >= 96 ? 6 : 2))
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
      }, "0:12"
    ),
    (
      asset {
        $0.mediaType = .video; $0.duration = 3725
      }, "1:02:05"
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
  func `The tile corners show special properties`(asset: Asset, badge: String) throws {
    var picker = TestPicker.open([asset, .photo("b.jpg"), .photo("c.jpg")])
    picker.send(.burstCounts(["b": 7]))
    // A broken photo has no picture: its tile is as far from the next as that is from the one after it.
    let (second, third) = (
      try #require(picker.tile("b.jpg")).rectangle, try #require(picker.tile("c.jpg")).rectangle
    )
    var box = second
    box.column -= third.column - second.column
    let tile = picker.lines[box.row..<box.endRow].map { $0.dropFirst(box.column).prefix(box.columns) }
    #expect(tile.contains { $0.contains(badge) })
  }

  @Test func `The size of a burst is requested once`() {
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

  @Test func `A burst counted while the library was read is counted again at the end`() {
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
    // It changes all the time, so the displayed count is good enough.
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

  @Test func `Metadata of a photo is shown below its preview, beside it and in a box`() {
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

  @Test func `Symbols have ASCII counterparts for every terminal`() {
    var picker = TestPicker.open(Self.days([9, 12]) + [.photo("Zürich….jpg")]) { $0.symbols = .ascii }
    picker.press(.space, .right, .character("f"))
    for line in picker.lines { #expect(line.unicodeScalars.allSatisfy(\.isASCII) || line.contains("Zürich")) }
    picker.press(.escape, .character("?"))
    for line in picker.lines { #expect(line.unicodeScalars.allSatisfy(\.isASCII) || line.contains("0–9")) }
  }
}

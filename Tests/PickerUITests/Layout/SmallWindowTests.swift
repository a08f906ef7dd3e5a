import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// What remains of the picker in a small window.
@Suite struct SmallWindowTests {
  /// Steps that lead to a state, by the name of the state.
  static let states: [(name: String, keys: [Key])] = [
    ("first screen", []), ("picks", [.space, .right, .space, .right, .space]),
    ("range", [.character("v"), .right]), ("full screen", [.character("o")]),
    ("zoomed", [.character("z")]), ("strip", [.space, .right, .space, .character("r")]),
    ("albums", [.tab]), ("finding an album", [.tab, .character("/")]), ("search", [.character("/")]),
    ("search with text", [.character("/"), .character("l"), .character("i")]),
    ("jump", [.character("2")]), ("filters", [.character("f")]), ("order", [.character("s")]),
    ("info", [.character("p"), .character("i")]),
  ]

  // Takes seconds: the picker is opened and drawn for hundreds of window sizes.
  @Test(arguments: [50, 52, 54, 60, 80, 120], states.indices)
  func `Enter and Esc are always among the hints`(columns: Int, index: Int) {
    for limit in [1, 3, 30] {
      var picker = TestPicker.open(
        .numbered(1500), limit: limit, size: CellSize(columns: columns, rows: 18))
      for key in Self.states[index].keys { picker.press(key) }
      picker.answerFetches()
      // Boxes over the screen show their own keys.
      guard picker.box == nil else { continue }
      let name = Self.states[index].name
      // In menus where Space acts like Enter, Space is shown for both.
      let enters = ["Enter ", "Space include, exclude"]
      #expect(enters.contains { picker.lastLine.contains($0) }, "\(name): \(picker.lastLine)")
      #expect(picker.lastLine.contains("Esc "), "\(name): \(picker.lastLine)")
      #expect(picker.lastLine.hasPrefix(" "), "\(name)")
    }
  }

  @Test func `With little room the selection is described more briefly`() {
    func line(_ columns: Int) -> String {
      var picker = TestPicker.open(.numbered(1500), limit: 30, size: CellSize(columns: columns, rows: 18))
      picker.press(.space, .right, .space)
      return picker.lastLine
    }
    #expect(line(80).hasPrefix(" 2 of 30 picked · 4.0 MB · 2/1,500"))
    #expect(line(56).hasPrefix(" 2 of 30 picked · 4.0 MB   "))
    var picker = TestPicker.open(.numbered(1500), limit: 1000, size: CellSize(columns: 53, rows: 18))
    picker.press(.character("a"))
    picker.selectInBulk()
    picker.press(.left)
    #expect(picker.lastLine.hasPrefix(" 1,000 of 1,000 picked   Enter use 1,000   Esc leave"))
  }

  @Test(arguments: 60...140)
  func `A shortened notice ends with a complete clause`(columns: Int) {
    var picker = TestPicker.open(size: CellSize(columns: columns, rows: 18))
    let clauses = ["Pictures are drawn as blocks", ": the terminal confirmed nothing better", "; a hint"]
    picker.send(.fallback(name: "blocks", words: clauses.joined()))
    let told = picker.lastLine.split(separator: "Enter ", maxSplits: 1)[0].trimmed
    #expect((1...3).contains { told == clauses.prefix($0).joined() }, "\(told)")
  }

  @Test func `A notice leaves the hints for Enter and Esc in place`() {
    var picker = TestPicker.open(size: CellSize(columns: 60, rows: 18))
    let words = String(repeating: "Pictures are drawn as blocks ", count: 5)
    picker.send(.fallback(name: "blocks", words: words))
    #expect(picker.lastLine.hasPrefix(" Pictures are drawn"))
    #expect(picker.lastLine.contains("Enter use this") && picker.lastLine.contains("Esc leave"))
  }

  // Takes seconds, for the same reason.
  @Test(arguments: [20, 30, 39, 40, 50, 60, 75, 76, 80, 100, 120, 160])
  func `The photo's name is always visible`(columns: Int) {
    for (rows, isCompact) in [6, 7, 9, 10, 11, 12, 13, 14, 16, 18, 20, 24, 30, 40].flatMap({
      [($0, false), ($0, true)]
    }) {
      let hasPreview =
        TestPicker.open([.photo("DSC1.JPG")], size: CellSize(columns: columns, rows: rows)) {
          $0.configuration.mode = isCompact ? .compact : .default
        }.previewRectangle != nil
      for key in [nil, Key.character("p"), .character("f"), .character("s"), .tab, .character("o")] {
        for library in [[Asset.photo("DSC1.JPG")], [.broken("DSC1.JPG")]] {
          var picker = TestPicker.open(library, size: CellSize(columns: columns, rows: rows)) {
            $0.configuration.mode = isCompact ? .compact : .default
          }
          if let key { picker.press(key) }
          picker.makeDemanded()
          let state = "\(columns)x\(rows), \(isCompact ? "compact, " : "")\(key?.name ?? "")"
          // In the lowest windows a menu takes all rows but one row of tiles, and the preview's space.
          if key == .character("f") || key == .character("s"), rows < 16 || columns >= 120 { continue }
          // Albums that float over a preview cover its metadata.
          if key == .tab, columns < 40 || hasPreview { continue }
          #expect(picker.shows("DSC1.JPG"), "\(state): \(picker.lines)")
        }
      }
    }
  }

  @Test func `Without room for both p switches to the picture`() throws {
    var picker = TestPicker.open(size: CellSize(columns: 60, rows: 18))
    picker.press(.character("p"))
    picker.makeDemanded()
    let slot = try #require(picker.frame.slots.first)
    #expect(picker.frame.slots.count == 1 && slot.key.mode == .aspectFit)
    // Between the title line and the metadata above the last line.
    #expect(slot.rect == CellRect(column: 1, row: 1, columns: 58, rows: 15))
    #expect(picker.lines[16].hasPrefix(" 0 · 31 Jan 2024, 00:00 · 4000×3000"))
  }

  @Test(arguments: [60, 80, 100, 120, 160], [false, true])
  func `A low window keeps recognizable thumbnails, and a preview only if it is large enough`(
    columns: Int, isCompact: Bool
  ) {
    for rows in 9...20 {
      var picker = TestPicker.open(size: CellSize(columns: columns, rows: rows)) {
        $0.configuration.mode = isCompact ? .compact : .default
      }
      picker.makeDemanded()
      guard let box = picker.tiles.first?.rectangle.size else {
        Issue.record("no tiles in \(columns)x\(rows)")
        continue
      }
      #expect(box.columns >= 8 && box.rows >= 4, "\(columns)x\(rows): \(box)")
      let thumbnail = box.columns * 10 * box.rows * 20
      for slot in picker.frame.slots where slot.key.mode == .aspectFit {
        // A photo of 4:3.
        let width = min(slot.rect.columns * 10, slot.rect.rows * 20 * 4 / 3)
        #expect(width * width * 3 / 4 >= thumbnail * 2, "\(columns)x\(rows): \(slot.rect) beside \(box)")
      }
    }
  }
}

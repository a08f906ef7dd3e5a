import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct StripTests {
  private func open(limit: Int = 0, columns: Int = 120, rows: Int = 40) -> TestPicker {
    .open(.numbered(300), limit: limit, size: CellSize(columns: columns, rows: rows)) {
      $0.configuration.sort = .name
    }
  }

  /// The visible picks, in reading order.
  private func shown(_ picker: TestPicker) -> [String] { picker.strip?.map(\.name) ?? [] }

  /// The rows and columns of the strip that have picks.
  private func shape(_ picker: TestPicker) -> (rows: Int, columns: Int) {
    let tiles = picker.strip?.map(\.rectangle) ?? []
    return (Set(tiles.map(\.row)).count, Set(tiles.map(\.column)).count)
  }

  /// The index of the pick at the cursor.
  private func place(_ picker: TestPicker) -> Int? {
    picker.lastLine.firstMatch(of: /pick (\d+) of/).flatMap { Int($0.1) }.map { $0 - 1 }
  }

  @Test func `The picks are shown below the preview, and the first one moves nothing`() throws {
    var picker = open()
    picker.makeDemanded()
    let tiles = picker.tiles.map(\.rectangle)
    let preview = try #require(picker.frame.slots.first { $0.key.mode == .aspectFit })
    #expect(picker.strip == nil)
    picker.press(.space)
    picker.makeDemanded()
    let pick = try #require(picker.strip?.first).rectangle
    #expect(pick.row > preview.rect.endRow && pick.column >= preview.rect.column)
    #expect(picker.tiles.map(\.rectangle) == tiles && picker.frame.slots.contains(preview))
    #expect(shown(picker) == ["0"])
    picker.press(.space)
    #expect(picker.strip == nil)
  }

  @Test func `With a limit of one there is no strip, and no room is reserved`() throws {
    // As high as an upright photo needs, the preview extends into the place of the strip.
    func height(limit: Int) -> Int? {
      var asset = Asset.photo("0")
      asset.pixelSize = PixelSize(width: 1000, height: 4000)
      var picker = TestPicker.open([asset], limit: limit)
      picker.press(.space)
      picker.makeDemanded()
      #expect((picker.strip == nil) == (limit == 1))
      return picker.previewRectangle?.rows
    }
    #expect(try #require(height(limit: 1)) > (try #require(height(limit: 0))))
  }

  @Test func `Many picks wrap, the last ones are visible, and the cursor scrolls through all`() {
    var picker = open(columns: 200, rows: 60)
    picker.press(.character("v"))
    for _ in 0..<127 { picker.press(.right) }
    picker.press(.character("v"))
    picker.makeDemanded()
    #expect(picker.selected.count == 128)
    let columns = shape(picker).columns
    #expect(columns > 3 && shape(picker).rows >= 2)
    #expect(shown(picker).last == "127")
    picker.press(.character("r"), .home)
    var seen: Set<String> = []
    for _ in 0..<128 {
      picker.makeDemanded()
      let shown = shown(picker)
      #expect(shown.contains(picker.shownPhoto ?? ""))
      seen.formUnion(shown)
      picker.press(.right)
    }
    #expect(seen.count == 128)
    picker.press(.home, .down)
    #expect(place(picker) == columns && picker.shownPhoto == "\(columns)")
    picker.press(.up)
    #expect(place(picker) == 0)
  }

  @Test(arguments: [(80, 24), (120, 40)])
  func `In a strip of one row Up and Down move to the neighbors`(columns: Int, rows: Int) throws {
    var picker = open(columns: columns, rows: rows)
    for _ in 0..<3 { picker.press(.space, .right) }
    picker.press(.character("r"), .home)
    try #require(shape(picker).rows == 1)
    picker.press(.down)
    #expect(place(picker) == 1)
    picker.press(.down, .down)
    #expect(place(picker) == 2)
    picker.press(.up)
    #expect(place(picker) == 1)
  }

  @Test func `Without a preview beside the grid the strip opens below it`() throws {
    for (columns, rows) in [(80, 24), (60, 16), (38, 9)] {
      var picker = open(columns: columns, rows: rows)
      picker.press(.space, .right, .space)
      #expect(picker.strip == nil)
      picker.press(.character("r"))
      picker.makeDemanded()
      #expect(place(picker) == 1)
      #expect(shown(picker) == ["0", "1"], "\(columns)x\(rows)")
      #expect(!picker.tiles.isEmpty)
    }
  }

  /// Picks the first `count` photos.
  private func pick(_ count: Int, _ picker: inout TestPicker) {
    picker.press(.character("v"))
    for _ in 1..<count { picker.press(.right) }
    picker.press(.character("v"))
    picker.makeDemanded()
  }

  @Test(arguments: [(120, 40), (200, 60), (80, 24), (60, 18)])
  func `The title does not cut the frame of the cursor`(columns: Int, rows: Int) throws {
    var picker = open(columns: columns, rows: rows)
    pick(3, &picker)
    picker.press(.character("r"), .home)
    for index in 0..<3 {
      #expect(place(picker) == index)
      let underCursor = picker.strip?.first { $0.isCursor }
      let box = try #require(underCursor).rectangle
      let edge = Array(picker.drawn.row(box.row - 1))[(box.column - 1)...box.endColumn]
      #expect(edge.allSatisfy { $0.style == .cursor }, "\(index)")
      #expect(picker.shows("Picks, in this order"))
      picker.press(.right)
    }
  }

  @Test func `Twelve picks use the height that the preview leaves`() throws {
    var picker = open()
    pick(3, &picker)
    #expect(shape(picker).rows == 1)
    picker = open()
    pick(12, &picker)
    #expect(shape(picker).rows > 1 && shown(picker).count >= 6)
    let preview = try #require(picker.previewRectangle)
    #expect(preview.rows >= 12)
    // Below the grid too.
    var narrow = open(columns: 90, rows: 40)
    pick(20, &narrow)
    narrow.press(.character("r"))
    narrow.makeDemanded()
    #expect(shape(narrow).rows > 1 && shown(narrow).count > 9)
    #expect(!narrow.tiles.isEmpty)
  }

  @Test(arguments: [false, true])
  func `The wheel scrolls through all picks, row by row`(isReviewing: Bool) throws {
    var picker = open()
    pick(60, &picker)
    if isReviewing { picker.press(.character("r")) }
    let first = try #require(picker.strip?.first).rectangle
    let turn = { (picker: inout TestPicker, action: MouseEvent.Action) in
      picker.send(.mouse(MouseEvent(action, row: first.row + 1, column: first.column + 1)))
      picker.makeDemanded()
    }
    #expect(shown(picker).last == "59")
    var seen = Set(shown(picker))
    for _ in 0..<20 {
      turn(&picker, .wheelUp)
      seen.formUnion(shown(picker))
      if isReviewing { #expect(shown(picker).contains(picker.shownPhoto ?? "")) }
    }
    #expect(seen.count == 60 && shown(picker).first == "0")
    turn(&picker, .wheelDown)
    #expect(shown(picker).first == "\(shape(picker).columns)")
  }

  @Test func `After the wheel a key scrolls back to the cursor`() throws {
    var picker = open()
    pick(60, &picker)
    let first = try #require(picker.strip?.first).rectangle
    picker.press(.character("r"))
    for _ in 0..<20 {
      picker.send(.mouse(MouseEvent(.wheelUp, row: first.row + 1, column: first.column + 1)))
    }
    picker.press(.end)
    picker.makeDemanded()
    #expect(picker.shownPhoto == "59" && shown(picker).contains("59"))
  }

  @Test func `Picks are reordered by dragging, and with J and K`() throws {
    var picker = open()
    pick(3, &picker)
    let tiles = try #require(picker.strip).map(\.rectangle)
    let event = { (action: MouseEvent.Action, index: Int) in
      PickerMessage.mouse(MouseEvent(action, row: tiles[index].row + 1, column: tiles[index].column + 1))
    }
    picker.send(event(.press, 0))
    picker.send(event(.drag, 1))
    #expect(picker.selected == ["1", "0", "2"])
    picker.send(event(.drag, 2))
    picker.send(event(.release, 2))
    #expect(picker.selected == ["1", "2", "0"] && place(picker) == 2)
    picker.send(event(.drag, 0))
    #expect(picker.selected == ["1", "2", "0"])
    picker.press(.character("K"))
    #expect(picker.selected == ["1", "0", "2"])
    picker.press(.character("J"))
    #expect(picker.selected == ["1", "2", "0"])
  }

  @Test func `If the order does not count dragging keeps it`() throws {
    var picker = TestPicker.open(.numbered(30)) { $0.configuration.selection = .default }
    try #require(!picker.options.configuration.selection.isOrdered)
    pick(3, &picker)
    let tiles = try #require(picker.strip).map(\.rectangle)
    for (action, index) in [(MouseEvent.Action.press, 0), (.drag, 2), (.release, 2)] {
      let box = tiles[index]
      picker.send(.mouse(MouseEvent(action, row: box.row + 1, column: box.column + 1)))
    }
    #expect(picker.selected == ["0", "1", "2"])
  }

  @Test func `The title shows what is being chosen`() {
    var picker = open()
    pick(2, &picker)
    #expect(picker.shows("Picks, in this order"))
    var limited = TestPicker.open(status: .limited, allowed: [LocalIdentifier("2")])
    limited.press(.character("m"))
    limited.answerFetch()
    limited.press(.character("r"))
    #expect(limited.lines.dropFirst().contains { $0.contains("Photos that tpick may see") })
    #expect(!limited.shows("Picks, in this order"))
  }
}

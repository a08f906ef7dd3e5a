import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct MouseTests {
  private func open(_ count: Int = 100, limit: Int = 0) -> TestPicker {
    TestPicker.open(.numbered(count), limit: limit) { $0.configuration.sort = .name }
  }

  /// The middle of a thumbnail in sight.
  private func middle(_ place: Int, _ picker: TestPicker) -> (row: Int, column: Int) {
    let box = picker.state.layout.cells.box(at: place)
    return (box.row + box.rows / 2, box.column + box.columns / 2)
  }

  private func clickTimer(_ effects: [PickerEffect]) -> PickerTimer? {
    effects.compactMap(\.timer).first { if case .click = $0 { true } else { false } }
  }

  private func scrollTimer(_ effects: [PickerEffect]) -> PickerTimer? {
    effects.compactMap(\.timer).first { if case .scroll = $0 { true } else { false } }
  }

  @discardableResult
  private func mouse(
    _ action: MouseEvent.Action, _ place: Int, control: Bool = false, _ picker: inout TestPicker
  ) -> [PickerEffect] {
    let at = middle(place, picker)
    return picker.send(.mouse(MouseEvent(action, row: at.row, column: at.column, isControl: control)))
  }

  @Test func `A click moves the cursor, with Control it selects`() {
    var picker = open()
    mouse(.press, 4, &picker)
    #expect(picker.state.grid.cursor == 4)
    #expect(picker.selected.isEmpty)
    mouse(.release, 4, &picker)
    mouse(.press, 2, control: true, &picker)
    #expect(picker.selected == ["2"])
    mouse(.press, 2, control: true, &picker)
    #expect(picker.selected.isEmpty)
  }

  @Test func `A click on the corner of the mark selects`() {
    var picker = open()
    let box = picker.state.layout.cells.box(at: 3)
    let corner = MouseEvent(.press, row: box.endRow - 1, column: box.endColumn - 1)
    picker.send(.mouse(corner))
    #expect(picker.selected == ["3"])
    picker.send(.mouse(corner))
    #expect(picker.selected.isEmpty)
    picker.send(.mouse(MouseEvent(.press, row: box.endRow - 1, column: box.endColumn - 4)))
    #expect(picker.selected.isEmpty)
  }

  @Test func `A double click uses the photo, two slow clicks don't`() throws {
    var picker = open()
    let timer = try #require(clickTimer(mouse(.press, 3, &picker)))
    mouse(.release, 3, &picker)
    picker.send(.timer(timer))
    mouse(.press, 3, &picker)
    #expect(picker.outcome == nil)
    mouse(.release, 3, &picker)
    mouse(.press, 3, &picker)
    #expect(picker.outcome == .picked([picker.library[3]]))
  }

  @Test func `Clicks on two photos are no double click`() {
    var picker = open()
    mouse(.press, 3, &picker)
    mouse(.release, 3, &picker)
    mouse(.press, 4, &picker)
    #expect(picker.outcome == nil)
    #expect(picker.state.grid.cursor == 4 && picker.selected.isEmpty)
    // The second one may be the first of a double click.
    mouse(.release, 4, &picker)
    mouse(.press, 4, &picker)
    #expect(picker.outcome == .picked([picker.library[4]]))
  }

  @Test func `A double click adds the photo to the selection before that is used`() {
    var picker = open()
    picker.press(.space)
    for _ in 0..<2 { mouse(.press, 5, &picker) }
    #expect(picker.outcome == nil && picker.selected == ["0", "5"])
    #expect(picker.lastLine.contains("2 photos are picked: ⏎ uses them"))
    picker.press(.enter)
    #expect(picker.outcome == .picked([picker.library[0], picker.library[5]]))
  }

  private func click(_ place: Int, _ picker: inout TestPicker) {
    let timer = clickTimer(mouse(.press, place, &picker))
    mouse(.release, place, &picker)
    // Time passes: the next one is no double click.
    if let timer { picker.send(.timer(timer)) }
  }

  @Test func `A click moves, one on the current photo selects and unselects it`() {
    var picker = open()
    click(3, &picker)
    #expect(picker.state.grid.cursor == 3 && picker.selected.isEmpty)
    click(3, &picker)
    #expect(picker.selected == ["3"])
    click(4, &picker)
    #expect(picker.selected == ["3"])
    click(3, &picker)
    #expect(picker.selected == ["3"])
    click(3, &picker)
    #expect(picker.selected.isEmpty && picker.outcome == nil)
  }

  @Test func `Where one photo can be picked a click selects none`() {
    var picker = open(limit: 1)
    click(3, &picker)
    click(3, &picker)
    #expect(picker.selected.isEmpty && picker.outcome == nil)
  }

  @Test func `A drag from the current photo is no click on it`() {
    var picker = open()
    click(1, &picker)
    mouse(.press, 1, &picker)
    mouse(.drag, 3, &picker)
    mouse(.release, 3, &picker)
    #expect(picker.selected == ["1", "2", "3"])
    var back = open()
    click(1, &back)
    for (action, place) in [(MouseEvent.Action.press, 1), (.drag, 2), (.drag, 1), (.release, 1)] {
      mouse(action, place, &back)
    }
    #expect(back.selected == ["1"])
  }

  @Test func `A click that brings the focus back selects nothing`() {
    var picker = open()
    picker.press(.tab)
    click(0, &picker)
    #expect(picker.state.input.focus == .grid && picker.selected.isEmpty)
    click(0, &picker)
    #expect(picker.selected == ["0"])
  }

  @Test func `A double click on the current photo uses it alone, with others it asks`() {
    var picker = open()
    for action in [MouseEvent.Action.press, .release, .press] { mouse(action, 0, &picker) }
    #expect(picker.outcome == .picked([picker.library[0]]))
    var several = open()
    several.press(.character("a"))
    for action in [MouseEvent.Action.press, .release, .press] { mouse(action, 0, &several) }
    #expect(several.outcome == nil && several.state.picks.selection.count == 100)
    #expect(several.lastLine.contains("100 photos are picked"))
  }

  @Test func `Dragging selects, back over it unselects again`() {
    var picker = open()
    mouse(.press, 1, &picker)
    mouse(.drag, 2, &picker)
    mouse(.drag, 4, &picker)
    #expect(picker.selected == ["1", "2", "3", "4"])
    mouse(.drag, 2, &picker)
    mouse(.release, 2, &picker)
    #expect(picker.selected == ["1", "2"])
    mouse(.drag, 7, &picker)
    #expect(picker.selected == ["1", "2"])
  }

  @Test func `Dragging from a selected photo unselects`() {
    var picker = open()
    picker.press(.character("a"))
    mouse(.press, 1, &picker)
    mouse(.drag, 3, &picker)
    mouse(.release, 3, &picker)
    #expect(picker.state.picks.selection.count == 97)
    #expect(!picker.selected.contains("2"))
  }

  @Test func `Escape in a drag that unselects brings back what it took, in its order`() {
    var picker = open()
    picker.press(.character("a"))
    let before = picker.selected
    mouse(.press, 1, &picker)
    mouse(.drag, 3, &picker)
    #expect(picker.selected == before.filter { !["1", "2", "3"].contains($0) })
    picker.press(.escape)
    #expect(picker.selected == before && before.count == 100)
    #expect(picker.outcome == nil)
    // The drag is over, though the button is still down.
    mouse(.drag, 4, &picker)
    #expect(picker.selected == before)
    mouse(.release, 4, &picker)
    mouse(.press, 1, &picker)
    mouse(.drag, 2, &picker)
    #expect(picker.selected == before.filter { !["1", "2"].contains($0) })
  }

  @Test func `Dragging back from what was unselected selects it again, and Escape all of it`() {
    var picker = open()
    for place in [1, 2, 3, 7] { mouse(.press, place, control: true, &picker) }
    mouse(.press, 1, &picker)
    mouse(.drag, 3, &picker)
    #expect(picker.selected == ["7"])
    mouse(.drag, 2, &picker)
    #expect(picker.selected == ["3", "7"])
    picker.press(.escape)
    #expect(picker.selected == ["1", "2", "3", "7"])
    #expect(picker.outcome == nil)
  }

  @Test func `What was dragged stays as it was when the button is released`() {
    var picker = open(limit: 5)
    mouse(.press, 1, &picker)
    mouse(.drag, 3, &picker)
    mouse(.release, 3, &picker)
    picker.press(.right)
    #expect(picker.selected == ["1", "2", "3"])
  }

  @Test func `A hand that trembles on one photo selects nothing`() {
    var picker = open()
    mouse(.press, 1, &picker)
    mouse(.drag, 1, &picker)
    #expect(picker.selected.isEmpty)
  }

  @Test func `A click after dragging is the first one`() {
    var picker = open()
    mouse(.press, 1, &picker)
    mouse(.drag, 2, &picker)
    mouse(.drag, 1, &picker)
    mouse(.release, 1, &picker)
    mouse(.press, 1, &picker)
    #expect(picker.outcome == nil)
  }

  @Test func `Where photos are selected one by one, or too many are, dragging selects nothing`() {
    var single = TestPicker.open(.numbered(100)) { options in
      options.configuration.sort = .name
      options.configuration.disabledCapabilities = .selectionActions
    }
    var excess = TestPicker.open(.numbered(100), limit: 1 + 1) { options in
      options.configuration.sort = .name
      options.configuration.preselectedAssetIdentifiers = ["0", "1", "2"].map { LocalIdentifier($0) }
    }
    mouse(.press, 4, &single)
    mouse(.drag, 5, &single)
    mouse(.press, 4, &excess)
    mouse(.drag, 5, &excess)
    #expect(single.selected.isEmpty && single.state.picks.range == nil)
    #expect(excess.selected == ["0", "1", "2"] && excess.state.picks.range == nil)
    #expect(single.state.grid.cursor == 5 && excess.state.grid.cursor == 5)
  }

  @Test func `Scrolled up, the cursor stays in the last row in sight`() {
    var picker = open()
    let geometry = picker.state.layout.cells
    picker.press(.end)
    mouse(.wheelUp, 0, &picker)
    let (top, count) = (picker.state.grid.topRow, picker.state.grid.rows.rowCount)
    #expect(top == count - geometry.wholeRows - 1)
    #expect(picker.state.grid.rows.row(of: picker.state.grid.cursor) == top + geometry.wholeRows - 1)
  }

  @Test func `A click beside a menu closes it`() {
    var picker = open()
    picker.press(.character("f"))
    picker.send(.mouse(MouseEvent(.press, row: 1, column: 1)))
    #expect(picker.state.input.overlay == nil)
    #expect(picker.state.library.userFilter.isEmpty)
  }

  @Test func `Held below the grid the mouse scrolls on until it is released`() throws {
    var picker = open()
    let grid = try #require(picker.state.layout.grid)
    mouse(.press, 0, &picker)
    let event = MouseEvent(.drag, row: grid.endRow, column: grid.column + 4)
    var timer = try #require(scrollTimer(picker.send(.mouse(event))))
    for _ in 0..<3 { timer = try #require(scrollTimer(picker.send(.timer(timer)))) }
    let geometry = picker.state.layout.cells
    // The drag led to the row that is cut, which came into sight; each timer to one more.
    let row = geometry.rows - 1 + 3
    #expect(picker.state.grid.topRow == row - geometry.wholeRows + 1)
    #expect(picker.state.picks.selection.count == row * geometry.columns + 1)
    mouse(.release, 0, &picker)
    #expect(picker.send(.timer(timer)).isEmpty)
    #expect(picker.state.grid.topRow == row - geometry.wholeRows + 1)
  }

  @Test func `A timer of an earlier stay at the border scrolls nothing`() throws {
    var picker = open()
    let grid = try #require(picker.state.layout.grid)
    let event = MouseEvent(.drag, row: grid.endRow, column: grid.column + 4)
    mouse(.press, 0, &picker)
    let old = try #require(scrollTimer(picker.send(.mouse(event))))
    mouse(.drag, 5, &picker)
    let new = try #require(scrollTimer(picker.send(.mouse(event))))
    let row = picker.state.grid.topRow
    #expect(scrollTimer(picker.send(.timer(old))) == nil)
    #expect(picker.state.grid.topRow == row)
    #expect(scrollTimer(picker.send(.timer(new))) != nil)
  }

  @Test func `A click ends a range that keys began`() {
    var picker = open()
    picker.press(.character("v"), .right, .right)
    mouse(.press, 9, &picker)
    #expect(picker.selected == ["0", "1", "2"])
    #expect(picker.state.picks.range == nil)
  }

  @Test func `A click closes the line that is typed in`() {
    var picker = open()
    picker.press(.character("/"))
    #expect(picker.state.input.prompt != nil)
    mouse(.press, 3, &picker)
    #expect(picker.state.input.prompt == nil)
  }

  @Test func `A click with Control begins no range`() {
    var picker = open()
    // Of this one the terminal has lost the release.
    mouse(.press, 1, &picker)
    mouse(.press, 2, control: true, &picker)
    mouse(.drag, 5, &picker)
    #expect(picker.selected == ["2"])
  }

  @Test func `While access is chosen a double click changes one photo, a third click nothing`() {
    var picker = TestPicker.open(status: .limited, allowed: [LocalIdentifier("5")])
    picker.press(.character("m"))
    picker.answerFetch()
    for _ in 0..<2 { mouse(.press, 1, &picker) }
    #expect(Set(picker.selected) == ["1", "5"])
    #expect(picker.state.authorization.mode == .managing)
    mouse(.press, 1, &picker)
    #expect(Set(picker.selected) == ["1", "5"])
  }

  @Test func `With one choice dragging selects nothing`() {
    var picker = open(limit: 1)
    mouse(.press, 1, &picker)
    mouse(.drag, 5, &picker)
    #expect(picker.selected.isEmpty)
    #expect(picker.state.grid.cursor == 5)
  }

  @Test func `The wheel scrolls and the cursor stays in sight`() {
    var picker = open()
    for _ in 0..<3 { mouse(.wheelDown, 0, &picker) }
    #expect(picker.state.grid.topRow == 3)
    #expect(picker.state.grid.cursor == 3 * picker.state.layout.cells.columns)
    for _ in 0..<9 { mouse(.wheelUp, 0, &picker) }
    #expect(picker.state.grid.topRow == 0)
    for _ in 0..<99 { mouse(.wheelDown, 0, &picker) }
    #expect(picker.state.grid.topRow == picker.state.grid.rows.rowCount - picker.state.layout.cells.wholeRows)
  }

  @Test func `The right button opens the photo and closes it`() {
    var picker = open()
    mouse(.rightPress, 2, &picker)
    #expect(picker.state.preview.isFullScreen)
    #expect(picker.state.grid.cursor == 2)
    picker.send(.mouse(MouseEvent(.wheelDown, row: 39, column: 5)))
    #expect(picker.state.grid.cursor == 3)
    picker.send(.mouse(MouseEvent(.rightPress, row: 5, column: 5)))
    #expect(!picker.state.preview.isFullScreen)
  }

  @Test func `A click on a chip removes it, on the order opens its menu, a line of which sorts`() throws {
    var picker = open()
    picker.press(.character("f"), .space, .escape)
    picker.answerFetches()
    let chip = try #require(picker.place(of: "images ✕"))
    picker.send(.mouse(MouseEvent(.press, row: chip.row, column: chip.column + 2)))
    picker.answerFetches()
    #expect(picker.state.library.userFilter.isEmpty)
    let sort = try #require(picker.place(of: "name ▾"))
    picker.send(.mouse(MouseEvent(.press, row: sort.row, column: sort.column)))
    #expect(picker.state.input.overlay == .sorts(MenuState(cursor: 2)))
    let line = try #require(picker.place(of: "largest first"))
    picker.send(.mouse(MouseEvent(.press, row: line.row, column: line.column)))
    #expect(picker.state.library.userFilter.sort == .size)
    #expect(picker.state.input.overlay == nil)
  }

  @Test func `A click in the albums shows one`() throws {
    var picker = open()
    let row = try #require(picker.lines.firstIndex { $0.contains("Lisbon") })
    picker.send(.mouse(MouseEvent(.press, row: row, column: 5)))
    #expect(picker.query?.collection == LocalIdentifier("album"))
    picker.answerFetch()
    #expect(picker.lines[0].contains("Lisbon"))
  }

  @Test func `A click on the scroll bar goes there, a click on a hint does what it says`() throws {
    var picker = open(500)
    let grid = try #require(picker.state.layout.grid)
    picker.send(.mouse(MouseEvent(.press, row: grid.endRow - 1, column: grid.endColumn - 1)))
    #expect(picker.state.grid.cursor > 450)
    let hint = try #require(picker.place(of: "? help"))
    picker.send(.mouse(MouseEvent(.press, row: hint.row, column: hint.column)))
    #expect(picker.state.input.overlay == .help(HelpState()))
  }

  /// Ways from the albums into full screen: keys, or a click on the preview.
  @Test(arguments: [nil, .character("z"), .character("b")] as [Key?])
  func `A photo that fills the screen has the focus`(key: Key?) throws {
    var library = [Asset].numbered(9)
    (library[0].burstIdentifier, library[0].representsBurst) = ("burst", true)
    var picker = TestPicker.open(library)
    let album = try #require(picker.place(of: "Lisbon"))
    picker.send(.mouse(MouseEvent(.press, row: album.row, column: album.column)))
    picker.answerFetches()
    #expect(picker.state.input.focus == .sidebar)
    if let key {
      picker.press(key)
    } else {
      let preview = try #require(picker.state.layout.preview)
      picker.send(.mouse(MouseEvent(.press, row: preview.row + 2, column: preview.column + 5)))
    }
    #expect(picker.state.preview.isFullScreen && picker.state.input.focus == .grid)
    picker.press(.escape)
    if picker.state.preview.isFullScreen { picker.press(.character("o")) }
    picker.press(.character("o"), .right)
    #expect(picker.state.preview.isFullScreen && picker.state.grid.cursor == 1)
    #expect(picker.state.library.album == .collection(LocalIdentifier("album")))
  }

  @Test(arguments: [false, true])
  func `A click among the picks keeps the range, and with Control unselects at once`(control: Bool) throws {
    var picker = open()
    picker.press(.end, .space, .home, .character("r"), .backTab, .character("v"), .right, .right)
    #expect(picker.selected == ["99", "0", "1", "2"])
    // The last of the picks is in sight.
    let last = 3 - picker.state.firstInStrip(picker.state.layout)
    let box = picker.state.layout.strip.cells.box(at: last)
    picker.send(.mouse(MouseEvent(.press, row: box.row, column: box.column + 2, isControl: control)))
    #expect(picker.state.input.focus == .strip && picker.state.picks.range == nil)
    #expect(picker.selected == (control ? ["99", "0", "1"] : ["99", "0", "1", "2"]))
    picker.press(.escape)
    #expect(picker.state.picks.selection.count == (control ? 3 : 4))
  }

  @Test func `A click on the album that is shown keeps the range as well`() throws {
    var picker = open()
    picker.press(.character("v"), .right)
    let window = try #require(picker.state.sidebarWindow(in: picker.state.layout))
    let shown = try #require(
      window.places.first { picker.state.sidebar.albums.lines[$0.line].target == picker.state.library.album })
    picker.send(.mouse(MouseEvent(.press, row: shown.row, column: shown.titleColumn + 3)))
    #expect(picker.state.input.focus == .sidebar && picker.state.picks.range == nil)
    picker.press(.escape)
    #expect(picker.selected == ["0", "1"])
  }

  // MARK: The last line

  private func click(_ words: String, in picker: inout TestPicker) throws {
    let line = Array(picker.lastLine)
    let start = try #require(
      line.indices.first { String(line[$0...]).hasPrefix(words) }, "no “\(words)” in \(picker.lastLine)")
    picker.send(.mouse(MouseEvent(.press, row: picker.lines.count - 1, column: start)))
  }

  @Test(arguments: [("⏎ keep", "1", 0), ("Esc clear", "", 0), ("↓ photos", "1", 1)])
  func `While a search is typed a click on a key is that key`(words: String, text: String, row: Int) throws {
    var picker = open()
    picker.press(.character("/"), .character("1"))
    picker.answerFetches()
    try click(words, in: &picker)
    picker.answerFetches()
    #expect(picker.state.input.prompt == nil && picker.state.input.overlay == nil && picker.outcome == nil)
    #expect(picker.state.library.userFilter.text == text)
    #expect(picker.state.grid.rows.row(of: picker.state.grid.cursor) == row)
  }

  @Test func `A click where words stand over the keys, or a line is typed, asks for nothing`() throws {
    var picker = open()
    let use = try #require(picker.place(of: "⏎ use this"))
    let event = PickerMessage.mouse(MouseEvent(.press, row: use.row, column: use.column))
    picker.press(.character("m"))
    #expect(picker.lastLine.contains("you can see every photo"))
    picker.send(event)
    #expect(picker.outcome == nil && picker.lastLine.contains("⏎ use this"))
    picker.press(.character("?"))
    picker.send(event)
    #expect(picker.outcome == nil)
    // A low screen has no first line: what is typed stands in the last.
    picker.send(.resized(.size(CellSize(columns: 70, rows: 9))))
    let low = try #require(picker.place(of: "⏎ use this"))
    picker.press(.character("/"))
    picker.send(.mouse(MouseEvent(.press, row: low.row, column: low.column)))
    #expect(picker.outcome == nil)
  }
}

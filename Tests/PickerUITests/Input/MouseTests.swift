import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct MouseTests {
  private func open(_ count: Int = 100, limit: Int = 0) -> TestPicker {
    TestPicker.open(.numbered(count), limit: limit) { $0.configuration.sort = .name }
  }

  /// The middle of a visible thumbnail.
  private func middle(_ place: Int, _ picker: TestPicker) -> (row: Int, column: Int) {
    let tiles = picker.tiles
    guard tiles.indices.contains(place) else {
      Issue.record("no visible tile \(place)")
      return (0, 0)
    }
    return tiles[place].middle
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

  @Test func `A click moves the cursor, and with Control toggles the photo`() {
    var picker = open()
    mouse(.press, 4, &picker)
    #expect(picker.cursorIndex == 4)
    #expect(picker.selected.isEmpty)
    mouse(.release, 4, &picker)
    mouse(.press, 2, control: true, &picker)
    #expect(picker.selected == ["2"])
    mouse(.press, 2, control: true, &picker)
    #expect(picker.selected.isEmpty)
  }

  @Test func `Clicking the corner mark toggles the photo`() throws {
    var picker = open()
    let box = try #require(picker.tile("3")).rectangle
    let corner = MouseEvent(.press, row: box.endRow - 1, column: box.endColumn - 1)
    picker.send(.mouse(corner))
    #expect(picker.selected == ["3"])
    picker.send(.mouse(corner))
    #expect(picker.selected.isEmpty)
    picker.send(.mouse(MouseEvent(.press, row: box.endRow - 1, column: box.endColumn - 4)))
    #expect(picker.selected.isEmpty)
  }

  @Test func `A double click confirms the photo, two slow clicks do not`() throws {
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
    #expect(picker.cursorIndex == 4 && picker.selected.isEmpty)
    // The second one may be the first of a double click.
    mouse(.release, 4, &picker)
    mouse(.press, 4, &picker)
    #expect(picker.outcome == .picked([picker.library[4]]))
  }

  @Test func `A double click adds the photo to the selection before confirming`() {
    var picker = open()
    picker.press(.space)
    for _ in 0..<2 { mouse(.press, 5, &picker) }
    #expect(picker.outcome == nil && picker.selected == ["0", "5"])
    #expect(picker.lastLine.contains("2 photos picked. Press Enter to use them"))
    picker.press(.enter)
    #expect(picker.outcome == .picked([picker.library[0], picker.library[5]]))
  }

  private func click(_ place: Int, _ picker: inout TestPicker) {
    let timer = clickTimer(mouse(.press, place, &picker))
    mouse(.release, place, &picker)
    // Time passes, so the next one is no double click.
    if let timer { picker.send(.timer(timer)) }
  }

  @Test func `A click moves the cursor, and on the current photo toggles it`() {
    var picker = open()
    click(3, &picker)
    #expect(picker.cursorIndex == 3 && picker.selected.isEmpty)
    click(3, &picker)
    #expect(picker.selected == ["3"])
    click(4, &picker)
    #expect(picker.selected == ["3"])
    click(3, &picker)
    #expect(picker.selected == ["3"])
    click(3, &picker)
    #expect(picker.selected.isEmpty && picker.outcome == nil)
  }

  @Test func `If only one photo can be picked a click selects none`() {
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

  @Test func `A click that returns the focus to the grid selects nothing`() {
    var picker = open()
    picker.press(.tab)
    click(0, &picker)
    #expect(picker.gridHasFocus && picker.selected.isEmpty)
    click(0, &picker)
    #expect(picker.selected == ["0"])
  }

  @Test func `A double click on the only pick confirms it, and with further picks asks`() {
    var picker = open()
    for action in [MouseEvent.Action.press, .release, .press] { mouse(action, 0, &picker) }
    #expect(picker.outcome == .picked([picker.library[0]]))
    var several = open()
    several.press(.character("a"))
    for action in [MouseEvent.Action.press, .release, .press] { mouse(action, 0, &several) }
    #expect(several.outcome == nil && several.selected.count == 100)
    #expect(several.lastLine.contains("100 photos picked"))
  }

  @Test func `Dragging selects, and dragging back unselects`() {
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
    #expect(picker.selected.count == 97)
    #expect(!picker.selected.contains("2"))
  }

  @Test func `Escape during an unselecting drag restores the picks in order`() {
    var picker = open()
    picker.press(.character("a"))
    let before = picker.selected
    mouse(.press, 1, &picker)
    mouse(.drag, 3, &picker)
    #expect(picker.selected == before.filter { !["1", "2", "3"].contains($0) })
    picker.press(.escape)
    #expect(picker.selected == before && before.count == 100)
    #expect(picker.outcome == nil)
    // The drag is over although the button is still down.
    mouse(.drag, 4, &picker)
    #expect(picker.selected == before)
    mouse(.release, 4, &picker)
    mouse(.press, 1, &picker)
    mouse(.drag, 2, &picker)
    #expect(picker.selected == before.filter { !["1", "2"].contains($0) })
  }

  @Test func `Dragging back over unselected photos selects them again, and Escape restores all`() {
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

  @Test func `The dragged selection stays after the button is released`() {
    var picker = open(limit: 5)
    mouse(.press, 1, &picker)
    mouse(.drag, 3, &picker)
    mouse(.release, 3, &picker)
    picker.press(.right)
    #expect(picker.selected == ["1", "2", "3"])
  }

  @Test func `A slight movement within one photo selects nothing`() {
    var picker = open()
    mouse(.press, 1, &picker)
    mouse(.drag, 1, &picker)
    #expect(picker.selected.isEmpty)
  }

  @Test func `A click after dragging counts as a first click`() {
    var picker = open()
    mouse(.press, 1, &picker)
    mouse(.drag, 2, &picker)
    mouse(.drag, 1, &picker)
    mouse(.release, 1, &picker)
    mouse(.press, 1, &picker)
    #expect(picker.outcome == nil)
  }

  @Test func `Dragging selects nothing if photos are picked one by one or too many are selected`() {
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
    #expect(single.selected.isEmpty && !single.isSelectingRange)
    #expect(excess.selected == ["0", "1", "2"] && !excess.isSelectingRange)
    #expect(single.cursorIndex == 5 && excess.cursorIndex == 5)
  }

  @Test func `After scrolling up the cursor stays in the last visible row`() throws {
    var picker = open()
    picker.press(.end)
    let (columns, first) = (picker.columns, picker.firstVisible.flatMap(Int.init))
    mouse(.wheelUp, 0, &picker)
    #expect(picker.firstVisible.flatMap(Int.init) == first.map { $0 - columns })
    // The last row that is not cut off, which was the last but one.
    let rows = picker.wholeRows
    let row = try #require(picker.cursorIndex) / columns
    #expect(first.map { $0 / columns - 1 + rows - 1 } == row)
  }

  @Test func `A click beside a menu closes it`() {
    var picker = open()
    picker.press(.character("f"))
    picker.send(.mouse(MouseEvent(.press, row: 1, column: 1)))
    #expect(picker.menu == nil && !picker.title.contains("✕") && !picker.isFetching)
  }

  /// A drag to the line below the grid.
  private func below(_ picker: TestPicker) -> MouseEvent {
    MouseEvent(.drag, row: picker.lines.count - 1, column: picker.tiles[0].rectangle.column + 3)
  }

  @Test func `A mouse held below the grid keeps scrolling until it is released`() throws {
    var picker = open()
    let (columns, wholeRows) = (picker.columns, picker.wholeRows)
    let rows = Set(picker.tiles.map(\.rectangle.row)).count
    mouse(.press, 0, &picker)
    let event = below(picker)
    var timer = try #require(scrollTimer(picker.send(.mouse(event))))
    for _ in 0..<3 { timer = try #require(scrollTimer(picker.send(.timer(timer)))) }
    // The drag reached the partial row, which was scrolled into view; each timer scrolls one more.
    let row = rows - 1 + 3
    let first = "\((row - wholeRows + 1) * columns)"
    #expect(picker.firstVisible == first)
    #expect(picker.selected.count == row * columns + 1)
    mouse(.release, 0, &picker)
    #expect(picker.send(.timer(timer)).isEmpty)
    #expect(picker.firstVisible == first)
  }

  @Test func `A timer of an earlier visit to the border scrolls nothing`() throws {
    var picker = open()
    let event = below(picker)
    mouse(.press, 0, &picker)
    let old = try #require(scrollTimer(picker.send(.mouse(event))))
    mouse(.drag, 5, &picker)
    let new = try #require(scrollTimer(picker.send(.mouse(event))))
    let first = picker.firstVisible
    #expect(scrollTimer(picker.send(.timer(old))) == nil)
    #expect(picker.firstVisible == first)
    #expect(scrollTimer(picker.send(.timer(new))) != nil)
  }

  @Test func `A click ends a range started by keys`() {
    var picker = open()
    picker.press(.character("v"), .right, .right)
    mouse(.press, 9, &picker)
    #expect(picker.selected == ["0", "1", "2"])
    #expect(!picker.isSelectingRange)
  }

  @Test func `A click closes the prompt`() {
    var picker = open()
    picker.press(.character("/"))
    #expect(picker.prompt != nil)
    mouse(.press, 3, &picker)
    #expect(picker.prompt == nil)
  }

  @Test func `A click with Control starts no range`() {
    var picker = open()
    // The terminal lost the release of this press.
    mouse(.press, 1, &picker)
    mouse(.press, 2, control: true, &picker)
    mouse(.drag, 5, &picker)
    #expect(picker.selected == ["2"])
  }

  @Test func `While access is chosen a double click toggles one photo, and a third click does nothing`() {
    var picker = TestPicker.open(status: .limited, allowed: [LocalIdentifier("5")])
    picker.press(.character("m"))
    picker.answerFetch()
    for _ in 0..<2 { mouse(.press, 1, &picker) }
    #expect(Set(picker.selected) == ["1", "5"])
    #expect(picker.title.contains("Photos that tpick may see"))
    mouse(.press, 1, &picker)
    #expect(Set(picker.selected) == ["1", "5"])
  }

  @Test func `With a limit of one dragging selects nothing`() {
    var picker = open(limit: 1)
    mouse(.press, 1, &picker)
    mouse(.drag, 5, &picker)
    #expect(picker.selected.isEmpty)
    #expect(picker.cursorIndex == 5)
  }

  @Test func `The wheel scrolls and the cursor stays visible`() {
    var picker = open()
    let (columns, rows, at) = (picker.columns, picker.wholeRows, middle(0, picker))
    for _ in 0..<3 { picker.mouse(.wheelDown, row: at.row, column: at.column) }
    #expect(picker.firstVisible == "\(3 * columns)")
    #expect(picker.cursorIndex == 3 * columns)
    for _ in 0..<9 { picker.mouse(.wheelUp, row: at.row, column: at.column) }
    #expect(picker.firstVisible == "0")
    for _ in 0..<99 { picker.mouse(.wheelDown, row: at.row, column: at.column) }
    #expect(picker.firstVisible == "\(((99 + columns) / columns - rows) * columns)")
    #expect(picker.tiles.last?.name == "99")
  }

  @Test func `The right button opens and closes the photo`() {
    var picker = open()
    mouse(.rightPress, 2, &picker)
    #expect(picker.isFullScreen)
    #expect(picker.cursorIndex == 2)
    picker.send(.mouse(MouseEvent(.wheelDown, row: 39, column: 5)))
    #expect(picker.cursorIndex == 3)
    picker.send(.mouse(MouseEvent(.rightPress, row: 5, column: 5)))
    #expect(!picker.isFullScreen)
  }

  @Test func `A click removes a filter chip, or opens the sort menu, whose entries sort`() throws {
    var picker = open()
    picker.press(.character("f"), .space, .escape)
    picker.answerFetches()
    let chip = try #require(picker.place(of: "images ✕"))
    picker.send(.mouse(MouseEvent(.press, row: chip.row, column: chip.column + 2)))
    picker.answerFetches()
    #expect(!picker.shows("images ✕") && picker.tiles.count > 1)
    let sort = try #require(picker.place(of: "name ▾"))
    picker.send(.mouse(MouseEvent(.press, row: sort.row, column: sort.column)))
    #expect(picker.menu?.hasPrefix("Sort") == true && picker.shows("largest first"))
    let line = try #require(picker.place(of: "largest first"))
    picker.send(.mouse(MouseEvent(.press, row: line.row, column: line.column)))
    #expect(picker.query?.options.sortDescriptors == AssetSort.size.descriptors && picker.shows("size ▾"))
    #expect(picker.menu == nil)
  }

  @Test func `A click in the sidebar shows an album`() throws {
    var picker = open()
    let row = try #require(picker.lines.firstIndex { $0.contains("Lisbon") })
    picker.send(.mouse(MouseEvent(.press, row: row, column: 5)))
    #expect(picker.query?.collection == LocalIdentifier("album"))
    picker.answerFetch()
    #expect(picker.lines[0].contains("Lisbon"))
  }

  @Test func `A click on the scroll bar scrolls there, a click on a hint acts like its key`() throws {
    var picker = open(500)
    let bar = try #require(picker.place(of: "┃"))
    picker.mouse(.press, row: picker.lines.count - 2, column: bar.column)
    #expect(try #require(picker.cursorIndex) > 450)
    let hint = try #require(picker.place(of: "? help"))
    picker.send(.mouse(MouseEvent(.press, row: hint.row, column: hint.column)))
    #expect(picker.box?.title == "Help")
  }

  /// Ways from the sidebar into full screen: keys, or a click on the preview.
  @Test(arguments: [nil, .character("z"), .character("b")] as [Key?])
  func `A photo in full screen has the focus`(key: Key?) throws {
    var library = [Asset].numbered(9)
    (library[0].burstIdentifier, library[0].representsBurst) = ("burst", true)
    var picker = TestPicker.open(library)
    let album = try #require(picker.place(of: "Lisbon"))
    picker.send(.mouse(MouseEvent(.press, row: album.row, column: album.column)))
    picker.answerFetches()
    #expect(picker.sidebarHasFocus)
    if let key {
      picker.press(key)
    } else {
      let preview = try #require(picker.previewRectangle)
      picker.mouse(.press, row: preview.row + 1, column: preview.column + 4)
    }
    #expect(picker.isFullScreen)
    picker.press(.escape)
    if picker.isFullScreen { picker.press(.character("o")) }
    #expect(picker.gridHasFocus && !picker.sidebarHasFocus)
    picker.press(.character("o"), .right)
    #expect(picker.isFullScreen && picker.cursorIndex == 1)
    #expect(picker.windowTitle == "Lisbon - tpick" && picker.query?.collection == LocalIdentifier("album"))
  }

  @Test(arguments: [false, true])
  func `A click in the strip keeps the range, and with Control unselects at once`(control: Bool) throws {
    var picker = open()
    picker.press(.end, .space, .home, .character("r"), .backTab, .character("v"), .right, .right)
    #expect(picker.selected == ["99", "0", "1", "2"])
    let box = try #require(picker.strip?.first { $0.name == "2" }).rectangle
    picker.send(.mouse(MouseEvent(.press, row: box.row, column: box.column + 2, isControl: control)))
    #expect(picker.stripHasFocus && !picker.isSelectingRange)
    #expect(picker.selected == (control ? ["99", "0", "1"] : ["99", "0", "1", "2"]))
    picker.press(.escape)
    #expect(picker.selected.count == (control ? 3 : 4))
  }

  @Test func `A click on the displayed album keeps the range as well`() throws {
    var picker = open()
    picker.press(.character("v"), .right)
    let shown = try #require(picker.sidebar?.first { $0.isChosen })
    #expect(shown.text.contains("Recents"))
    picker.mouse(.press, row: shown.row, column: 6)
    #expect(picker.sidebarHasFocus && !picker.isSelectingRange)
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

  @Test(arguments: [("Enter done", "1", 0), ("Esc cancel", "", 0), ("↓ photos", "1", 1)])
  func `While typing a search a click on a key hint acts like the key`(
    words: String, text: String, row: Int
  ) throws {
    var picker = open()
    picker.press(.character("/"), .character("1"))
    picker.answerFetches()
    try click(words, in: &picker)
    picker.answerFetches()
    #expect(picker.prompt == nil && picker.menu == nil && picker.box == nil && picker.outcome == nil)
    #expect(picker.shows("“1” ✕") == (text == "1") && picker.shows("✕") == !text.isEmpty)
    let tiles = picker.tiles
    let rows = Array(Set(tiles.map(\.rectangle.row))).sorted()
    #expect(tiles.first(where: \.isCursor).flatMap { rows.firstIndex(of: $0.rectangle.row) } == row)
  }

  @Test func `A click on a notice or a prompt in the status line does nothing`() throws {
    var picker = open()
    picker.press(.character("m"))
    let notice = try #require(picker.place(of: "All photos are accessible"))
    let event = PickerMessage.mouse(MouseEvent(.press, row: notice.row, column: notice.column))
    picker.send(event)
    #expect(picker.outcome == nil && picker.lastLine.contains("Enter use this"))
    picker.press(.character("?"))
    picker.send(event)
    #expect(picker.outcome == nil)
    // A low screen has no title line: the prompt is in the last line.
    picker.send(.resized(.size(CellSize(columns: 70, rows: 9))))
    let low = try #require(picker.place(of: "Enter use this"))
    picker.press(.character("/"))
    picker.send(.mouse(MouseEvent(.press, row: low.row, column: low.column)))
    #expect(picker.outcome == nil)
  }
}

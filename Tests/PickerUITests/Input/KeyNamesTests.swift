import Pixels
import Testing

@testable import PickerUI

@Suite struct KeyNamesTests {
  @Test(arguments: KeyBindings.standard.groups.flatMap { $0.bindings.map(\.key) })
  func `A key is found by its name`(key: Key) {
    #expect(Key(name: key.name) == key)
  }

  @Test(arguments: ["alt-x", "alt-Y", "alt-/", "f1", "f12", "ctrl-space"])
  func `Unbound keys have names too`(name: String) {
    #expect(Key(name: name)?.name == name)
  }

  @Test(arguments: [
    ("ESC", Key.escape), ("return", .enter), ("pgup", .pageUp), ("pgdn", .pageDown), ("bspace", .backspace),
    ("bs", .backspace), ("del", .delete), ("btab", .backTab), ("Alt-Y", .alt("Y")), ("F5", .function(5)),
  ])
  func `fzf's key names are accepted`(name: String, key: Key) {
    #expect(Key(name: name) == key)
  }

  @Test(arguments: [
    ("Ctrl-L", Key.control("l")), ("PAGE-UP", .pageUp), ("G", .character("G")), ("ß", .character("ß")),
  ])
  func `Key names ignore case, characters do not`(name: String, key: Key) {
    #expect(Key(name: name) == key)
  }

  @Test(arguments: [
    "", " ", "xx", "ctrl-", "ctrl-1", "ctrl-i", "ctrl-m", "ctrl-ll", "\t", "f0", "f13", "f01", "alt-",
    "alt-[", "alt-O", "alt-X", "alt-é", "alt-ab",
  ])
  func `Key combinations that terminals can't send are rejected`(name: String) {
    #expect(Key(name: name) == nil)
  }

  @Test func `Commands have unique names`() {
    for command in Command.allCases { #expect(Command(name: command.name) == command) }
    #expect(Command.openFullScreen.name == "open-full-screen")
    #expect(Command(name: "openFullScreen") == nil)
  }

  @Test func `The help shows changed keys, and omits commands without keys`() {
    let bindings = KeyBindings.standard.changed([
      .toggle: [.character("x")], .jump: [.character("J")], .review: [], .help: [.character("H")],
    ])
    var picker = TestPicker.open(size: CellSize(columns: 120, rows: 60)) { $0.bindings = bindings }
    picker.press(.character("x"))
    #expect(picker.selected == ["0"])
    picker.press(.character("J"), .character("5"), .enter)
    #expect(picker.cursorIndex == 4)
    picker.press(.character("H"))
    #expect(picker.lines.contains { $0.contains("x") && $0.contains("pick or unpick") })
    #expect(picker.lines.contains { $0.contains("J") && $0.contains("go to a photo number") })
    #expect(!picker.lines.contains { $0.contains("review the picks") })
  }

  @Test(arguments: [(1, 2), (4, 3), (19, 18)])
  func `A column count is stored, and plus removes a column`(count: Int, larger: Int) {
    var picker = TestPicker.open(size: CellSize(columns: 200, rows: 50)) {
      $0.screen.gridSize = .columns(count)
    }
    if (2...6).contains(count) { #expect(picker.columns == count) }
    picker.press(.character(count == 1 ? "-" : "+"))
    #expect(picker.columns == larger)
  }

  @Test func `Albums that are off open beside the grid until the focus leaves them`() {
    var picker = TestPicker.open { $0.screen.showsAlbums = false }
    #expect(picker.sidebar == nil)
    picker.press(.tab)
    #expect(picker.sidebar != nil && picker.sidebarHasFocus && picker.tiles.count > 0)
    picker.press(.tab)
    #expect(picker.sidebar == nil)
  }
}

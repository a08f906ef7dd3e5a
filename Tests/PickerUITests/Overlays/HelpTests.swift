import Pixels
import Testing

@testable import PickerUI

/// The help: typing narrows it, other keys scroll it.
@Suite struct HelpTests {
  private static let sizes: [CellSize] = [
    .init(columns: 40, rows: 12), .init(columns: 80, rows: 24), .init(columns: 120, rows: 50),
  ]

  private func open(_ size: CellSize, typing text: String = "") -> TestPicker {
    var picker = TestPicker.open(size: size)
    picker.press(.character("?"))
    type(text, in: &picker)
    return picker
  }

  private func type(_ text: String, in picker: inout TestPicker) {
    for character in text { picker.press(character == " " ? .space : .character(character)) }
  }

  @Test(arguments: sizes)
  func `Typed text is searched for in descriptions, headings and keys`(size: CellSize) {
    for (text, found, left) in [
      ("undo", "undo, redo", "use the selection"), ("GENERAL", "suspend", "undo, redo"),
      ("full scr", "full screen on", "undo, redo"), ("U", "undo, redo", "suspend"),
    ] {
      let picker = open(size, typing: text)
      #expect(picker.shows(found), "\(text)")
      #expect(!picker.shows(left), "\(text)")
      #expect(picker.shows(text))
    }
  }

  @Test(arguments: sizes)
  func `The box keeps the size of the full help`(size: CellSize) {
    let all = open(size)
    let narrowed = open(size, typing: "undo")
    let bottom = { (picker: TestPicker) in picker.lines.lastIndex { $0.contains("╰") } }
    #expect(bottom(all) != nil && bottom(all) == bottom(narrowed))
  }

  @Test(arguments: [60, 70, 80])
  func `No description is cut off`(columns: Int) throws {
    var picker = open(CellSize(columns: columns, rows: 18))
    for _ in 0..<20 {
      let box = try #require(picker.box)
      #expect(!box.lines.contains { $0.contains("…") })
      picker.press(.pageDown)
    }
    // Words that do not fit follow on the next line.
    #expect(open(CellSize(columns: columns, rows: 18), typing: "switch").shows("selection"))
  }

  @Test func `The help has a section for the mouse, which can be searched as well`() {
    let all = open(CellSize(columns: 120, rows: 80))
    for text in ["Mouse", "double click", "right click", "wheel", "drag"] { #expect(all.shows(text)) }
    let narrowed = open(CellSize(columns: 80, rows: 24), typing: "mouse")
    #expect(narrowed.shows("double click") && narrowed.shows("pick and use"))
    #expect(!narrowed.shows("undo, redo"))
  }

  @Test func `Letters do not act on the photos, and Escape clears the text before closing the help`() {
    var picker = open(CellSize(columns: 120, rows: 50), typing: "avq?")
    #expect(picker.shows("No matching key"))
    #expect(picker.selected.isEmpty && picker.box != nil)
    picker.press(.escape)
    #expect(picker.shows("undo, redo") && picker.shows("use the selection"))
    picker.press(.character("u"))
    picker.press(.backspace)
    #expect(picker.shows("use the selection"))
    picker.press(.escape)
    #expect(picker.box == nil)
  }

  @Test(arguments: [Key.character("?"), .enter, .tab, .escape])
  func `The help closes`(key: Key) {
    var picker = open(CellSize(columns: 120, rows: 50))
    // The photos beside it are complete again, and nothing else happens.
    #expect(picker.press(key).allSatisfy { $0.wants != nil })
    #expect(picker.box == nil)
  }

  @Test func `Space scrolls while no text is typed, and typing returns to the top`() {
    var picker = open(CellSize(columns: 60, rows: 15))
    // A blank line and the key line follow below.
    let lines = { (picker: TestPicker) in picker.box.map { $0.lines.dropLast(2) } ?? [] }
    let top = lines(picker)
    picker.press(.space)
    #expect(lines(picker).prefix(top.count - 8) == top.dropFirst(8))
    picker.press(.character("a"))
    #expect(lines(picker) == lines(open(CellSize(columns: 60, rows: 15), typing: "a")))
    picker.press(.backspace)
    #expect(lines(picker) == top)
  }

  @Test func `At 120x40 all of the help is visible at once, in two columns`() throws {
    let picker = open(CellSize(columns: 120, rows: 40))
    let box = try #require(picker.box)
    for section in picker.options.helpBindings.sections {
      for text in [section.title] + section.groups.map(\.title) {
        #expect(box.lines.contains { $0.contains(text) }, "\(text)")
      }
    }
    #expect(picker.shows("Ctrl-wheel") && !picker.shows("more   "))
  }

  @Test func `The help offers more only while there is more`() {
    let size = CellSize(columns: 80, rows: 24)
    #expect(open(size).shows("more   Type"))
    #expect(!open(size, typing: "select").shows("more   Type"))
  }

  @Test func `Typed text narrows both columns in their places`() {
    let picker = open(CellSize(columns: 120, rows: 40), typing: "photo")
    #expect(picker.shows("first, last photo") && picker.shows("photo info"))
    #expect(!picker.shows("suspend"))
  }

  @Test func `A typed key narrows both columns to its own lines`() {
    let picker = open(CellSize(columns: 120, rows: 40), typing: "w")
    #expect(picker.shows("play, pause and go on") && !picker.shows("switch pane"))
  }

  @Test(arguments: [CellSize(columns: 120, rows: 80), CellSize(columns: 100, rows: 40)])
  func `One column is enough where its lines fit, or where two do not`(size: CellSize) throws {
    let box = try #require(open(size).box)
    #expect(box.rectangle.columns < 70 && box.rectangle.rows == size.rows)
  }
}

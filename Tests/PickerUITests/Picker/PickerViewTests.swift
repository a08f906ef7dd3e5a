import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct PickerViewTests {
  @Test func `Thumbnails fill their boxes, with names below if requested`() {
    var picker = TestPicker.open(.numbered(3))
    picker.makeDemanded()
    let thumbnails = picker.frame.slots.filter { $0.key.mode == .aspectFill }
    #expect(thumbnails.map(\.key.asset.rawValue) == ["0", "1", "2"])
    // Side by side, with a gap for the cursor's frame between them.
    let boxes = thumbnails.map(\.rect)
    for (left, right) in zip(boxes, boxes.dropFirst()) {
      #expect(right.row == left.row && right.size == left.size && right.column > left.endColumn)
    }
    var captioned = TestPicker.open(.numbered(3)) { $0.screen.captions = .always }
    captioned.makeDemanded()
    let box = captioned.tiles[1].rectangle
    let caption = captioned.lines[box.endRow]
    #expect(caption.dropFirst(box.column).hasPrefix("1 "))
    #expect(!picker.lines[boxes[1].endRow].contains("1"))
  }

  @Test func `The cursor and the picks are distinguishable without colors`() {
    var picker = TestPicker.open(.numbered(4), size: CellSize(columns: 80, rows: 24)) {
      $0.configuration.selectionLimit = 0
    }
    picker.press(.right, .space, .right)
    let boxes = picker.tiles.map(\.rectangle)
    let row = boxes[0].row + 1
    let edge = { (picker: TestPicker, place: Int) in Array(picker.lines[row])[boxes[place].column - 1] }
    #expect([0, 1, 2, 3].map { edge(picker, $0) } == [" ", " ", "│", "│"])
    #expect(picker.lines[boxes[1].endRow - 1].contains(" 1 "))
    picker.press(.left)
    #expect([0, 1, 2, 3].map { edge(picker, $0) } == [" ", "│", "│", " "])
    // The frame of the pick is in its tile: in the picture, or in heavy lines until that arrives.
    #expect(Array(picker.lines[row])[boxes[1].column] == "┃")
    picker.makeDemanded()
    #expect(picker.frame.slots.filter(\.key.isPicked).map(\.rect) == [boxes[1]])
  }

  @Test func `Frames of adjacent picks do not touch`() {
    var picker = TestPicker.open(.numbered(40), size: CellSize(columns: 80, rows: 24)) {
      $0.configuration.selectionLimit = 0
    }
    let (boxes, columns) = (picker.tiles.map(\.rectangle), picker.columns)
    picker.press(.space, .right, .space, .down, .space, .left, .space, .right, .right, .right)
    for index in [0, 1, columns, columns + 1] {
      let box = boxes[index]
      for row in [box.row - 1, box.endRow] {
        #expect(!picker.lines[row].contains { "┏┓┗┛━".contains($0) })
      }
      let row = Array(picker.lines[box.row + 1])
      #expect(row[box.column] == "┃" && row[box.endColumn - 1] == "┃" && row[box.endColumn] == " ")
    }
  }

  @Test func `Marks are drawn over present pictures and reserve their cells`() throws {
    var picker = TestPicker.open(.numbered(4)) { $0.configuration.selectionLimit = 0 }
    picker.makeDemanded()
    picker.press(.space)
    let box = picker.tiles[0].rectangle
    let mark = try #require(picker.frame.marks.first)
    #expect(mark.rect == CellRect(column: box.endColumn - 3, row: box.endRow - 1, columns: 3, rows: 1))
    #expect(mark.text == " 1 " && mark.style == .pickNumber)
    let cells = picker.frame.row(mark.row)
    #expect(cells[cells.startIndex + mark.column].content == .picture)
    // Under a text box neither the picture nor its mark remains.
    picker.press(.character("?"))
    #expect(
      picker.frame.marks.allSatisfy { mark in picker.frame.slots.contains { $0.rect.intersects(mark.rect) } })
    picker.press(.escape, .space)
    #expect(picker.frame.marks.isEmpty)
  }

  @Test func `A file that can't be displayed shows the reason in its place`() {
    let picker = TestPicker.open([.broken("IMG_1.JPG", because: "the file is empty")])
    #expect(picker.shows("✕"))
    #expect(picker.shows("IMG_1.JPG can't be shown:"))
    #expect(picker.shows("the file is empty"))
  }

  @Test func `A long name does not hide what is wrong with the file`() {
    let reason = "the file ends before the picture begins"
    let asset = Asset.broken("A-very-long-name-of-a-broken-picture-from-2023.png", because: reason)
    let wide = TestPicker.open([asset])
    #expect(wide.shows("2023.png can't be shown:"))
    let narrow = TestPicker.open([asset], size: CellSize(columns: 80, rows: 24))
    #expect(narrow.lines.contains { $0.contains("A-very") && $0.contains(reason) })
  }

  @Test func `Missing sources are named once`() {
    var picker = TestPicker.open {
      $0.opening.missingSources = ["/media/disk", "x.jpg"].map { $0 + ": No such file or directory" }
    }
    let words = "/media/disk: No such file or directory · 1 more"
    #expect(picker.lastLine.contains(words))
    picker.press(.right)
    picker.send(.libraryChanged)
    picker.answerFetches()
    #expect(!picker.lastLine.contains(words))
  }

  @Test(arguments: [(120, 40), (80, 24)])
  func `In an empty library only keys that help are offered`(columns: Int, rows: Int) {
    let picker = TestPicker.open([], size: CellSize(columns: columns, rows: rows))
    #expect(picker.lastLine.contains("Esc leave   ? help") && picker.shows("Esc leave"))
    #expect(!picker.lastLine.contains("search") && !picker.lastLine.contains("albums"))
  }

  @Test func `An empty grid shows the reason`() {
    #expect(TestPicker.open([]).shows("No photos here"))
    let filtered = TestPicker.open { $0.configuration.filter = .matching(.videos) }
    #expect(filtered.shows("Nothing here matches “videos only”"))
    var reading = TestPicker([])
    reading.isComplete = false
    reading.send(.authorization(.authorized))
    #expect(reading.shows("Reading the library…"))
    reading.answerFetch()
    #expect(reading.shows("Reading the library…"))
  }

  @Test func `An empty screen names the folder, centered in the window`() throws {
    for (columns, rows) in [(120, 40), (100, 30), (80, 24), (60, 18)] {
      let picker = TestPicker.open([], size: CellSize(columns: columns, rows: rows)) {
        $0.home = Array("/home/ann".utf8)
        $0.opening.folders = [Array("/home/ann/Pictures".utf8)]
      }
      let words = "No photos or videos in ~/Pictures or its subfolders"
      let place = try #require(picker.place(of: words))
      #expect(abs(place.column + words.count / 2 - columns / 2) <= 1, "\(columns)x\(rows)")
      #expect(abs(place.row - rows / 2) <= 2)
    }
    var denied = TestPicker([]) { $0.opening.folders = ["/a", "/b"].map { Array($0.utf8) } }
    denied.send(.authorization(.denied))
    #expect(denied.shows("may not see your photos") && denied.shows("in /a and /b"))
  }

  @Test func `The status line counts picks and shows the position`() {
    var picker = TestPicker.open(.numbered(1500), limit: 3)
    #expect(picker.lastLine.contains("0 of 3 picked · 1/1,500"))
    picker.press(.space, .right)
    #expect(picker.lastLine.contains("1 of 3 picked · 2.0 MB · 2/1,500"))
    #expect(picker.lastLine.contains("use 1"))
  }

  @Test func `A screen that is too small says so, and keys still work`() {
    var picker = TestPicker.open(size: CellSize(columns: 19, rows: 5))
    #expect(picker.shows("tpick needs 20×6"))
    picker.press(.space, .enter)
    #expect(picker.outcome == .picked([.photo("0", day: 30)]))
  }

  @Test func `Names can't send control sequences to the terminal`() {
    let picker = TestPicker.open([.photo("a\u{1B}[2Jb\u{202E}\n.jpg")])
    for line in picker.lines {
      #expect(!line.unicodeScalars.contains { [.control, .format].contains($0.properties.generalCategory) })
    }
    #expect(picker.shows("a␛[2Jb\u{FFFD}␊.jpg"))
  }

  @Test func `Help and prompts remove the pictures below them`() {
    var picker = TestPicker.open(.numbered(100))
    picker.makeDemanded()
    let before = picker.frame.slots.count
    picker.press(.character("?"))
    let slots = picker.frame.slots
    #expect(slots.count < before)
    picker.press(.character("?"))
    #expect(picker.frame.slots.count == before)
  }

  @Test(arguments: [80, 200, 240])
  func `The help is at the right edge, and the photos beside it stay visible`(columns: Int) {
    var picker = TestPicker.open(.numbered(1500), size: CellSize(columns: columns, rows: 40))
    picker.press(.character("?"))
    #expect(picker.lines.first?.contains("Recents") == true && picker.lines.first?.hasSuffix("╮") == true)
    #expect(picker.lastLine.hasSuffix("╯"))
    // A text that the panel would cut off is left out completely.
    #expect(picker.lastLine.contains("0 picked") == (columns > 80))
  }

  @Test func `In full screen there is one picture`() throws {
    var picker = TestPicker.open(.numbered(10))
    picker.press(.character("o"))
    picker.makeDemanded()
    let slot = try #require(picker.frame.slots.first)
    #expect(picker.frame.slots.count == 1)
    #expect(slot.rect == CellRect(column: 0, row: 0, columns: 120, rows: 38))
    picker.press(.down)
    #expect(picker.shownPhoto == "1")
  }

  @Test func `p toggles the preview, also if there is room for only one pane`() {
    for columns in [60, 80, 120] {
      var picker = TestPicker.open(size: CellSize(columns: columns, rows: 20))
      picker.makeDemanded()
      let before = picker.hasPreview
      #expect(before == (columns >= 120))
      for expected in [!before, before] {
        picker.press(.character("p"))
        picker.makeDemanded()
        #expect(picker.hasPreview == expected)
      }
    }
  }

  @Test func `The sidebar lists the albums, and the grid follows its cursor`() {
    var picker = TestPicker.open()
    #expect(picker.shows("Lisbon"))
    picker.press(.tab, .down)
    picker.answerFetch()
    #expect(picker.lines.first?.contains("Lisbon") == true)
    #expect(picker.title.contains("15 photos"))
    picker.press(.enter, .right, .space)
    #expect(picker.selected == ["1"])
  }
}

import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// Metadata of a photo, beside it and in a box.
@Suite struct InfoTests {
  /// A picker without room for a metadata pane.
  private func open(
    _ library: [Asset] = .numbered(30), rows: Int = 20,
    configure: (inout PickerState.Options) -> Void = { _ in }
  ) -> TestPicker {
    .open(library, size: CellSize(columns: 70, rows: rows)) { options in
      options.configuration.sort = .name
      configure(&options)
    }
  }

  @Test func `Left and right move to other photos, up and down scroll only within the text`() throws {
    let folder = (0..<30).map { "folder \($0)" }.joined(separator: "/")
    var picker = open([.photo("0", folder: folder), .photo("1", folder: folder)], rows: 12)
    picker.press(.character("i"))
    #expect(picker.box?.title == "Info" && picker.shows("Files"))
    // Each page of the box, from first to last.
    var views = [try #require(picker.box)]
    for _ in 0..<20 {
      picker.press(.down)
      if let box = picker.box, box != views.last { views.append(box) }
    }
    try #require(views.count > 1 && views.count < 20)
    #expect(picker.box == views.last)
    picker.press(.up)
    #expect(picker.box == views[views.count - 2])
    for _ in 0..<20 { picker.press(.up) }
    #expect(picker.box == views[0])
    picker.press(.down)
    #expect(picker.box == views[1])
    picker.press(.right)
    #expect(picker.cursorIndex == 1 && picker.box?.title == "Info")
  }

  @Test(arguments: [
    (DateZone.file, "UTC+2, from the file"), (.place, "UTC+2, from the place"), (.system, "system time zone"),
  ])
  func `The preview and metadata of a video tell which time zone its date uses`(
    zone: DateZone, words: String
  ) throws {
    var video = Asset.photo("a.mov")
    video.creationDate = AssetDate(year: 2024, month: 5, day: 2, hour: 14, utcOffset: 7200)
    (video.creationDateSource, video.creationDateZone) = (.quicktime, zone)
    var picker = TestPicker.open([video], size: CellSize(columns: 120, rows: 30))
    #expect(picker.shows(words))
    var facts = picker
    facts.press(.character("i"))
    // In as many lines as the pane's width requires.
    let pane = try #require(picker.previewRectangle)
    let texts = facts.lines.map { String($0.dropFirst(pane.column)).trimmed }
    let first = try #require(texts.firstIndex { $0.hasPrefix("Taken ") })
    let rest = texts[(first + 1)...].prefix { !$0.isEmpty && facts.lines.count > 0 }
    #expect(([texts[first]] + rest.prefix(2)).joined(separator: " ").contains(words))
    // A photo's date needs no explanation.
    video.creationDateSource = .exif
    picker = TestPicker.open([video], size: CellSize(columns: 120, rows: 30))
    #expect(!picker.shows(words))
  }

  @Test func `In the strip it moves to other picks`() {
    var picker = open()
    picker.press(.end, .space, .home, .space, .character("r"), .home, .character("i"))
    #expect(picker.box?.title == "Info" && picker.stripHasFocus)
    #expect(picker.shows("Name   29 ") || picker.box?.lines.contains { $0.hasSuffix(" 29") } == true)
    #expect(picker.strip?.first(where: \.isCursor)?.name == "29")
    picker.press(.right)
    #expect(picker.strip?.map(\.name) == ["29", "0"] && picker.strip?.last?.isCursor == true)
    // In the grid the cursor is unchanged.
    picker.press(.escape, .character("r"))
    #expect(!picker.stripHasFocus && picker.gridHasFocus && picker.tile("0")?.isCursor == true)
  }

  @Test func `A range stays open below it, also during a bulk selection`() {
    var picker = open { $0.maximumSynchronousPicks = 0 }
    picker.press(.character("v"), .character("i"))
    picker.selectInBulk()
    let effects = picker.press(.right)
    #expect(picker.box?.title == "Info")
    #expect(
      (picker.bulkSelection != nil)
        == effects.contains { if case .selectInBulk = $0 { true } else { false } })
    picker.selectInBulk()
    #expect(picker.selected == ["0", "1"])
  }

  @Test func `The wheel scrolls the metadata beside a photo only within the text`() throws {
    let folder = (0..<30).map { "folder \($0)" }.joined(separator: "/")
    var picker = TestPicker.open(
      [.photo("a.jpg", folder: folder)], size: CellSize(columns: 120, rows: 22))
    picker.press(.character("i"))
    let pane = try #require(picker.previewRectangle)
    let wheel = { (action: MouseEvent.Action, picker: inout TestPicker) in
      _ = picker.mouse(action, row: picker.lines.count - 3, column: pane.column + 3)
    }
    var views = [picker.lines]
    for _ in 0..<30 {
      wheel(.wheelDown, &picker)
      if picker.lines != views.last { views.append(picker.lines) }
    }
    try #require(views.count > 1 && views.count < 25)
    wheel(.wheelUp, &picker)
    #expect(picker.lines == views[views.count - 2])
  }

  @Test(arguments: [(120, 40), (200, 60)])
  func `Beside the photos the info begins where the facts do`(columns: Int, rows: Int) throws {
    var picker = TestPicker.open([.photo("DSC1.JPG")], size: CellSize(columns: columns, rows: rows))
    picker.makeDemanded()
    let facts = try #require(picker.place(of: "DSC1.JPG"))
    picker.press(.character("i"))
    let info = try #require(picker.place(of: "Name "))
    #expect(info == facts)
  }

  @Test func `Beside a picture the info scrolls by keys and says so`() throws {
    let folder = (0..<30).map { "folder \($0)" }.joined(separator: "/")
    let library = [Asset.photo("a.jpg", folder: folder), .photo("b.jpg", folder: folder)]
    var picker = TestPicker.open(library, size: CellSize(columns: 120, rows: 22))
    picker.press(.character("i"))
    #expect(picker.shows("{ } scroll") && !picker.shows("folder 29"))
    let cursor = picker.cursor
    for _ in 0..<9 { picker.press(.character("}")) }
    #expect(picker.shows("folder 29") && picker.cursor == cursor)
    let end = picker.lines
    picker.press(.character("{"))
    #expect(picker.lines != end)
    picker.press(.character("}"))
    #expect(picker.lines == end)
    // If all of it is visible there is no hint.
    picker.send(.resized(.size(CellSize(columns: 120, rows: 60))))
    #expect(!picker.shows("scroll") && picker.shows("Folder") && picker.shows("folder 29"))
    // A box over the screen handles the arrow keys.
    picker = open(library, rows: 12)
    picker.press(.character("i"))
    #expect(picker.shows("↑ ↓ scroll"))
  }

  @Test func `A broken file's name is shown where a good one's is`() throws {
    for (columns, rows) in [(120, 40), (60, 18), (80, 24), (60, 60)] {
      for isCompact in [false, true] {
        func lines(_ library: [Asset], keys: [Key]) -> [String] {
          var picker = TestPicker.open(library, size: CellSize(columns: columns, rows: rows)) {
            $0.configuration.mode = isCompact ? .compact : .default
          }
          for key in keys { picker.press(key) }
          picker.makeDemanded()
          return picker.lines
        }
        for keys in [[], [Key.character("p")], [.character("o")]] {
          let good = lines([.photo("DSC1.JPG")], keys: keys)
          let row = try #require(good.lastIndex { $0.contains("DSC1.JPG") })
          let broken = lines([.broken("DSC1.JPG")], keys: keys)
          #expect(broken[row].contains("DSC1.JPG"), "\(columns)x\(rows) \(keys)")
        }
      }
    }
  }

  @Test func `A metadata line breaks between two items`() throws {
    for columns in 100...160 {
      var picker = TestPicker.open(size: CellSize(columns: columns, rows: 40))
      picker.press(.character("i"), .character("p"), .character("p"))
      let asset = picker.library[0]
      #expect(picker.cursor == asset.id.rawValue)
      var details = AssetDetails()
      (details.fNumber, details.exposureTime, details.isoSpeed, details.focalLength) = (8, 0.004, 100, 35)
      picker.send(.details(asset.id, details))
      guard let pane = picker.previewRectangle else { continue }
      let texts = picker.lines.map { String($0.dropFirst(pane.column)).trimmed }
      #expect(!texts.contains { $0.hasSuffix("·") || $0.hasPrefix("mm") || $0.hasPrefix("100") })
      #expect(texts.contains { $0.hasSuffix("35 mm") })
    }
  }

  @Test(arguments: 80...160)
  func `Metadata in two lines cuts off no item`(columns: Int) {
    let picker = TestPicker.open(size: CellSize(columns: columns, rows: 16)) { $0.screen.showsPreview = true }
    #expect(!picker.lines.contains { $0.trimmed.hasSuffix("…") })
  }

  @Test func `The home folder is written as ~`() {
    func folder(_ path: String, home: String = "/home/ann") -> String? {
      var picker = TestPicker.open([.photo("a.jpg", folder: path)]) { $0.home = Array(home.utf8) }
      picker.press(.character("i"))
      // An album may have an item of the same name, so the last one is meant.
      let line = picker.lines.last { $0.contains("Folder ") }
      return line.flatMap { $0.split(separator: "Folder ").last.map { String($0).trimmed } }
    }
    #expect(folder("/home/ann/Pictures/2024") == "~/Pictures/2024" && folder("/home/ann") == "~")
    #expect(folder("/home/anna/Pictures") == "/home/anna/Pictures" && folder("p") == "p")
    #expect(folder("/home/ann/x", home: "") == "/home/ann/x")
  }
}

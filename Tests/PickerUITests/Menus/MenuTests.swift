import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct MenuTests {
  /// Thirty photos, every third of which is a video and every fifth a favorite.
  private static let library: [Asset] = [Asset].numbered(30).enumerated().map { index, asset in
    var asset = asset
    if index % 3 == 0 { asset.mediaType = .video }
    asset.isFavorite = index % 5 == 0
    return asset
  }

  private func open(columns: Int = 120, rows: Int = 40) -> TestPicker {
    .open(Self.library, size: CellSize(columns: columns, rows: rows))
  }

  private func kindQuery(_ effects: [PickerEffect]) -> KindQuery? {
    effects.lazy.compactMap { if case .countKinds(let query) = $0 { query } else { nil } }.first
  }

  /// Answers the count query as a library would.
  private func answer(_ query: KindQuery, to picker: inout TestPicker) {
    let counts = PickerFilter.Name.allCases.map { kind in
      (kind, Self.library.count { query.options(for: kind).filter?.matches($0) ?? true })
    }
    picker.send(.kinds(KindAnswer(query: query, counts: Dictionary(counts) { $1 })))
  }

  @Test(arguments: [(120, 40), (100, 30), (80, 24), (60, 20), (40, 12), (38, 9), (20, 6)])
  func `The photos stay visible beside an open menu`(columns: Int, rows: Int) throws {
    for key in [Key.character("f"), .character("s")] {
      var picker = open(columns: columns, rows: rows)
      let before = picker.tiles.map(\.rectangle)
      picker.press(key)
      let tiles = picker.tiles.map(\.rectangle)
      #expect(!tiles.isEmpty)
      let menu = try #require(picker.menuRectangle)
      #expect(tiles.allSatisfy { !$0.intersects(menu) })
      if columns == 120 { #expect(tiles == before) }
      picker.press(.escape)
      #expect(picker.menu == nil && picker.tiles.map(\.rectangle) == before)
    }
  }

  private func openLarge(_ size: CellSize, isCompact: Bool = false) -> TestPicker {
    var picker = TestPicker.open(.numbered(300), size: size) {
      if isCompact { $0.configuration.mode = .compact }
    }
    picker.makeDemanded()
    return picker
  }

  /// The thumbnails of the grid; posters of albums are two cells wide.
  private func thumbnails(_ frame: ScreenFrame) -> [PictureSlot] {
    frame.slots.filter { $0.key.mode == .aspectFill && $0.rect.columns > 2 }
  }

  @Test(
    arguments: [
      CellSize(columns: 80, rows: 24), .init(columns: 100, rows: 30), .init(columns: 120, rows: 40),
      .init(columns: 60, rows: 18), .init(columns: 50, rows: 18),
    ], [Key.character("f"), .character("s"), .character("O")])
  func `The photos beside a menu keep their size, and no picture is made again`(
    size: CellSize, key: Key
  )
    throws
  {
    var picker = openLarge(size)
    let (before, made) = (picker.frame, Set(picker.demand.map(\.key)))
    picker.press(key)
    let menu = try #require(picker.menuRectangle)
    let slots = thumbnails(picker.frame)
    // Photos are shown at once, without making a picture again: none has another size.
    #expect(slots.count >= picker.columns * picker.wholeRows && made.isSuperset(of: slots.map(\.key)))
    #expect(picker.columns >= 2 && slots.allSatisfy { !$0.rect.intersects(menu) })
    picker.press(.escape)
    // Those at the lower edge, cut there, are other pictures.
    let whole = thumbnails(before).filter { $0.key.cut == nil }
    #expect(!whole.isEmpty && whole.allSatisfy(picker.frame.slots.contains))
    picker.makeDemanded()
    #expect(picker.frame == before)
  }

  @Test(
    arguments: [CellSize(columns: 80, rows: 24), .init(columns: 60, rows: 18), .init(columns: 50, rows: 18)],
    [0, 7, 17, 150, 299])
  func `Photos and cursor are where they were when a menu is closed`(size: CellSize, cursor: Int) {
    var picker = openLarge(size)
    for _ in 0..<cursor { picker.press(.right) }
    picker.makeDemanded()
    let before = picker.tiles
    picker.press(.character("s"))
    #expect(picker.tiles.count < before.count)
    #expect(picker.tiles.contains { $0.name == "\(cursor)" && $0.isCursor })
    picker.press(.escape)
    #expect(picker.tiles == before)
  }

  @Test(arguments: [
    CellSize(columns: 120, rows: 40), .init(columns: 80, rows: 24), .init(columns: 60, rows: 18),
  ])
  func `In compact mode a menu takes room of the preview, and the thumbnails stay`(size: CellSize) throws {
    var picker = openLarge(size, isCompact: true)
    let before = thumbnails(picker.frame)
    #expect(picker.hasPreview && !before.isEmpty)
    picker.press(.character("s"))
    #expect(picker.menu != nil && picker.shows("✓ newest first"))
    #expect(thumbnails(picker.frame) == before)
    picker.press(.escape)
    #expect(thumbnails(picker.frame) == before)
    picker.makeDemanded()
    #expect(picker.hasPreview)
  }

  @Test func `A filter takes effect at once`() {
    var picker = open()
    picker.press(.character("f"), .character("v"), .character("i"), .character("d"), .space)
    picker.answerFetches()
    #expect(picker.lines[0].contains("10 videos"))
    #expect(picker.shows("videos ✕") && picker.menu != nil)
  }

  @Test func `Typing narrows the menu and has no other effect`() {
    for key in [Key.character("f"), .character("s")] {
      var picker = open()
      let title = picker.lines[0]
      picker.press(key)
      for character in "qaujkxrzvgG?+-.0" { picker.press(.character(character)) }
      #expect(picker.menu != nil && picker.shows("No match"))
      picker.press(.space, .enter)
      #expect(picker.menu != nil && picker.lines[0] == title && picker.outcome == nil)
      picker.press(.escape, .escape)
      #expect(picker.menu == nil && picker.selected.isEmpty && picker.lines[0] == title)
      #expect(picker.effects.compactMap(\.fetchQuery).count == 1)
    }
  }

  @Test func `Esc first clears the typed text, then closes the menu`() {
    var picker = open()
    picker.press(.character("f"), .character("v"), .backspace, .character("p"))
    #expect(picker.shows("panoramas") && !picker.shows("favorites"))
    picker.press(.escape)
    #expect(picker.shows("favorites"))
    picker.press(.escape)
    #expect(picker.menu == nil && picker.outcome == nil)
  }

  @Test func `Counts are requested once, within the search, and again after a change`() throws {
    var picker = open()
    #expect(kindQuery(picker.effects) == nil)
    let query = try #require(kindQuery(picker.press(.character("f"))))
    #expect(query.options.filter == nil && query.collection == nil)
    answer(query, to: &picker)
    #expect(picker.lines.contains { $0.contains("videos   ") && $0.contains(" 10  ") })
    #expect(picker.lines.contains { $0.contains("favorites   ") && $0.contains(" 6  ") })
    // A condition changes what is shown, not the counts of each kind.
    #expect(kindQuery(picker.press(.space)) == nil)
    picker.answerFetches()
    #expect(kindQuery(picker.press(.down)) == nil)
    picker.send(.libraryChanged)
    #expect(kindQuery(picker.effects.suffix(3) + picker.press(.down)) != nil)
  }

  @Test func `The counts respect the caller's filter`() throws {
    var picker = TestPicker.open(Self.library) { $0.configuration.filter = .matching(.videos) }
    let query = try #require(kindQuery(picker.press(.character("f"))))
    #expect(query.options.filter == .matching(.videos))
    // The user's conditions do not affect them.
    picker.press(.space)
    picker.answerFetches()
    #expect(kindQuery(picker.press(.down)) == nil)
  }

  @Test func `Late counts of another search are not shown`() throws {
    var picker = open()
    let query = try #require(kindQuery(picker.press(.character("f"))))
    var other = query
    other.options.includeHiddenAssets.toggle()
    picker.send(.kinds(KindAnswer(query: other, counts: [.videos: 99])))
    #expect(!picker.lines.contains { $0.contains("videos") && $0.contains("99") })
  }

  @Test func `Backspace removes all filters once the typed text is empty`() {
    var picker = open()
    picker.press(.character("f"), .space, .down, .space)
    let filters = { (picker: TestPicker) in picker.lines[0].count { $0 == "✕" } }
    #expect(filters(picker) == 2)
    picker.press(.character("x"), .backspace)
    #expect(filters(picker) == 2)
    picker.press(.backspace)
    #expect(filters(picker) == 0)
    picker.answerFetches()
    #expect(picker.query?.options.filter == nil)
  }

  @Test func `Space sorts and keeps the menu open, Enter closes it`() {
    var picker = open()
    picker.press(.character("s"), .end, .space)
    picker.answerFetches()
    #expect(picker.order == AssetSort.allCases.last && picker.menu != nil)
    #expect(picker.query?.options.sortDescriptors == AssetSort.allCases.last?.descriptors)
    picker.press(.home, .enter)
    #expect(picker.order == .newest && picker.menu == nil)
  }

  @Test func `The sort menu reverses an order`() throws {
    var picker = open()
    picker.press(.character("s"), .down, .down, .space, .tab)
    #expect(picker.order == .nameReversed && picker.shows("✓ reversed"))
    #expect(picker.shows("✓ by name"))
    picker.press(.tab)
    #expect(picker.order == .name && !picker.shows("✓ reversed"))
    // The line can be clicked.
    let place = try #require(picker.place(of: "reversed"))
    picker.send(.mouse(MouseEvent(.press, row: place.row, column: place.column)))
    #expect(picker.order == .nameReversed)
    picker.press(.home, .space, .tab, .escape)
    #expect(picker.order == .oldest)
  }

  @Test func `Names are shown below the thumbnails if photos are sorted by name`() {
    /// Whether the names of the photos in the first row are shown below them.
    func hasNames(_ picker: TestPicker) -> Bool {
      picker.tiles.prefix(picker.columns).allSatisfy { tile in
        let line = picker.lines[tile.rectangle.endRow].dropFirst(tile.rectangle.column)
        return line.hasPrefix(tile.name)
      }
    }
    var picker = open()
    #expect(!hasNames(picker))
    for sort in [AssetSort.name, .nameReversed, .size] {
      picker = TestPicker.open { $0.configuration.sort = sort }
      #expect(hasNames(picker) == (sort != .size))
    }
    // The same for the photo under the cursor and for a pick.
    for keys in [[], [Key.space], [.space, .right]] {
      picker = TestPicker.open([.photo("DSC1.JPG"), .photo("DSC2.JPG")]) { $0.configuration.sort = .name }
      for key in keys { picker.press(key) }
      let box = picker.tiles[0].rectangle
      #expect(picker.lines[box.endRow].dropFirst(box.column).hasPrefix("DSC1.JPG"))
    }
    picker = TestPicker.open {
      $0.configuration.sort = .name
      $0.screen.captions = .never
    }
    #expect(!hasNames(picker))
  }

  @Test func `The cursor stays among the entries`() {
    var menu = MenuState()
    for (command, count, cursor) in [
      (Command.up, 5, 0), (.down, 5, 1), (.last, 5, 4), (.pageDown, 5, 4), (.pageUp, 5, 0), (.down, 0, 0),
      (.pageDown, 21, 8), (.first, 21, 0),
    ] {
      menu.move(command, count: count)
      #expect(menu.cursor == cursor, "\(command)")
    }
  }

  @Test func `Typing moves the cursor to the first entry`() {
    for key in [Key.character("v"), .backspace, .escape] {
      var menu = MenuState(cursor: 3, text: "o")
      let isText = menu.type(key)
      #expect(isText && menu.cursor == 0)
    }
  }

  @Test func `A click on the title of a scrolled menu does nothing`() throws {
    var picker = open(columns: 40, rows: 12)
    picker.press(.character("f"), .end)
    let title = try #require(picker.place(of: "Filter"))
    #expect(!picker.shows("live photos"))
    picker.send(.mouse(MouseEvent(.press, row: title.row, column: title.column)))
    #expect(!picker.shows("✕") && picker.menu != nil)
  }

  @Test func `A click on the sort order leaves the search unless its text must be corrected first`() throws {
    for (text, isOpen) in [("img", true), ("after:foo", false)] {
      var picker = open()
      let order = try #require(picker.place(of: "newest"))
      picker.press(.character("/"))
      for character in text { picker.press(.character(character)) }
      picker.answerFetches()
      picker.send(.mouse(MouseEvent(.press, row: order.row, column: order.column)))
      #expect((picker.menu != nil) == isOpen && (picker.prompt == nil) == isOpen)
      #expect(picker.lines[0].contains(text))
    }
  }

  @Test func `A click beside a search that can't be left explains its error`() throws {
    var picker = open()
    let tile = try #require(picker.tiles.last).rectangle
    picker.press(.character("/"))
    for character in "rating:" { picker.press(.character(character)) }
    picker.answerFetches()
    let before = picker.lines
    picker.send(.mouse(MouseEvent(.press, row: tile.row, column: tile.column)))
    #expect(picker.prompt != nil && picker.lines[0] != before[0])
  }

  @Test func `A click on the options in the status line closes an open menu and opens none`() throws {
    var picker = open()
    picker.press(.character("O"))
    for character in "2048" { picker.press(.character(character)) }
    picker.press(.space, .escape, .escape)
    let words = try #require(picker.place(of: "2048 px"))
    picker.press(.character("f"))
    picker.send(.mouse(MouseEvent(.press, row: words.row, column: words.column)))
    #expect(picker.menu == nil)
    picker.send(.mouse(MouseEvent(.press, row: words.row, column: words.column)))
    #expect(picker.menu != nil && picker.shows("Metadata"))
  }

  @Test func `A click on a menu title does nothing, one on an entry chooses it`() throws {
    var picker = open()
    picker.press(.character("f"))
    let title = try #require(picker.place(of: "Filter"))
    picker.send(.mouse(MouseEvent(.press, row: title.row, column: title.column)))
    #expect(!picker.shows("✕") && picker.menu != nil)
    let line = try #require(picker.place(of: "live photos"))
    picker.send(.mouse(MouseEvent(.press, row: line.row, column: line.column)))
    #expect(picker.query?.options.filter == .matching(.livePhotos) && picker.menu != nil)
    #expect(picker.lines[0].contains("live photos ✕"))
  }
}

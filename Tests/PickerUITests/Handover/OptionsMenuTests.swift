import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct OptionsMenuTests {
  private func open(
    columns: Int = 120, rows: Int = 40, configure: (inout PickerState.Options) -> Void = { _ in }
  ) -> TestPicker {
    .open(size: CellSize(columns: columns, rows: rows), configure: configure)
  }

  private func menu(
    _ asked: RepresentationOptions = RepresentationOptions(), _ chosen: RepresentationOptions? = nil,
    text: String = ""
  ) -> RepresentationChoices {
    RepresentationChoices(asked: asked, chosen: chosen ?? asked, MenuState(text: text), LocaleFormat())
  }

  // MARK: Offered entries

  @Test func `The menu offers every option`() {
    #expect(
      menu().choices == [
        .mode(.current), .mode(.automatic), .mode(.compatible), .longestSide(nil), .longestSide(4096),
        .longestSide(2048), .longestSide(1024), .stripping(.nothing), .stripping(.location), .stripping(.all),
        .withoutCaptions,
      ])
  }

  @Test(arguments: [
    (4096, [4096, 2048, 1024]), (4000, [4000, 2048, 1024]), (1024, [1024]), (500, [500]),
    (9000, [9000, 4096, 2048, 1024]),
  ])
  func `No size exceeds the caller's limit`(side: Int, sides: [Int]) {
    let choices = menu(Self.options { $0.longestSide = side }).choices.filter { $0.heading == "Size" }
    #expect(choices == sides.map { .longestSide($0) })
  }

  @Test(
    arguments: [
      (RepresentationOptions.Stripping.nothing, [.nothing, .location, .all]), (.location, [.location, .all]),
      (.all, [.all]),
    ] as [(RepresentationOptions.Stripping, [RepresentationOptions.Stripping])])
  func `Information that the caller removes stays removed`(
    asked: RepresentationOptions.Stripping, left: [RepresentationOptions.Stripping]
  ) {
    let choices = menu(Self.options { $0.stripping = asked }).choices.filter { $0.heading == "Metadata" }
    #expect(choices == left.map { .stripping($0) } + (asked == .all ? [] : [.withoutCaptions]))
  }

  @Test func `Captions are removed and kept in turn, unless the caller removes them`() {
    let removed = menu().options(with: .withoutCaptions)
    #expect(removed.removesCaptions && removed.stripping == .nothing && !removed.isPlain)
    #expect(menu(RepresentationOptions(), removed).options(with: .withoutCaptions) == RepresentationOptions())
    let asked = menu(removed)
    #expect(!asked.choices.contains(.withoutCaptions))
    #expect(asked.lines().suffix(2) == [.heading("Requested"), .fact("without captions")])
  }

  @Test func `The caller's requirements are listed below and can't be selected`() throws {
    let types = try AcceptedTypes(parsing: "image/jpeg,image/png,video/mp4,.heic,.avif")
    let menu = menu(
      Self.options {
        $0.acceptedTypes = types
        ($0.byteCount, $0.quality) = (5_000_000, 70)
      })
    #expect(
      Array(menu.lines().suffix(5)) == [
        .heading("Requested"), .fact("JPEG, PNG, MP4, .heic,"), .fact(".avif"), .fact("up to 5.0 MB"),
        .fact("JPEG quality 70"),
      ])
    #expect(self.menu().lines().last == .choice(.withoutCaptions))
  }

  @Test func `Entries are separated by blank lines if there is room`() {
    let tight = menu().lines(in: 15)
    let wide = menu().lines(in: 16)
    #expect(tight.count == 14 && wide.count == 16)
    #expect(wide.filter { $0 != .gap } == tight)
    #expect(wide[4] == .gap && wide[5] == .heading("Size"))
  }

  @Test func `Typing narrows the menu, also by option name`() {
    #expect(menu(text: "size").choices.count == 4)
    #expect(menu(text: "locat").lines() == [.heading("Metadata"), .choice(.stripping(.location))])
    #expect(menu(Self.options { $0.byteCount = 5 }, text: "jpeg").lines().last == .choice(.mode(.compatible)))
    #expect(menu(text: "q").lines().isEmpty)
  }

  // MARK: Choices

  @Test func `Each choice changes only its own option`() {
    for choice in menu().choices {
      let chosen = menu().options(with: choice)
      let after = menu(RepresentationOptions(), chosen)
      #expect(after.isChosen(choice))
      #expect(after.choices.filter(after.isChosen).count == (choice == .withoutCaptions ? 4 : 3))
      if menu().isChosen(choice) { #expect(chosen == RepresentationOptions()) }
    }
  }

  @Test func `Unchanged files can't be resized: the later choice wins`() {
    let asked = Self.options { $0.longestSide = 4096 }
    let small = menu(asked).options(with: .longestSide(1024))
    #expect(small.mode == .automatic && small.longestSide == 1024)
    let current = menu(asked, small).options(with: .mode(.current))
    #expect(current.mode == .current && current.longestSide == 4096)
    #expect(menu(asked, small).options(with: .mode(.compatible)).longestSide == 1024)
    let again = menu(asked, current).options(with: .longestSide(2048))
    #expect(again.mode == .automatic && again.longestSide == 2048)
    #expect(menu(asked, current).options(with: .longestSide(4096)).mode == .current)
  }

  // MARK: The menu on the screen

  /// The representation in which the result would be delivered now.
  private func handedOver(_ picker: TestPicker) -> RepresentationOptions? {
    var copy = picker
    copy.press(.escape, .enter)
    if case .picked(_, _, let options) = copy.outcome { return options }
    return copy.effects.compactMap(\.delivery).last
  }

  @Test(arguments: [(120, 40), (100, 30), (80, 24), (60, 20), (40, 12), (38, 9), (20, 6)])
  func `The photos stay visible beside the menu`(columns: Int, rows: Int) throws {
    var picker = open(columns: columns, rows: rows)
    let before = picker.tiles.map(\.rectangle)
    picker.press(.character("O"))
    let tiles = picker.tiles.map(\.rectangle)
    let menu = try #require(picker.menuRectangle)
    #expect(!tiles.isEmpty && tiles.allSatisfy { !$0.intersects(menu) })
    if rows > 6 { #expect(picker.shows("converted if needed")) }
    picker.press(.escape)
    #expect(picker.menu == nil && picker.tiles.map(\.rectangle) == before)
  }

  @Test(arguments: [(120, 40), (80, 24), (40, 12), (38, 9)])
  func `The entry at the cursor is visible`(columns: Int, rows: Int) throws {
    var picker = open(columns: columns, rows: rows)
    picker.press(.character("O"), .home)
    for title in ["unchanged", "converted", "JPEG and MP4", "full size", "at most 4096"] {
      #expect(picker.shows(title))
      picker.press(.down)
    }
    picker.press(.end)
    #expect(picker.shows("remove captions"))
  }

  @Test func `The cursor starts at the format, and Space and Enter choose without closing`() {
    var picker = open()
    picker.press(.character("O"))
    #expect(picker.lastLine.contains("Space choose") && !picker.lastLine.contains("JPEG"))
    picker.press(.down, .space)
    #expect(
      picker.menu != nil && handedOver(picker)?.mode == .compatible
        && picker.lastLine.contains("as JPEG"))
    picker.press(.end, .up, .enter)
    #expect(picker.menu != nil && handedOver(picker)?.stripping == .all && picker.shows("✓ remove all"))
    picker.press(.down, .enter)
    #expect(handedOver(picker)?.removesCaptions == true && picker.shows("✓ remove captions"))
    picker.press(.backspace)
    #expect(picker.menu != nil && handedOver(picker)?.isPlain == true && !picker.lastLine.contains("JPEG"))
    picker.press(.escape)
    #expect(picker.menu == nil && picker.outcome == nil)
  }

  @Test func `Choosing an option ends an open range, whose size would become inconsistent`() {
    var picker = open()
    picker.press(.character("v"), .right, .right, .character("O"), .down, .space)
    picker.press(.escape, .right)
    #expect(!picker.lastLine.contains("range") && picker.selected.count == 3)
  }

  @Test(arguments: [24, 40]) func `A click chooses`(rows: Int) throws {
    var picker = open(columns: rows == 24 ? 50 : 120, rows: rows)
    picker.press(.character("O"), .home)
    for words in ["JPEG and MP4", "at most 4096", "Size"] {
      let place = try #require(picker.place(of: words))
      picker.send(.mouse(MouseEvent(.press, row: place.row, column: place.column)))
    }
    let chosen = handedOver(picker)
    #expect(picker.menu != nil && chosen?.mode == .compatible && chosen?.longestSide == 4096)
    let box = picker.tiles[0].rectangle
    picker.send(.mouse(MouseEvent(.press, row: box.row, column: box.column)))
    #expect(picker.menu == nil)
  }

  @Test func `A click on the options in the status line opens the menu`() throws {
    var picker = open { $0.configuration.representation.longestSide = 4096 }
    let place = try #require(picker.place(of: "4096 px"))
    picker.send(.mouse(MouseEvent(.press, row: place.row, column: place.column)))
    #expect(picker.shows("at most 4096 pixels") && picker.menu != nil)
  }

  @Test func `A hint names the options key if results are copied`() {
    for (delivers, isNamed) in [(true, true), (false, false)] {
      let picker = open { $0.deliversResults = delivers }
      #expect(picker.lastLine.contains("O options") == isNamed)
    }
  }

  @Test func `If the selection can't be converted there are no options`() {
    var single = open { $0.configuration.disabledCapabilities = .selectionActions }
    single.press(.character("O"))
    #expect(single.menu == nil && single.lastLine.contains("Options are disabled"))
    var told = open { $0.configuration.selection = .continuous }
    told.press(.character("O"))
    #expect(told.menu == nil && told.lastLine.contains("No options: picks are reported at once"))
    var managing = TestPicker.open(status: .limited) { $0.opening.choosesAccess = true }
    managing.press(.character("O"))
    #expect(managing.menu == nil)
    var full = open()
    full.press(.character("o"), .character("O"))
    #expect(full.menu == nil && full.isFullScreen)
  }

  // MARK: Words

  private static func options(_ configure: (inout RepresentationOptions) -> Void) -> RepresentationOptions {
    var options = RepresentationOptions()
    configure(&options)
    return options
  }

  @Test(arguments: [
    (0, 0, "as JPEG, quality 60"), (1, 0, "as JPEG, quality 60"), (0, 2, "as MP4"),
    (1, 1, "as JPEG and MP4, quality 60"),
  ])
  func `The last line says what is made of the picks`(images: Int, videos: Int, words: String) {
    var assets = [Asset].numbered(4)
    for index in 2..<4 { assets[index].mediaType = .video }
    var picker = TestPicker.open(assets) {
      $0.configuration.sort = .name
      ($0.configuration.representation.mode, $0.configuration.representation.quality) = (.compatible, 60)
    }
    for index in 0..<4 {
      if index < 2 ? index < images : index - 2 < videos { picker.press(.space) }
      picker.press(.right)
    }
    if images + videos == 0 { picker.press(.home) }
    #expect(picker.lastLine.contains("· \(words)"))
    #expect(picker.lastLine.contains("MP4") == words.contains("MP4"))
  }

  @Test(arguments: [
    (RepresentationOptions(), ""), (options { $0.mode = .compatible }, "as JPEG"),
    (options { $0.mode = .current }, ""),
    (
      options { ($0.mode, $0.longestSide, $0.stripping) = (.compatible, 2048, .location) },
      "as JPEG, 2048 px, without location"
    ),
    (options { $0.removesCaptions = true }, "without captions"),
    (
      options { ($0.stripping, $0.removesCaptions) = (.location, true) },
      "without location, without captions"
    ),
    (
      options { ($0.byteCount, $0.quality, $0.stripping) = (2_000_000, 60, .all) },
      "up to 2.0 MB, quality 60, without metadata"
    ),
    (options { $0.acceptedTypes = try? AcceptedTypes(parsing: "image/jpeg") }, "converted if needed"),
    (
      options { ($0.acceptedTypes, $0.mode) = (try? AcceptedTypes(parsing: "image/jpeg"), .current) },
      "some types only"
    ),
  ])
  func `The status line lists deviations from the original files`(
    options: RepresentationOptions, words: String
  ) {
    #expect(options.words(LocaleFormat()).joined(separator: ", ") == words)
    let picker = open(columns: 80, rows: 24) { $0.configuration.representation = options }
    if words.isEmpty {
      #expect(picker.lastLine.hasPrefix(" 0 picked · 1/30  "))
    } else {
      #expect(picker.lastLine.contains(" · \(words.prefix(28))"))
      for key in ["Enter use", "Esc leave", "? help"] { #expect(picker.lastLine.contains(key)) }
    }
  }

  @Test func `Narrow screens omit the options text`() {
    let picker = open(columns: 38, rows: 20) { $0.configuration.representation.mode = .compatible }
    #expect(!picker.lastLine.contains("JPEG"))
  }
}

import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// Searches within albums: what they report, and how to leave them.
@Suite struct AlbumSearchTests {
  // The test's album contains the first half of the matches.
  private static let names = ["lisbon-1.jpg", "porto.jpg", "lisbon-2.jpg", "lisbon-3.jpg"]
  private static let library: [Asset] = names.enumerated().map { .photo($1, day: 20 - $0) }

  private static func open(size: CellSize = CellSize(columns: 120, rows: 40)) -> TestPicker {
    var picker = TestPicker.open(library, size: size)
    picker.press(.tab, .down, .tab)
    picker.answerFetches()
    return picker
  }

  private static func searching(
    _ text: String, size: CellSize = CellSize(columns: 120, rows: 40)
  ) -> TestPicker {
    var picker = open(size: size)
    picker.press(.character("/"))
    for character in text { picker.press(.character(character)) }
    picker.answerFetches()
    return picker
  }

  private static func found(_ picker: TestPicker) -> [String] {
    picker.tiles.map(\.name)
  }

  @Test func `The prompt keeps the name of the album`() {
    #expect(Self.searching("lis").lines[0].contains("Search in Lisbon  lis"))
    var everywhere = TestPicker.open(Self.library)
    everywhere.press(.character("/"))
    #expect(everywhere.lines[0].contains("Search") && !everywhere.lines[0].contains("Search in"))
  }

  @Test(arguments: [120, 80, 60, 40])
  func `An album without matches says so, and Tab searches all photos`(columns: Int) {
    var picker = Self.searching("porto", size: CellSize(columns: columns, rows: 30))
    #expect(Self.found(picker).isEmpty)
    let text = picker.lines.map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: " ")
    #expect(text.contains("Nothing in Lisbon · 1 in all photos: Tab"))
    if columns > 40 { #expect(picker.lastLine.contains("Tab all photos")) }
    picker.press(.tab)
    picker.answerFetches()
    #expect(picker.query?.collection == nil && picker.prompt == nil)
    #expect(Self.found(picker) == ["porto.jpg"])
    // Narrow lines drop the search and keep the name and the number.
    #expect(picker.shows("“porto” ✕"))
    picker.press(.space)
    #expect(picker.selected == ["porto.jpg"])
  }

  @Test func `The same after Enter, by clicking the status line, and with a configured sidebar key`() {
    for isClick in [false, true] {
      var picker = Self.searching("porto")
      picker.press(.enter)
      #expect(picker.shows("Nothing in Lisbon · 1 in all photos: Tab"))
      if isClick, let place = picker.place(of: "Tab all photos") {
        picker.send(.mouse(MouseEvent(.press, row: place.row, column: place.column)))
      } else {
        picker.press(.tab)
      }
      picker.answerFetches()
      #expect(picker.query?.collection == nil && Self.found(picker) == ["porto.jpg"])
    }
    var picker = Self.searching("porto")
    picker.press(.enter, .backTab)
    #expect(picker.sidebarHasFocus)
  }

  @Test func `An album with matches shows how many more exist in all photos`() {
    var picker = Self.searching("lis")
    #expect(Self.found(picker) == ["lisbon-1.jpg"])
    #expect(picker.lines[0].contains("1 found here · 3 in all photos: Tab"))
    picker.press(.tab)
    picker.answerFetches()
    #expect(Self.found(picker).count == 3)
  }

  @Test func `Without further matches in all photos there is no offer`() {
    var picker = Self.searching("nowhere")
    #expect(picker.shows("Nothing found for “nowhere” in Lisbon or in all photos"))
    #expect(!picker.shows("all photos: Tab"))
    picker.press(.tab)
    #expect(picker.query?.collection == LocalIdentifier("album"))
  }

  @Test func `Without albums, and in all photos, nothing is counted elsewhere`() {
    var picker = TestPicker.open(Self.library)
    picker.press(.character("/"), .character("l"))
    #expect(picker.query?.everywhere == nil)
    var confined = TestPicker(Self.library) {
      $0.configuration.disabledCapabilities = .collectionNavigation
      $0.opening.collection = AssetCollection(
        localIdentifier: LocalIdentifier("album"), title: "Lisbon", estimatedAssetCount: nil)
    }
    confined.send(.authorization(.authorized))
    confined.press(.character("/"))
    for character in "porto" { confined.press(.character(character)) }
    confined.answerFetches()
    #expect(confined.shows("Nothing found for “porto” in Lisbon") && !confined.shows("1 in all photos"))
    confined.press(.tab)
    confined.answerFetches()
    #expect(confined.query?.collection == LocalIdentifier("album"))
  }

  @Test func `The count of another search is not shown`() throws {
    var picker = Self.searching("porto")
    let generation = try #require(picker.query?.generation)
    picker.press(.character("x"))
    picker.send(.foundEverywhere(9, generation: generation))
    #expect(!picker.shows("9 in all photos"))
    picker.answerFetches()
    #expect(picker.shows("Nothing found for “portox”"))
  }
}

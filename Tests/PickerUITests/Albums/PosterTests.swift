import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct PosterTests {
  private func open(
    _ size: CellSize = CellSize(columns: 120, rows: 40), folders: Int = 3
  ) -> TestPicker {
    var picker = TestPicker(.numbered(30), size: size)
    picker.folders = (0..<folders).map { number in
      AssetCollection(
        localIdentifier: LocalIdentifier("album \(number)"), title: "Trip \(number)", estimatedAssetCount: 7,
        depth: 0)
    }
    picker.send(.authorization(.authorized))
    picker.answerFetch()
    return picker
  }

  private func posters(_ picker: TestPicker) -> [PictureSlot] {
    let width = picker.sidebarWidth ?? 0
    return picker.frame.slots.filter { $0.rect.column < width }
  }

  @Test func `A poster is shown beside the title, and the count at the edge`() {
    var picker = open()
    picker.answerPosters()
    picker.makeDemanded()
    let slots = posters(picker)
    #expect(slots.count == 3)
    #expect(slots.allSatisfy { $0.rect.size == SidebarWindow.poster })
    let sidebar = picker.sidebarWidth ?? 0
    let line = picker.lines[slots[0].rect.row].prefix(sidebar)
    #expect(line.dropFirst(slots[0].rect.endColumn + 1).hasPrefix("Trip 0"))
    #expect(line.dropLast().hasSuffix(" 7"))
    // A smart album has its symbol.
    #expect(picker.lines.contains { $0.hasPrefix(" ● Recents") })
  }

  @Test func `Posters are requested after all other pictures`() {
    var picker = open()
    picker.answerPosters()
    let ranks = picker.demand.map(\.priority)
    #expect(ranks.suffix(3) == [.prefetch, .prefetch, .prefetch])
    #expect(picker.demand.suffix(3).allSatisfy { $0.key.mode == .aspectFill })
  }

  @Test func `Moving in the grid neither requests nor moves posters`() {
    var picker = open()
    picker.answerPosters()
    picker.makeDemanded()
    let before = posters(picker)
    let effects = picker.press(.right, .down, .space)
    #expect(!effects.contains { if case .fetchPosters = $0 { true } else { false } })
    #expect(posters(picker) == before)
  }

  @Test func `A poster is hidden with its title`() {
    var picker = open()
    picker.answerPosters()
    picker.makeDemanded()
    #expect(posters(picker).count == 3)
    // The help covers the titles, and leaves the column of the posters.
    picker.press("?")
    #expect(posters(picker).isEmpty)
    picker.press(.escape)
    #expect(posters(picker).count == 3)
  }

  @Test func `With block graphics there are no posters`() {
    var picker = open()
    var metrics = ScreenMetrics.size(CellSize(columns: 120, rows: 40))
    metrics.pictureGeometry?.isFine = false
    picker.send(.resized(metrics))
    picker.answerPosters()
    picker.makeDemanded()
    #expect(posters(picker).isEmpty)
    #expect(picker.lines.contains { $0.contains("Trip 0") && $0.contains(" 7") })
  }

  @Test func `Posters are requested once, and again after a change of the library`() {
    var picker = open()
    let first = picker.posterQuery
    #expect(first?.collections.count == 3)
    picker.press(.right)
    #expect(picker.posterQuery == first)
    picker.answerPosters()
    #expect(picker.posterQuery == nil)
    picker.send(.libraryChanged)
    picker.answerFetch()
    #expect(picker.posterQuery?.collections.count == 3)
    // Old posters stay until new ones arrive.
    picker.makeDemanded()
    #expect(posters(picker).count == 3)
  }

  @Test func `While a library is read only missing posters are requested`() {
    var picker = open()
    picker.answerPosters()
    picker.isComplete = false
    picker.send(.libraryChanged)
    picker.answerFetch()
    #expect(picker.posterQuery == nil)
  }

  @Test func `A long list scrolls no further than necessary`() {
    let lines = ["Library", "● Recents", "", "Albums"] + (0..<40).map { "Trip \($0)" }.sorted()
    /// The topmost visible line of the sidebar.
    func top(_ picker: TestPicker) -> Int {
      guard let first = picker.sidebar?.first else { return -1 }
      // Without the count and the scroll bar after it.
      let title = first.text.replacing(/(\ +\d+)?\ *┃?$/, with: "")
      // A blank line has no text.
      return lines.firstIndex(of: title).map { $0 - (first.row - 1) } ?? -1
    }
    var picker = open(folders: 40)
    picker.press(.backTab)
    var tops: [Int] = []
    for _ in 0..<39 {
      picker.press(.down)
      picker.answerFetches()
      tops.append(top(picker))
      #expect(picker.sidebarHasFocus)
    }
    // Recents and the first 34 albums fit in the rows below their headings.
    #expect(tops.prefix(34).allSatisfy { $0 == 0 } && tops[34] > 0)
    #expect(zip(tops, tops.dropFirst()).allSatisfy { $1 - $0 <= 2 })
    let end = top(picker)
    #expect(end > 0)
    picker.press(.up, .up, .up)
    #expect(top(picker) == end)
    picker.press(.home)
    #expect(top(picker) == 0)
    #expect(picker.shows("Library"))
  }

  @Test func `Clicking a title, a count or a poster opens the album`() {
    for column in [3, 8, 16] {
      var picker = open()
      picker.answerPosters()
      picker.makeDemanded()
      let slot = posters(picker)[1]
      picker.send(.mouse(MouseEvent(.press, row: slot.rect.row, column: column)))
      #expect(picker.query?.collection == LocalIdentifier("album 1") && picker.title.hasPrefix(" Trip 1"))
    }
  }
}

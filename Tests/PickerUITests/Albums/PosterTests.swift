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
    guard let sidebar = picker.state.layout.sidebar else { return [] }
    return picker.frame.slots.filter { $0.rect.intersects(sidebar) }
  }

  @Test func `A poster stands beside the title, and the count at the edge`() {
    var picker = open()
    picker.answerPosters()
    picker.makeDemanded()
    let slots = posters(picker)
    #expect(slots.count == 3)
    #expect(slots.allSatisfy { $0.rect.size == SidebarWindow.poster })
    let sidebar = picker.state.layout.sidebar?.columns ?? 0
    let line = picker.lines[slots[0].rect.row].prefix(sidebar)
    #expect(line.dropFirst(slots[0].rect.endColumn + 1).hasPrefix("Trip 0"))
    #expect(line.dropLast().hasSuffix(" 7"))
    // A smart album has its symbol.
    #expect(picker.lines.contains { $0.hasPrefix(" ● Recents") })
  }

  @Test func `Posters come after everything else`() {
    var picker = open()
    picker.answerPosters()
    let ranks = picker.demand.map(\.priority)
    #expect(ranks.suffix(3) == [.prefetch, .prefetch, .prefetch])
    #expect(picker.demand.suffix(3).allSatisfy { $0.key.mode == .aspectFill })
  }

  @Test func `Moving in the grid asks for no poster and moves none`() {
    var picker = open()
    picker.answerPosters()
    picker.makeDemanded()
    let before = posters(picker)
    let effects = picker.press(.right, .down, .space)
    #expect(!effects.contains { if case .fetchPosters = $0 { true } else { false } })
    #expect(posters(picker) == before)
  }

  @Test func `Where pictures are drawn in blocks there are no posters`() {
    var picker = open()
    var metrics = picker.state.metrics
    metrics.pictureGeometry?.isFine = false
    picker.send(.resized(metrics))
    picker.answerPosters()
    picker.makeDemanded()
    #expect(posters(picker).isEmpty)
    #expect(picker.lines.contains { $0.contains("Trip 0") && $0.contains(" 7") })
  }

  @Test func `The library is asked once, and again when it has changed`() {
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
    #expect(picker.state.sidebar.posters.known.count == 3)
  }

  @Test func `While a library is read only what has no poster yet is asked for`() {
    var picker = open()
    picker.answerPosters()
    picker.isComplete = false
    picker.send(.libraryChanged)
    picker.answerFetch()
    #expect(picker.posterQuery == nil)
  }

  @Test func `A long list scrolls no further than it has to`() {
    var picker = open(folders: 40)
    picker.press(.backTab)
    var tops: [Int] = []
    for _ in 0..<30 {
      picker.press(.down)
      picker.answerFetches()
      tops.append(picker.state.sidebar.top)
      let isInSight = picker.state.sidebarWindow(in: picker.state.layout)?.places.contains {
        picker.state.sidebar.albums.lines[$0.line].target == picker.state.sidebar.target
      }
      #expect(isInSight == true)
    }
    #expect(tops.prefix(10).allSatisfy { $0 == 0 })
    #expect(zip(tops, tops.dropFirst()).allSatisfy { $1 - $0 <= 2 })
    let end = picker.state.sidebar.top
    picker.press(.up, .up, .up)
    #expect(picker.state.sidebar.top == end)
    picker.press(.home)
    #expect(picker.state.sidebar.top == 0)
    #expect(picker.shows("Library"))
  }

  @Test func `A click on a title, a count or a poster opens the album`() {
    for column in [3, 8, 16] {
      var picker = open()
      picker.answerPosters()
      picker.makeDemanded()
      let slot = posters(picker)[1]
      picker.send(.mouse(MouseEvent(.press, row: slot.rect.row, column: column)))
      #expect(picker.state.library.album == .collection(LocalIdentifier("album 1")))
    }
  }
}

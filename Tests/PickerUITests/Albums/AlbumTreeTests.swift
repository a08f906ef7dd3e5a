import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct AlbumTreeTests {
  private static func folder(_ path: String, count: Int) -> AssetCollection {
    let parts = path.split(separator: "/").map(String.init)
    return AssetCollection(
      localIdentifier: LocalIdentifier("album." + path), title: parts.last ?? "", estimatedAssetCount: count,
      depth: parts.count - 1,
      parent: parts.count > 1 ? LocalIdentifier("list." + parts.dropLast().joined(separator: "/")) : nil)
  }

  private static func list(_ path: String) -> CollectionList {
    let parts = path.split(separator: "/").map(String.init)
    return CollectionList(
      localIdentifier: LocalIdentifier("list." + path), title: parts.last ?? "",
      parent: parts.count > 1 ? LocalIdentifier("list." + parts.dropLast().joined(separator: "/")) : nil,
      depth: parts.count - 1)
  }

  private static func moment(_ year: Int, _ month: Int, _ day: Int, count: Int) -> AssetCollection {
    let date = AssetDate(year: year, month: month, day: day, hour: 10)
    return AssetCollection(
      localIdentifier: LocalIdentifier("moment.\(year)-\(month)-\(day)"),
      title: "\(year)-\(month)-\(day), 10:00–11:00", subtype: .moment, estimatedAssetCount: count,
      startDate: date, endDate: date)
  }

  private func picker() -> TestPicker {
    var picker = TestPicker(.numbered(40))
    picker.lists = [Self.list("p"), Self.list("p/2023"), Self.list("p/2024")]
    picker.folders = [
      Self.folder("p/2023/Family", count: 13), Self.folder("p/2024", count: 21),
      Self.folder("p/2024/Alps", count: 14), Self.folder("p/2024/Lisbon", count: 2),
    ]
    picker.moments = [
      Self.moment(2024, 5, 2, count: 3), Self.moment(2024, 5, 1, count: 4), Self.moment(2024, 3, 9, count: 1),
      Self.moment(2023, 12, 31, count: 8),
    ]
    // Block graphics leave no room for posters.
    var metrics = ScreenMetrics.size(CellSize(columns: 120, rows: 40))
    metrics.pictureGeometry?.isFine = false
    picker.send(.resized(metrics))
    picker.send(.authorization(.authorized))
    picker.answerFetch()
    return picker
  }

  /// The sidebar lines with their indentation, and one blank before the counts.
  private func words(_ picker: TestPicker) -> [String] {
    let lines = picker.lines.dropFirst().map { $0.prefix(picker.sidebarWidth ?? 0).dropFirst() }
    return (picker.sidebar ?? []).map { line in
      let indent = lines[line.row - 1].prefix { $0 == " " }
      return indent + line.text.replacing(/\ +(\d+)$/) { " \($0.1)" }
    }
  }

  /// The sidebar line at the cursor.
  private func current(_ picker: TestPicker) -> String? { picker.sidebar?.first(where: \.isCurrent)?.text }

  @Test func `Folders nest in folders, including empty ones, and days in years`() {
    #expect(
      words(picker()) == [
        "Library", "● Recents 40", "Albums", "▾ 2023 13", "   Family 13", "▾ 2024 21", "   Alps 14",
        "   Lisbon 2", "Dates", "▸ 2024 8", "▸ 2023 8",
      ])
  }

  @Test func `The arrow keys fold and unfold sidebar lines`() {
    var picker = picker()
    picker.press(.tab, .down)  // 2023
    picker.press(.left)
    #expect(words(picker).contains("▸ 2023 13"))
    #expect(!picker.shows("Family"))
    picker.press(.right, .down, .left)
    #expect(current(picker)?.hasPrefix("▾ 2023") == true)
    picker.press(.end, .up, .right, .down, .right)
    #expect(
      words(picker).suffix(6) == [
        "▾ 2024 8", " ▾ May 7", "    2, 10:00–11:00 3", "    1, 10:00–11:00 4", " ▸ March 1", "▸ 2023 8",
      ])
  }

  @Test func `What is unfolded is not counted in the width that the next run begins with`() throws {
    var picker = picker()
    let (width, needed) = (try #require(picker.sidebarWidth), picker.screenChanges.neededAlbumColumns)
    #expect(needed != nil)
    picker.press(.tab, .end, .up, .right, .down, .right)
    #expect(picker.shows("2, 10:00–11:00 3"))
    #expect(try #require(picker.sidebarWidth) > width)
    #expect(picker.screenChanges.neededAlbumColumns == needed)
  }

  @Test func `A month shows its photos`() throws {
    var picker = picker()
    picker.press(.tab, .end, .up, .right, .down)
    let query = try #require(picker.query)
    #expect(query.collection == nil)
    let inside = AssetDate(year: 2024, month: 5, day: 31, hour: 23)
    var asset = Asset.photo("x")
    for (date, isInside) in [(inside, true), (AssetDate(year: 2024, month: 6, day: 1), false)] {
      asset.creationDate = date
      #expect(query.options.admits(asset) == isInside)
    }
    #expect(picker.lines[0].contains("May 2024"))
  }

  @Test func `The title of a moment has its date`() {
    var picker = picker()
    picker.press(.tab, .end, .up, .right, .down, .right, .down)
    #expect(picker.query?.collection == LocalIdentifier("moment.2024-5-2"))
    #expect(picker.lines[0].contains("2 May 2024, 10:00–11:00"))
    picker.answerFetch()
    picker.send(.libraryChanged)
    picker.answerFetch()
    #expect(picker.lines[0].contains("2 May 2024, 10:00–11:00"))
  }

  @Test func `The grid skips folders that contain only folders`() {
    var picker = picker()
    let before = picker.query
    picker.press(.tab, .down)
    #expect(picker.query == before)
    picker.press(.enter)
    #expect(words(picker).contains("▸ 2023 13"))
    #expect(current(picker)?.hasPrefix("▸ 2023") == true)
    picker.press(.down, .enter)
    #expect(!picker.sidebarHasFocus)
    #expect(picker.query?.collection == LocalIdentifier("album.p/2024"))
    picker.answerFetches()
    #expect(picker.gridHasFocus)
  }

  @Test func `Typing finds an album and unfolds its parents`() {
    var picker = picker()
    picker.press(.tab, .character("/"))
    for character in "lis" { picker.press(.character(character)) }
    #expect(words(picker) == ["Albums", "▾ 2024 21", "   Lisbon 2"])
    #expect(picker.query?.collection == LocalIdentifier("album.p/2024/Lisbon"))
    picker.press(.enter)
    #expect(words(picker).count > 3)
    #expect(picker.title.hasPrefix(" Lisbon"))
  }

  @Test func `Each album remembers its position, and the selection spans albums`() {
    var picker = TestPicker.open(.numbered(60))
    picker.press(.end, .space)
    let top = picker.firstVisible
    #expect(picker.cursor == "59" && top != "0")
    picker.press(.tab, .down)
    picker.answerFetch()
    #expect(picker.firstVisible == "0" && picker.shownPhoto == "0")
    picker.press(.enter, .right, .space, .tab, .up)
    picker.answerFetch()
    #expect(picker.shownPhoto == "59" && picker.firstVisible == top)
    #expect(picker.selected == ["59", "1"])
    picker.press(.down)
    picker.answerFetch()
    #expect(picker.shownPhoto == "1")
  }

  @Test func `Albums are counted again only when the library changes`() {
    var picker = TestPicker.open()
    #expect(picker.query?.albums != nil)
    picker.press(.tab, .down)
    #expect(picker.query?.albums == nil)
    picker.answerFetch()
    picker.send(.libraryChanged)
    #expect(picker.query?.albums != nil)
  }
}

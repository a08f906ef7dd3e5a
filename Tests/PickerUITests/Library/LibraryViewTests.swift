import AssetLibrary
import Testing

@testable import PickerUI

@Suite struct LibraryViewTests {
  private static func view() -> LibraryView { LibraryView(userFilter: UserFilter(sort: .newest)) }

  private static func answer(_ query: FetchQuery, count: Int = 4) -> FetchAnswer {
    FetchAnswer(
      query: query, assets: FetchResult([Asset].numbered(count)),
      status: LibraryStatus(isComplete: true, assetCount: count), allowed: [])
  }

  @Test func `A fetch has the caller's filter, the user's, the sort order and its own number`() {
    var view = Self.view()
    view.userFilter.sort = .name
    view.userFilter.cycle(.favorites)
    view.userFilter.setSearchText("lisbon")
    let first = view.makeQuery(within: .matching(.images), mode: .picking)
    let second = view.makeQuery(within: nil, mode: .managing)
    #expect(first.generation == 1 && second.generation == 2)
    #expect(first.options.filter == .all([.matching(.images), .matching(.favorites)]))
    #expect(first.options.sortDescriptors == AssetSort.name.descriptors)
    #expect(first.options.search?.isEmpty == false)
    #expect(second.options.filter == .matching(.favorites) && second.mode == .managing)
    #expect(first.collection == nil)
  }

  @Test func `Album counts follow the caller's filter, not the user's search`() {
    var view = Self.view()
    view.userFilter.cycle(.favorites)
    view.userFilter.showsHidden = true
    let options = view.countOptions(within: .matching(.images))
    #expect(options.filter == .matching(.images) && options.includeHiddenAssets)
    #expect(options.search == nil)
  }

  @Test func `Repeating the same fetch has no effect`() {
    var view = Self.view()
    let query = view.makeQuery(within: nil, mode: .picking)
    #expect(view.isFetching && view.isFetchingNewQuery)
    view.show(Self.answer(query))
    #expect(!view.isFetching && !view.isFetchingNewQuery && view.assets.count == 4)
    _ = view.makeQuery(within: nil, mode: .picking)
    #expect(view.isFetching && !view.isFetchingNewQuery)
    view.userFilter.setSearchText("x")
    _ = view.makeQuery(within: nil, mode: .picking)
    #expect(view.isFetchingNewQuery)
  }

  @Test func `Another album starts empty, and a previous one is restored`() {
    var view = Self.view()
    let query = view.makeQuery(within: nil, mode: .picking)
    view.show(Self.answer(query))
    let album = AlbumTarget.collection(LocalIdentifier("album"))
    let here = LibraryView.Position(anchor: LocalIdentifier("2"), topPhoto: 7)
    let there = view.open(album, leaving: here, remembers: true)
    #expect(there == LibraryView.Position() && view.assets.isEmpty && view.album == album)
    #expect(view.makeQuery(within: nil, mode: .picking).collection == LocalIdentifier("album"))
    #expect(view.open(.recents, leaving: there, remembers: true) == here)
    _ = view.open(album, leaving: here, remembers: false)
    #expect(view.open(.recents, leaving: there, remembers: true) == LibraryView.Position())
  }

  @Test func `A message of the library is shown once`() {
    var view = Self.view()
    view.status.notes = ["a", "b"]
    #expect([view.nextNote(), view.nextNote(), view.nextNote()] == ["a", "b", nil])
  }

  @Test(
    arguments: [
      ("3", .number(2)), ("0", nil), ("99", nil), ("x", nil),
      ("2024", .period(CalendarPeriod(year: 2024), index: 0)),
      ("202401", .period(CalendarPeriod(year: 2024, month: 1), index: 0)),
      ("20240102", .period(CalendarPeriod(year: 2024, month: 1, day: 2), index: 3)),
      (
        "2023",
        .period(
          CalendarPeriod(year: 2023), index: 3,
          nearest: CalendarDay(AssetDate(year: 2024, month: 1, day: 2)))
      ), ("20241399", nil),
    ] as [(String, JumpTarget?)])
  func `Digits jump to a number or a date`(digits: String, target: JumpTarget?) {
    var view = Self.view()
    let query = view.makeQuery(within: nil, mode: .picking)
    view.show(Self.answer(query))
    #expect(view.jumpTarget(digits) == target)
  }

  /// Photos of January 10, January 20 and June 1, 2024, in both orders.
  @Test(arguments: [
    ("202402", 20, 1), ("202403", 20, 1), ("202404", 1, 6), ("202405", 1, 6), ("2025", 1, 6), ("2019", 10, 1),
    ("20240114", 10, 1), ("20240116", 20, 1), ("202407", 1, 6),
  ])
  func `Jumping to a date without photos goes to the nearest one and says so`(
    digits: String, day: Int, month: Int
  ) {
    let photos = [9, 19, 152].map { Asset.photo("\($0)", day: $0) }
    for isAscending in [false, true] {
      var picker = TestPicker.open(isAscending ? photos : photos.reversed()) {
        $0.configuration.sort = isAscending ? .oldest : .newest
      }
      for digit in digits { picker.press(.character(digit)) }
      let date = picker.options.locale.day(year: 2024, month: month, day: day)
      #expect(picker.lines[0].contains("nearest: \(date)"))
      picker.press(.enter)
      let asset = photos.first { $0.id.rawValue == picker.cursor }
      #expect(asset?.creationDate == AssetDate(year: 2024, month: month, day: day))
      #expect(picker.lastLine.contains("No photos from"))
      #expect(picker.lastLine.contains("; nearest: \(date)"))
      // A date with photos needs no notice.
      for digit in "202406" { picker.press(.character(digit)) }
      #expect(picker.lines[0].contains("June 2024") && !picker.lines[0].contains("nearest"))
      picker.press(.enter)
      #expect(!picker.lastLine.contains("nearest"))
    }
  }

  @Test func `An asset's day is known if photos are sorted by date`() {
    var view = Self.view()
    let query = view.makeQuery(within: nil, mode: .picking)
    view.show(Self.answer(query))
    #expect(view.day(of: 0)?.day == 5 && view.day(of: 3)?.day == 2)
    view.days = nil
    #expect(view.day(of: 0) == nil)
  }

  @Test func `A library that can't be opened ends the picker`() throws {
    var picker = TestPicker()
    picker.send(.authorization(.authorized))
    var answer = picker.answer(to: try #require(picker.query))
    answer.status.unavailabilityReason = AssetError("standard input", "holds NUL bytes")
    picker.send(.fetched(answer))
    #expect(picker.outcome == .unavailable(AssetError("standard input", "holds NUL bytes")))
  }
}

import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct GridRowsTests {
  /// So many photos on each of some days, the newest day first.
  private func days(_ counts: [Int], step: Int = 1) -> (count: Int, days: [DaySection]) {
    var start = 0
    var sections: [DaySection] = []
    for (index, count) in counts.enumerated() {
      let date = AssetDate(year: 2024, month: 12, day: 31 - index * step)
      sections.append(DaySection(start: start, day: CalendarDay(date)))
      start += count
    }
    return (start, sections)
  }

  @Test func `A row begins where a day does`() {
    let (count, days) = days([10, 7, 4])
    let rows = GridRows(count: count, columns: 4, days: days)
    #expect(rows.division == .day)
    #expect(
      (0..<rows.rowCount).map { rows.indexes(inRow: $0) } == [
        0..<4, 4..<8, 8..<10, 10..<14, 14..<17, 17..<21,
      ])
    #expect(rows.sections.map(\.firstRow) == [0, 3, 5])
    #expect(rows.section(ofRow: 4)?.day?.day == 30)
    #expect(rows.index(row: 2, column: 1) == 9)
    #expect(rows.index(row: 2, column: 2) == nil)
  }

  @Test func `Where days are nearly empty the months or the years are taken`() {
    let (count, sparse) = days(Array(repeating: 1, count: 60))
    #expect(GridRows(count: count, columns: 4, days: sparse).division == .month)
    let (fewer, sparser) = days(Array(repeating: 1, count: 30), step: 30)
    #expect(GridRows(count: fewer, columns: 4, days: sparser).division == .year)
    let (least, years) = days(Array(repeating: 1, count: 30), step: 400)
    #expect(GridRows(count: least, columns: 4, days: years).division == nil)
  }

  @Test(arguments: 1...7)
  func `Rows and indexes lead to each other`(columns: Int) {
    let (count, days) = days([1, 9, 3, 12, 2, 25, 6, 1])
    for days in [days, []] {
      let rows = GridRows(count: count, columns: columns, days: days)
      var next = 0
      for row in 0..<rows.rowCount {
        let range = rows.indexes(inRow: row)
        #expect(range.lowerBound == next)
        #expect((1...columns).contains(range.count))
        next = range.upperBound
        for (column, index) in range.enumerated() {
          #expect(rows.row(of: index) == row)
          #expect(rows.column(of: index) == column)
        }
      }
      #expect(next == count)
      #expect(rows.indexes(inRow: rows.rowCount).isEmpty)
      #expect(rows.indexes(inRows: -3..<rows.rowCount + 5) == 0..<count)
    }
  }

  @Test func `Nothing has no rows`() {
    let rows = GridRows(count: 0, columns: 3)
    #expect(rows.rowCount == 0)
    #expect(rows.indexes(inRow: 0).isEmpty)
    #expect(rows.row(of: 5) == 0)
  }

  @Test func `Days are told apart by the wall clock, before 1970 too`() {
    let dates = [(1970, 1, 1, 0), (1969, 12, 31, 23), (1969, 12, 31, 0), (1969, 12, 30, 23)]
    let assets = dates.map { year, month, day, hour in
      var asset = Asset.photo("\(year)\(month)\(day)\(hour)")
      asset.creationDate = AssetDate(year: year, month: month, day: day, hour: hour)
      return asset
    }
    #expect(DaySection.split(FetchResult(assets)).map(\.start) == [0, 1, 3])
  }

  @Test(arguments: [(0, 2, 2), (2, 0, 6), (2, 2, 6), (3, 0, nil), (-1, 0, nil)] as [(Int, Int, Int?)])
  func `A column that a row has not is its last`(row: Int, column: Int, index: Int?) {
    #expect(GridRows(count: 7, columns: 3).index(inRow: row, near: column) == index)
  }

  @Test func `The nearest cell is the one that is hit, and the outermost beside the grid`() {
    let area = CellRect(column: 5, row: 3, columns: 47, rows: 30)
    let geometry = GridGeometry(area: area, box: CellSize(columns: 10, rows: 5))
    for index in 0..<geometry.count {
      let box = geometry.box(at: index)
      let cell = geometry.nearestCell(row: box.endRow, column: box.endColumn - 1)
      #expect(cell.row * geometry.columns + cell.column == index)
    }
    #expect(geometry.nearestCell(row: -9, column: 999) == (0, geometry.columns - 1))
    #expect(geometry.nearestCell(row: 999, column: 0) == (geometry.rows - 1, 0))
  }
}

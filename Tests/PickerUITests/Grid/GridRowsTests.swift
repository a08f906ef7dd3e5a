import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct GridRowsTests {
  @Test(arguments: 1...7)
  func `Rows and indexes convert into each other`(columns: Int) {
    for count in [1, 6, 7, 59] {
      let rows = GridRows(count: count, columns: columns)
      var next = 0
      for row in 0..<rows.rowCount {
        let range = rows.indexes(inRow: row)
        #expect(range.lowerBound == next)
        // Only the last row may be shorter.
        #expect(range.count == columns || row == rows.rowCount - 1 && (1...columns).contains(range.count))
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

  @Test func `An empty library has no rows`() {
    let rows = GridRows(count: 0, columns: 3)
    #expect(rows.rowCount == 0)
    #expect(rows.indexes(inRow: 0).isEmpty)
    #expect(rows.index(inRow: 0, near: 1) == nil)
  }

  @Test func `Days are separated by local time, before 1970 too`() {
    let dates = [(1970, 1, 1, 0), (1969, 12, 31, 23), (1969, 12, 31, 0), (1969, 12, 30, 23)]
    let assets = dates.map { year, month, day, hour in
      var asset = Asset.photo("\(year)\(month)\(day)\(hour)")
      asset.creationDate = AssetDate(year: year, month: month, day: day, hour: hour)
      return asset
    }
    #expect(DaySection.split(FetchResult(assets)).map(\.start) == [0, 1, 3])
  }

  @Test(arguments: [(0, 2, 2), (2, 0, 6), (2, 2, 6), (3, 0, nil), (-1, 0, nil)] as [(Int, Int, Int?)])
  func `A column beyond the end of a row is its last`(row: Int, column: Int, index: Int?) {
    #expect(GridRows(count: 7, columns: 3).index(inRow: row, near: column) == index)
  }

  @Test(arguments: 10...60)
  func `Tiles have equal gaps and margins, and the last row is cut off`(width: Int) {
    for (rows, captionRows) in [(21, 0), (27, 0), (22, 1), (9, 0)] {
      let area = CellRect(column: 3, row: 2, columns: width, rows: rows)
      let geometry = GridGeometry(area: area, box: CellSize(columns: 9, rows: 5), captionRows: captionRows)
      let boxes = (0..<geometry.count).map(geometry.box(at:))
      #expect(boxes[0].row == area.row + 1)
      let margins = (boxes[0].column - area.column, area.endColumn - boxes[geometry.columns - 1].endColumn)
      #expect(margins.0 >= 0 && 0...1 ~= margins.1 - margins.0)
      let gaps = zip(boxes, boxes.dropFirst()).filter { $0.row == $1.row }.map { $1.column - $0.endColumn }
      #expect(Set(gaps).count <= 1 && gaps.allSatisfy { $0 >= 1 })
      #expect(boxes.allSatisfy { $0.columns == 9 && $0.endRow <= area.endRow && $0.rows >= 2 })
      let pitch = 6 + captionRows
      #expect(geometry.wholeRows == rows / pitch)
      #expect(geometry.rows == rows / pitch + (rows % pitch >= 3 ? 1 : 0))
      #expect(boxes.prefix(geometry.wholeRows * geometry.columns).allSatisfy { $0.rows == 5 })
      for (index, box) in boxes.enumerated() {
        for (row, column) in [(box.row, box.column), (box.endRow - 1, box.endColumn - 1)] {
          let place = geometry.place(row: row, column: column)
          #expect(place?.index == index && place?.isCaption == false)
        }
        #expect(geometry.place(row: box.row - 1, column: box.column) == nil)
        #expect(geometry.place(row: box.row, column: box.column - 1) == nil)
        if captionRows > 0, box.endRow < area.endRow {
          #expect(geometry.place(row: box.endRow, column: box.column)?.isCaption == true)
        }
      }
    }
  }

  @Test(arguments: [(9, 1), (18, 1), (19, 2), (28, 2), (29, 3), (8, 1)])
  func `As many columns as fit are used, without a gap after the last`(width: Int, columns: Int) {
    let area = CellRect(column: 0, row: 0, columns: width, rows: 20)
    #expect(GridGeometry(area: area, box: CellSize(columns: 9, rows: 5)).columns == columns)
  }

  @Test func `A click hits the nearest cell, and beside the grid the outermost one`() {
    let area = CellRect(column: 5, row: 3, columns: 47, rows: 30)
    let geometry = GridGeometry(area: area, box: CellSize(columns: 10, rows: 5))
    for index in 0..<geometry.count {
      let box = geometry.box(at: index)
      let cell = geometry.nearestCell(row: box.endRow - 1, column: box.endColumn - 1)
      #expect(cell.row * geometry.columns + cell.column == index)
    }
    #expect(geometry.nearestCell(row: -9, column: 999) == (0, geometry.columns - 1))
    #expect(geometry.nearestCell(row: 999, column: 0) == (geometry.rows - 1, 0))
  }
}

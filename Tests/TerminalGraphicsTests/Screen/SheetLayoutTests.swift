import Pixels
import Testing

@testable import TerminalGraphics

@Suite struct SheetLayoutTests {
  private static let cells = CellSize(columns: 40, rows: 12)

  /// A picture with `columns` columns, one letter per strip.
  private static func picture(_ columns: Int, _ strips: String...) -> EncodedPicture {
    let size = CellSize(columns: columns, rows: 3)
    return EncodedPicture(
      size: size, covered: size,
      strips: strips.enumerated().map { EncodedPicture.Strip(row: $0.offset, bytes: Array($0.element.utf8)) })
  }

  private static func text(
    _ kind: SheetLayout.Kind, grid: CellSize? = nil, isPlacedByOthers: Bool = false,
    _ pictures: EncodedPicture?...
  ) -> String {
    let layout = SheetLayout(cells: cells, grid: grid, kind: kind, isPlacedByOthers: isPlacedByOthers)
    return String(decoding: layout.row(of: pictures), as: UTF8.self)
  }

  @Test(arguments: [
    (nil, cells), (CellSize(columns: 1, rows: 1), cells),
    (CellSize(columns: 4, rows: 3), CellSize(columns: 9, rows: 3)),
    (CellSize(columns: 100, rows: 100), CellSize(columns: 1, rows: 1)),
    (CellSize(columns: 0, rows: -1), cells), (CellSize(columns: 4, rows: 0), CellSize(columns: 9, rows: 12)),
  ])
  func `A grid divides the box, with a column and a row between pictures`(grid: CellSize?, box: CellSize) {
    let layout = SheetLayout(cells: Self.cells, grid: grid, kind: .lines, isPlacedByOthers: false)
    #expect(layout.box == box)
  }

  @Test(
    arguments: [
      (nil, 3, 36), (CellSize(columns: 4, rows: 3), 4, 4), (CellSize(columns: 4, rows: 3), 5, 8),
      (CellSize(columns: 4, rows: 3), 12, 12), (nil, 0, 0),
    ] as [(CellSize?, Int, Int)])
  func `Pictures take the rows of their boxes and the gaps`(grid: CellSize?, count: Int, rows: Int) {
    let layout = SheetLayout(cells: Self.cells, grid: grid, kind: .pictures, isPlacedByOthers: false)
    #expect(layout.rowCount(of: count) == rows)
  }

  @Test(arguments: [
    (SheetLayout.Kind.pictures, false, "P\n"), (.pictures, true, "P\n"), (.placements, true, "P\n\n\n"),
    (.placements, false, "\n\n\n\u{1B}[3A\u{1B}7\rP\u{1B}8\u{1B}[3B\r"), (.lines, false, "P\n\n\n"),
  ])
  func `A single picture is only its sequence, unless the cursor must be moved around it`(
    kind: SheetLayout.Kind, isPlacedByOthers: Bool, bytes: String
  ) {
    #expect(Self.text(kind, isPlacedByOthers: isPlacedByOthers, Self.picture(8, "P")) == bytes)
  }

  @Test func `In a grid room is made first, and each picture has its column`() {
    let bytes = Self.text(
      .pictures, grid: CellSize(columns: 4, rows: 3), Self.picture(8, "A"), nil, Self.picture(8, "C"))
    #expect(bytes == "\n\n\n\u{1B}[3A\u{1B}7\rA\u{1B}8\u{1B}7\r\u{1B}[20CC\u{1B}8\u{1B}[3B\r\n")
  }

  @Test func `Lines run across the pictures, padded to the next column`() {
    let bytes = Self.text(
      .lines, grid: CellSize(columns: 4, rows: 6), Self.picture(8, "aaaaaaaa", "bbbbbbbb"), nil,
      Self.picture(2, "cc"))
    #expect(
      bytes
        == "aaaaaaaa  \(String(repeating: " ", count: 10))cc\nbbbbbbbb  \(String(repeating: " ", count: 10))\n"
    )
  }

  @Test func `A picture that can't be drawn takes no room outside of a grid`() {
    #expect(Self.text(.pictures, nil).isEmpty)
    #expect(Self.text(.lines, nil).isEmpty)
    #expect(Self.text(.lines, grid: CellSize(columns: 2, rows: 6), nil) == "\n\n")
  }
}

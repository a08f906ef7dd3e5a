import Configuration
import Pixels
import Testing

@Suite struct SizeTextTests {
  @Test(arguments: [("1x1", 1, 1), ("1000x1000", 1000, 1000), ("40X20", 40, 20)])
  func `A window has up to 1000 columns and rows`(text: String, columns: Int, rows: Int) {
    #expect(SizeText.cells(of: text) == CellSize(columns: columns, rows: rows))
  }

  @Test(arguments: ["0x1", "1x0", "1001x1", "1x1001", "", "40", "40x", "40x20x1", "-1x1", "a x b"])
  func `Other text is no window size`(text: String) {
    #expect(SizeText.cells(of: text) == nil)
  }

  @Test(arguments: [("2x4", 2, 4), ("200x400", 200, 400)])
  func `A cell has from 2x4 to 200x400 pixels`(text: String, width: Int, height: Int) {
    #expect(SizeText.cell(of: text) == PixelSize(width: width, height: height))
  }

  @Test(arguments: ["1x4", "2x3", "201x400", "200x401", "x", "8"])
  func `Other text is no cell size`(text: String) {
    #expect(SizeText.cell(of: text) == nil)
  }
}

import Pixels
import Testing

@testable import TerminalGraphics

@Suite struct PlacementTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `Terminals count from one`() {
    #expect(text(Placement.move(row: 0, column: 0)) == "\u{1B}[1;1H")
    #expect(text(Placement.move(row: 9, column: 119)) == "\u{1B}[10;120H")
  }

  @Test func `Each strip is positioned separately`() {
    let size = CellSize(columns: 1, rows: 3)
    let picture = EncodedPicture(
      size: size, covered: size, strips: [.init(row: 0, bytes: [0x61]), .init(row: 2, bytes: [0x62])])
    #expect(text(Placement.draw(picture, row: 4, column: 7)) == "\u{1B}[5;8Ha\u{1B}[7;8Hb")
    #expect(picture.cost == 2)
  }

  @Test func `Every cell is erased with a blank`() {
    let rect = CellRect(column: 2, row: 1, columns: 3, rows: 2)
    #expect(text(Placement.erase(rect)) == "\u{1B}[2;3H   \u{1B}[3;3H   ")
    #expect(Placement.erase(CellRect(column: 2, row: 1, columns: 3, rows: 0)).isEmpty)
  }

  @Test(arguments: [
    (0, ColorDepth.monochrome), (2, .monochrome), (8, .eight), (16, .sixteen), (88, .sixteen),
    (256, .palette256), (16_777_216, .trueColor),
  ])
  func `The number of colors determines the depth`(colors: Int, depth: ColorDepth) {
    #expect(ColorDepth(colors: colors) == depth)
  }
}

import Fixtures
import Pixels
import TestTerminal
import Testing

@testable import TerminalGraphics

@Suite struct InlineImageEncoderTests {
  private static let cell = PixelSize(width: 10, height: 20)

  @Test(arguments: [0, 1, 2, 3, 1000])
  func `The file arrives unchanged`(count: Int) throws {
    let file = (0..<count).map { UInt8($0 & 255) }
    let encoder = InlineImageEncoder(cell: Self.cell) { _ in file }
    let encoded = encoder.encode(TestPicture.make(width: 45, height: 60))
    #expect(encoded.size == CellSize(columns: 5, rows: 3))
    #expect(encoded.covered == CellSize(columns: 4, rows: 3))
    #expect(encoded.livesInCells)
    // An incompressible picture draws nothing.
    guard count > 0 else { return #expect(encoded.strips.isEmpty) }
    let terminal = VirtualTerminal(profile: .iterm)
    terminal.feed(Placement.draw(encoded, row: 2, column: 3))
    let shown = try #require(terminal.inlineFiles.first)
    #expect(shown.bytes == file)
    #expect(shown.width == 45 && shown.height == 60)
    #expect(shown.arguments["preserveAspectRatio"] == "1")
    #expect(
      terminal.pictureAreas == [TerminalRectangle(row: 2, column: 3, rows: 3, columns: 5)])
    terminal.feed(Placement.erase(CellRect(column: 3, row: 2, columns: 5, rows: 3)))
    #expect(terminal.pictureAreas.isEmpty)
  }

  @Test func `For tmux it is wrapped`() throws {
    let encoder = InlineImageEncoder(cell: Self.cell, needsPassthrough: true) { _ in [1, 2, 3] }
    let encoded = encoder.encode(TestPicture.make(width: 10, height: 20))
    var splitter = StreamSplitter()
    let strip = try #require(encoded.strips.first)
    guard case .dcs(let payload) = splitter.split(strip.bytes).first else {
      Issue.record("nothing is wrapped")
      return
    }
    #expect(payload.starts(with: "tmux;\u{1B}\u{1B}]1337;File=".utf8))
    #expect(payload.suffix(5) == Array("AQID\u{7}".utf8)[...])
  }
}

import Fixtures
import Pixels
import Rendering
import Testing

@testable import Decoding

/// Rows that are averaged while a picture is read.
@Suite struct RowAveragerTests {
  @Test func `However many rows are averaged, no color is lost`() throws {
    let folder = try TemporaryFolder()
    try folder.run("convert", "-size", "700x1400", "xc:white", "PNG24:a.png")
    let picture = try #require(
      try decode(folder.bytes(of: "a.png"), needed: { _ in PixelSize(width: 1, height: 2) }))
    let shown = picture.picture.shown(at: PixelSize(width: 1, height: 2), .aspectFit)
    #expect(shown.size == PixelSize(width: 1, height: 2))
    #expect(shown.bytes.allSatisfy { $0 == 255 })
  }

  @Test(arguments: [("white", "rgba(255,0,0,0)"), ("rgba(255,0,0,0)", "white")])
  func `Under fully transparent rows the others keep their color`(
    above: String, below: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.run(
      "convert", "-size", "16x8", "xc:\(above)", "-size", "16x8", "xc:\(below)", "-append", "PNG32:a.png")
    let picture = try #require(try decode(folder.bytes(of: "a.png"), needed: { _ in .square(1) }))
    let shown = picture.picture.shown(at: .square(1), .aspectFit)
    #expect(shown.bytes[..<3] == [255, 255, 255])
    #expect((126...129).contains(shown.bytes[3]))
  }
}

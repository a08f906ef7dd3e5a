import Fixtures
import Pixels
import TestTerminal
import Testing

@testable import TerminalGraphics

/// Pictures in strips over their drafts.
@Suite struct RefinementTests {
  private static let cell = PixelSize(width: 10, height: 17)

  private static func encoder(isInStrips: Bool) -> SixelEncoder {
    SixelEncoder(cell: cell, preset: .quality, isInStrips: isInStrips)
  }

  private static func noise(width: Int, height: Int) -> PixelBuffer {
    var value: UInt32 = 7
    var picture = PixelBuffer(size: PixelSize(width: width, height: height), filledWith: .black)
    for y in 0..<height {
      for x in 0..<width {
        value = value &* 1_664_525 &+ 1_013_904_223
        picture[x, y] = Color(red: UInt8(value >> 24), green: UInt8(x & 255), blue: UInt8(y & 255))
      }
    }
    return picture
  }

  @Test(arguments: [101, 204, 205, 300]) func `Strips equal the picture, pixel for pixel`(height: Int) throws
  {
    let picture = Self.noise(width: 90, height: height)
    let whole = try #require(Self.encoder(isInStrips: false).encode(picture).strips.first)
    let strips = Self.encoder(isInStrips: true).encode(picture).strips
    #expect(strips.count == (height + 101) / 102)
    let expected = try #require(SixelImage(payload: Array(whole.bytes.dropFirst(2).dropLast(2))))
    var row = 0
    for strip in strips {
      #expect(strip.row * Self.cell.height == row)
      let image = try #require(SixelImage(payload: Array(strip.bytes.dropFirst(2).dropLast(2))))
      for y in 0..<image.height {
        for x in 0..<image.width { #expect(image.color(x: x, y: y) == expected.color(x: x, y: y + row)) }
      }
      row += image.height
    }
    #expect(row == height)
  }

  @Test func `A short picture is sent in one sequence`() {
    let plain = PixelBuffer(size: PixelSize(width: 400, height: 408), filledWith: .white)
    #expect(Self.encoder(isInStrips: true).encode(plain).strips.count == 1)
  }

  @Test(arguments: [true, false]) func `A picture replaces its draft, and nothing is left to erase`(
    isInStrips: Bool
  ) {
    var screen = PictureScreen()
    let picture = Self.encoder(isInStrips: isInStrips).encode(Self.noise(width: 90, height: 204))
    func place(_ version: UInt64) -> PlacedPicture {
      PlacedPicture(version: version, row: 2, column: 3, size: picture.size, covered: picture.covered)
    }
    let (draft, final) = (place(1), place(2))
    _ = screen.start([draft])
    _ = screen.draw(draft, picture)
    if isInStrips {
      #expect((0..<picture.strips.count).allSatisfy { !screen.strip($0, of: picture, at: final).isEmpty })
      #expect(screen.contains(draft) && screen.shows([draft]))
      screen.completeRefinement(of: draft, to: final)
    } else {
      #expect(!screen.refine(draft, to: final, picture).isEmpty)
    }
    #expect(screen.contains(final) && !screen.contains(draft))
    #expect(screen.shows([final]) && screen.start([final]).bytes.isEmpty)
  }

  @Test func `A kitty picture that replaces its draft removes it`() throws {
    var screen = PictureScreen()
    let encode = { (reduction: Int) in
      KittyEncoder(cell: Self.cell, link: .slow(colors: 16, reduction: reduction)).encode(
        Self.noise(width: 90, height: 170))
    }
    let (coarse, fine) = (encode(3), encode(1))
    #expect(coarse.size == fine.size && coarse.cost * 3 < fine.cost)
    let draft = PlacedPicture(
      version: 1, row: 2, column: 3, size: coarse.size, covered: coarse.covered, livesInCells: false)
    var final = draft
    final.version = 2
    _ = screen.start([draft])
    let drawn = String(decoding: screen.draw(draft, coarse), as: UTF8.self)
    #expect(drawn.contains("f=100") && drawn.contains("c=9,r=10"))
    #expect(
      String(decoding: screen.refine(draft, to: final, fine), as: UTF8.self).contains("a=d,d=i,i=1,p=1"))
    #expect(screen.shows([final]))
  }
}

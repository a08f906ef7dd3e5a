import AssetLibrary
import Fixtures
import Pixels
import Testing

@testable import Decoding

@Suite struct JPEGDecoderTests {
  struct Scale: Sendable {
    var needed: PixelSize
    var result: PixelSize
  }

  static let scales = [
    Scale(needed: PixelSize(width: 1, height: 1), result: PixelSize(width: 80, height: 60)),
    Scale(needed: PixelSize(width: 80, height: 60), result: PixelSize(width: 80, height: 60)),
    Scale(needed: PixelSize(width: 81, height: 1), result: PixelSize(width: 160, height: 120)),
    Scale(needed: PixelSize(width: 1, height: 121), result: PixelSize(width: 320, height: 240)),
    Scale(needed: PixelSize(width: 321, height: 240), result: PixelSize(width: 640, height: 480)),
    Scale(needed: PixelSize(width: 900, height: 900), result: PixelSize(width: 640, height: 480)),
  ]

  @Test(arguments: scales, [false, true])
  func `A picture is decoded at the smallest sufficient scale`(
    scale: Scale, isProgressive: Bool
  ) throws {
    var photo = TestPhoto(width: 640, height: 480)
    photo.isProgressive = isProgressive
    let picture = try #require(try decode(photo.bytes(), needed: { _ in scale.needed }))
    #expect(picture.pixels.size == scale.result)
    #expect(picture.visibleRows == scale.result.height)
    #expect(picture.complaint.isEmpty)
    #expect(TestPicture.corners(of: picture.pixels) == TestPicture.Corner.allCases)
  }

  @Test(arguments: 1...20)
  func `Odd sizes are rounded up and still cover what is needed`(side: Int) throws {
    let picture = try #require(try decode(TestPhoto(width: side, height: 1).bytes(), needed: { _ in .zero }))
    #expect(picture.pixels.size == PixelSize(width: (side + 7) / 8, height: 1))
  }

  @Test func `The caller gets the stored size`() throws {
    var sizes: [PixelSize] = []
    _ = try decode(TestPhoto(width: 30, height: 20).bytes()) { size in
      sizes.append(size)
      return size
    }
    #expect(sizes == [PixelSize(width: 30, height: 20)])
  }

  @Test func `A picture without colors is gray`() throws {
    let picture = try #require(try decode(GreyJPEG.bytes(level: 200)))
    let grey = Color(red: 200, green: 200, blue: 200)
    #expect(picture.pixels == PixelBuffer(size: .square(8), filledWith: grey))
  }

  @Test func `A canceled decode returns nothing`() throws {
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(try decode(TestPhoto().bytes(), cancellation: cancellation) == nil)
  }

  @Test func `One decoder decodes many pictures, broken ones among them`() throws {
    guard var decoder = ImageDecoder() else { throw FixtureError("no decoder") }
    let good = try TestPhoto(width: 64, height: 48).bytes()
    for count in [good.count, 0, good.count / 2, good.count, 30, good.count] {
      let picture = try? decoder.decode(MemoryReader(good.prefix(count)), name: "x", needed: { $0 })
      if count == good.count { #expect(picture?.visibleRows == 48) }
    }
  }
}

/// The smallest JPEG without colors: one block of one level (ITU-T T.81, baseline), put together by hand because the
/// encoder always writes colors.
enum GreyJPEG {
  static func bytes(level: UInt8) -> [UInt8] {
    // With a quantizer of 8 the DC coefficient is the distance from mid-gray: at 200 it is 72, of category 7.
    let difference = UInt8(level - 128)
    precondition((64..<128).contains(difference), "another category needs another table")
    return [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 8, count: 64)
      + [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
      + table(class: 0x00, symbol: 7) + table(class: 0x10, symbol: 0)
      + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
      // The code of the category (0), its seven bits, the end-of-block code (0), padding with ones.
      + [difference, 0x7F, 0xFF, 0xD9]
  }

  /// A Huffman table of one code, a single 0.
  private static func table(class: UInt8, symbol: UInt8) -> [UInt8] {
    [0xFF, 0xC4, 0, 20, `class`, 1] + [UInt8](repeating: 0, count: 15) + [symbol]
  }
}

import AssetLibrary
import Fixtures
import Pixels
import Testing
import Rendering

@testable import Decoding

/// Pictures with sides of millions of pixels: few pixels in total, but rows are held completely.
@Suite struct LongPictureTests {
  struct Header: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    /// The size as written in the message.
    var size: String
    var testDescription: String { name }
  }

  static let headers = [
    Header(
      name: "BMP of 1 bit", bytes: PictureFiles.bmp(width: 250_000_000, height: 4, depth: 1),
      size: "250,000,000 x 4"),
    Header(
      name: "BMP of 32 bits", bytes: PictureFiles.bmp(width: 30_000_000, height: 33, depth: 32),
      size: "30,000,000 x 33"),
    Header(
      name: "BMP that is high", bytes: PictureFiles.bmp(width: 1, height: -0x8000_0000, depth: 8),
      size: "1 x 2,147,483,648"),
    Header(
      name: "PNG of 16 bits",
      bytes: PictureFiles.png(width: 33_554_432, height: 29, traits: [16, 6, 0, 0, 0]),
      size: "33,554,432 x 29"),
    Header(
      name: "interlaced PNG",
      bytes: PictureFiles.png(width: 33_554_432, height: 29, traits: [16, 6, 0, 0, 1]),
      size: "33,554,432 x 29"),
    Header(
      name: "PNG as long as can be",
      bytes: PictureFiles.png(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF, traits: [1, 0, 0, 0, 0]),
      size: "2,147,483,647 x 2,147,483,647"),
  ]

  @Test(arguments: headers)
  func `A header that announces rows of millions of pixels is rejected`(header: Header) {
    let expected = AssetError("IMG_1.JPG", "the picture is \(header.size) pixels, too large to be shown")
    #expect(throws: expected) { try decode(header.bytes, needed: { _ in .square(100) }) }
    // With any amount of memory, no sum of row sizes may overflow.
    var generous = DecodeBudget()
    (generous.storedPixels, generous.workingBytes) = (.max, .max)
    #expect(throws: expected) { try decode(header.bytes, needed: { _ in .square(100) }, budget: generous) }
  }

  @Test func `A long, flat animation is rejected`() {
    let animation = HandmadeAnimation(
      size: PixelSize(width: 10_000_000, height: 1),
      [HandmadeAnimation.Piece([255, 0, 0, 255], size: PixelSize(width: 1, height: 1))])
    let expected = AssetError("a", "the picture is 10,000,000 x 1 pixels, too large to be shown")
    #expect(throws: expected) {
      try AnimationReader(
        MemoryReader(animation.png()), name: "a", orientation: .topLeft, target: .square(100),
        colors: ColorManager(), cancellation: Cancellation())
    }
  }

  @Test(arguments: [
    ("16-bit PNG", 8 + 2 * 8 + 8 + 16), ("interlaced PNG", 8 + 8 + 2 * 8 + 20), ("32-bit BMP", 4 + 3 + 6),
  ])
  func `Rows and their sums count toward the budget`(name: String, bytesPerColumn: Int) throws {
    let (width, height) = (300_000, 8)
    let bytes =
      switch name {
      case "16-bit PNG": PictureFiles.png(width: width, height: height, traits: [16, 6, 0, 0, 0])
      case "interlaced PNG": PictureFiles.png(width: width, height: height, traits: [16, 6, 0, 0, 1])
      default: PictureFiles.bmp(width: width, height: height, depth: 32)
      }
    let refusal = AssetError("IMG_1.JPG", "the picture is 300,000 x 8 pixels, too large to be shown")
    var budget = DecodeBudget()
    budget.workingBytes = width * bytesPerColumn
    #expect(throws: refusal) { try decode(bytes, needed: { _ in .square(4) }, budget: budget) }
    // Reaching exactly this number of pixels takes the resampler's share and a few bytes per row.
    budget.workingBytes += (width / 2 + 8) * 200
    let ending = Result { try decode(bytes, needed: { _ in .square(4) }, budget: budget) }
    guard case .failure(let error as AssetError) = ending else { return }
    #expect(error != refusal)
  }

  @Test func `The coefficients of a progressive JPEG count toward the budget`() throws {
    var photo = TestPhoto(width: 640, height: 480)
    var budget = DecodeBudget()
    // Rows of a JPEG take 384 bytes per column. Three components of half a megabyte each would be too much.
    budget.workingBytes = 640 * 384 + 400_000
    let small = { (_: PixelSize) in PixelSize.square(40) }
    #expect(try decode(photo.bytes(), needed: small, budget: budget) != nil)
    photo.isProgressive = true
    let refusal = AssetError("IMG_1.JPG", "the picture is 640 x 480 pixels, too large to be shown")
    #expect(throws: refusal) { try decode(photo.bytes(), needed: small, budget: budget) }
    budget.workingBytes = .max
    #expect(try decode(photo.bytes(), needed: small, budget: budget) != nil)
  }

  @Test func `A picture of a million columns is shown`() throws {
    var bytes = PictureFiles.bmp(width: 1 << 20, height: 3, depth: 24)
    bytes = Array(bytes.prefix(54))
    let halves = ([[0, 0, 255], [255, 0, 0]] as [[UInt8]]).map {
      Array(repeatElement($0, count: 1 << 19).joined())
    }
    for _ in 0..<3 { bytes += halves[0] + halves[1] }
    let picture = try #require(
      try decode(bytes, needed: { $0.scaled(toward: .square(100), .aspectFit) }))
    let shown = picture.picture.shown(at: .square(100), .aspectFit)
    #expect(shown.size == PixelSize(width: 100, height: 1))
    #expect(shown[0, 0] == Color(red: 255, green: 0, blue: 0))
    #expect(shown[99, 0] == Color(red: 0, green: 0, blue: 255))
  }
}

import AssetLibrary
import Fixtures
import Pixels
import Testing
import Rendering

@testable import Imaging

/// The size of an answer, and the part of the picture it shows.
@Suite(.timeLimit(.minutes(120))) struct PictureShapeTests {
  private let library = TestLibrary()

  struct Example: Sendable, CustomTestStringConvertible {
    var source = PixelSize(width: 400, height: 200)
    var target: PixelSize
    var mode = ContentMode.aspectFit
    var resize = ImageRequestOptions.ResizeMode.exact
    var crop: NormalizedRect?
    var result: PixelSize

    var testDescription: String {
      "\(source) to \(target), \(mode), \(resize), \(crop.map { "\($0)" } ?? "whole")"
    }
  }

  static let examples: [Example] = [
    Example(target: .square(100), result: PixelSize(width: 100, height: 50)),
    Example(target: .square(100), mode: .aspectFill, result: .square(100)),
    // Never enlarged, and still cropped if larger than the box.
    Example(target: .square(900), result: PixelSize(width: 400, height: 200)),
    Example(target: .square(300), mode: .aspectFill, result: PixelSize(width: 300, height: 200)),
    Example(target: .maximum, result: PixelSize(width: 400, height: 200)),
    Example(target: .maximum, mode: .aspectFill, resize: .fast, result: PixelSize(width: 400, height: 200)),
    Example(target: .zero, result: PixelSize(width: 400, height: 200)),
    Example(
      target: .square(10), mode: .aspectFill, resize: .none, result: PixelSize(width: 400, height: 200)),
    Example(
      target: .square(50), crop: NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 1), result: .square(50)),
    Example(
      target: .maximum, crop: NormalizedRect(x: 0.25, y: 0.5, width: 0.25, height: 0.5),
      result: .square(100)),
    Example(
      target: .square(60), mode: .aspectFill, crop: NormalizedRect(x: 0, y: 0, width: 0.5, height: 0.5),
      result: .square(60)),
    // A crop applies only to exact sizes.
    Example(
      target: .square(100), resize: .none, crop: NormalizedRect(x: 0, y: 0, width: 0.5, height: 0.5),
      result: PixelSize(width: 400, height: 200)),
  ]

  @Test(arguments: examples)
  func `Sizes follow the target, the modes and the crop`(example: Example) async throws {
    let asset = try library.add(TestPhoto(width: example.source.width, height: example.source.height))
    let pipeline = ImagePipeline(store: library.store, workers: 1)
    let options = ImageRequestOptions(
      deliveryMode: .highQualityFormat, resizeMode: example.resize, normalizedCropRect: example.crop)
    let request = ImageRequest(
      asset: asset, targetSize: example.target, contentMode: example.mode, options: options)
    for await result in pipeline.images(for: request) {
      guard case .image(let picture, _, _) = result.content else { continue }
      #expect(picture.size == example.result)
    }
    #expect(pipeline.counters.decodes == 1)
  }

  @Test(arguments: Orientation.allCases)
  func `A quarter of the upright picture shows its corner, however it is stored`(
    orientation: Orientation
  ) async throws {
    let asset = try library.add(TestPhoto(width: 160, height: 100, orientation: orientation))
    let pipeline = ImagePipeline(store: library.store, workers: 1)
    for (index, corner) in TestPicture.Corner.allCases.enumerated() {
      let crop = NormalizedRect(
        x: index % 2 == 0 ? 0 : 0.75, y: index < 2 ? 0 : 0.75, width: 0.25, height: 0.25)
      let request = ImageRequest(
        asset: asset, targetSize: .square(20), contentMode: .aspectFit,
        options: ImageRequestOptions(
          deliveryMode: .highQualityFormat, resizeMode: .exact, normalizedCropRect: crop))
      for await result in pipeline.images(for: request) {
        guard case .image(let picture, _, _) = result.content else { continue }
        #expect(TestPicture.Corner(of: picture[picture.width / 2, picture.height / 2]) == corner)
      }
    }
  }

  @Test func `Requests for the same pixels share one job`() throws {
    let asset = try library.add(TestPhoto(width: 40, height: 20))
    func work(_ target: PixelSize, _ mode: ContentMode, _ options: ImageRequestOptions) -> ImageWork {
      ImageWork(ImageRequest(asset: asset, targetSize: target, contentMode: mode, options: options))
    }
    let native = work(.maximum, .aspectFit, ImageRequestOptions())
    #expect(work(.square(9), .aspectFill, ImageRequestOptions(resizeMode: .none)) == native)
    #expect(work(.maximum, .aspectFill, ImageRequestOptions(resizeMode: .exact)) == native)
    // There is no edit: all versions are the same file.
    #expect(work(.maximum, .aspectFit, ImageRequestOptions(version: .original)) == native)
    #expect(work(.square(9), .aspectFit, ImageRequestOptions()) != native)
    #expect(
      work(.square(9), .aspectFit, ImageRequestOptions(resizeMode: .exact))
        != work(.square(9), .aspectFit, ImageRequestOptions(resizeMode: .fast)))
  }
}

/// Which part of a picture is decoded for an answer, and its cost.
@Suite struct PictureCostTests {
  private func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

  private func part(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> NormalizedRect {
    NormalizedRect(x: x, y: y, width: width, height: height) ?? .whole
  }

  private func window(
    _ part: NormalizedRect, of stored: PixelSize, reduction: Double = 1, in whole: PixelSize,
    needed: PixelSize
  ) -> [Int]? {
    DecodeWindow(part, of: stored, reduction: reduction, in: whole, needed: needed).map {
      [$0.x, $0.y, $0.size.width, $0.size.height]
    }
  }

  @Test func `For a part its pixels are decoded, plus the neighbors the resampler needs`() {
    let part = self.part(0.25, 0.5, 0.25, 0.25)
    let (stored, whole) = (size(800, 600), size(400, 300))
    // Three pixels and two more on each side; multiplied by three when reduced by that factor.
    #expect(window(part, of: stored, reduction: 2, in: whole, needed: whole) == [95, 145, 110, 85])
    #expect(window(part, of: stored, reduction: 2, in: whole, needed: size(200, 150)) == [92, 142, 116, 91])
    #expect(window(part, of: stored, reduction: 2, in: whole, needed: size(400, 100)) == [89, 139, 122, 97])
    #expect(window(part, of: stored, reduction: 2, in: whole, needed: size(100, 300)) == [86, 136, 128, 103])
    // Half a pixel counts as one.
    #expect(
      window(part, of: size(801, 601), reduction: 2, in: size(401, 301), needed: size(401, 301))
        == [95, 145, 111, 86])
    // The window ends at the picture's border, and may be one pixel high.
    let corner = self.part(0.75, 0, 0.25, 0.25)
    #expect(window(corner, of: whole, in: whole, needed: whole) == [295, 0, 105, 80])
    #expect(
      window(part, of: size(4000, 3), in: size(4000, 3), needed: size(4000, 1)) == [989, 0, 1022, 3])
  }

  @Test func `If a part is most of the picture all of it is decoded`() {
    let whole = size(1000, 1000)
    func window(of side: Double) -> [Int]? {
      self.window(
        part(0, 0, side, side), of: whole, in: whole, needed: whole)
    }
    #expect(window(of: 0.86) == [0, 0, 865, 865])
    #expect(window(of: 0.87) == nil)
    #expect(self.window(.whole, of: size(0, 0), in: size(0, 0), needed: size(0, 0)) == nil)
  }

  private func shape(
    _ target: PixelSize, _ crop: NormalizedRect = .whole, _ mode: ContentMode = .aspectFit
  ) -> PictureShape {
    PictureShape(targetSize: target, contentMode: mode, resizeMode: .exact, crop: crop)
  }

  @Test func `A picture is halved as long as both sides stay large enough`() {
    #expect(shape(size(50, 50)).decodedPixels(of: size(400, 400)) == 50 * 50)
    #expect(shape(size(51, 51)).decodedPixels(of: size(400, 400)) == 100 * 100)
    // More than half of an odd side is needed, whichever it is.
    #expect(shape(size(51, 50)).decodedPixels(of: size(101, 100)) == 101 * 100)
    #expect(shape(size(50, 51)).decodedPixels(of: size(100, 101)) == 100 * 101)
    #expect(shape(size(51, 50)).decodedPixels(of: size(102, 100)) == 51 * 50)
    // A side of one pixel can't be halved.
    #expect(shape(size(1, 1)).decodedPixels(of: size(1, 900)) == 900)
    #expect(shape(size(1, 1)).decodedPixels(of: size(900, 1)) == 900)
    #expect(PictureShape.native.decodedPixels(of: size(400, 300)) == 400 * 300)
  }

  @Test func `A picture that is also cached small is decoded large enough for both`() {
    let source = size(400, 200)
    #expect(shape(size(100, 100)).needed(of: source, keeping: nil) == size(100, 50))
    #expect(shape(size(100, 100)).needed(of: source, keeping: size(50, 50)) == size(100, 50))
    #expect(shape(size(100, 100)).needed(of: source, keeping: size(300, 300)) == size(300, 150))
    // A part that is shown large needs more of the whole.
    let part = self.part(0, 0, 0.25, 0.25)
    #expect(shape(size(100, 100), part).needed(of: source) == source)
    #expect(shape(size(50, 50), part).needed(of: source) == size(200, 100))
    #expect(shape(size(50, 50), part, .aspectFill).needed(of: source) == source)
  }

  @Test func `Rows cost 64 bytes per column, up to the maximum width of a picture`() {
    #expect(DecodeBudget().rowPixels(of: size(1000, 10)) == 16_000)
    #expect(DecodeBudget().rowPixels(of: size(1 << 21, 10)) == 16 << 20)
    #expect(DecodeBudget().rowPixels(of: size(-5, 10)) == 0)
  }

  @Test func `A small picture is enough for an answer with no more pixels`() {
    func isEnough(_ pixels: PixelSize, _ shape: PictureShape) -> Bool {
      ReducedPicture(PixelBuffer(size: pixels, filledWith: .black), of: size(400, 200), reduction: 4)
        .isEnough(for: shape)
    }
    #expect(isEnough(size(100, 50), shape(size(100, 100))))
    #expect(!isEnough(size(99, 50), shape(size(100, 100))))
    #expect(!isEnough(size(100, 49), shape(size(100, 100))))
    #expect(!isEnough(size(100, 50), shape(size(101, 101))))
    #expect(!isEnough(size(400, 200), .native))
    #expect(!isEnough(size(400, 200), shape(size(9, 9), part(0, 0, 0.5, 0.5))))
  }

  @Test func `If the sides are no multiples, the last column and row cover a part of a pixel`() {
    func region(_ window: DecodeWindow?) -> PixelRegion {
      ReducedPicture(
        PixelBuffer(size: size(51, 26), filledWith: .black), of: size(101, 51), reduction: 2, window: window
      ).region
    }
    let whole = region(nil)
    #expect([whole.x, whole.y, whole.width, whole.height] == [0, 0, 50.5, 25.5])
    let part = self.part(0.5, 0.5, 0.1, 0.1)
    let window = DecodeWindow(part, of: size(101, 51), reduction: 2, in: size(51, 26), needed: size(51, 26))
    let beside = region(window)
    #expect([beside.x, beside.y, beside.width, beside.height] == [-20, -7, 50.5, 25.5])
  }
}

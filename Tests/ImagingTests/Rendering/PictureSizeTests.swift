import AssetLibrary
import Fixtures
import Imaging
import Pixels
import Testing

/// The sizes of the pictures that the pipeline returns.
@Suite(.timeLimit(.minutes(120))) struct PictureSizeTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var source: PixelSize
    var target: PixelSize
    var mode: ContentMode
    var result: PixelSize

    var testDescription: String { "\(source) in \(target), \(mode)" }

    init(_ source: (Int, Int), in target: (Int, Int), _ mode: ContentMode, _ result: (Int, Int)) {
      self.source = PixelSize(width: source.0, height: source.1)
      self.target = PixelSize(width: target.0, height: target.1)
      self.mode = mode
      self.result = PixelSize(width: result.0, height: result.1)
    }
  }

  static let examples = [
    Example((640, 480), in: (160, 160), .aspectFit, (160, 120)),
    Example((640, 480), in: (161, 121), .aspectFit, (161, 121)),
    Example((480, 640), in: (100, 200), .aspectFit, (100, 133)),
    Example((640, 480), in: (640, 480), .aspectFit, (640, 480)),
    Example((100, 80), in: (1000, 1000), .aspectFit, (100, 80)),
    Example((400, 4), in: (20, 20), .aspectFit, (20, 1)),
    Example((640, 480), in: (160, 160), .aspectFill, (160, 160)),
    Example((640, 480), in: (40, 160), .aspectFill, (40, 160)),
    Example((480, 640), in: (99, 33), .aspectFill, (99, 33)),
    Example((100, 80), in: (1000, 800), .aspectFill, (100, 80)),
    Example((100, 80), in: (50, 80), .aspectFill, (50, 80)),
    Example((1, 1), in: (16, 16), .aspectFill, (1, 1)),
  ]

  @Test(arguments: examples, [Orientation.topLeft, .rightTop])
  func `Fit shows everything, fill shows the middle, and nothing is enlarged`(
    example: Example, orientation: Orientation
  ) async throws {
    let library = TestLibrary()
    let photo = TestPhoto(
      width: example.source.width, height: example.source.height, orientation: orientation)
    let asset = try library.add(photo)
    let pipeline = ImagePipeline(store: library.store, workers: 1)
    let log = await pipeline.answers(to: asset, size: example.target, mode: example.mode)
    #expect(log.answers == [.final(example.result, note: nil)])
  }

  @Test(arguments: [false, true])
  func `Fill crops evenly on both sides`(isUpright: Bool) async throws {
    let library = TestLibrary()
    // White ends, black in the middle: a square shows only that.
    let size = PixelSize(width: 400, height: 100)
    var picture = PixelBuffer(size: isUpright ? size.transposed : size, filledWith: .black)
    for y in 0..<picture.height {
      for x in 0..<picture.width where !(150..<250).contains(isUpright ? y : x) {
        picture[x, y] = .white
      }
    }
    let asset = try library.add(TestPhoto(picture))
    let pipeline = ImagePipeline(store: library.store, workers: 1)
    let log = await pipeline.answers(to: asset, size: .square(100), mode: .aspectFill)
    let square = try #require(log.pictures.last)
    for place in [(8, 8), (91, 8), (8, 91), (91, 91)] {
      #expect(square[place.0, place.1].squaredDistance(to: .black) < 3000)
    }
  }
}

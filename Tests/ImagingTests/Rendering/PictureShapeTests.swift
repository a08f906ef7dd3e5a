import AssetLibrary
import Fixtures
import Pixels
import Testing
import Rendering

@testable import Imaging

/// How large an answer is and what of the picture it shows.
@Suite(.timeLimit(.minutes(30))) struct PictureShapeTests {
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
    // Never enlarged, and what is larger than the box is still cut.
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
    // A crop counts only where the size is exact.
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

  @Test func `Words that mean the same pixels are the same work`() throws {
    let asset = try library.add(TestPhoto(width: 40, height: 20))
    func work(_ target: PixelSize, _ mode: ContentMode, _ options: ImageRequestOptions) -> ImageWork {
      ImageWork(ImageRequest(asset: asset, targetSize: target, contentMode: mode, options: options))
    }
    let native = work(.maximum, .aspectFit, ImageRequestOptions())
    #expect(work(.square(9), .aspectFill, ImageRequestOptions(resizeMode: .none)) == native)
    #expect(work(.maximum, .aspectFill, ImageRequestOptions(resizeMode: .exact)) == native)
    // There is no edit: all versions are the one file.
    #expect(work(.maximum, .aspectFit, ImageRequestOptions(version: .original)) == native)
    #expect(work(.square(9), .aspectFit, ImageRequestOptions()) != native)
    #expect(
      work(.square(9), .aspectFit, ImageRequestOptions(resizeMode: .exact))
        != work(.square(9), .aspectFit, ImageRequestOptions(resizeMode: .fast)))
  }
}

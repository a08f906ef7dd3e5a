import AssetLibrary
import Fixtures
import Pixels
import Testing
import Rendering
import Decoding

@testable import Imaging

/// A decoded part equals the same part of the whole picture.
@Suite(.timeLimit(.minutes(120))) struct PictureRegionTests {
  /// Odd sides, with several rows and columns of blocks.
  private static let size = PixelSize(width: 301, height: 223)
  private static let scene = TestScene.make(size)

  private typealias Place = (x: Int, y: Int, width: Int, height: Int)

  /// Parts at odd positions: corners, edges, the middle, single pixels.
  private static let places: [Place] = [
    (0, 0, 40, 30), (261, 0, 40, 30), (0, 193, 40, 30), (261, 193, 40, 30), (97, 61, 83, 71), (33, 0, 1, 223),
    (0, 131, 301, 3), (150, 111, 1, 1), (16, 16, 32, 32), (17, 129, 200, 94),
  ]

  private static func part(_ place: Place, of size: PixelSize) -> NormalizedRect? {
    NormalizedRect(
      x: Double(place.x) / Double(size.width), y: Double(place.y) / Double(size.height),
      width: Double(place.width) / Double(size.width), height: Double(place.height) / Double(size.height))
  }

  @Test(arguments: JPEGEncoder.Subsampling.allCases, [false, true])
  func `A partly decoded JPEG has the pixels of the whole, at every scale`(
    subsampling: JPEGEncoder.Subsampling, isProgressive: Bool
  ) throws {
    var photo = TestPhoto(Self.scene)
    (photo.subsampling, photo.isProgressive) = (subsampling, isProgressive)
    let bytes = try photo.bytes()
    for divisor in [1, 2, 4] {
      let needed = { (size: PixelSize) in
        PixelSize(width: (size.width + divisor - 1) / divisor, height: (size.height + divisor - 1) / divisor)
      }
      let whole = try #require(try decode(bytes, needed: needed)).pixels
      for place in Self.places {
        let part = try #require(Self.part(place, of: Self.size))
        let image = try #require(try decode(bytes, part: part, needed: needed))
        let (x, y) = (Int(-image.region.x), Int(-image.region.y))
        #expect(
          image.pixels == whole.cropped(x: x, y: y, to: image.pixels.size), "\(place) at 1/\(divisor)")
        #expect(x * divisor <= place.x && (x + image.pixels.width) * divisor >= place.x + place.width)
        #expect(y * divisor <= place.y && (y + image.pixels.height) * divisor >= place.y + place.height)
        if place.width < 100, divisor == 1 { #expect(image.pixels.size.area < whole.size.area * 3 / 4) }
      }
    }
  }

  @Test(arguments: [1, 3, 10, 40, 100])
  func `A reduced part is made of the same pixels`(factor: Int) throws {
    let size = PixelSize(width: 1600, height: 320)
    let bytes = try TestPhoto(TestScene.make(size)).bytes()
    let part = try #require(NormalizedRect(x: 0.25, y: 0, width: 0.25, height: 1))
    var shape = PictureShape.native
    (shape.resizeMode, shape.crop) = (.exact, part)
    shape.targetSize = PixelSize(width: 400 / factor, height: 320 / factor)
    let whole = try #require(try decode(bytes, needed: shape.needed))
    let window = try #require(try decode(bytes, part: part, needed: shape.needed))
    #expect(window.pixels.width < whole.pixels.width || factor > 10)
    #expect(window.picture.shown(as: shape) == whole.picture.shown(as: shape))
  }

  private func picture(
    of asset: Asset, _ target: PixelSize, _ part: NormalizedRect? = nil, from pipeline: ImagePipeline
  ) async -> PixelBuffer? {
    let options = ImageRequestOptions(
      deliveryMode: .highQualityFormat, resizeMode: .exact, normalizedCropRect: part)
    let request = ImageRequest(asset: asset, targetSize: target, contentMode: .aspectFit, options: options)
    for await result in pipeline.images(for: request) {
      if case .image(let picture, _, _) = result.content { return picture }
    }
    return nil
  }

  @Test(arguments: Orientation.allCases, [false, true])
  func `A part of the upright picture is cropped where it is visible, however it is stored`(
    orientation: Orientation, isProgressive: Bool
  ) async throws {
    let library = TestLibrary()
    var photo = TestPhoto(Self.scene, orientation: orientation)
    photo.isProgressive = isProgressive
    let asset = try library.add(photo)
    let pipeline = ImagePipeline(store: library.store, workers: 1)
    let whole = try #require(await picture(of: asset, .maximum, from: pipeline))
    let half = PixelSize(width: 151, height: 112)
    let wholeHalf = try #require(await picture(of: asset, half, from: pipeline))
    for place in Self.places {
      let size = PixelSize(width: place.width, height: place.height)
      let part = Self.part(place, of: Self.size)
      let cut = await picture(of: asset, size, part, from: pipeline)
      #expect(cut == whole.cropped(x: place.x, y: place.y, to: size), "\(place)")
    }
    // At half the size it is resampled: the same picture, except for rounding.
    let part = NormalizedRect(x: 50.0 / 151, y: 30.0 / 112, width: 60.0 / 151, height: 40.0 / 112)
    let size = PixelSize(width: 60, height: 40)
    let cut = try #require(await picture(of: asset, size, part, from: pipeline))
    #expect(cut.size == size)
    let expected = wholeHalf.cropped(x: 50, y: 30, to: size)
    #expect(zip(cut.bytes, expected.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
  }

  @Test(arguments: SmallPictures.kinds)
  func `In every format a part shows what the whole shows there`(kind: String) async throws {
    let library = TestLibrary()
    let asset = library.add(
      try SmallPictures.bytes(kind), named: kind, storedSize: SmallPictures.size)
    let pipeline = ImagePipeline(store: library.store, workers: 1)
    let whole = try #require(await picture(of: asset, .maximum, from: pipeline))
    for place in [(5, 3, 20, 11), (0, 0, 9, 9), (31, 20, 17, 12)] {
      let size = PixelSize(width: place.2, height: place.3)
      let part = Self.part(place, of: SmallPictures.size)
      let cut = await picture(of: asset, size, part, from: pipeline)
      #expect(cut == whole.cropped(x: place.0, y: place.1, to: size), "\(place)")
    }
  }

  @Test func `A part of a truncated file is shown, with a note if pixels are missing`()
    async throws
  {
    let bytes = try TestPhoto(Self.scene).bytes()
    let library = TestLibrary()
    let asset = library.add(Array(bytes.prefix(bytes.count / 2)), named: "cut.jpg", storedSize: Self.size)
    let pipeline = ImagePipeline(store: library.store, workers: 1)
    for (y, isWhole) in [(0, true), (190, false)] {
      let part = Self.part((0, y, 40, 30), of: Self.size)
      let request = ImageRequest(
        asset: asset, targetSize: PixelSize(width: 40, height: 30), contentMode: .aspectFit,
        options: ImageRequestOptions(
          deliveryMode: .highQualityFormat, resizeMode: .exact, normalizedCropRect: part))
      var notes: [String?] = []
      for await result in pipeline.images(for: request) {
        if case .image(_, _, let note) = result.content { notes.append(note) }
      }
      #expect(notes.count == 1)
      #expect((notes.first ?? nil) == (isWhole ? nil : "the file ends in the middle of the picture"))
    }
  }

  @Test func `Parts do not affect the memory cache`() async throws {
    let library = TestLibrary()
    let asset = try library.add(TestPhoto(Self.scene))
    let pipeline = ImagePipeline(store: library.store, workers: 1)
    let part = NormalizedRect(x: 0, y: 0, width: 0.5, height: 0.5)
    for _ in 0..<2 { _ = await picture(of: asset, .square(100), part, from: pipeline) }
    #expect(pipeline.counters.hits == 0)
  }
}

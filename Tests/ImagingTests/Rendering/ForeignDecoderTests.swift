import AssetLibrary
import CodecProtocol
import Fixtures
import Pixels
import Synchronization
import Testing
import Rendering

@testable import Imaging

/// Formats that another decoder handles.
@Suite(.timeLimit(.minutes(120))) struct ForeignDecoderTests {
  private final class Decoder: ForeignDecoder {
    let answer: Result<ForeignPicture?, AssetError>
    let requests = Mutex<[ForeignRequest]>([])

    init(_ answer: Result<ForeignPicture?, AssetError>) {
      self.answer = answer
    }

    func picture(
      of reader: any ResourceReader, request: ForeignRequest, isCancelled: () -> Bool
    ) throws(AssetError) -> ForeignPicture? {
      requests.withLock { $0.append(request) }
      return try answer.get()
    }

    func frames(
      of reader: any ResourceReader, range: Range<Int>, name: String, targetSize: PixelSize,
      cancellation: Cancellation
    ) throws(AssetError) -> any FrameReader {
      throw AssetError(name, "it can't be played")
    }
  }

  private let library = TestLibrary()
  private let heic = MediaBytes.ftyp("heic", ["mif1"])

  private func add(type: String = "public.heic", orientation: Orientation = .topLeft) -> Asset {
    library.add(
      heic, named: "IMG_1.HEIC", orientation: orientation, storedSize: PixelSize(width: 400, height: 300),
      type: type)
  }

  @Test func `A source that is too large is refused: a picture in its native size would be as large`() throws
  {
    let folder = try TemporaryFolder()
    try folder.write(Array("absurd source".utf8), to: "a.heic")
    let request = ForeignRequest(
      name: "a.heic", uniformTypeIdentifier: "public.heic", targetSize: PixelSize(width: 8, height: 4),
      contentMode: .aspectFit, pixelLimit: 1000, sideLimit: 1 << 20)
    let decoder = HelperDecoder(CodecClient(program: Program.standIn))
    let side = Int(UInt32.max)
    #expect(throws: AssetError("a.heic", CodecError.tooLarge(width: side, height: side))) {
      try decoder.picture(of: OpenFile(folder.path(of: "a.heic")), request: request) { false }
    }
  }

  @Test func `Without a decoder the error names the format`() async {
    let log = await ImagePipeline(store: library.store).answers(to: add(), size: .square(50))
    #expect(
      log.answers == [
        .failed(AssetError("IMG_1.HEIC", "HEIC can't be drawn yet", code: .unsupported, isTransient: true))
      ])
  }

  @Test func `A decoded picture is shown upright, at the requested size`() async {
    let picture = TestPicture.make(width: 200, height: 150)
    let decoder = Decoder(
      .success(ForeignPicture(pixels: picture, sourceSize: PixelSize(width: 400, height: 300), note: "half")))
    let pipeline = ImagePipeline(store: library.store, foreign: decoder)
    let log = await pipeline.answers(to: add(orientation: .rightTop), size: .square(100))
    #expect(log.answers == [.final(PixelSize(width: 100, height: 75), note: "half")])
    #expect(log.pictures.map(TestPicture.corners) == [TestPicture.Corner.allCases])
    #expect(
      decoder.requests.withLock { $0 } == [
        ForeignRequest(
          name: "IMG_1.HEIC", uniformTypeIdentifier: "public.heic",
          targetSize: PixelSize(width: 75, height: 100), contentMode: .aspectFill,
          pixelLimit: DecodeBudget().decodedPixels, sideLimit: DecodeBudget().side)
      ])
  }

  @Test func `The decoder's error is the request's`() async {
    let error = AssetError("IMG_1.HEIC", "it makes no sense")
    let pipeline = ImagePipeline(store: library.store, foreign: Decoder(.failure(error)))
    #expect(await pipeline.answers(to: add(), size: .square(50)).answers == [.failed(error)])
  }

  @Test func `A canceled request gets no picture`() async {
    let pipeline = ImagePipeline(store: library.store, foreign: Decoder(.success(nil)))
    #expect(await pipeline.answers(to: add(), size: .square(50)).answers == [.cancelled])
  }

  @Test func `The content determines the format, not the library's record`() async throws {
    let decoder = Decoder(.success(nil))
    let asset = library.add(try SmallPictures.bytes("PNG24:a.png"), named: "x.HEIC", type: "public.heic")
    let pipeline = ImagePipeline(store: library.store, foreign: decoder)
    let log = await pipeline.answers(to: asset, size: .square(24))
    #expect(log.answers == [.final(PixelSize(width: 24, height: 16), note: nil)])
    #expect(decoder.requests.withLock { $0.isEmpty })
  }

  @Test func `A file that has changed is not passed to the decoder`() async {
    let asset = library.add(Array("no picture".utf8), named: "x.png", type: "public.png")
    let pipeline = ImagePipeline(store: library.store, foreign: Decoder(.success(nil)))
    let log = await pipeline.answers(to: asset, size: .square(24))
    #expect(log.answers == [.failed(AssetError("x.png", "its content is no PNG", code: .damaged))])
  }
}

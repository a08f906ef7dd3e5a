import AssetLibrary
import Fixtures
import Imaging
import Pixels
import Testing

/// Image requests that end without a picture, or with an incomplete one.
@Suite(.timeLimit(.minutes(120))) struct ImageFailureTests {
  private let library = TestLibrary()

  @Test func `A file that is no picture fails with the reason`() async throws {
    let asset = library.add(Array("no picture at all".utf8), named: "IMG_1.JPG")
    let log = await ImagePipeline(store: library.store).answers(to: asset, size: .square(50))
    guard case .failed(let error) = log.answers.first else {
      Issue.record("\(log.answers)")
      return
    }
    #expect(error.subject == "IMG_1.JPG")
    #expect(!error.reason.isEmpty)
  }

  @Test func `A broken asset fails with its defect`() async throws {
    var asset = library.add([], named: "IMG_2.JPG")
    asset.defect = "the file is empty"
    let log = await ImagePipeline(store: library.store).answers(to: asset, size: .square(50))
    #expect(log.answers == [.failed(AssetError("IMG_2.JPG", "the file is empty", code: .damaged))])
  }

  @Test func `A missing file fails`() async throws {
    let asset = try TestLibrary().add(TestPhoto(width: 32, height: 32), named: "gone.jpg")
    let log = await ImagePipeline(store: library.store).answers(to: asset, size: .square(50))
    #expect(log.answers == [.failed(AssetError("gone.jpg", "no such resource", code: .notFound))])
  }

  @Test func `A truncated file is shown as far as it goes, with a note`() async throws {
    let bytes = try TestPhoto(width: 640, height: 480).bytes()
    let asset = library.add(Array(bytes.prefix(bytes.count * 2 / 3)), named: "cut.jpg")
    let log = await ImagePipeline(store: library.store).answers(to: asset, size: .square(160))
    #expect(
      log.answers == [
        .final(PixelSize(width: 160, height: 120), note: "the file ends in the middle of the picture")
      ])
  }

  @Test func `The thumbnail stays when the picture can't be decoded`() async throws {
    var photo = TestPhoto(width: 640, height: 480)
    photo.embedThumbnail()
    let file = try photo.file()
    let end = try #require(file.thumbnail).upperBound
    let asset = library.add(Array(file.bytes.prefix(end + 4)), named: "head.jpg", thumbnail: file.thumbnail)
    let log = await ImagePipeline(store: library.store).answers(to: asset, size: .square(80), count: 2)
    #expect(log.answers.first == .degraded(PixelSize(width: 80, height: 60)))
    guard case .failed = log.answers.last else {
      Issue.record("\(log.answers)")
      return
    }
  }

  @Test(arguments: [0..<5, 100..<120, 1_000_000..<1_000_100])
  func `An unusable thumbnail is no error`(range: Range<Int>) async throws {
    let file = try TestPhoto(width: 640, height: 480).file()
    let asset = library.add(file.bytes, named: "photo.jpg", thumbnail: range)
    let log = await ImagePipeline(store: library.store).answers(to: asset, size: .square(80))
    #expect(log.answers == [.final(PixelSize(width: 80, height: 60), note: nil)])
  }
}

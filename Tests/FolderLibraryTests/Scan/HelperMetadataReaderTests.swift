import AssetLibrary
import Fixtures
import Metadata
import Pixels
import Testing

@testable import FolderLibrary

/// Facts that the codec helper tells.
@Suite struct HelperMetadataReaderTests {
  private let library: TestLibrary
  private var photos: TemporaryFolder { library.photos }

  init() throws {
    library = try TestLibrary()
  }

  private func asset(_ name: String, in store: FolderAssetStore) throws -> Asset {
    try #require(store.everything.first { $0.name == name })
  }

  private var exif: [UInt8] {
    var photo = TIFFFile()
    photo.text(0x9003, "2024:05:02 14:10:09")
    var tiff = TIFFFile()
    tiff.text(0x010F, "Apple")
    tiff.text(0x0110, "Apple iPhone")
    tiff.directory(0x8769, photo)
    return tiff.bytes()
  }

  @Test func `A HEIC's, a raw file's and a video's facts arrive`() throws {
    try photos.write(
      HandmadeHEIC(auxiliaryTypes: ["urn:com:apple:photo:2020:aux:hdrgainmap"], exif: exif).bytes,
      to: "a.heic")
    try photos.write(HandmadeDNG(orientation: 6).bytes, to: "b.dng")
    let movie = HandmadeMovie(
      rotation: 90, frameCount: 240, ticksPerFrame: 5,
      keys: [HandmadeMovie.text("com.apple.quicktime.creationdate", "2024-05-03T10:00:00+0200")])
    try photos.write(movie.bytes, to: "c.mov")
    let store = library.open(codecs: Program.helper)
    #expect(store.status.notes.isEmpty)
    let heic = try asset("a.heic", in: store)
    #expect(heic.pixelSize == PixelSize(width: 640, height: 480))
    #expect(heic.mediaSubtypes == .hdr)
    #expect(heic.creationDate == AssetDate(year: 2024, month: 5, day: 2, hour: 14, minute: 10, second: 9))
    #expect(heic.primaryResource?.uniformTypeIdentifier == "public.heic")
    let raw = try asset("b.dng", in: store)
    #expect(raw.pixelSize == PixelSize(width: 48, height: 64))
    #expect(raw.mediaSubtypes == .raw)
    #expect(try store.details(of: raw).camera == "Testmaker T1")
    let video = try asset("c.mov", in: store)
    #expect(video.pixelSize == PixelSize(width: 240, height: 320))
    #expect(video.duration == 2)
    #expect(video.mediaSubtypes == .slomo)
    #expect(video.creationDate.utcOffset == 7200)
    #expect(difference(library.open(codecs: Program.helper).everything, store.everything) == nil)
  }

  @Test func `Known facts need no helper any more`() throws {
    try photos.write(HandmadeHEIC(exif: exif).bytes, to: "a.heic")
    let before = library.open(codecs: Program.helper).everything
    let without = library.open(codecs: "/gone/tpick-codecs")
    #expect(without.everything == before)
    #expect(without.status.notes.isEmpty)
  }

  @Test func `Without a helper there is a word, and the facts come when it is there`() throws {
    try photos.write(HandmadeHEIC(exif: exif).bytes, to: "a.heic")
    try photos.writePhoto("b.jpg", day: 9)
    let without = library.open(codecs: "/gone/tpick-codecs")
    #expect(without.status.notes.count == 1)
    #expect(without.status.notes.first?.contains("tpick-codecs") ?? false)
    let provisional = try asset("a.heic", in: without)
    #expect(provisional.mediaType == .image)
    #expect(!provisional.isBroken)
    #expect(provisional.pixelSize == .zero)
    let with = library.open(codecs: Program.helper)
    #expect(try asset("a.heic", in: with).pixelSize == PixelSize(width: 640, height: 480))
    #expect(try asset("a.heic", in: with).id == provisional.id)
    #expect(try asset("b.jpg", in: with) == asset("b.jpg", in: without))
    #expect(with.status.notes.isEmpty)
  }

  /// A file that begins as a HEIC and that the stand-in takes for a word.
  private func words(_ text: String) -> [UInt8] { MediaBytes.ftyp("heic") + Array(text.utf8) }

  @Test func `A file that kills the helper is one broken asset`() throws {
    for number in 0..<70 { try photos.write(HandmadeHEIC().bytes, to: "\(number).heic") }
    try photos.write(Array(HandmadeHEIC().bytes.prefix(60)), to: "cut.heic")
    try photos.write(MediaBytes.ftyp("heic"), to: "empty.heic")
    let store = library.open(codecs: Program.helper)
    #expect(Set(store.everything.filter(\.isBroken).map(\.name)) == ["cut.heic", "empty.heic"])
    #expect(store.everything.count == 72)
    #expect(store.everything.filter { $0.pixelSize.width == 640 }.count == 70)
    #expect(difference(library.open(codecs: Program.helper).everything, store.everything) == nil)
  }

  @Test func `A helper that dies of every file breaks these files alone`() throws {
    try photos.write(words("die"), to: "a.heic")
    try photos.write(words("die"), to: "b.heic")
    try photos.writePhoto("c.jpg", day: 9)
    let store = library.open(codecs: Program.standIn)
    #expect(store.everything.filter(\.isBroken).map(\.name).sorted() == ["a.heic", "b.heic"])
    #expect(store.everything.count == 3)
  }

  // MARK: Live Photos

  private func still(_ identifier: String?) -> [UInt8] {
    guard let identifier else { return MetadataSegments.jpeg([]) }
    return MetadataSegments.jpeg(MetadataSegments.exifSegment(appleNote(identifier)))
  }

  /// Apple's note: a head of 14 bytes, then a big-endian directory with one text, whose place counts from there.
  private func appleNote(_ identifier: String) -> TIFFFile {
    let text = Array(identifier.utf8) + [0]
    var note = Array("Apple iOS\0".utf8) + [0, 1, 0x4D, 0x4D, 0, 1]
    note += MediaBytes.big(0x0011, 2) + MediaBytes.big(2, 2) + MediaBytes.big(text.count, 4)
    note += MediaBytes.big(14 + 2 + 12 + 4, 4) + [0, 0, 0, 0] + text
    var photo = TIFFFile()
    photo.block(0x927C, note)
    var tiff = TIFFFile()
    tiff.directory(0x8769, photo)
    return tiff
  }

  private func movie(_ identifier: String?) -> [UInt8] {
    HandmadeMovie(
      keys: identifier.map { [HandmadeMovie.text("com.apple.quicktime.content.identifier", $0)] } ?? []
    ).bytes
  }

  struct Pairing: Sendable {
    var photo: String?
    var video: String?
    var videoName = "a.mov"
    var count: Int
  }

  @Test(arguments: [
    Pairing(photo: "IDENTIFIER-1", video: "IDENTIFIER-1", count: 1),
    Pairing(photo: "IDENTIFIER-1", video: "IDENTIFIER-2", count: 2),
    Pairing(photo: "IDENTIFIER-1", video: nil, count: 1),
    Pairing(photo: nil, video: nil, count: 1),
    Pairing(photo: "IDENTIFIER-1", video: "IDENTIFIER-1", videoName: "other.mov", count: 1),
    Pairing(photo: "IDENTIFIER-1", video: "IDENTIFIER-2", videoName: "other.mov", count: 2),
    Pairing(photo: nil, video: nil, videoName: "other.mov", count: 2),
  ])
  func `Contents pair a Live Photo, or part it`(pairing: Pairing) throws {
    try photos.write(still(pairing.photo), to: "a.jpg")
    try photos.write(movie(pairing.video), to: pairing.videoName)
    let store = library.open(codecs: Program.helper)
    #expect(store.everything.count == pairing.count)
    let photo = try asset("a.jpg", in: store)
    #expect(photo.mediaSubtypes.contains(.livePhoto) == (pairing.count == 1))
    #expect(photo.playbackStyle == (pairing.count == 1 ? .livePhoto : .image))
    #expect(photo.resources.map(\.type) == (pairing.count == 1 ? [.photo, .pairedVideo] : [.photo]))
    #expect(difference(library.open(codecs: Program.helper).everything, store.everything) == nil)
    #expect(difference(FolderAssetStore.complete([photos.filePath]).everything, store.everything) == nil)
  }

  @Test func `A pair by content survives edits beside it and ends with its video`() throws {
    try photos.write(still("IDENTIFIER-1"), to: "a.jpg")
    try photos.write(movie("IDENTIFIER-1"), to: "other.mov")
    let store = library.follow(codecs: Program.helper)
    let identifier = try asset("a.jpg", in: store).id
    try photos.writePhoto("b.jpg", day: 9)
    try photos.write(MetadataSegments.xmp(attributes: "xmp:Rating=\"3\""), to: "a.xmp")
    #expect(eventually { store.everything.contains { $0.rating == 3 } && store.everything.count == 2 })
    #expect(try eventually { try asset("a.jpg", in: store).mediaSubtypes == .livePhoto })
    photos.remove("other.mov")
    #expect(try eventually { try asset("a.jpg", in: store).mediaSubtypes == [] })
    #expect(try asset("a.jpg", in: store).id == identifier)
    try photos.write(movie("IDENTIFIER-1"), to: "third.mov")
    #expect(try eventually { try asset("a.jpg", in: store).mediaSubtypes == .livePhoto })
    #expect(store.everything.count == 2)
  }
}

import AssetLibrary
import Fixtures
import Glibc
import Metadata
import Pixels
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

/// Metadata that the codec helper reads.
@Suite(.onOwnThreads) struct HelperMetadataReaderTests {
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

  @Test func `Metadata of a HEIC, a raw file and a video arrives`() throws {
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

  @Test func `No file that the helper examined stays open`() throws {
    for name in ["a.heic", "b.heic"] { try photos.write(HandmadeHEIC(exif: exif).bytes, to: name) }
    let store = library.open(codecs: Program.helper)
    #expect(store.everything.allSatisfy { $0.pixelSize.width == 640 })
    let below = try #require(photos.filePath.resolved).string + "/"
    let open = (0..<1024).filter { number in
      var path = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/self/fd/\(number)", &path, path.count)
      let name = path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
      return String(decoding: name, as: UTF8.self).hasPrefix(below)
    }
    #expect(open.isEmpty)
  }

  @Test func `Known metadata needs no helper`() throws {
    try photos.write(HandmadeHEIC(exif: exif).bytes, to: "a.heic")
    let before = library.open(codecs: Program.helper).everything
    let without = library.open(codecs: "/gone/tpick-codecs")
    #expect(without.everything == before)
    #expect(without.status.notes.isEmpty)
  }

  @Test func `A missing helper is reported, and the metadata is read once it is available`() throws {
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

  /// A file with the header of a HEIC that the stand-in helper interprets as a command.
  private func words(_ text: String) -> [UInt8] { MediaBytes.ftyp("heic") + Array(text.utf8) }

  @Test func `A file that crashes the helper is one broken asset`() throws {
    for number in 0..<70 { try photos.write(HandmadeHEIC().bytes, to: "\(number).heic") }
    try photos.write(Array(HandmadeHEIC().bytes.prefix(60)), to: "cut.heic")
    try photos.write(MediaBytes.ftyp("heic"), to: "empty.heic")
    let store = library.open(codecs: Program.helper)
    #expect(Set(store.everything.filter(\.isBroken).map(\.name)) == ["cut.heic", "empty.heic"])
    #expect(store.everything.count == 72)
    #expect(store.everything.filter { $0.pixelSize.width == 640 }.count == 70)
    #expect(difference(library.open(codecs: Program.helper).everything, store.everything) == nil)
  }

  /// The names of the broken assets, and the files for which a stall is reported.
  private func faults(of store: FolderAssetStore) -> [[String]] {
    let stalls = store.status.issues.filter(\.isStall)
    return [
      store.everything.filter(\.isBroken).map(\.name).sorted(),
      stalls.map { String($0.subject.split(separator: "/").last ?? "") }.sorted(),
    ]
  }

  @Test func `Files that crash the helper are broken after three runs, and no others are`() throws {
    try photos.write(words("die"), to: "a.heic")
    try photos.write(words("out of memory"), to: "b.heic")
    try photos.write(words("fine"), to: "c.heic")
    try photos.writePhoto("d.jpg", day: 9)
    for _ in 1...2 {
      let store = library.open(codecs: Program.standIn)
      #expect(faults(of: store) == [[], ["a.heic", "b.heic"]])
      #expect(store.everything.count == 4)
    }
    for _ in 3...4 {
      let store = library.open(codecs: Program.standIn)
      #expect(faults(of: store) == [["a.heic", "b.heic"], []])
      #expect(store.everything.count == 4)
    }
    // A file that was replaced counts as another one.
    try photos.write(words("fine again"), to: "a.heic")
    #expect(faults(of: library.open(codecs: Program.standIn)) == [["b.heic"], []])
  }

  @Test func `A temporary stall breaks nothing in the next run`() throws {
    try photos.write(words("die until \(photos.path)/ready"), to: "a.heic")
    let first = library.open(codecs: Program.standIn)
    #expect(faults(of: first) == [[], ["a.heic"]])
    let identifier = try asset("a.heic", in: first).id
    try photos.write([], to: "ready")
    let second = library.open(codecs: Program.standIn)
    #expect(faults(of: second) == [[], []])
    #expect(try asset("a.heic", in: second).id == identifier)
    // The answer was stored: no helper is needed again.
    #expect(library.open(codecs: "/gone/tpick-codecs").status.notes.isEmpty)
  }

  @Test func `A temporary stall breaks nothing when retried in the same run after a pause`() throws {
    try photos.write(words("die until \(photos.path)/ready"), to: "a.heic")
    var following = FollowingSettings.quick
    following.stallPause = .milliseconds(5)
    let store = library.follow(following, codecs: Program.standIn)
    #expect(eventually { faults(of: store) == [[], ["a.heic"]] })
    try photos.write([], to: "ready")
    #expect(eventually { faults(of: store) == [[], []] })
    // Another run reads what is stored, not what this one knows.
    store.updater.waitUntilStored()
    // All attempts within a run count as one.
    #expect(library.open(codecs: "/gone/tpick-codecs").status.notes.isEmpty)
  }

  @Test func `A file on which the helper stalls is not retried with every change beside it`() throws {
    try photos.write(words("die"), to: "a.heic")
    let store = library.follow(codecs: Program.standIn)
    for day in 1...5 {
      try photos.writePhoto("\(day).jpg", day: day)
      #expect(eventually { store.everything.count == day + 1 })
    }
    store.updater.waitUntilStored()
    #expect(faults(of: store) == [[], ["a.heic"]])
    let page = library.locations
    let known = LibraryStorage(page).page(
      of: try #require(photos.filePath.resolved).bytes, pool: StringPool())
    #expect(known?.files.map(\.stalledRuns).max() == 1)
  }

  @Test func `The pause between two attempts grows, and a removed file is forgotten`() throws {
    let stalls = HelperStalls(pause: .seconds(10))
    let file = FileRow(size: 1, modified: 2, inode: 3, nameOffset: 0, nameCount: 1)
    // The attempt noted first counts among the earlier runs from then on, and this run stays the second.
    for (number, pause) in [10, 40, 160, 640, 1200, 1200].enumerated() {
      let begin = ContinuousClock.now
      #expect(stalls.note(HelperStalls.Key(file), "it hangs", earlier: number == 0 ? 1 : 2) == 2)
      let span = begin + .seconds(pause)...(.now + .seconds(pause))
      #expect(span.contains(try #require(stalls.nextTry)))
      #expect(stalls.pausing(of: [file])?.reason == "it hangs")
    }
    stalls.forgetOver(at: .now)
    #expect(stalls.nextTry != nil)
    stalls.forgetOver(at: .now + .seconds(2000))
    #expect(stalls.nextTry == nil && stalls.pausing(of: [file]) == nil)
  }

  @Test func `Without memory for a helper the pauses are short, and the file is not blamed`()
    throws
  {
    let stalls = HelperStalls(pause: .seconds(10))
    let file = FileRow(size: 1, modified: 2, inode: 3, nameOffset: 0, nameCount: 1)
    let key = HelperStalls.Key(file)
    var begin = ContinuousClock.now
    for count in [1, 2, 4, 8, 16, 16, 16, 16] {
      begin = .now
      stalls.postpone(key, "not enough open files")
      let span = begin + .milliseconds(250 * count)...(.now + .milliseconds(250 * count))
      #expect(span.contains(try #require(stalls.nextTry)))
    }
    // Unless four seconds have passed already.
    let reason = stalls.pausing(of: [file])?.reason
    #expect(reason == "not enough open files" || .now >= begin + .seconds(4))
    // Its first stall is counted as the first run.
    begin = .now
    #expect(stalls.note(key, "it hangs", earlier: 0) == 1)
    let span = begin + .seconds(10)...(.now + .seconds(10))
    #expect(span.contains(try #require(stalls.nextTry)))
    stalls.forget(key)
    #expect(stalls.nextTry == nil)
  }

  // MARK: Live Photos

  private func still(_ identifier: String?) -> [UInt8] {
    guard let identifier else { return MetadataSegments.jpeg([]) }
    return MetadataSegments.jpeg(MetadataSegments.exifSegment(appleNote(identifier)))
  }

  /// Apple's maker note: a header of 14 bytes, then a big-endian directory with one text, whose offset is relative to
  /// the note.
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
  func `Content identifiers pair a Live Photo, or keep files apart`(pairing: Pairing) throws {
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

  @Test func `If several files share an identifier, the first by name are paired`() throws {
    for name in ["c.jpg", "b.jpg"] { try photos.write(still("IDENTIFIER-1"), to: name) }
    for name in ["y.mov", "x.mov", "z.mov"] { try photos.write(movie("IDENTIFIER-1"), to: name) }
    let store = library.open(codecs: Program.helper)
    #expect(Set(store.names) == ["b.jpg", "c.jpg", "y.mov", "z.mov"])
    let resources = try asset("b.jpg", in: store).resources
    #expect(resources.map(\.filename) == ["b.jpg", "x.mov"].map { Array($0.utf8) })
  }

  @Test func `A photo that has its video, or a format without one, is not paired with another`() throws {
    try photos.write(still("IDENTIFIER-1"), to: "a.jpg")
    try photos.write(movie(nil), to: "a.mov")
    let note = PictureFiles.pngChunk("eXIf", appleNote("IDENTIFIER-2").bytes())
    try photos.write(PictureFiles.png(width: 8, height: 6, before: note), to: "b.png")
    for number in 1...2 { try photos.write(movie("IDENTIFIER-\(number)"), to: "other \(number).mov") }
    let store = library.open(codecs: Program.helper)
    #expect(Set(store.names) == ["a.jpg", "b.png", "other 1.mov", "other 2.mov"])
    #expect(
      try asset("a.jpg", in: store).resources.map(\.filename) == ["a.jpg", "a.mov"].map { Array($0.utf8) })
    #expect(try asset("b.png", in: store).mediaSubtypes == [])
  }

  @Test func `The edit of a paired video is that of the clip`() throws {
    try photos.write(still("IDENTIFIER-1"), to: "a.jpg")
    for name in ["other.mov", "other-edited.mov"] { try photos.write(movie("IDENTIFIER-1"), to: name) }
    let store = library.open(codecs: Program.helper)
    let live = try asset("a.jpg", in: store)
    #expect(live.resources.map(\.type) == [.photo, .fullSizePairedVideo, .pairedVideo])
    #expect(live.hasAdjustments)
    #expect(live.clip()?.filename == Array("other-edited.mov".utf8))
    #expect(live.clip(for: .unadjusted)?.filename == Array("other.mov".utf8))
    #expect(difference(library.open(codecs: Program.helper).everything, store.everything) == nil)
  }

  @Test func `A pair by content identifier survives edits beside it and ends with its video`() throws {
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

import AssetLibrary
import Fixtures
import FolderLibrary
import Pixels
import SystemPackage
import Testing

@testable import Imaging

/// Files that change under the same name, size and modification second, by which other programs identify them.
@Suite(.timeLimit(.minutes(120))) struct ChangedFileTests {
  /// One way, as shell commands.
  ///
  /// `v1/a.jpg` is upright, `v2/a.jpg` is the same turned upside down.
  struct Way: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var before = "mkdir photos; cp -p v1/a.jpg photos/a.jpg"
    var change: String
    /// Whether the file itself never changed: then another program's thumbnail of the same second and size proves
    /// nothing.
    var isOtherPlace = false
  }

  /// ExifTool's output has the same size again.
  private static let written =
    "mkdir photos; cp -p v1/a.jpg photos/a.jpg; "
    + "exiftool -q -P -overwrite_original -n -Orientation=1 photos/a.jpg"

  static let ways = [
    Way(
      testDescription: "turned in place by ExifTool, which keeps the time", before: written,
      change: "exiftool -q -P -overwrite_original -n -Orientation=3 photos/a.jpg"),
    Way(
      testDescription: "turned in its own bytes by ExifTool", before: written,
      change: "exiftool -q -P -overwrite_original_in_place -n -Orientation=3 photos/a.jpg"),
    Way(
      testDescription: "written anew, the time set back",
      change: "cat v2/a.jpg > photos/a.jpg; touch -r v2/a.jpg photos/a.jpg"),
    Way(
      testDescription: "one byte of it written, the time set back",
      change: "cp -p photos/a.jpg time; cmp -l v1/a.jpg v2/a.jpg | while read at old new; do "
        + "printf \"\\\\$new\" | dd of=photos/a.jpg bs=1 seek=$((at - 1)) conv=notrunc; done; touch -r time photos/a.jpg"
    ),
    Way(testDescription: "another moved over it", change: "mv v2/a.jpg photos/a.jpg"),
    Way(testDescription: "removed, another moved there", change: "rm photos/a.jpg; mv v2/a.jpg photos/a.jpg"),
    Way(testDescription: "another copied over it, with its time", change: "cp -p v2/a.jpg photos/a.jpg"),
    Way(
      testDescription: "removed, another copied there", change: "rm photos/a.jpg; cp -p v2/a.jpg photos/a.jpg"
    ),
    Way(
      testDescription: "restored from an archive",
      change: "tar -cf backup -C v2 a.jpg; tar -xf backup -C photos"),
    Way(testDescription: "linked to another", change: "ln -f v2/a.jpg photos/a.jpg"),
    Way(
      testDescription: "a symbolic link that leads elsewhere now",
      before: "mkdir photos; ln -s ../v1/a.jpg photos/a.jpg", change: "ln -sf ../v2/a.jpg photos/a.jpg",
      isOtherPlace: true),
    Way(
      testDescription: "in a folder that became another", change: "mv photos old; mv v2 photos",
      isOtherPlace: true),
    Way(
      testDescription: "in a folder behind a symbolic link that leads elsewhere now",
      before: "ln -s v1 photos",
      change: "ln -sfn v2 photos", isOtherPlace: true),
  ]

  private let folder: TemporaryFolder
  private let directory: ThumbnailDirectory
  private static let size = PixelSize(width: 640, height: 480)
  private static let upright: [TestPicture.Corner?] = TestPicture.Corner.allCases
  private static let turned: [TestPicture.Corner?] = upright.reversed()

  init() throws {
    folder = try TemporaryFolder()
    directory = ThumbnailDirectory(
      root: FilePath("\(folder.path)/thumbnails"), state: FilePath("\(folder.path)/tpick"), version: "1")
    let bytes = try TestPhoto(width: Self.size.width, height: Self.size.height).bytes()
    // The directory entry of the orientation: type SHORT, count one.
    let (entry, place): ([UInt8], Int) =
      bytes.firstRange(of: [0x01, 0x12, 0, 3, 0, 0, 0, 1]) != nil
      ? ([0x01, 0x12, 0, 3, 0, 0, 0, 1], 9) : ([0x12, 0x01, 3, 0, 1, 0, 0, 0], 8)
    let start = try #require(bytes.firstRange(of: entry)?.lowerBound)
    var other = bytes
    #expect(other[start + place] == 1)
    other[start + place] = 3
    for (name, bytes) in [("v1/a.jpg", bytes), ("v2/a.jpg", other)] {
      try folder.write(bytes, to: name)
      try folder.setModificationTime(1_700_000_000, of: name)
    }
  }

  private func library() throws -> Asset {
    let store = FolderAssetStore(
      sources: [FilePath("\(folder.path)/photos")],
      locations: LibraryLocations(
        cache: FilePath("\(folder.path)/index"), data: FilePath("\(folder.path)/data")))
    store.start()
    store.waitUntilComplete()
    return try #require(store.assets(in: nil, options: FetchOptions()).first)
  }

  private func pipeline() -> ImagePipeline {
    // The bytes are read from the files themselves, so any store will do.
    ImagePipeline(
      store: FolderAssetStore(sources: []), thumbnails: ThumbnailCache(directory, keepsThumbnails: true),
      keepsThumbnailsAtOnce: true)
  }

  private func corners(_ asset: Asset, _ pipeline: ImagePipeline) async throws -> [TestPicture.Corner?] {
    let log = await pipeline.answers(to: asset, size: .square(120), delivery: .highQualityFormat)
    return TestPicture.corners(of: try #require(log.pictures.last))
  }

  // Takes seconds: every way for a file to change has its own library and pictures.
  @Test(arguments: ways.map { ($0, true) } + ways.filter { !$0.isOtherPlace }.map { ($0, false) })
  func `A file that changed under its name is shown in its current state`(way: Way, isOwn: Bool) async throws
  {
    try folder.run("sh", "-c", way.before)
    let first = pipeline()
    let before = try library()
    #expect(try await corners(before, first) == Self.upright)
    let path = FilePath("\(folder.path)/photos/a.jpg")
    if !isOwn {
      // As a file manager leaves it: with only a whole second and a size.
      let subject = try #require(ThumbnailSubject(fileAt: path))
      try directory.keep(
        TestPicture.make(width: 256, height: 192),
        of: ThumbnailSubject(
          path: path, modificationTime: subject.modificationTime, fileSize: subject.fileSize),
        sourceSize: Self.size, as: .large)
      try folder.touch("thumbnails/large/\(subject.name.fileName)", after: path)
      let reader = pipeline()
      #expect(try await corners(before, reader) == Self.upright)
      #expect(reader.counters.storedThumbnails == 1)
    }
    let (byteCount, time) = (before.byteCount, before.modificationDate)
    try folder.run("sh", "-ec", way.change)
    let after = try library()
    #expect(after.byteCount == byteCount && after.modificationDate == time, "nothing to tell it by")
    // Another run, this one's memory cache, and what both leave on disk.
    let next = pipeline()
    #expect(try await corners(after, next) == Self.turned)
    #expect(next.counters.storedThumbnails == 0)
    #expect(try await corners(after, first) == Self.turned)
    let last = pipeline()
    #expect(try await corners(after, last) == Self.turned)
    #expect(last.counters.storedThumbnails == 1)
  }

  @Test func `A file that changed since the scan leaves no thumbnail`() async throws {
    try folder.run("sh", "-c", "mkdir photos; cp -p v1/a.jpg photos/a.jpg")
    let known = try library()
    try folder.run("mv", "v2/a.jpg", "photos/a.jpg")
    // The library still considers it upright.
    _ = try await corners(known, pipeline())
    #expect(directory.status().all.files == 0)
    #expect(try await corners(try library(), pipeline()) == Self.turned)
  }

  @Test(arguments: [
    (256, 192, true), (192, 256, false), (256, 256, false), (256, 190, true), (254, 192, true),
  ])
  func `Another program's thumbnail is used if it has the photo's proportions`(
    width: Int, height: Int, isUsed: Bool
  ) async throws {
    try folder.run("sh", "-c", "mkdir photos; cp -p v1/a.jpg photos/a.jpg")
    let asset = try library()
    let path = FilePath("\(folder.path)/photos/a.jpg")
    let subject = try #require(ThumbnailSubject(fileAt: path))
    try directory.keep(
      TestPicture.make(width: width, height: height),
      of: ThumbnailSubject(
        path: path, modificationTime: subject.modificationTime, fileSize: subject.fileSize),
      sourceSize: PixelSize(width: width, height: height), as: .large)
    try folder.touch("thumbnails/large/\(subject.name.fileName)", after: path)
    let pipeline = pipeline()
    #expect(try await corners(asset, pipeline) == Self.upright)
    #expect(pipeline.counters.storedThumbnails == (isUsed ? 1 : 0))
  }
}

import AssetLibrary
import Fixtures
import Pixels
import SystemPackage
import TestScheduling
import Testing

@testable import Imaging

@Suite(.onOwnThreads) struct ThumbnailDirectoryTests {
  private static let sourceSize = PixelSize(width: 4000, height: 3000)

  private static func scene(_ width: Int = 256, _ height: Int = 192, hasAlpha: Bool = false) -> PixelBuffer {
    TestScene.make(PixelSize(width: width, height: height), hasAlpha: hasAlpha)
  }

  // MARK: Writing and reading back

  @Test(arguments: [false, true])
  func `A stored thumbnail is read back pixel by pixel`(hasAlpha: Bool) throws {
    let cache = try TemporaryThumbnails()
    let directory = cache.directory()
    let subject = try cache.subject()
    let picture = Self.scene(hasAlpha: hasAlpha)
    try directory.keep(picture, of: subject, sourceSize: Self.sourceSize, as: .large)
    let found = try #require(directory.thumbnail(of: subject, atLeast: PixelSize(width: 200, height: 150)))
    #expect(found.picture == picture)
    #expect(found.size == .large)
    #expect(found.sourceSize == Self.sourceSize)
    #expect(cache.files == ["large/\(subject.name.fileName)"])
  }

  @Test func `Only the owner can read stored thumbnails`() throws {
    let cache = try TemporaryThumbnails()
    let subject = try cache.subject()
    let directory = cache.directory()
    try directory.keep(Self.scene(), of: subject, sourceSize: Self.sourceSize, as: .large)
    try directory.recordFailure(of: subject, reason: "no JPEG")
    for folder in ["", "/large", "/fail", "/fail/tpick-1"] {
      #expect(cache.folder.mode(of: "cache/thumbnails\(folder)") == 0o700)
    }
    for file in cache.files { #expect(cache.folder.mode(of: "cache/thumbnails/\(file)") == 0o600) }
  }

  @Test func `Other programs can read stored thumbnails`() throws {
    let cache = try TemporaryThumbnails()
    let path = FilePath(bytes: cache.folder.path(of: "photos/a b.jpg"))
    let subject = ThumbnailSubject(
      path: path, modificationTime: 12, fileSize: 34, uniformTypeIdentifier: "public.jpeg")
    try cache.directory().keep(Self.scene(), of: subject, sourceSize: Self.sourceSize, as: .large)
    let file = "cache/thumbnails/\(cache.files[0])"
    let format = [
      "Thumb::URI", "Thumb::MTime", "Thumb::Size", "Thumb::Mimetype", "Thumb::Image::Width",
      "Thumb::Image::Height", "Software",
    ].map { "%[\($0)]" }.joined(separator: "|")
    try cache.folder.run(["sh", "-c", "identify -format '\(format)|%wx%h|%r' \(file) > words.txt"])
    let words = String(decoding: try cache.folder.bytes(of: "words.txt"), as: UTF8.self)
    #expect(
      words.hasPrefix(
        "file://\(cache.folder.path)/photos/a%20b.jpg|12|34|image/jpeg|4000|3000|tpick|256x192|"))
  }

  @Test func `A larger picture is scaled down, a smaller original is stored as it is`() throws {
    let cache = try TemporaryThumbnails()
    let directory = cache.directory()
    let subject = try cache.subject()
    try directory.keep(Self.scene(400, 300), of: subject, sourceSize: Self.sourceSize, as: .normal)
    let small = directory.thumbnail(of: subject, atLeast: PixelSize(width: 128, height: 96))
    #expect(small?.picture.size == PixelSize(width: 128, height: 96))
    let icon = try cache.subject("icon.png")
    try directory.keep(Self.scene(40, 30), of: icon, sourceSize: PixelSize(width: 40, height: 30), as: .large)
    #expect(directory.thumbnail(of: icon, atLeast: .square(200))?.picture == Self.scene(40, 30))
  }

  @Test(arguments: [(128, 96), (256, 256), (255, 191), (1, 1)])
  func `Pictures that are too small or incomplete are not stored`(width: Int, height: Int) throws {
    let cache = try TemporaryThumbnails()
    let subject = try cache.subject()
    #expect(throws: ThumbnailError.unfitPicture) {
      try cache.directory().keep(
        Self.scene(width, height), of: subject, sourceSize: Self.sourceSize, as: .large)
    }
    #expect(cache.files.isEmpty)
  }

  @Test(arguments: ["cache/thumbnails/large/a.png", "link/large/a.png", "photos/.sh_thumbnails/normal/a.png"])
  func `Thumbnails themselves get no thumbnails`(name: String) throws {
    let cache = try TemporaryThumbnails()
    try cache.folder.makeFolder("cache/thumbnails/large")
    try cache.folder.link("link", to: "cache/thumbnails")
    let subject = ThumbnailSubject(
      path: FilePath("\(cache.folder.path)/\(name)"), modificationTime: 1, fileSize: 1)
    let directory = cache.directory()
    #expect(throws: ThumbnailError.isThumbnail) {
      try directory.keep(Self.scene(), of: subject, sourceSize: Self.sourceSize, as: .large)
    }
    #expect(throws: ThumbnailError.isThumbnail) {
      try directory.recordFailure(of: subject, reason: "no JPEG")
    }
    #expect(cache.files.isEmpty)
  }

  // MARK: Choice of the thumbnail

  @Test func `The smallest sufficient thumbnail is used, never a smaller one`() throws {
    let cache = try TemporaryThumbnails()
    let directory = cache.directory()
    let subject = try cache.subject()
    let size = { directory.thumbnail(of: subject, atLeast: .square($0))?.size }
    try directory.keep(Self.scene(128, 96), of: subject, sourceSize: Self.sourceSize, as: .normal)
    #expect(size(128) == .normal)
    #expect(size(129) == nil)
    try directory.keep(Self.scene(512, 384), of: subject, sourceSize: Self.sourceSize, as: .xLarge)
    #expect(size(128) == .normal)
    #expect(size(129) == .xLarge)
    #expect(size(513) == nil)
    #expect(size(1025) == nil)
    #expect(size(0) == nil)
  }

  @Test func `The thumbnail of a changed file is not used`() throws {
    let cache = try TemporaryThumbnails()
    let directory = cache.directory()
    let before = try cache.subject(time: 1000)
    try directory.keep(Self.scene(), of: before, sourceSize: Self.sourceSize, as: .large)
    #expect(directory.thumbnail(of: before, atLeast: .square(256)) != nil)
    let touched = try cache.subject(time: 1001)
    #expect(directory.thumbnail(of: touched, atLeast: .square(256)) == nil)
    let longer = ThumbnailSubject(path: before.path, modificationTime: 1000, fileSize: before.fileSize + 1)
    #expect(directory.thumbnail(of: longer, atLeast: .square(256)) == nil)
    // A new one replaces it.
    try directory.keep(Self.scene(), of: touched, sourceSize: Self.sourceSize, as: .large)
    #expect(directory.thumbnail(of: touched, atLeast: .square(256)) != nil)
    #expect(cache.files.count == 1)
  }

  // MARK: Other programs' thumbnails

  /// Arguments for ImageMagick, which writes its texts after the picture; and whether the result is usable.
  @Test(arguments: [
    ("", true), ("-interlace PNG", true), ("-depth 16", true), ("-colorspace Gray", true),
    ("-set Thumb::Size 11", true), ("-set Thumb::Size 12", false), ("-set Thumb::MTime 5", false),
    ("-set Thumb::URI file:///other.jpg", false), ("+set Thumb::MTime", false), ("-resize 100x100", false),
  ])
  func `Other programs' thumbnails are used if they are valid`(way: String, isUsed: Bool) throws {
    let cache = try TemporaryThumbnails()
    let subject = try cache.subject()
    try cache.writeForeign(of: subject, way: way)
    let found = cache.directory().thumbnail(of: subject, atLeast: PixelSize(width: 256, height: 192))
    #expect(found?.picture.size == (isUsed ? PixelSize(width: 256, height: 192) : nil))
  }

  @Test func `Hostile and damaged thumbnails are rejected`() throws {
    let cache = try TemporaryThumbnails()
    let directory = cache.directory()
    let subject = try cache.subject()
    try directory.keep(Self.scene(), of: subject, sourceSize: Self.sourceSize, as: .large)
    let file = "cache/thumbnails/\(cache.files[0])"
    let good = try cache.folder.bytes(of: file)
    func isUsed(_ bytes: [UInt8]) throws -> Bool {
      try cache.folder.write(bytes, to: file)
      return directory.thumbnail(of: subject, atLeast: .square(256)) != nil
    }
    #expect(try isUsed(good))
    for length in stride(from: 0, to: good.count - 16, by: 997) {
      #expect(try !isUsed(Array(good.prefix(length))))
    }
    var random = SeededGenerator(seed: 7)
    for _ in 0..<60 {
      var bytes = good
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<400, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try isUsed(bytes)
    }
    // Sides beyond a thumbnail's maximum, with a valid checksum.
    try cache.writeForeign(of: subject, way: "-resize 600x600")
    #expect(directory.thumbnail(of: subject, atLeast: .square(256)) == nil)
    // A file that is too long, and an empty one.
    #expect(try !isUsed(good + [UInt8](repeating: 0, count: 4 << 20)))
    cache.folder.remove(file)
    try cache.folder.makeFolder(file)
    #expect(directory.thumbnail(of: subject, atLeast: .square(256)) == nil)
  }

  // MARK: Failures

  @Test func `A failure applies to the file as it was, and to this version`() throws {
    let cache = try TemporaryThumbnails()
    let subject = try cache.subject(time: 1000)
    let directory = cache.directory()
    #expect(directory.failure(of: subject) == nil)
    try directory.recordFailure(of: subject, reason: "no JPEG")
    #expect(directory.failure(of: subject) == "no JPEG")
    #expect(cache.files == ["fail/tpick-1/\(subject.name.fileName)"])
    #expect(cache.directory(version: "2").failure(of: subject) == nil)
    #expect(try directory.failure(of: cache.subject(time: 1001)) == nil)
  }

  // MARK: Disks without a usable trash

  @Test func `If thumbnails can't be written the cause is reported`() throws {
    let cache = try TemporaryThumbnails()
    let subject = try cache.subject()
    let path = FilePath("/dev/null/thumbnails")
    let directory = ThumbnailDirectory(root: path, state: FilePath("\(cache.folder.path)/s"), version: "1")
    let file = path.appending("large").appending(subject.name.fileName)
    #expect(throws: ThumbnailError.refused(file, .notDirectory)) {
      try directory.keep(Self.scene(), of: subject, sourceSize: Self.sourceSize, as: .large)
    }
    #expect(directory.thumbnail(of: subject, atLeast: .square(100)) == nil)
  }

  @Test func `A failed write leaves nothing behind`() throws {
    let cache = try TemporaryThumbnails()
    let subject = try cache.subject()
    let directory = cache.directory()
    // A folder with the thumbnail's name can't be replaced by a rename.
    try cache.folder.makeFolder("cache/thumbnails/large/\(subject.name.fileName)")
    #expect(throws: ThumbnailError.self) {
      try directory.keep(Self.scene(), of: subject, sourceSize: Self.sourceSize, as: .large)
    }
    #expect(cache.files.isEmpty)
    // A thumbnail that can't be listed is not written, because it would never be removed.
    cache.folder.remove("cache")
    try cache.folder.makeFolder("cache/tpick/thumbnails.journal")
    #expect(throws: ThumbnailError.self) {
      try directory.keep(Self.scene(), of: subject, sourceSize: Self.sourceSize, as: .large)
    }
    #expect(cache.files.isEmpty)
  }
}

extension TemporaryThumbnails {
  /// Writes a thumbnail of 256 x 192 pixels as another program would, changed by ImageMagick arguments.
  func writeForeign(of subject: ThumbnailSubject, way: String = "") throws {
    let name = subject.name
    try folder.makeFolder("cache/thumbnails/large")
    try folder.write(TestScene.make(PixelSize(width: 256, height: 192)).pam, to: "scene.pam")
    let words = way.split(separator: " ").map(String.init)
    try folder.run(
      ["convert", "scene.pam", "-set", "Thumb::URI", name.uri]
        + ["-set", "Thumb::MTime", "\(subject.modificationTime)"] + words
        + ["PNG:cache/thumbnails/large/\(name.fileName)"])
    // Only one that is later than the photo's last change shows what is in it now.
    try folder.touch("cache/thumbnails/large/\(name.fileName)", after: subject.path)
  }
}

import AssetLibrary
import Fixtures
import FolderLibrary
import Pixels
import SystemPackage
import Testing
import Glibc

/// What a scan finds, and what it skips.
@Suite struct FolderScanTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `The content determines the format, not the name`() throws {
    try folder.writePhoto("photo.txt")
    try folder.writePhoto("photo")
    try folder.writePhoto("photo.JPEG")
    try folder.write(Array("a letter".utf8), to: "letter.txt")
    try folder.write([], to: "empty")
    #expect(folder.library().names.sorted() == ["photo", "photo.JPEG", "photo.txt"])
  }

  @Test func `Backups that programs leave beside a photo are not listed as photos`() throws {
    let names = [
      "a.jpg", "b_original", "c_original.jpg", "d.original", "e.jpg_originals", "~f.jpg", "_original",
    ]
    let leftovers = [
      "a.jpg_original", "gone.HEIC_original", "a.mov_original", "a.jpg~", "a.jpg.~1~", "~", "._a.jpg",
      "Makefile~",
    ]
    for name in names + leftovers.filter({ $0 != "~" }) { try folder.writePhoto(name) }
    #expect(folder.library().names.sorted() == names.sorted())
    var listing = RemoteListing()
    for name in names + leftovers {
      listing.add(.init(name: Array(name.utf8), key: 1, size: 1, modified: 1), isFolder: false)
    }
    #expect(listing.files.map { String(decoding: $0.name, as: UTF8.self) } == names + ["~"])
  }

  struct Broken: Sendable {
    var name: String
    var bytes: [UInt8]
    var defect: String
  }

  static let broken = [
    Broken(name: "a.jpg", bytes: Array("no picture".utf8), defect: "its content is no picture or video"),
    Broken(name: "a.JPEG", bytes: [], defect: "the file is empty"),
    Broken(
      name: "a.jpg", bytes: [0xFF, 0xD8, 0xFF, 0xE0], defect: "the file ends before the picture begins"),
    Broken(name: "a", bytes: [0xFF, 0xD8, 0xFF, 0xE0], defect: "the file ends before the picture begins"),
  ]

  @Test(arguments: broken)
  func `A file with a photo's name and other content is listed as broken`(broken: Broken) throws {
    try folder.write(broken.bytes, to: broken.name)
    let asset = try #require(folder.library().all().first)
    #expect(asset.defect == broken.defect)
    #expect(asset.isBroken)
    #expect(folder.library().all(FetchOptions(filter: .matching(.images))).isEmpty)
  }

  @Test func `Hidden files and folders are skipped`() throws {
    try folder.writePhoto("seen.jpg")
    try folder.writePhoto(".hidden.jpg")
    try folder.writePhoto(".folder/a.jpg")
    try folder.writePhoto("no media/a.jpg")
    try folder.writePhoto("no media/below/a.jpg")
    try folder.write([], to: "no media/.nomedia")
    #expect(folder.library().names == ["seen.jpg"])
  }

  @Test func `Links are followed, and loops are detected`() throws {
    let elsewhere = try TemporaryFolder()
    try elsewhere.writePhoto("far.jpg")
    try folder.writePhoto("a/near.jpg")
    try folder.link("a/up", to: "..")
    try folder.link("a/self", to: ".")
    try folder.link("there", to: elsewhere.path)
    try folder.link("nowhere", to: "gone")
    #expect(folder.library().names.sorted() == ["far.jpg", "near.jpg"])
    #expect(folder.library().status.issues.isEmpty)
  }

  @Test func `A file with two hard links is two assets`() throws {
    try folder.writePhoto("a.jpg")
    try folder.link("b.jpg", to: "a.jpg")
    let assets = folder.library().all()
    #expect(assets.count == 2)
    #expect(Set(assets.map(\.id)).count == 2)
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func `Unreadable files are reported and the rest is listed`() throws {
    try folder.writePhoto("open/a.jpg")
    try folder.writePhoto("shut/b.jpg")
    try folder.writePhoto("secret.jpg")
    try folder.setPermissions(0, of: "shut")
    try folder.setPermissions(0, of: "secret.jpg")
    let library = folder.library()
    #expect(library.names == ["a.jpg"])
    let subjects = library.status.issues.map(\.subject)
    #expect(Set(subjects) == ["\(folder.path)/shut", "\(folder.path)/secret.jpg"])
    #expect(library.status.issues.allSatisfy { $0.reason == "Permission denied" })
  }

  @Test func `A missing source is reported`() {
    let library = FolderAssetStore.complete([folder.filePath(of: "gone")])
    #expect(library.all().isEmpty)
    #expect(library.status.issues.map(\.reason) == ["No such file or directory"])
  }

  @Test func `A named pipe among the photos does not block the scan`() throws {
    try folder.writePhoto("a.jpg")
    let pipe = folder.filePath(of: "pipe.jpg")
    #expect(pipe.withPlatformString { mkfifo($0, 0o600) } == 0)
    #expect(folder.library().names == ["a.jpg"])
    let named = FolderAssetStore.complete([pipe])
    #expect(named.status.issues.map(\.reason) == ["not a file"])
  }

  @Test func `A file that is named individually and is no picture is reported`() throws {
    try folder.write(Array("a letter".utf8), to: "letter.txt")
    let library = FolderAssetStore.complete([folder.filePath(of: "letter.txt")])
    #expect(library.status.issues.map(\.reason) == ["not a picture or video"])
    #expect(folder.library().status.issues.isEmpty)
  }

  @Test func `Files of one photo are grouped in whatever spelling they were named`() throws {
    try folder.writePhoto("a/1.jpg")
    try folder.write(HandmadeMovie().bytes, to: "a/1.mov")
    try folder.writePhoto("a/2.jpg")
    let library = FolderAssetStore.complete(
      ["a/2.jpg", "./a/1.mov", "a/../a/1.jpg"].map { folder.filePath(of: $0) })
    let assets = library.all()
    #expect(assets.count == 2)
    let live = try #require(assets.first { $0.mediaSubtypes.contains(.livePhoto) })
    #expect(live.pathBytes == Array("\(folder.path)/a/../a/1.jpg".utf8))
    let first = try library.identifiers(at: folder.filePath(of: "a/1.mov"))
    #expect(first == [live.id])
  }

  @Test func `An issue names the file as it was given`() throws {
    try folder.writePhoto("a/1.jpg")
    try folder.write(Array("a letter".utf8), to: "a/letter.txt")
    let letter = "\(folder.path)/./a/letter.txt"
    let library = FolderAssetStore.complete([folder.filePath(of: "a/1.jpg"), FilePath(letter)])
    #expect(library.status.issues.map(\.subject) == [letter])
  }

  @Test func `Hundreds of files in deep folders are all found`() throws {
    let photo = try TestPhoto(width: 8, height: 8).bytes()
    for number in 0..<300 {
      let depth = String(repeating: "d/", count: number % 30)
      try folder.write(photo, to: "\(depth)\(number).jpg")
    }
    let library = folder.library()
    #expect(library.all().count == 300)
    #expect(library.status == LibraryStatus(isComplete: true, assetCount: 300))
  }
}

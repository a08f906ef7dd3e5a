import AssetLibrary
import Fixtures
import FolderLibrary
import SystemPackage
import Testing

/// File names that a file system allows.
@Suite struct FileNameTests {
  static let names: [[UInt8]] = [
    Array("a photo.jpg".utf8), Array("line\nbreak.jpg".utf8), Array("\u{1B}[2Jescape.jpg".utf8),
    [0x66, 0xFF, 0xFE, 0x80], [0xC3, 0x28, 0x2E, 0x6A, 0x70, 0x67], Array("東京.jpg".utf8),
    Array("e\u{301}.jpg".utf8), Array("é.jpg".utf8), Array("-n".utf8), Array("*?[a]'\"\\$x".utf8),
    [UInt8](repeating: 0x78, count: 255),
  ]

  @Test(arguments: names)
  func `Any name keeps its bytes`(name: [UInt8]) throws {
    let folder = try TemporaryFolder()
    try folder.writePhoto(name)
    let asset = try #require(folder.library().all().first)
    let resource = try #require(asset.primaryResource)
    #expect(resource.filename == name)
    #expect(resource.path.bytes == folder.path(of: name))
    #expect(try folder.library().reader(for: resource).count == Int(resource.byteCount))
  }

  @Test func `Names that differ only in their bytes are different files`() throws {
    let folder = try TemporaryFolder()
    for name in Self.names { try folder.writePhoto(name) }
    let library = folder.library()
    #expect(Set(library.all().compactMap { $0.primaryResource?.filename }) == Set(Self.names))
    #expect(Set(library.all().map(\.id)).count == Self.names.count)
  }

  @Test func `A folder with names that are not UTF-8 is scanned`() throws {
    let folder = try TemporaryFolder()
    try folder.writePhoto([0xFF, 0x0A, 0x2F] + Array("a.jpg".utf8))
    #expect(folder.library().names == ["a.jpg"])
    #expect(folder.library().albums.last?.title == "\u{FFFD}\n")
  }

  @Test(arguments: [[0x61], [0xFF, 0x80], [0x61, 0x2F, 0x62], []] as [[UInt8]])
  func `Paths and bytes convert into each other without loss`(bytes: [UInt8]) {
    #expect(FilePath(bytes: bytes).bytes == bytes)
    #expect(FilePath(bytes: bytes + [0, 0x62]).bytes == bytes)
  }

  @Test(arguments: [("a/b.jpg", "b.jpg"), ("b.jpg", "b.jpg"), ("/b", "b"), ("", "")])
  func `The name follows the last slash`(path: String, name: String) {
    #expect(FilePath(path).nameBytes == Array(name.utf8))
  }

  @Test(arguments: ["", "/"])
  func `Paths begin with the source as it was written`(end: String) throws {
    let folder = try TemporaryFolder()
    try folder.writePhoto("sub/a.jpg")
    let source = FilePath(folder.path + "/sub/.." + end)
    let asset = try #require(FolderAssetStore.complete([source]).all().first)
    #expect(asset.primaryResource?.path.string == "\(folder.path)/sub/../sub/a.jpg")
  }
}

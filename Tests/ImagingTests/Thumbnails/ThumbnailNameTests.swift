import AssetLibrary
import Fixtures
import SystemPackage
import Testing

@testable import Imaging

@Suite struct ThumbnailNameTests {
  struct Vector: Sendable {
    var path: [UInt8]
    var uri: String
    var digest: String?

    init(_ path: String, _ uri: String, _ digest: String? = nil) {
      self.path = Array(path.utf8)
      self.uri = uri
      self.digest = digest
    }
  }

  @Test(arguments: [
    Vector("/home/jens/photos/me.png", "file:///home/jens/photos/me.png", "c6ee772d9e49320e97ec29a7eb5b1697"),
    Vector("/a b.jpg", "file:///a%20b.jpg"),
    Vector("/ü/写.jpg", "file:///%C3%BC/%E5%86%99.jpg"),
    Vector("/!$&'()*+,-./:=@_~", "file:///!$&'()*+,-./:=@_~"),
    Vector("/;?#%[]{}|\\^`\"<>", "file:///%3B%3F%23%25%5B%5D%7B%7D%7C%5C%5E%60%22%3C%3E"),
    Vector("/line\nbreak\u{7F}", "file:///line%0Abreak%7F"),
  ])
  func `A path is escaped as GLib does it`(vector: Vector) {
    let path = FilePath(bytes: vector.path)
    let name = ThumbnailName(path)
    #expect(name.uri == vector.uri)
    if let digest = vector.digest { #expect(name.fileName == "\(digest).png") }
  }

  @Test func `Bytes that are no text survive`() {
    #expect(ThumbnailName(FilePath(bytes: [0x2F, 0xFF, 0x41])).uri == "file:///%FFA")
  }

  @Test(arguments: [
    ("/a/./b//c.jpg", "/a/b/c.jpg"), ("/nowhere/../c.jpg", "/c.jpg"), ("/../c.jpg", "/c.jpg"), ("/", "/"),
  ])
  func `A path is made absolute and normalized`(path: String, expected: String) {
    #expect(FilePath(path).absolute == FilePath(expected))
  }

  @Test func `Links are kept, except those before a double dot`() throws {
    let cache = try TemporaryThumbnails()
    try cache.folder.makeFolder("real/inner")
    try cache.folder.link("link", to: "real/inner")
    let root = FilePath(cache.folder.path)
    #expect(root.appending("link/a.jpg").absolute == root.appending("link").appending("a.jpg"))
    let above = try #require(root.resolved).appending("real").appending("a.jpg")
    #expect(FilePath("\(cache.folder.path)/link/../a.jpg").absolute == above)
  }
}

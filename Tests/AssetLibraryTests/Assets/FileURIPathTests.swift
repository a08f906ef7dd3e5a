import AssetLibrary
import Testing

@Suite struct FileURIPathTests {
  @Test(arguments: [
    ("file:///a/b.jpg", "/a/b.jpg"), ("file:/a/b.jpg", "/a/b.jpg"), ("file://localhost/a", "/a"),
    ("FILE:///a%20b%2Fc", "/a b/c"),
    ("file:///caf%C3%A9", "/caf\u{E9}"), ("file:///a?b#c", "/a?b#c"),
  ])
  func `A file URI is converted to a path`(uri: String, path: String) {
    #expect(FileURI.path(of: uri) == Array(path.utf8))
  }

  @Test(arguments: [
    "/a/b.jpg", "http://x/a", "file://host/a", "file:a", "file:///a%2", "file:///a%GG", "file:///a%00b", "",
  ])
  func `Other text is no file URI`(text: String) {
    #expect(FileURI.path(of: text) == nil)
  }

  @Test func `A URI that was written can be read again`() {
    let path = [UInt8(ascii: "/")] + Array(1...255)
    #expect(FileURI.path(of: FileURI.text(for: path)) == path)
  }
}

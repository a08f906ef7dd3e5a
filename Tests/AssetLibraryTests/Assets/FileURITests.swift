import AssetLibrary
import Testing

@Suite struct FileURITests {
  @Test(arguments: [
    ("/a/b.jpg", "file:///a/b.jpg"), ("/a b", "file:///a%20b"), ("/ü", "file:///%C3%BC"),
    ("/a;b", "file:///a%3Bb"), ("/~x-1_2.3", "file:///~x-1_2.3"), ("/100%", "file:///100%25"),
  ])
  func `Characters other than unreserved ones are percent-encoded`(path: String, uri: String) {
    #expect(FileURI.text(for: path.utf8) == uri)
  }

  @Test func `Any byte is encoded as two hexadecimal digits`() {
    #expect(FileURI.text(for: [0x2F, 0x1B, 0xFF, 0x0A]) == "file:///%1B%FF%0A")
  }

  @Test func `The GLib form leaves more characters unencoded`() {
    #expect(FileURI.text(for: "/a+b=c;d e".utf8, encoding: .glib) == "file:///a+b=c%3Bd%20e")
    #expect(FileURI.text(for: "/a+b=c".utf8) == "file:///a%2Bb%3Dc")
  }
}

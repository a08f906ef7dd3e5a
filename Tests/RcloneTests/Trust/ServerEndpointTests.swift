import Testing

@testable import Rclone

@Suite struct ServerEndpointTests {
  @Test(
    arguments: [
      ("nas.example", "nas.example", 443, "nas.example_443.pem"),
      ("NAS:8443", "nas:8443", 8443, "nas_8443.pem"),
      ("192.0.2.1:5006", "192.0.2.1:5006", 5006, "192.0.2.1_5006.pem"),
      ("[::1]:8443", "[::1]:8443", 8443, "--1_8443.pem"),
      ("[2001:DB8::1]", "[2001:db8::1]", 443, "2001-db8--1_443.pem"),
    ] as [(String, String, UInt16, String)])
  func `A server is a host and a port`(_ text: String, _ name: String, _ port: UInt16, _ file: String) {
    let server = ServerEndpoint(text)
    #expect(server?.description == name && server?.port == port && server?.fileName == file)
    #expect(ServerEndpoint(name) == server)
  }

  @Test(arguments: [
    "", ":443", "nas:", "nas:0", "nas:65536", "a/b", "../x", ".x", "-x", "::1", "[nas]", "a b", "[::1]x",
  ])
  func `Other words are none`(_ text: String) {
    #expect(ServerEndpoint(text) == nil)
  }

  @Test(
    arguments: [
      (["type": "webdav", "url": "https://me:pw@nas.example:5006/dav?x"], "nas.example:5006"),
      (["type": "webdav", "url": "http://nas.example/dav"], nil),
      (["type": "http", "url": "https://h"], "h"),
      (["type": "s3", "endpoint": "minio.example:9000"], "minio.example:9000"), (["type": "s3"], nil),
      (["type": "s3", "endpoint": "http://minio.example:9000"], nil), (["type": "sftp", "host": "h"], nil),
      (["type": "ftp", "host": "h", "tls": "true"], "h:990"), (["type": "ftp", "host": "h"], nil), ([:], nil),
    ] as [([String: String], String?)])
  func `The server of a remote is told by its options`(_ options: [String: String], _ name: String?) {
    #expect(ServerEndpoint(options: options)?.description == name)
  }

  @Test func `The server is found behind aliases and encryption, and no circle holds anybody up`() {
    let all = [
      "nas": ["type": "webdav", "url": "https://nas.example/"],
      "safe": ["type": "crypt", "remote": "nas:photos"],
      "mine": ["type": "alias", "remote": "safe:2024"], "a": ["type": "alias", "remote": "b:"],
      "b": ["type": "alias", "remote": "a:"],
    ]
    #expect(RcloneConfiguration.server(of: "mine:", in: all)?.description == "nas.example")
    #expect(RcloneConfiguration.server(of: "a:", in: all) == nil)
    #expect(RcloneConfiguration.server(of: "none:", in: all) == nil)
    #expect(RcloneConfiguration.server(of: "nas,url='https://other/':", in: all)?.description == "other")
    #expect(RcloneConfiguration.server(of: ":webdav,url='https://h:1/':", in: [:])?.description == "h:1")
  }

  @Test func `A fingerprint is read in every spelling of it`() throws {
    let digits = String(repeating: "ab", count: 32)
    let plain = try #require(CertificateFingerprint(digits))
    #expect(plain.description == Array(repeating: "AB", count: 32).joined(separator: ":"))
    for text in [plain.description, "SHA256:\(plain)", digits.uppercased()] {
      #expect(CertificateFingerprint(text) == plain)
    }
    for text in ["", "ab", digits + "a", digits.replacing("ab", with: "xy"), "é" + digits] {
      #expect(CertificateFingerprint(text) == nil)
    }
  }
}

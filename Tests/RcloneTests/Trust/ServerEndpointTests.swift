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
  func `Other text is no server`(_ text: String) {
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
  func `The server of a remote follows from its options`(_ options: [String: String], _ name: String?) {
    #expect(ServerEndpoint(options: options)?.description == name)
  }

  private static let options = RemoteOptions(
    file: [
      "nas": ["type": "webdav", "url": "https://nas.example/"],
      "safe": ["type": "crypt", "remote": "nas:photos"],
      "mine": ["type": "alias", "remote": "safe:2024"], "a": ["type": "alias", "remote": "b:"],
      "b": ["type": "alias", "remote": "a:"], "disk": ["type": "alias", "remote": "/srv/photos"],
      "all": [
        "type": "combine", "upstreams": "one=mine: \"two=:webdav,url='https://b.example':x y\" three=/srv",
      ],
      "join": ["type": "union", "upstreams": "nas:a:ro disk: nas:b:nc"],
      "wide": ["type": "union", "upstreams": "all: all:", "remotes": "none:"],
      "cloud": ["type": "drive"], "both": ["type": "combine", "upstreams": "a=nas: b=cloud:"],
      "odd": ["type": "newwrapper", "remote": "nas:"],
      "Box": ["type": "webdav", "url": "http://box.example"],
    ],
    variables: [
      "RCLONE_CONFIG_ENV_TYPE=webdav", "RCLONE_CONFIG_ENV_URL=https://env.example",
      "RCLONE_CONFIG_BOX_URL=https://other.example", "RCLONE_CONFIG_DISK_REMOTE=nas:",
    ].map { Array($0.utf8) })

  @Test(
    arguments: [
      ("mine:", ["nas.example"]), ("nas,url='https://other/':", ["other"]),
      (":webdav,url='https://h:1/':", ["h:1"]),
      ("all:", ["nas.example", "b.example"]), ("wide:", ["nas.example", "b.example"]),
      // The environment precedes the file and ignores case; the file does not.
      ("env:", ["env.example"]), ("ENV:", ["env.example"]), ("Env:x", ["env.example"]),
      ("Box:", ["other.example"]),
      ("disk:", ["nas.example"]), ("join:", ["nas.example"]), ("cloud:", []), (":local:", []),
      (":sftp,host=h:", []),
      ("/srv", []), ("srv/a:b", []), ("both:", ["nas.example"]),
    ] as [(String, [String])])
  func `The servers are found through nested remotes`(_ remote: String, _ names: [String]) {
    let servers = RemoteServers(of: remote, in: Self.options)
    #expect(servers.unknown == nil && servers.endpoints.map(\.description) == names, "\(servers)")
    #expect(servers.hasOthers == ["cloud:", "both:"].contains(remote))
    #expect((servers.single == nil) == (names.count != 1 || servers.hasOthers))
  }

  @Test(arguments: [
    "a:", "none:", "NAS:", "box:", "odd:", ":alias:", ":alias,remote=\"naß:\":",
    ":union,upstreams=\"nas: none:\":",
    ":combine,upstreams=\"nas:\":", ":swift:", ":seafile,url=nas:", ":combine,upstreams=\"\"\"a=nas:\":",
  ])
  func `Unknown and circular remotes have no known server`(_ remote: String) {
    #expect(RemoteServers(of: remote, in: Self.options).unknown != nil)
  }

  @Test(
    arguments: [
      ("RCLONE_CA_CERT", false), ("RCLONE_RC", false), ("RCLONE_RC_ADDR", false),
      ("RCLONE_RC_NO_AUTH", false),
      ("RCLONE_NO_CHECK_CERTIFICATE", false), ("RCLONE_WEBDAV_URL", false),
      ("RCLONE_CONFIG_TPICK0_TYPE", false),
      ("rclone_config_tpick0_type", false), ("AWS_CA_BUNDLE", false), ("AWS_ENDPOINT_URL", false),
      ("LD_PRELOAD", false), ("GODEBUG", false), ("TPICK_RCLONE", false), ("RCLONE_LOG_FILE", false),
      ("RCLONE_CONFIG", true), ("RCLONE_CONFIG_PASS", true), ("RCLONE_CONFIG_NAS_URL", true), ("HOME", true),
      ("LC_ALL", true), ("https_proxy", true), ("AWS_ACCESS_KEY_ID", true), ("SSH_AUTH_SOCK", true),
    ])
  func `rclone gets only allowed environment variables`(_ name: String, _ passes: Bool) {
    let variables = DaemonEnvironment.variables(
      from: [Array("\(name)=x".utf8), Array("\(name)".utf8)], adding: [("ADDED", "y")])
    #expect(variables.contains(Array("\(name)=x".utf8)) == passes)
    #expect(variables.last == Array("ADDED=y".utf8))
  }

  @Test func `A fingerprint is read in every spelling`() throws {
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

import Fixtures
import Foundation
import Metadata
import Pixels
import RemoteServers

/// A small library in a folder, a server of it, and a home for the tpick that reads it.
final class RemoteSetup: Sendable {
  /// The folder that is served.
  let folder: TemporaryFolder
  let home: TemporaryFolder
  let server: RemoteServer
  let proxy: FaultProxy?

  /// - Parameters:
  ///   - hasProxy: Whether a proxy precedes the server.
  ///   - certificate: The certificate of a WebDAV server with TLS.
  init(_ kind: RemoteServer.Kind, hasProxy: Bool = false, certificate: TestCertificate? = nil) throws {
    folder = try TemporaryFolder()
    home = try TemporaryFolder()
    for (number, name) in Self.names.enumerated() {
      var photo = TestPhoto(width: 640, height: 480, date: .day(20 - number))
      photo.thumbnail = TestPicture.make(width: 160, height: 120)
      photo.facts.make = "Canon"
      photo.facts.model = "EOS 90D"
      // Noise of varying length, so that no two files are equal.
      try folder.write(try photo.bytes() + [UInt8](repeating: UInt8(number), count: 100 + number), to: name)
    }
    server = try RemoteServer(kind, serving: folder.path, certificate: certificate)
    proxy = try hasProxy ? server.port.map { try FaultProxy(to: $0, carrying: .http) } : nil
    try configure()
  }

  /// Names that need escaping in requests to servers, in folders that become albums.
  static let names = [
    "a.jpg", "b c.jpg", "2023/100% #1 [x].jpg", "2023/über.jpg", "2024/-dash.jpg", "2024/summer/é🏝.jpg",
  ]

  private func configure() throws {
    let text = server.configuration(name: "nas", port: proxy?.port)
    try home.write(Array(text.utf8), to: "rclone.conf")
  }

  /// The server's library, named as a source.
  var source: String { "nas:\(server.root)" }

  var environment: [String: String] {
    [
      "RCLONE_CONFIG": "\(home.path)/rclone.conf", "XDG_CACHE_HOME": "\(home.path)/cache",
      "XDG_DATA_HOME": "\(home.path)/data", "XDG_CONFIG_HOME": "\(home.path)/config",
      // Debian's rclone 1.60 fails with it.
      "AWS_CA_BUNDLE": "",
    ]
  }

  func run(_ arguments: [String]) throws -> Program.Output {
    try Program.run(arguments, environment: environment, timeout: 120)
  }

  /// The data printed by `list --format json` for each asset, by file name relative to the source.
  func assets(_ arguments: [String], below root: String) throws -> [String: [String: Any]] {
    let output = try run(["list", "--format", "json", "--fields", "all"] + arguments)
    let document = try JSONSerialization.jsonObject(with: Data(output.output)) as? [String: Any]
    let assets = document?["assets"] as? [[String: Any]] ?? []
    return Dictionary(
      assets.map { asset in
        let path = asset["path"] as? String ?? ""
        let name = path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
        return (name.hasPrefix("/") ? String(name.dropFirst()) : name, asset)
      }, uniquingKeysWith: { first, _ in first })
  }
}

import Fixtures
import Foundation

/// A real server of a folder on this machine, for rclone as its client; ends with its last reference.
///
/// It listens on 127.0.0.1 at a port that the system has chosen, and asks for a password. What changes in the folder is
/// seen at the next request, for S3 after ``synchronize()``.
package final class RemoteServer: Sendable {
  package let kind: Kind
  /// The folder that is served.
  package let folder: String
  /// Where the server listens; `nil` for an alias.
  package let port: UInt16?
  /// Whether it speaks TLS.
  package let isEncrypted: Bool
  /// The folder's path on the server: a bucket for S3, else nothing.
  package var root: String { kind == .s3 ? "photos" : "" }

  private let process: ServerProcess?
  private let home: TemporaryFolder
  /// Whom it lets in.
  package static let user = "tester"
  /// The password of ``user``, another one for each server.
  package let password: String
  private let obscured: String

  /// Starts a server and waits until it listens.
  /// - Parameters:
  ///   - certificate: for a server that speaks TLS: WebDAV only.
  ///   - port: where to listen, as one does that comes back; chosen by the system unless given.
  /// - Throws: `FixtureError` where a program is missing or does not start.
  package init(
    _ kind: Kind, serving folder: String, certificate: TestCertificate? = nil, port: UInt16 = 0
  ) throws {
    precondition(certificate == nil || kind == .webdav, "only WebDAV is served over TLS")
    self.kind = kind
    self.folder = folder
    isEncrypted = certificate != nil
    home = try TemporaryFolder()
    password = String(UInt64.random(in: .min ... .max), radix: 36)
    let words = try ServerProcess.output(of: ["rclone", "--config", "", "obscure", password], home: home)
    // Before it may stand that there is no file of settings.
    obscured = words.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
    guard kind != .alias else {
      process = nil
      self.port = nil
      return
    }
    let command = Self.command(
      kind, folder: folder, port: port, password: password, certificate: certificate, home: home.path)
    let server = try ServerProcess(command, home: home) { Self.port(in: $0) != nil }
    process = server
    self.port = Self.port(in: server.log)
    guard kind == .s3 else { return }
    // An empty folder makes no bucket.
    try runRclone(["mkdir", "server:\(root)"])
    try synchronize()
  }

  deinit {
    // Before its folder goes.
    process?.end()
  }

  /// What the server has written.
  package var log: String { process?.log ?? "" }

  /// Ends the server; its port refuses connections from then on.
  package func end() { process?.end() }

  /// The sections of an rclone.conf that know the server.
  /// - Parameters:
  ///   - name: the name of the remote.
  ///   - port: another port to connect to, of a ``FaultProxy`` before the server.
  package func configuration(name: String, port: UInt16? = nil) -> String {
    let port = port ?? self.port ?? 0
    let scheme = isEncrypted ? "https" : "http"
    let facts: KeyValuePairs<String, String> =
      switch kind {
      case .alias: ["type": "alias", "remote": folder]
      case .webdav:
        [
          "type": "webdav", "url": "\(scheme)://127.0.0.1:\(port)", "vendor": "other", "user": Self.user,
          "pass": obscured,
        ]
      case .sftp:
        // With the last three rclone need not find out. 1.60 does so once for several files at a time, and says of
        // some of them that there are no hashes; and it writes them into the file.
        [
          "type": "sftp", "host": "127.0.0.1", "port": "\(port)", "user": Self.user, "pass": obscured,
          "shell_type": "unix", "md5sum_command": "md5sum", "sha1sum_command": "sha1sum",
        ]
      case .s3:
        [
          "type": "s3", "provider": "Other", "env_auth": "false", "access_key_id": Self.user,
          "secret_access_key": password, "region": "us-east-1", "endpoint": "http://127.0.0.1:\(port)",
          "force_path_style": "true",
        ]
      }
    return "[\(name)]\n" + facts.map { "\($0.key) = \($0.value)\n" }.joined() + "\n"
  }

  /// Brings what has changed in the folder to the server; does nothing where it reads the folder itself.
  /// - Throws: `FixtureError` with rclone's words.
  package func synchronize() throws {
    guard kind == .s3 else { return }
    // Other bytes of the same length and time first, then other times of the same bytes.
    for options in [["--checksum"], []] {
      try runRclone(["sync"] + options + [folder, "server:\(root)"])
    }
  }

  private func runRclone(_ words: [String]) throws {
    let file = try ConfigurationFile(configuration(name: "server"))
    try ServerProcess.output(of: ["rclone", "--config", file.path] + words, home: home)
  }
}

extension RemoteServer {
  private static func command(
    _ kind: Kind, folder: String, port: UInt16, password: String, certificate: TestCertificate?,
    home: String
  ) -> [String] {
    switch kind {
    case .alias: []
    case .s3: [Kind.python ?? "python3", "-m", "moto.server", "-H", "127.0.0.1", "-p", "\(port)"]
    case .webdav, .sftp:
      [
        // No file of settings, folders are read anew for every request, and a link is what it leads to.
        "rclone", "--config", "", "--cache-dir", "\(home)/cache", "serve", kind.rawValue, "--addr",
        "127.0.0.1:\(port)", "--user", user, "--pass", password, "--dir-cache-time", "0s", "--vfs-cache-mode",
        "off", "--copy-links",
      ] + (certificate.map { ["--cert", $0.certificatePath, "--key", $0.keyPath] } ?? []) + [folder]
    }
  }

  /// The port in the line that says that the server listens.
  private static func port(in log: String) -> UInt16? {
    for line in log.split(whereSeparator: \.isNewline) where line.contains(" on ") {
      guard let address = line.range(of: "127.0.0.1:") else { continue }
      if let port = UInt16(line[address.upperBound...].prefix { $0.isNumber }) { return port }
    }
    return nil
  }
}

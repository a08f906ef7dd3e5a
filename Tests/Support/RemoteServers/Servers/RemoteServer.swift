import Fixtures
import Foundation
import Synchronization

/// A real local server of a folder, with rclone as its client; stopped with its last reference.
///
/// It listens on 127.0.0.1 at a port chosen by the system, and requires a password. Changes in the folder are visible
/// at the next request, for S3 and for the times of folders by SFTP after ``synchronize()``. All folders served by S3 are buckets of one server.
package final class RemoteServer: Sendable {
  package let kind: Kind
  /// The folder that is served.
  package let folder: String
  /// The server's port; `nil` for an alias.
  package let port: UInt16?
  /// Whether it uses TLS.
  package let isEncrypted: Bool
  /// The folder's path on the server: a bucket for S3, else empty.
  package let root: String

  private let process = Mutex<ServerProcess?>(nil)
  /// Its port, once it is stopped.
  private let place = Mutex<ReservedPort?>(nil)
  private let home: TemporaryFolder
  /// The user name.
  package static let user = "tester"
  /// The password of ``user``, different for each running server.
  package var password: String { secret.plain }
  private let secret: Secret

  /// Starts a server and waits until it listens.
  /// - Parameters:
  ///   - certificate: For a server with TLS: WebDAV only.
  ///   - port: The port of a restarted server; chosen by the system unless given.
  /// - Throws: `FixtureError` if a program is missing or does not start.
  package init(
    _ kind: Kind, serving folder: String, certificate: TestCertificate? = nil, port: UInt16 = 0
  ) throws {
    precondition(certificate == nil || kind == .webdav, "only WebDAV is served over TLS")
    self.kind = kind
    self.folder = folder
    isEncrypted = certificate != nil
    home = try TemporaryFolder()
    secret = try Secret.take()
    guard kind != .alias else {
      root = ""
      self.port = nil
      return
    }
    guard kind != .s3 else {
      (root, self.port) = try ObjectStore.addBucket()
      // An empty folder creates no bucket.
      try runRclone(["mkdir", "server:\(root)"])
      try runRclone(["sync", folder, "server:\(root)"])
      return
    }
    root = ""
    let command = Self.command(
      kind, folder: folder, port: port, password: secret.plain, certificate: certificate, home: home.path)
    let server = try ServerProcess(command, home: home) { Self.port(in: $0) != nil }
    self.port = Self.port(in: server.log)
    process.withLock { $0 = server }
  }

  deinit {
    // Before its folder is removed.
    end()
    secret.giveBack()
  }

  /// The server's output.
  package var log: String { process.withLock { $0?.log } ?? "" }

  /// Stops the server; its port refuses connections from then on, and is kept for another server.
  ///
  /// An S3 server continues for others.
  package func end() {
    process.withLock { process in
      guard let ending = process else { return }
      ending.end()
      place.withLock { place in place = place ?? port.flatMap { try? ReservedPort($0) } }
    }
  }

  /// The sections of an rclone.conf for the server.
  /// - Parameters:
  ///   - name: The name of the remote.
  ///   - port: Another port to connect to, of a ``FaultProxy`` before the server.
  package func configuration(name: String, port: UInt16? = nil) -> String {
    let port = port ?? self.port ?? 0
    let scheme = isEncrypted ? "https" : "http"
    let facts: KeyValuePairs<String, String> =
      switch kind {
      case .alias: ["type": "alias", "remote": folder]
      case .webdav:
        [
          "type": "webdav", "url": "\(scheme)://127.0.0.1:\(port)", "vendor": "other", "user": Self.user,
          "pass": secret.obscured,
        ]
      case .sftp:
        // With the last three rclone need not detect them. Version 1.60 detects them once for several files at a time,
        // reports no hashes for some of those, and writes the result into the file.
        [
          "type": "sftp", "host": "127.0.0.1", "port": "\(port)", "user": Self.user, "pass": secret.obscured,
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

  /// Makes changes of the folder, and the times of its folders, visible to the next request.
  ///
  /// S3 gets the changed files. An SFTP server is started again at its port: until rclone 1.61 a server reports the
  /// time that a folder had when it was first listed (https://github.com/rclone/rclone/issues/6335).
  /// - Throws: `FixtureError` with rclone's message.
  package func synchronize() throws {
    if kind == .sftp, let port {
      let command = Self.command(
        kind, folder: folder, port: port, password: secret.plain, certificate: nil, home: home.path)
      try process.withLock { process in
        process?.end()
        let place = try ReservedPort(port)
        defer { extendLifetime(place) }
        process = try ServerProcess(command, home: home) { Self.port(in: $0) != nil }
      }
    }
    guard kind == .s3 else { return }
    // First changed bytes with the same length and time, then changed times of the same bytes.
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
  /// A password, and its obscured form for rclone's configuration.
  ///
  /// Passwords of stopped servers are reused, because obscuring one takes rclone longer than it is worth.
  private struct Secret: Sendable {
    let plain: String
    let obscured: String

    private static let free = Mutex<[Secret]>([])

    static func take() throws -> Secret {
      if let secret = free.withLock({ $0.popLast() }) { return secret }
      let plain = String(UInt64.random(in: .min ... .max), radix: 36)
      let words = try ServerProcess.output(
        of: ["rclone", "--config", "", "obscure", plain], home: TemporaryFolder())
      // The output may begin with a notice that there is no configuration file.
      return Secret(
        plain: plain, obscured: words.split(whereSeparator: \.isNewline).last.map(String.init) ?? "")
    }

    func giveBack() { Self.free.withLock { $0.append(self) } }
  }

  private static func command(
    _ kind: Kind, folder: String, port: UInt16, password: String, certificate: TestCertificate?,
    home: String
  ) -> [String] {
    switch kind {
    case .alias, .s3: []
    case .webdav, .sftp:
      [
        // No configuration file, folders are read again for every request, and links are followed.
        "rclone", "--config", "", "--cache-dir", "\(home)/cache", "serve", kind.rawValue, "--addr",
        "127.0.0.1:\(port)", "--user", user, "--pass", password, "--dir-cache-time", "0s", "--vfs-cache-mode",
        "off", "--copy-links",
      ] + (certificate.map { ["--cert", $0.certificatePath, "--key", $0.keyPath] } ?? []) + [folder]
    }
  }

  /// One S3 server for all buckets: starting Python takes more than a second of processor time.
  private enum ObjectStore {
    private struct State {
      var server: ServerProcess?
      var buckets = 0
    }

    private static let state = Mutex(State())

    /// - Returns: The name of a new bucket, and the server's port.
    static func addBucket() throws(FixtureError) -> (name: String, port: UInt16?) {
      try state.withLock { (state) throws(FixtureError) in
        if state.server == nil { state.server = try start() }
        state.buckets += 1
        let name = state.buckets == 1 ? "photos" : "photos-\(state.buckets)"
        return (name, state.server.flatMap { RemoteServer.port(in: $0.log) })
      }
    }

    /// Starts the server from a permanent thread: the kernel kills it when the thread that started it ends.
    private static func start() throws(FixtureError) -> ServerProcess {
      let started = Mutex<Result<ServerProcess, FixtureError>?>(nil)
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        do throws(FixtureError) {
          let home: TemporaryFolder
          do { home = try TemporaryFolder() } catch { throw FixtureError("\(error)") }
          let command = [Kind.python ?? "python3", "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"]
          let server = try ServerProcess(command, home: home) { RemoteServer.port(in: $0) != nil }
          started.withLock { $0 = .success(server) }
        } catch { started.withLock { $0 = .failure(error) } }
        isDone.signal()
        DispatchSemaphore(value: 0).wait()
      }
      isDone.wait()
      atexit { ObjectStore.state.withLock { $0.server = nil } }
      guard let result = started.withLock({ $0 }) else { throw FixtureError("no server of S3") }
      return try result.get()
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

import Fixtures
import Foundation
import TestScheduling
import RemoteServers
import Testing

@testable import Rclone
import Glibc

/// Real servers with TLS and certificates that no system trusts.
@Suite(.onOwnThreads, .enabled(if: RcloneProgram.find() != nil, "rclone is not installed"))
struct CertificateTrustTests {
  private let folder: TemporaryFolder
  private let store: CertificateStore

  init() throws {
    folder = try TemporaryFolder()
    try folder.write([1, 2, 3], to: "photos/x.jpg")
    store = CertificateStore(in: "\(folder.path)/config/tpick/certificates")
  }

  private func serve(_ certificate: TestCertificate, port: Int = 0) throws -> SecureServer {
    try SecureServer("\(folder.path)/photos", certificate, port: port)
  }

  /// The listing from a server, or the error.
  private func list(_ server: SecureServer) throws -> Result<[String], RcloneError> {
    let settings = try CertificateTrust(store).settings(for: server.remote, RemoteFolder.settings)
    let remote = RcloneRemote(server.remote, settings: settings)
    do throws(RcloneError) {
      return .success(try remote.list("", wantsHashes: false, isCancelled: { false }).map(\.name))
    } catch { return .failure(error) }
  }

  private func error(_ result: Result<[String], RcloneError>) -> RcloneError? {
    if case .failure(let error) = result { error } else { nil }
  }

  @Test func `A certificate is displayed as it is`() throws {
    let made = try TestCertificate("nas", in: folder)
    let server = try serve(made)
    let shown = try ServerCertificate(of: try server.endpoint)
    #expect(shown.fingerprint.description == made.fingerprint)
    #expect(shown.subject.contains("nas") && shown.issuer.contains("nas"))
    #expect(shown.names.contains("localhost") && shown.names.contains("127.0.0.1"))
    #expect(!shown.validFrom.isEmpty && !shown.validUntil.isEmpty)
  }

  @Test func `A server is trusted once its own certificate is, and no longer once that is forgotten`()
    throws
  {
    let server = try serve(try TestCertificate("nas", in: folder))
    let endpoint = try server.endpoint
    let before = try #require(error(try list(server)))
    #expect(
      before.kind == .certificate && before.reason.contains("tpick remote trust 127.0.0.1:\(server.port)"))
    try store.trust(try ServerCertificate(of: endpoint), for: endpoint)
    #expect(try list(server) == .success(["x.jpg"]))
    #expect(try store.forget(endpoint))
    #expect(error(try list(server))?.kind == .certificate)
    #expect(try !store.forget(endpoint))
  }

  @Test func `Another server's certificate does not help`() throws {
    let (first, second) = (
      try serve(try TestCertificate("first", in: folder)),
      try serve(try TestCertificate("second", in: folder))
    )
    try store.trust(try ServerCertificate(of: try first.endpoint), for: try first.endpoint)
    #expect(error(try list(second))?.kind == .certificate)
    #expect(try list(first) == .success(["x.jpg"]))
  }

  @Test func `A server with a changed certificate gets no access, and both are reported`() throws {
    let (old, new) = (try TestCertificate("old", in: folder), try TestCertificate("new", in: folder))
    let first = try serve(old)
    let (endpoint, port) = (try first.endpoint, first.port)
    try store.trust(try ServerCertificate(of: endpoint), for: endpoint)
    let place = try first.stop()
    let second = try serve(new, port: port)
    extendLifetime(place)
    let refused = try #require(error(try list(second)))
    #expect(refused.kind == .certificate)
    #expect(refused.reason.contains(old.fingerprint) && refused.reason.contains(new.fingerprint))
  }

  @Test func `A certificate for another name is invalid, even if it is trusted`() throws {
    let server = try serve(try TestCertificate("other", in: folder, for: "DNS:other.example"))
    try store.trust(try ServerCertificate(of: try server.endpoint), for: try server.endpoint)
    let refused = try #require(error(try list(server)))
    #expect(refused.kind == .certificate && refused.reason.contains("other.example"))
  }

  @Test
  func `Trusted certificates are in private files, and files of other users are not trusted`()
    throws
  {
    let server = try serve(try TestCertificate("nas", in: folder))
    let endpoint = try server.endpoint
    #expect(try store.isEmpty() && store.certificate(for: endpoint) == nil)
    let shown = try ServerCertificate(of: endpoint)
    try store.trust(shown, for: endpoint)
    try store.trust(shown, for: endpoint)
    #expect(try !store.isEmpty() && store.certificate(for: endpoint)?.fingerprint == shown.fingerprint)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: store.folder) == ["127.0.0.1_\(server.port).pem"])
    let path = try #require(try store.certificate(for: endpoint)?.path)
    var facts = stat()
    #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    #expect(stat(store.folder, &facts) == 0 && facts.st_mode & 0o777 == 0o700)
  }

  @Test(arguments: ["0620", "0602", "0000", "link", "folder", "text", "writable folder"])
  func `A trusted certificate that can't be used is an error, and does not count as none`(
    damage: String
  ) throws {
    let server = try serve(try TestCertificate("nas", in: folder))
    let endpoint = try server.endpoint
    try store.trust(try ServerCertificate(of: endpoint), for: endpoint)
    let path = try #require(try store.certificate(for: endpoint)?.path)
    switch damage {
    case "link":
      rename(path, "\(folder.path)/elsewhere.pem")
      symlink("\(folder.path)/elsewhere.pem", path)
    case "folder":
      unlink(path)
      mkdir(path, 0o700)
    case "text": try Data("none".utf8).write(to: URL(fileURLWithPath: path))
    case "writable folder": chmod(store.folder, 0o777)
    default: chmod(path, try #require(mode_t(damage, radix: 8)))
    }
    // Root can read files without any permission.
    guard geteuid() != 0 || damage != "0000" else { return }
    let refused = try #require(error(listed(server.remote)))
    #expect(refused.reason.contains("can't be used") || refused.reason.contains("ermission"), "\(refused)")
  }

  /// The listing of a remote, or its error.
  private func listed(_ remote: String, _ folder: String = "") -> Result<[String], RcloneError> {
    do throws(RcloneError) {
      let settings = try CertificateTrust(store).settings(for: remote, RemoteFolder.settings)
      let remote = RcloneRemote(remote, settings: settings)
      return .success(try remote.list(folder, wantsHashes: false, isCancelled: { false }).map(\.name))
    } catch { return .failure(error) }
  }

  /// A quoted value, with its own quotes doubled.
  private func quoted(_ value: String) -> String { "\"\(value.replacing("\"", with: "\"\""))\"" }

  @Test func `A trusted certificate applies through every remote that leads to its server`() throws {
    let (old, new) = (try TestCertificate("old", in: folder), try TestCertificate("new", in: folder))
    let server = try serve(old)
    let (endpoint, inner, port) = (try server.endpoint, server.remote, server.port)
    // Each with a folder that is requested from the server.
    let remotes = [
      (":alias,remote=\(quoted(inner)):", ""), (":chunker,remote=\(quoted(inner)):", ""),
      (":union,upstreams=\(quoted("\(quoted(inner)) \(quoted(inner))")):", ""),
      (":combine,upstreams=\(quoted(quoted("a=\(inner)"))):", "a"),
    ]
    for (remote, folder) in remotes {
      let refused = error(listed(remote, folder))
      #expect(refused?.kind == .certificate, "\(remote) \(String(describing: refused))")
    }
    try store.trust(try ServerCertificate(of: endpoint), for: endpoint)
    for (remote, folder) in remotes {
      #expect(listed(remote, folder) == .success(["x.jpg"]), "\(remote)")
    }
    let place = try server.stop()
    let other = try serve(new, port: port)
    extendLifetime(place)
    for (remote, folder) in remotes {
      #expect(error(listed(remote, folder))?.kind == .certificate, "\(remote)")
    }
    withExtendedLifetime(other) {}
  }

  @Test(arguments: [
    "none:", ":unheardof,url=\"https://nas.example/\":", ":alias,remote=\"none:\":",
    ":combine,upstreams=\"x\":",
    ":union,upstreams=\"\":", ":webdav:",
    ":ftp,host=h,tls,no_check_certificate:", ":webdav,url=\"https://h/\",override.no_check_certificate:",
  ])
  func `While any certificate is trusted, a remote with unknown servers is refused`(
    remote: String
  ) throws {
    let server = try serve(try TestCertificate("nas", in: folder))
    try store.trust(try ServerCertificate(of: try server.endpoint), for: try server.endpoint)
    let refused = try #require(error(listed(remote)))
    #expect(remote == "none:" ? refused.kind == .noSuchRemote : refused.kind == .certificate, "\(refused)")
    // Servers without certificates are not affected.
    #expect(try listed(":alias,remote=\"\(folder.path)/photos\":").get() == ["x.jpg"])
  }

  @Test func `One of several servers can't be trusted alone`() throws {
    let (first, second) = (
      try serve(try TestCertificate("first", in: folder)),
      try serve(try TestCertificate("second", in: folder))
    )
    let upstreams = "\(quoted("a=\(first.remote)")) \(quoted("b=\(second.remote)"))"
    let remote = ":combine,upstreams=\(quoted(upstreams)):"
    try store.trust(try ServerCertificate(of: try first.endpoint), for: try first.endpoint)
    #expect(error(listed(remote))?.reason.contains("several servers") == true)
    try store.trust(try ServerCertificate(of: try second.endpoint), for: try second.endpoint)
    #expect(error(listed(remote))?.reason.contains("several servers") == true)
  }

  @Test func `A missing server, and one without TLS, are reported`() throws {
    let plain = try PythonServer("def do_GET(self): pass")
    for (port, kind) in [(9, RcloneError.Kind.unreachable), (plain.port, .failed)] {
      let endpoint = try #require(ServerEndpoint("127.0.0.1:\(port)"))
      let error = #expect(throws: RcloneError.self) { try ServerCertificate(of: endpoint) }
      #expect(error?.kind == kind && error?.reason.isEmpty == false)
    }
  }
}

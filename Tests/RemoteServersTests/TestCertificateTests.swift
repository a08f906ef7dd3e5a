import Fixtures
import RemoteServers
import TestScheduling
import Testing

/// A server with a certificate of its own.
@Suite(.onOwnThreads) struct TestCertificateTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Array("over TLS".utf8), to: "a.jpg")
  }

  @Test func `Only a client that knows the certificate gets files`() throws {
    let certificate = try TestCertificate()
    let changed = try TestCertificate()
    #expect(certificate.fingerprint.count == 64)
    #expect(certificate.fingerprint != changed.fingerprint)
    let server = try RemoteServer(.webdav, serving: folder.path, certificate: certificate)
    let rclone = try Rclone(server.configuration(name: "it"))
    #expect(try rclone.output("--ca-cert", certificate.certificatePath, "cat", "it:a.jpg") == "over TLS")
    for options in [[], ["--ca-cert", changed.certificatePath]] {
      let (status, output) = try rclone.run(options + ["cat", "it:a.jpg"])
      #expect(status != 0)
      #expect(output.contains("x509: certificate signed by unknown authority"))
    }
  }

  @Test func `A certificate is valid only for its hosts`() throws {
    let certificate = try TestCertificate(for: ["photos.example.org", "127.0.0.2"])
    let server = try RemoteServer(.webdav, serving: folder.path, certificate: certificate)
    let rclone = try Rclone(server.configuration(name: "it"))
    let (status, output) = try rclone.run(["--ca-cert", certificate.certificatePath, "cat", "it:a.jpg"])
    #expect(status != 0)
    #expect(output.contains("x509: certificate is valid for 127.0.0.2, not 127.0.0.1"))
  }

  @Test func `A proxy forwards TLS, and a changed byte ends the connection`() throws {
    let certificate = try TestCertificate()
    let server = try RemoteServer(.webdav, serving: folder.path, certificate: certificate)
    let proxy = try FaultProxy(to: try #require(server.port), carrying: .stream)
    let curl = Curl(home: try TemporaryFolder(), server: server, proxy: proxy)
    #expect(try curl.get("a.jpg").status == CurlStatus.untrusted)
    let trusting = ["--cacert", certificate.certificatePath]
    let (status, answers) = try curl.get("a.jpg", options: trusting[0], trusting[1])
    #expect(status == CurlStatus.done)
    #expect(answers.map(\.status) == [200])
    #expect(try curl.bytes(0) == Array("over TLS".utf8))
    #expect(proxy.counters.faults == 0)
    proxy.script = .always(.garble(oneIn: 50))
    #expect(try curl.get("a.jpg", options: trusting[0], trusting[1]).status != CurlStatus.done)
    #expect(proxy.counters.faults == 1)
  }
}

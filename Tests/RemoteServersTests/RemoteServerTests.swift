import Fixtures
import Foundation
import RemoteServers
import TestScheduling
import Testing

/// Servers of each kind, with rclone as their client.
@Suite(.onOwnThreads) struct RemoteServerTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Array("first".utf8), to: "first.jpg")
    try folder.write(Array("second".utf8), to: "a folder/é second.jpg")
    for name in ["first.jpg", "a folder/é second.jpg"] {
      try folder.setModificationTime(1_600_000_000, of: name)
    }
  }

  @Test(arguments: RemoteServer.Kind.ofRclone)
  func `A server shows the current state of the folder`(kind: RemoteServer.Kind) throws {
    let server = try RemoteServer(kind, serving: folder.path)
    let rclone = try Rclone(server.configuration(name: "it"))
    let root = "it:\(server.root)"
    func files() throws -> Set<String> {
      let lines = try rclone.output("lsf", "--recursive", "--files-only", "--format", "pst", root)
      return Set(lines.split(separator: "\n").map(String.init))
    }
    let time = try rclone.output("lsf", "--format", "t", "\(root)/first.jpg").dropLast()
    #expect(time.hasPrefix("2020-09-13"))
    #expect(try files() == ["first.jpg;5;\(time)", "a folder/é second.jpg;6;\(time)"])

    // At once: bytes of the same length and time, another file, a file less.
    try folder.write(Array("FIRST".utf8), to: "first.jpg")
    try folder.setModificationTime(1_600_000_000, of: "first.jpg")
    try folder.write(Array("third!!".utf8), to: "new/third.jpg")
    try folder.setModificationTime(1_600_000_000, of: "new/third.jpg")
    folder.remove("a folder")
    try server.synchronize()
    #expect(try files() == ["first.jpg;5;\(time)", "new/third.jpg;7;\(time)"])
    #expect(try rclone.output("cat", "\(root)/first.jpg") == "FIRST")
    #expect(try rclone.output("cat", "--offset", "2", "--count", "3", "\(root)/new/third.jpg") == "ird")

    // Another time of the same bytes, then nothing left.
    try folder.setModificationTime(1_700_000_000, of: "first.jpg")
    try server.synchronize()
    #expect(try rclone.output("lsf", "--format", "t", "\(root)/first.jpg").hasPrefix("2023-11-14"))
    for name in ["first.jpg", "new"] { folder.remove(name) }
    try server.synchronize()
    #expect(try files().isEmpty)
  }

  @Test(arguments: RemoteServer.Kind.ofRclone)
  func `A server of an empty folder lists no files`(kind: RemoteServer.Kind) throws {
    let empty = try TemporaryFolder()
    let server = try RemoteServer(kind, serving: empty.path)
    let rclone = try Rclone(server.configuration(name: "it"))
    #expect(try rclone.output("lsf", "it:\(server.root)").isEmpty)
  }

  @Test(arguments: [RemoteServer.Kind.webdav, .sftp])
  func `Behind a proxy a server works the same, and refuses connections when it is down`(
    kind: RemoteServer.Kind
  ) throws {
    let server = try RemoteServer(kind, serving: folder.path)
    let proxy = try FaultProxy(
      to: try #require(server.port), carrying: kind == .sftp ? .stream : .http,
      script: .always(.delay(milliseconds: 20)))
    let rclone = try Rclone(server.configuration(name: "it", port: proxy.port))
    #expect(try rclone.output("cat", "it:\(server.root)/first.jpg") == "first")
    #expect(proxy.counters.requests > 0)
    #expect(proxy.counters.faults > 0)
    #expect(proxy.counters.bytesToClient > 5)
    proxy.isGone = true
    let (status, output) = try rclone.run("cat", "it:\(server.root)/first.jpg")
    #expect(status != 0)
    #expect(output.contains("connection refused"))
  }

  @Test(.enabled(if: RemoteServer.Kind.s3.isAvailable, "\(RemoteServer.Kind.requirement)"))
  func `An S3 server behaves like the others`() throws {
    try `A server shows the current state of the folder`(kind: .s3)
    try `A server of an empty folder lists no files`(kind: .s3)
    try folder.write(Array("first".utf8), to: "first.jpg")
    try `Behind a proxy a server works the same, and refuses connections when it is down`(kind: .s3)
  }

  @Test(arguments: [RemoteServer.Kind.webdav, .sftp])
  func `A wrong password is rejected`(kind: RemoteServer.Kind) throws {
    let server = try RemoteServer(kind, serving: folder.path)
    let other = try RemoteServer(kind, serving: folder.path)
    let rclone = try Rclone(server.configuration(name: "it", port: other.port))
    let (status, output) = try rclone.run("lsf", "it:")
    #expect(status != 0)
    #expect(output.contains(kind == .sftp ? "unable to authenticate" : "401"))
  }

  @Test func `A stopped server can restart at its port`() throws {
    var server = try RemoteServer(.webdav, serving: folder.path)
    let port = try #require(server.port)
    server.end()
    let rclone = try Rclone(server.configuration(name: "it"))
    #expect(try rclone.run("lsf", "it:").output.contains("connection refused"))
    server = try RemoteServer(.webdav, serving: folder.path, port: port)
    #expect(server.port == port)
  }

  @Test func `A server and its files are removed with the last reference`() throws {
    let home = try TemporaryFolder()
    var server: ServerProcess? = try ServerProcess(
      ["sh", "-c", "echo $$; exec sleep 1000"], home: home
    ) { $0.hasSuffix("\n") }
    let process = try #require(Int32(server?.log.dropLast() ?? ""))
    #expect(kill(process, 0) == 0)
    #expect(server?.isRunning == true)
    server = nil
    #expect(kill(process, 0) != 0)
  }

  @Test func `A program that does not start reports why`() throws {
    let home = try TemporaryFolder()
    #expect {
      _ = try ServerProcess(["sh", "-c", "echo no such port; exit 3"], home: home) { _ in false }
    } throws: {
      "\($0)".contains("no such port")
    }
  }
}

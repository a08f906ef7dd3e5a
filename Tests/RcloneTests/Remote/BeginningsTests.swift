import Fixtures
import RemoteServers
import TestScheduling
import Testing

@testable import Rclone

/// How short ranges are requested, for which rclone would read more than needed.
@Suite(.onOwnThreads, .enabled(if: RcloneProgram.find() != nil, "rclone is not installed"))
struct BeginningsTests {
  @Test(arguments: [
    ("nas:", "nas,a=b:"), ("nas:Photos/2024", "nas,a=b:Photos/2024"), ("nas,c=d:x", "nas,c=d,a=b:x"),
    (":sftp,host=\"a:b\":", ":sftp,host=\"a:b\",a=b:"), ("/a/folder", "/a/folder"),
  ])
  func `An option is appended to the existing ones`(remote: String, expected: String) {
    #expect(RcloneRemote.adding("a=b", to: remote) == expected)
  }

  @Test(arguments: [
    (":sftp,host=h:", 2), (":webdav,url=\"http://h\":", 1), ("nas,host=h:", 2), (":alias,remote=/a:", 1),
  ])
  func `A second remote is created if files are read ahead`(remote: String, count: Int) {
    let made = RcloneRemote.adHocRemotes(remote, RemoteSpecification(remote))
    #expect(made.count == count && made[0] == ("tpick0", remote))
    if count == 2 { #expect(made[1].0 == "tpick1" && made[1].1.contains(",disable_concurrent_reads=true:")) }
  }

  @Test func `Over SFTP a header costs little more than its length, and whole files are complete`()
    throws
  {
    let folder = try RemoteFolder()
    let bytes = RemoteFolder.bytes(4 << 20)
    try folder.write(bytes, to: "x.jpg")
    let server = try RemoteServer(.sftp, serving: folder.folder.path)
    let proxy = try FaultProxy(to: #require(server.port), carrying: .stream)
    let options = server.configuration(name: "it", port: proxy.port).split(separator: "\n").dropFirst()
      .compactMap { line -> String? in
        let parts = line.split(separator: " ", maxSplits: 2)
        return parts.count == 3 && parts[0] != "type" ? "\(parts[0])=\"\(parts[2])\"" : nil
      }
    let remote = RcloneRemote(":sftp,\(options.joined(separator: ",")):", settings: RemoteFolder.settings)
    try remote.openConnection()
    let before = proxy.counters.bytesToClient
    #expect(try remote.bytes("x.jpg", 0..<65536, of: 4 << 20) == Array(bytes[..<65536]))
    #expect(
      try remote.bytes("x.jpg", 3_000_000..<3_000_100, of: 4 << 20) == Array(bytes[3_000_000..<3_000_100]))
    // Two megabytes, twice, if it reads ahead.
    #expect(proxy.counters.bytesToClient - before < 400_000)
    #expect(try remote.bytes("x.jpg", 0..<4 << 20, of: 4 << 20) == bytes)
  }
}

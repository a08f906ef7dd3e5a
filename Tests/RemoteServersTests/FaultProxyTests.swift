import Fixtures
import Foundation
import RemoteServers
import TestScheduling
import Testing

/// A proxy before a real server, with curl as its client.
@Suite(.onOwnThreads) struct FaultProxyTests {
  private let folder: TemporaryFolder
  private let server: RemoteServer
  private let proxy: FaultProxy
  private let curl: Curl
  private let large: [UInt8]
  private let small = Array("small".utf8)

  init() throws {
    folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 1)
    large = (0..<300_000).map { _ in .random(in: .min ... .max, using: &random) }
    try folder.write(large, to: "large")
    try folder.write(small, to: "small")
    server = try RemoteServer(.webdav, serving: folder.path)
    proxy = try FaultProxy(to: try #require(server.port), carrying: .http)
    curl = Curl(home: try TemporaryFolder(), server: server, proxy: proxy)
  }

  @Test func `Without a fault everything uses one connection, and is counted`() throws {
    let (status, answers) = try curl.get("large", "small", "large", options: "-H", "Range: bytes=0-99999")
    #expect(status == CurlStatus.done)
    #expect(answers.map(\.status) == [206, 206, 206])
    #expect(answers.map(\.connections) == [1, 0, 0])
    #expect(try curl.bytes(0) == Array(large[..<100_000]))
    #expect(try curl.bytes(1) == small)
    let counters = proxy.counters
    #expect(counters.connections == 1)
    #expect(counters.requests == 3)
    #expect(counters.faults == 0)
    #expect((200_000...203_000).contains(counters.bytesToClient))
    #expect((100...3000).contains(counters.bytesToServer))
    #expect(proxy.requests.map(\.line) == ["/large", "/small", "/large"].map { "GET \($0) HTTP/1.1" })
    #expect(proxy.requests.allSatisfy { $0.range == "bytes=0-99999" && $0.fault == .pass })
  }

  @Test(arguments: [
    (0, CurlStatus.emptyReply), (10, CurlStatus.emptyReply), (100_000, CurlStatus.partialFile),
  ])
  func `An answer is cut off where the script says`(count: Int, expected: Int32) throws {
    proxy.script = .always(.cut(afterBytes: count))
    let (status, answers) = try curl.get("large")
    #expect(status == expected)
    #expect(proxy.counters.bytesToClient == count)
    if count > 1000 { #expect(try curl.bytes(0) == Array(large.prefix(answers[0].bytes))) }
    #expect(proxy.counters.faults == 1)
  }

  @Test func `A reset is a TCP reset`() throws {
    proxy.script = .always(.cut(afterBytes: 0, resets: true))
    #expect(try curl.get("large").status == CurlStatus.receiveFailed)
  }

  @Test func `A connection can be left open in silence`() throws {
    proxy.script = .always(.stall(afterBytes: 100_000))
    var attempts = 0
    repeat {
      attempts += 1
      // On a busy machine the time may be over before the answer begins.
      let (status, answers) = try curl.get("large", options: "--max-time", "\(1 << attempts)")
      #expect(status == CurlStatus.timeout)
      #expect(answers[0].bytes <= 100_000)
    } while proxy.counters.faults == 0 && attempts < 8
    #expect(proxy.counters.bytesToClient <= 100_000 * attempts)
    #expect((1...attempts).contains(proxy.counters.faults))
  }

  @Test func `An answer can be delayed`() throws {
    proxy.script = FaultScript([.init(.delay(milliseconds: 300), target: "/large")])
    let (status, answers) = try curl.get("large", "small", "large")
    #expect(status == CurlStatus.done)
    #expect(answers[0].first >= 0.3)
    #expect(answers[2].first >= 0.3)
    #expect(answers.map(\.connections) == [1, 0, 0])
    #expect(try curl.bytes(2) == large)
    #expect(proxy.counters.faults == 2)
  }

  @Test func `An answer can be slowed down`() throws {
    proxy.script = .times(1, .drip(bytesPerSecond: 300_000))
    let (status, answers) = try curl.get("large", "large")
    #expect(status == CurlStatus.done)
    #expect(answers[0].whole >= 0.97)
    #expect(try curl.bytes(0) == large)
    #expect(try curl.bytes(1) == large)
  }

  @Test func `Latency and rate apply to all connections together`() throws {
    proxy.link = LinkConditions(latencyMilliseconds: 40, bitsPerSecond: 4_000_000)
    let began = ContinuousClock.now
    let (status, answers) = try curl.get(
      "large", "large", options: "--parallel", "--parallel-immediate", "--parallel-max", "2")
    let time = ContinuousClock.now - began
    #expect(status == CurlStatus.done)
    #expect(answers.count == 2)
    #expect(proxy.counters.connections == 2)
    #expect(answers.allSatisfy { $0.first >= 0.04 })
    // 600,000 bytes at 500,000 per second, minus a burst of 20 ms. The whole time, because one of them may start later.
    #expect(time >= .seconds(1.2 + 0.04 - 0.02 - 0.01))
    #expect(try curl.bytes(0) == large)
    #expect(try curl.bytes(1) == large)
  }

  @Test func `An answer can replace the server's, and the connection stays`() throws {
    proxy.script = FaultScript([
      .init(.answer(status: 429, retryAfter: 1), count: 1), .init(.answer(status: 503), target: "small"),
    ])
    let (status, answers) = try curl.get("large", "small", "large", options: "-D", "\(curl.home.path)/heads")
    #expect(status == CurlStatus.done)
    #expect(answers.map(\.status) == [429, 503, 200])
    #expect(answers.map(\.connections) == [1, 0, 0])
    #expect(try curl.bytes(2) == large)
    let heads = String(decoding: try curl.home.bytes(of: "heads"), as: UTF8.self)
    #expect(heads.components(separatedBy: "Retry-After: 1\r\n").count == 2)
    #expect(
      proxy.requests.map(\.fault) == [.answer(status: 429, retryAfter: 1), .answer(status: 503), .pass])
  }

  @Test func `A request with content is read completely before the next one`() throws {
    proxy.script = .times(1, .answer(status: 500))
    let (status, answers) = try curl.get(
      "small", "small", options: "-X", "PROPFIND", "-H", "Depth: 0", "-H", "Expect:", "--data-binary",
      "<propfind xmlns=\"DAV:\"><allprop/></propfind>")
    #expect(status == CurlStatus.done)
    #expect(answers.map(\.status) == [500, 207])
    #expect(answers.map(\.connections) == [1, 0])
  }

  @Test(arguments: [(-100_000, CurlStatus.done, 200_000), (50_000, CurlStatus.partialFile, 300_000)])
  func `An answer can state a wrong length`(change: Int, expected: Int32, bytes: Int) throws {
    proxy.script = .always(.contentLength(changedBy: change))
    let (status, answers) = try curl.get("large")
    #expect(status == expected)
    #expect(answers.map(\.bytes) == [bytes])
    #expect(try curl.bytes(0) == Array(large.prefix(bytes)))
  }

  @Test func `Bytes can be changed, in chunks too, and the message stays valid`() throws {
    proxy.script = .always(.garble(oneIn: 1000))
    let (status, answers) = try curl.get("large", "", "large")
    #expect(status == CurlStatus.done)
    #expect(answers[0].bytes == large.count)
    let changed = zip(try curl.bytes(0), large).count { $0 != $1 }
    #expect((200...400).contains(changed))
    #expect(try curl.bytes(2) != curl.bytes(0))
    #expect(answers.map(\.connections) == [1, 0, 0])
  }

  @Test func `The server can disappear and return at the same port`() throws {
    #expect(try curl.get("small").status == CurlStatus.done)
    proxy.isGone = true
    #expect(try curl.get("small").status == CurlStatus.refused)
    proxy.isGone = false
    #expect(try curl.get("small").status == CurlStatus.done)
    server.end()
    #expect(try curl.get("small").status == CurlStatus.emptyReply)
  }
}

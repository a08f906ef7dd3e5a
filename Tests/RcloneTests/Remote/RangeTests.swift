import Foundation
import Synchronization
import TestScheduling
import RemoteServers
import Testing

@testable import Rclone

/// Servers that do not send the requested range.
@Suite(.onOwnThreads, .enabled(if: RcloneProgram.find() != nil, "rclone is not installed"))
struct RangeTests {
  /// A remote over a server that answers every GET with this.
  private func remote(_ body: String) throws -> (RcloneRemote, PythonServer) {
    let server = try PythonServer(body)
    var settings = RemoteFolder.settings
    settings.retries = RetryPolicy(firstPause: .milliseconds(1), longestPause: .milliseconds(5))
    return (RcloneRemote(":http,url=\"http://127.0.0.1:\(server.port)/\":", settings: settings), server)
  }

  private func kind(_ body: () throws -> Void) -> RcloneError.Kind? {
    do { try body() } catch { return (error as? RcloneError)?.kind }
    return nil
  }

  /// Sends `data` completely, whatever was requested.
  private func whole(_ data: String) -> String {
    """
    def do_HEAD(self):
        data = \(data)
        self.send_response(200)
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        return data
    def do_GET(self): self.wfile.write(self.do_HEAD())
    """
  }

  @Test func `A server that ignores ranges is detected, and its files are read from the beginning`()
    throws
  {
    let (remote, server) = try remote(whole("bytes(i * i % 251 for i in range(100000))"))
    let expected = (0..<100_000).map { UInt8($0 * $0 % 251) }
    #expect(kind { _ = try remote.bytes("x.jpg", 1000..<2000, of: 100_000) } == .rangeIgnored)
    #expect(try remote.bytes("x.jpg", 0..<100_000, of: 100_000) == expected)
    #expect(try remote.bytes("x.jpg", 0..<10, of: 100_000) == Array(expected[..<10]))
    #expect(kind { _ = try remote.bytes("x.jpg", 99_999..<100_000, of: 100_000) } == .rangeIgnored)
    #expect(remote.knownRangeSupport.withLock { $0 } == false)
    withExtendedLifetime(server) {}
  }

  /// Sends the requested parts of files; Python code defines the contents.
  private func parts(_ files: KeyValuePairs<String, String>) -> String {
    """
    files = {\(files.map { "'/\($0)': \($1)" }.joined(separator: ", "))}
    def do_HEAD(self): return self.answer(False)
    def do_GET(self): self.answer(True)
    def answer(self, sends):
        data = self.files[self.path]
        first, last = 0, len(data) - 1
        asked = self.headers.get('Range')
        if asked:
            a, b = asked[6:].split('-')
            first, last = int(a), min(last, int(b or last))
        self.send_response(206 if asked else 200)
        self.send_header('Content-Length', str(last - first + 1))
        if asked: self.send_header('Content-Range', 'bytes %d-%d/%d' % (first, last, len(data)))
        self.end_headers()
        if sends: self.wfile.write(data[first:last + 1])
    """
  }

  @Test(arguments: [true, false])
  func `The first header that is read shows whether ranges are supported`(sendsParts: Bool) throws {
    let data = "bytes(i * i % 251 for i in range(100000))"
    let (remote, server) = try remote(sendsParts ? parts(["x.jpg": data]) : whole(data))
    let expected = (0..<100_000).map { UInt8($0 * $0 % 251) }
    #expect(try remote.bytes("x.jpg", 0..<65536, of: 100_000) == Array(expected[..<65536]))
    #expect(remote.knownRangeSupport.withLock { $0 } == sendsParts)
    if sendsParts {
      #expect(try remote.bytes("x.jpg", 70_000..<70_100, of: 100_000) == Array(expected[70_000..<70_100]))
    } else {
      #expect(kind { _ = try remote.bytes("x.jpg", 70_000..<70_100, of: 100_000) } == .rangeIgnored)
    }
    withExtendedLifetime(server) {}
  }

  @Test func `A file with a uniform beginning leaves it undecided`() throws {
    let (remote, server) = try remote(parts(["same.jpg": "bytes(100000)", "short.jpg": "b'ab'"]))
    #expect(try remote.bytes("same.jpg", 0..<65536, of: 100_000).count == 65536)
    #expect(try remote.bytes("short.jpg", 0..<1, of: 2) == Array("a".utf8))
    #expect(remote.knownRangeSupport.withLock { $0 } == nil)
    withExtendedLifetime(server) {}
  }

  @Test func `A uniform file shows nothing about its server, and the next one does`() throws {
    let (remote, server) = try remote(
      parts(["same.jpg": "bytes(100000)", "x.jpg": "bytes(i * i % 251 for i in range(1000))"]))
    #expect(kind { _ = try remote.bytes("same.jpg", 1000..<2000, of: 100_000) } == .rangeIgnored)
    #expect(remote.knownRangeSupport.withLock { $0 } == nil)
    #expect(try remote.bytes("same.jpg", 0..<100_000, of: 100_000).count == 100_000)
    #expect(try remote.bytes("x.jpg", 500..<600, of: 1000) == (500..<600).map { UInt8($0 * $0 % 251) })
    #expect(try remote.bytes("same.jpg", 1000..<2000, of: 100_000).count == 1000)
    withExtendedLifetime(server) {}
  }

  @Test func `A part that equals the beginning does not discredit a correct server`() throws {
    let (remote, server) = try remote(
      parts([
        "x.jpg": "(lambda r: (lambda block: block + block + r.randbytes(500))(r.randbytes(1000)))("
          + "__import__('random').Random(42))"
      ]))
    let part = try remote.bytes("x.jpg", 1000..<2500, of: 2500)
    #expect(remote.knownRangeSupport.withLock { $0 } == true)
    let whole = try remote.bytes("x.jpg", 0..<2500, of: 2500)
    #expect(part == Array(whole[1000...]) && whole[..<1000] == whole[1000..<2000])
    withExtendedLifetime(server) {}
  }

  @Test func `A local disk is not tested for range support`() throws {
    let folder = try RemoteFolder()
    try folder.write([UInt8](repeating: 0, count: 100_000), to: "same.jpg")
    let remote = RcloneRemote(folder.specification, settings: RemoteFolder.settings)
    #expect(try remote.bytes("same.jpg", 1000..<2000, of: 100_000) == [UInt8](repeating: 0, count: 1000))
    #expect(remote.knownRangeSupport.withLock { $0 } == true)
  }

  @Test func `A connection that breaks repeatedly is resumed as long as data arrives`()
    throws
  {
    let (remote, server) = try remote(
      """
      def do_HEAD(self): self.answer(False)
      def do_GET(self): self.answer(True)
      def answer(self, sends):
          data = bytes(i * i % 251 for i in range(100000))
          asked = self.headers.get('Range')
          first, last = 0, len(data) - 1
          if asked:
              a, b = asked[6:].split('-')
              first, last = int(a), int(b or last)
          self.send_response(206 if asked else 200)
          self.send_header('Content-Length', str(last - first + 1))
          self.send_header('Content-Range', 'bytes %d-%d/%d' % (first, last, len(data)))
          self.end_headers()
          if sends: self.wfile.write(data[first:min(last + 1, first + 9000)])
          self.close_connection = True
      """)
    let expected = (0..<100_000).map { UInt8($0 * $0 % 251) }
    #expect(try remote.bytes("x.jpg", 0..<100_000, of: 100_000) == expected)
    #expect(try remote.bytes("x.jpg", 500..<80_000, of: 100_000) == Array(expected[500..<80_000]))
    withExtendedLifetime(server) {}
  }

  @Test func `A silent server is abandoned when the request is canceled`() throws {
    let (remote, server) = try remote(
      """
      def do_HEAD(self): time.sleep(3600)
      def do_GET(self): time.sleep(3600)
      """)
    let end = ContinuousClock.now + .milliseconds(300)
    let cancelled = kind {
      _ = try remote.read(
        "x.jpg", range: 0..<10, of: 100, modified: nil, isCancelled: { ContinuousClock.now > end },
        take: { _ in true })
    }
    #expect(cancelled == .cancelled)
    #expect(
      kind { _ = try remote.list("", wantsHashes: false, isCancelled: { ContinuousClock.now > end }) }
        == .cancelled)
    withExtendedLifetime(server) {}
  }
}

import Testing

@testable import RemoteServers

/// The boundaries of HTTP messages, however they are split.
@Suite struct HTTPFramingTests {
  private struct Message: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let side: HTTPFraming.Side
    let bytes: String
    /// The content of each message.
    let bodies: [String]
    var answersHead = false
    var endsWithConnection = false
  }

  private static let messages = [
    Message(
      testDescription: "requests without content", side: .requests,
      bytes: "GET /a HTTP/1.1\r\nHost: x\r\n\r\nHEAD /b HTTP/1.1\r\n\r\n", bodies: ["", ""]),
    Message(
      testDescription: "requests with a length", side: .requests,
      bytes:
        "PROPFIND / HTTP/1.1\r\ncontent-length: 5\r\n\r\nhelloPUT /b HTTP/1.1\r\nContent-Length: 2\r\n\r\n\r\n",
      bodies: ["hello", "\r\n"]),
    Message(
      testDescription: "an answer in chunks with trailers", side: .answers,
      bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "5\r\nhello\r\nA;x=y\r\n0123456789\r\n0\r\nX-A: b\r\n\r\nHTTP/1.1 204 No\r\n\r\n",
      bodies: ["hello0123456789", ""]),
    Message(
      testDescription: "answers without content", side: .answers,
      bytes: "HTTP/1.1 304 Not\r\nContent-Length: 7\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
      bodies: ["", ""]),
    Message(
      testDescription: "an answer to HEAD", side: .answers,
      bytes: "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n", bodies: [""], answersHead: true),
    Message(
      testDescription: "an interim answer", side: .answers,
      bytes: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", bodies: ["x"]),
    Message(
      testDescription: "an answer that ends with the connection", side: .answers,
      bytes: "HTTP/1.0 200 OK\n\nall of it", bodies: ["all of it"], endsWithConnection: true),
  ]

  @Test(arguments: messages, [1, 2, 3, 7, 1000])
  private func `Messages are forwarded unchanged`(message: Message, step: Int) {
    var framing = HTTPFraming(message.side)
    framing.answersHead = message.answersHead
    var input = ByteQueue()
    var rest = Array(message.bytes.utf8)[...]
    var (all, body, bodies): ([UInt8], [UInt8], [String]) = ([], [], [])
    func note(_ piece: HTTPFraming.Piece) {
      switch piece {
      case .head(let head): all += head.bytes
      case .framing(let bytes): all += bytes
      case .body(let bytes):
        all += bytes
        body += bytes
      case .end:
        bodies.append(String(decoding: body, as: UTF8.self))
        body = []
      }
    }
    while !rest.isEmpty {
      input.append(rest.prefix(step))
      rest = rest.dropFirst(step)
      while let piece = framing.next(&input) { note(piece) }
    }
    #expect(bodies.count == message.bodies.count - (message.endsWithConnection ? 1 : 0))
    if let piece = framing.close() { note(piece) }
    #expect(String(decoding: all, as: UTF8.self) == message.bytes)
    #expect(bodies == message.bodies)
  }

  @Test func `A changed length changes nothing else`() {
    var head = HTTPHead(lines: [
      "HTTP/1.1 200 OK", "ETag: \"a:b\"", "content-Length: 12", "X: Content-Length",
    ])
    head.setContentLength(7)
    #expect(
      head == HTTPHead(lines: ["HTTP/1.1 200 OK", "ETag: \"a:b\"", "Content-Length: 7", "X: Content-Length"]))
    #expect(head.contentLength == 7)
    #expect(head.value(of: "etag") == "\"a:b\"")
    #expect(head.status == 200)
    var without = HTTPHead(lines: ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked"])
    let before = without
    without.setContentLength(7)
    #expect(without == before)
  }
}

/// Finds the boundaries of messages in one direction of a connection (RFC 9112, 6 and 7), a piece at a time.
struct HTTPFraming {
  enum Side { case requests, answers }

  enum Piece: Equatable {
    case head(HTTPHead)
    /// Bytes of the message's content.
    case body([UInt8])
    /// Bytes of chunk lengths and line ends.
    case framing([UInt8])
    /// The message is complete.
    case end
  }

  private enum State {
    case head
    case length(Int)
    case chunkSize
    case chunk(Int)
    case chunkEnd
    case trailers
    case untilClose
    case finished
  }

  private let side: Side
  private var state = State.head
  /// Whether the next answer is one to HEAD: it has a length and no content.
  var answersHead = false

  /// Longer data without a blank line is no header: everything is forwarded.
  private static let longestHead = 1 << 18

  init(_ side: Side) { self.side = side }

  /// Returns the next piece of the received bytes; `nil` if there is none yet.
  mutating func next(_ input: inout ByteQueue) -> Piece? {
    switch state {
    case .head: return head(&input)
    case .finished:
      state = .head
      return .end
    case .untilClose: return input.isEmpty ? nil : .body(input.take(.max))
    case .length(let rest):
      guard !input.isEmpty else { return nil }
      let bytes = input.take(rest)
      state = bytes.count == rest ? .finished : .length(rest - bytes.count)
      return .body(bytes)
    case .chunk(let rest):
      guard !input.isEmpty else { return nil }
      let bytes = input.take(rest)
      state = bytes.count == rest ? .chunkEnd : .chunk(rest - bytes.count)
      return .body(bytes)
    case .chunkSize, .chunkEnd, .trailers: return line(&input)
    }
  }

  /// Handles the end of the connection, which also ends a message without a length.
  mutating func close() -> Piece? {
    guard case .untilClose = state else { return nil }
    state = .head
    return .end
  }

  private mutating func head(_ input: inout ByteQueue) -> Piece? {
    guard let count = Self.headLength(input.content) else {
      if input.count > Self.longestHead { state = .untilClose }
      return nil
    }
    let head = HTTPHead(input.take(count))
    switch side {
    case .requests:
      state = head.isChunked ? .chunkSize : Self.state(of: head.contentLength ?? 0)
    case .answers:
      // An interim answer: the actual one follows.
      if head.status / 100 == 1 { return .head(head) }
      if answersHead || head.status == 204 || head.status == 304 {
        state = .finished
      } else if head.isChunked {
        state = .chunkSize
      } else {
        state = head.contentLength.map(Self.state) ?? .untilClose
      }
    }
    return .head(head)
  }

  private static func state(of length: Int) -> State { length > 0 ? .length(length) : .finished }

  /// The number of bytes including the blank line.
  private static func headLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    var lineStart = bytes.startIndex
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
      let line = bytes[lineStart..<index]
      if line.isEmpty || line.elementsEqual(CollectionOfOne(UInt8(ascii: "\r"))) {
        return index + 1 - bytes.startIndex
      }
      lineStart = index + 1
    }
    return nil
  }

  private mutating func line(_ input: inout ByteQueue) -> Piece? {
    guard let end = input.content.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let bytes = input.take(end + 1 - input.content.startIndex)
    switch state {
    case .chunkSize:
      let digits = String(decoding: bytes.prefix { ($0 as UInt8).isHexDigit }, as: UTF8.self)
      let size = Int(digits, radix: 16) ?? 0
      state = size > 0 ? .chunk(size) : .trailers
    case .trailers: if bytes.count <= 2 { state = .finished }
    default: state = .chunkSize
    }
    return .framing(bytes)
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool { Character(Unicode.Scalar(self)).isHexDigit }
}

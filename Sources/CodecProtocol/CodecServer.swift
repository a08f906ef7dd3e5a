import CDescriptorPassing

#if canImport(Glibc)
  import Glibc
#endif

/// The helper's side of the conversation.
///
/// Used by one thread; ends when the parent is gone.
public struct CodecServer {
  private let socket: Int32
  private var inbox = FrameBuffer()
  private var descriptors: [Int32] = []

  /// A server on a connected stream socket, which stays the caller's.
  public init(socket: Int32) {
    self.socket = socket
  }

  /// Answers requests until the other end closes or breaks the protocol.
  /// - Parameters:
  ///   - facts: reads an open file, which is closed afterwards.
  ///   - picture: decodes one, in so many seconds or too late.
  public mutating func run(
    facts: (Int32) throws(CodecError) -> CodecFacts,
    picture: (Int32, DecodeRequest, _ seconds: UInt32) throws(CodecError) -> PictureMemory
  ) {
    guard send(.ready(version: CodecAnswer.version)) else { return }
    while receive() {
      while true {
        let request: CodecRequest
        do {
          guard let frame = try inbox.next() else { break }
          request = try CodecRequest(frame)
        } catch { return }
        guard descriptors.count >= request.descriptorCount else { return }
        let descriptor = descriptors.removeFirst()
        defer { close(descriptor) }
        switch request {
        case .facts(let number):
          let answer = Self.answer(number) { () throws(CodecError) in
            .facts(try facts(descriptor), number: number)
          }
          guard send(answer) else { return }
        case .picture(let request, let seconds, let number):
          var memory: PictureMemory?
          let answer = Self.answer(number) { () throws(CodecError) in
            let decoded = try picture(descriptor, request, seconds)
            memory = decoded
            return .picture(decoded.facts, number: number)
          }
          guard send(answer, memory) else { return }
        }
      }
    }
  }

  private static func answer(
    _ number: UInt32, _ make: () throws(CodecError) -> CodecAnswer
  ) -> CodecAnswer {
    do { return try make() } catch { return .failure(error, number: number) }
  }

  private mutating func receive() -> Bool {
    var arrived = [Int32](repeating: -1, count: DESCRIPTORS_PER_MESSAGE)
    var arrivedCount = 0
    var received = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      received = descriptors_receive(socket, buffer.baseAddress, buffer.count, &arrived, &arrivedCount)
      count = max(0, received)
    }
    guard received > 0 else { return false }
    inbox.append(bytes)
    descriptors += arrived[..<arrivedCount]
    return true
  }

  /// Sends an answer, with a picture's memory at its first byte.
  private func send(_ answer: CodecAnswer, _ memory: PictureMemory? = nil) -> Bool {
    var rest = WireWriter.frame { answer.write(to: &$0) }[...]
    if let memory {
      guard let descriptor = memory.seal() else { return false }
      let sent = rest.withUnsafeBytes { bytes in
        withUnsafePointer(to: descriptor) { descriptors_send(socket, bytes.baseAddress, bytes.count, $0, 1) }
      }
      // tpick waits for this one answer: its queue is empty.
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if sent < 0, errno == EINTR { continue }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }
}

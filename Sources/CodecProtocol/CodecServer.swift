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
  /// - Parameter facts: reads an open file, which is closed afterwards.
  public mutating func run(facts: (Int32) throws(CodecError) -> CodecFacts) {
    guard send(.ready(version: CodecAnswer.version)) else { return }
    while receive() {
      while true {
        let request: CodecRequest
        do {
          guard let frame = try inbox.next() else { break }
          request = try CodecRequest(frame)
        } catch { return }
        guard descriptors.count >= request.descriptorCount else { return }
        switch request {
        case .facts(let number):
          let descriptor = descriptors.removeFirst()
          let answer = Self.answer(number, descriptor, facts)
          close(descriptor)
          guard send(answer) else { return }
        }
      }
    }
  }

  private static func answer(
    _ number: UInt32, _ descriptor: Int32, _ facts: (Int32) throws(CodecError) -> CodecFacts
  ) -> CodecAnswer {
    do {
      return .facts(try facts(descriptor), number: number)
    } catch {
      guard case .unreadable(let reason) = error else {
        return .unreadable("no answer", number: number)
      }
      return .unreadable(reason, number: number)
    }
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

  private func send(_ answer: CodecAnswer) -> Bool {
    var rest = WireWriter.frame { answer.write(to: &$0) }[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if sent < 0, errno == EINTR { continue }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }
}

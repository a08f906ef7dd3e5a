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
  /// What plays, and the file that it reads.
  private var playing: (frames: any FrameSequence, descriptor: Int32)?

  /// A server on a connected stream socket, which stays the caller's.
  public init(socket: Int32) {
    self.socket = socket
  }

  /// Answers requests until the other end closes or breaks the protocol.
  /// - Parameters:
  ///   - facts: reads an open file, which is closed afterwards.
  ///   - picture: decodes one, in so many seconds or too late.
  ///   - frames: opens what moves in an open file, which is closed when the sequence is gone.
  ///   - giveUpAfter: told how long the next frame may take, in seconds; 0 when it is done.
  public mutating func run(
    facts: (Int32) throws(CodecError) -> CodecFacts,
    picture: (Int32, DecodeRequest, _ seconds: UInt32) throws(CodecError) -> PictureMemory,
    frames: (Int32, FramesRequest) throws(CodecError) -> any FrameSequence = { _, _ throws(CodecError) in
      throw .unreadable("it does not move")
    },
    giveUpAfter: (UInt32) -> Void = { _ in }
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
        switch request {
        case .nextFrame(let times, let seconds, let number):
          guard send(nextFrame(times, seconds, number, giveUpAfter)) else { return }
          continue
        case .stop:
          stopPlaying()
          continue
        case .facts, .picture, .frames: break
        }
        let descriptor = descriptors.removeFirst()
        defer { if playing?.descriptor != descriptor { close(descriptor) } }
        switch request {
        case .frames(let request, let times, let seconds, let number):
          stopPlaying()
          giveUpAfter(max(1, seconds))
          defer { giveUpAfter(0) }
          do {
            playing = (try frames(descriptor, request), descriptor)
          } catch {
            guard send(.failure(error, number: number)) else { return }
            continue
          }
          guard send(nextFrame(times, seconds, number, giveUpAfter)) else { return }
        case .nextFrame, .stop: break
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

  private mutating func stopPlaying() {
    guard let (_, descriptor) = playing else { return }
    playing = nil
    close(descriptor)
  }

  private func nextFrame(
    _ times: FrameTimes, _ seconds: UInt32, _ number: UInt32, _ giveUpAfter: (UInt32) -> Void
  ) -> (CodecAnswer, PictureMemory?) {
    guard let frames = playing?.frames else {
      return (.failure(.unreadable("nothing plays"), number: number), nil)
    }
    giveUpAfter(max(1, seconds))
    defer { giveUpAfter(0) }
    do {
      guard let frame = try frames.next(times) else {
        return (.endOfFrames(number: number), nil)
      }
      return (
        .frame(
          frame.picture.facts, start: frame.start, duration: frame.duration, playCount: frames.playCount,
          number: number),
        frame.picture
      )
    } catch {
      return (.failure(error, number: number), nil)
    }
  }

  private func send(_ answer: (CodecAnswer, PictureMemory?)) -> Bool { send(answer.0, answer.1) }

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

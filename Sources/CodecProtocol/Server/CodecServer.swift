import CDescriptorPassing

#if canImport(Glibc)
  import Glibc
#endif

/// The helper's side of the conversation.
///
/// Used by one thread; ends when the parent is gone.
package struct CodecServer {
  private let socket: Int32
  private var inbox = FrameBuffer()
  private var descriptors: [Int32] = []
  /// Whether the last descriptors came when there was no place for them.
  private var areLost = false
  private var playing: Playing?

  /// What plays, and the file that it reads; closed with the last reference.
  private final class Playing {
    let frames: any FrameSequence
    private let descriptor: Int32

    init(_ frames: any FrameSequence, _ descriptor: Int32) {
      (self.frames, self.descriptor) = (frames, descriptor)
    }

    deinit {
      close(descriptor)
    }
  }

  /// A server on a connected stream socket, which stays the caller's.
  package init(socket: Int32) {
    self.socket = socket
  }

  /// Answers requests until the other end closes or breaks the protocol.
  /// - Parameters:
  ///   - facts: reads an open file, which is closed afterwards.
  ///   - picture: decodes one, in so many seconds or too late.
  ///   - frames: opens what moves in an open file, which is closed when the sequence is gone.
  ///   - giveUpAfter: told how long the next frame may take, in seconds; 0 when it is done.
  package mutating func run(
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
        guard descriptors.count >= request.descriptorCount else {
          guard areLost, let number = request.number,
            send(.failure(.noDescriptors, number: number))
          else { return }
          continue
        }
        let file = request.hasFile ? descriptors.removeFirst() : -1
        let output = request.hasOutput ? PictureOutput(descriptors.removeFirst()) : nil
        let answer: CodecAnswer
        switch request {
        case .facts(let number):
          defer { close(file) }
          answer = Self.answer(number) { () throws(CodecError) in .facts(try facts(file), number: number) }
        case .picture(let request, let seconds, let number):
          defer { close(file) }
          answer = Self.answer(number, output) { output throws(CodecError) in
            let decoded = try output.lend { () throws(CodecError) in try picture(file, request, seconds) }
            try decoded.move(into: output)
            return .picture(decoded.facts, number: number)
          }
        case .frames(let request, let times, let seconds, let number):
          answer = Self.answer(number, output) { output throws(CodecError) in
            try play(file, seconds, giveUpAfter) { () throws(CodecError) in try frames(file, request) }
            return try nextFrame(times, seconds, number, output, giveUpAfter)
          }
        case .nextFrame(let times, let seconds, let number):
          answer = Self.answer(number, output) { output throws(CodecError) in
            try nextFrame(times, seconds, number, output, giveUpAfter)
          }
        case .stop:
          playing = nil
          continue
        }
        guard send(answer) else { return }
      }
    }
  }

  private static func answer(
    _ number: UInt32, _ make: () throws(CodecError) -> CodecAnswer
  ) -> CodecAnswer {
    do { return try make() } catch { return .failure(error, number: number) }
  }

  private static func answer(
    _ number: UInt32, _ output: PictureOutput?, _ make: (PictureOutput) throws(CodecError) -> CodecAnswer
  ) -> CodecAnswer {
    answer(number) { () throws(CodecError) in
      guard let output else { throw .noDescriptors }
      return try make(output)
    }
  }

  /// Opens what moves in a file, in the place of what played before.
  private mutating func play(
    _ file: Int32, _ seconds: UInt32, _ giveUpAfter: (UInt32) -> Void,
    _ open: () throws(CodecError) -> any FrameSequence
  ) throws(CodecError) {
    playing = nil
    giveUpAfter(max(1, seconds))
    defer { giveUpAfter(0) }
    do {
      playing = Playing(try open(), file)
    } catch {
      close(file)
      throw error
    }
  }

  private func nextFrame(
    _ times: FrameTimes, _ seconds: UInt32, _ number: UInt32, _ output: PictureOutput,
    _ giveUpAfter: (UInt32) -> Void
  ) throws(CodecError) -> CodecAnswer {
    guard let frames = playing?.frames else { throw .unreadable("nothing plays") }
    giveUpAfter(max(1, seconds))
    defer { giveUpAfter(0) }
    let next = try output.lend { () throws(CodecError) in try frames.next(times) }
    guard let next else { return .endOfFrames(number: number) }
    try next.picture.move(into: output)
    return .frame(
      next.picture.facts, start: next.start, duration: next.duration, playCount: frames.playCount,
      number: number)
  }

  private mutating func receive() -> Bool {
    var arrived = [Int32](repeating: -1, count: DESCRIPTORS_PER_MESSAGE)
    var arrivedCount = 0
    var received = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      received = descriptors_receive(
        socket, buffer.baseAddress, buffer.count, &arrived, &arrivedCount, &areLost)
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

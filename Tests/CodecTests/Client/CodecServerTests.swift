import CPlatform
import Fixtures
import Testing

@testable import CodecProtocol
import Glibc

/// The helper's side without its libraries.
@Suite struct CodecServerTests {
  /// A video of two frames, which records when a frame is requested.
  private final class Frames: FrameSequence {
    private let note: (String) -> Void
    private var left = 2
    let playCount: UInt32 = 1
    let length: Int64 = 0

    init(_ note: @escaping (String) -> Void) {
      self.note = note
    }

    func next(_ skip: FrameTimes) throws(CodecError) -> CodedFrame? {
      note("frame")
      left -= 1
      guard left >= 0 else { return nil }
      return CodedFrame(
        picture: try PictureMemory(PictureFacts(width: 1, height: 1)), start: 0, duration: 1000)
    }
  }

  @Test func `The alarm is set before each frame is decoded, and cleared afterwards`() throws {
    var sockets: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &sockets) == 0 else {
      throw FixtureError("no sockets")
    }
    defer { close(sockets[1]) }
    let requests: [CodecRequest] = [
      .frames(FramesRequest(targetWidth: 1, targetHeight: 1), FrameTimes(), seconds: 7, number: 1),
      .nextFrame(FrameTimes(), seconds: 8, number: 2), .nextFrame(FrameTimes(), seconds: 0, number: 3),
    ]
    let message = requests.flatMap { request in WireWriter.frame { request.write(to: &$0) } }
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    let memory = shared_memory_make(4)
    _ = descriptors_send(sockets[0], message, message.count, [file, memory, memory, memory], 4)
    close(file)
    close(memory)
    // The server reads what was sent, and ends.
    shutdown(sockets[0], Int32(SHUT_WR))
    var notes: [String] = []
    var server = CodecServer(socket: sockets[1], confinement: .claimed)
    server.run(
      ClosureService(
        frames: { () throws(CodecError) in Frames { notes.append($0) } },
        giveUpAfter: { notes.append("\($0)") }))
    close(sockets[0])
    #expect(
      notes == ["7", "0", "7", "frame", "0", "8", "frame", "0", "1", "frame", "0"])
  }

  /// A server's end of a conversation, and the memory sent with the only request for a picture.
  private func pixels(
    _ size: Int, _ picture: (DecodeRequest) throws(CodecError) -> PictureMemory
  ) throws -> (answer: String, bytes: [UInt8], isSealed: Bool) {
    var sockets: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &sockets) == 0 else {
      throw FixtureError("no sockets")
    }
    defer { for socket in sockets { close(socket) } }
    let message = WireWriter.frame {
      CodecRequest.picture(DecodeRequest(), seconds: 1, number: 1).write(to: &$0)
    }
    let memory = try SharedMemory(pixels: size)
    _ = descriptors_send(sockets[0], message, message.count, [memory.descriptor, memory.descriptor], 2)
    shutdown(sockets[0], Int32(SHUT_WR))
    var server = CodecServer(socket: sockets[1], confinement: .claimed)
    withoutActuallyEscaping(picture) { server.run(ClosureService(picture: $0)) }
    let inbox = HelperInbox(socket: sockets[0])
    _ = inbox.receive(within: .seconds(60))
    let answer = "\(inbox.receive(within: .seconds(60)))"
    let isSealed = memory.seal(keeping: size * 4)
    let mapped = try #require(memory.map(size * 4, at: 0))
    defer { munmap(UnsafeMutableRawPointer(mutating: mapped), size * 4) }
    return (answer, Array(UnsafeRawBufferPointer(start: mapped, count: size * 4)), isSealed)
  }

  private func picture(of value: UInt8, width: Int, height: Int) throws(CodecError) -> PictureMemory {
    let memory = try PictureMemory(PictureFacts(width: width, height: height))
    memory.bytes.initializeMemory(as: UInt8.self, repeating: value)
    return memory
  }

  @Test func `A picture is written to tpick's memory, and nothing stays mapped afterwards`() throws {
    let (answer, bytes, isSealed) = try pixels(6) { _ throws(CodecError) in
      try picture(of: 9, width: 3, height: 2)
    }
    #expect(answer.contains("picture"))
    #expect(bytes == [UInt8](repeating: 9, count: 24))
    #expect(isSealed)
  }

  @Test func `Of several pictures that one decoder makes, the returned one arrives`() throws {
    // The first is in tpick's memory, the second in memory of its own.
    for choice in [0, 1] {
      let (_, bytes, isSealed) = try pixels(2) { _ throws(CodecError) in
        let made = [try picture(of: 1, width: 2, height: 1), try picture(of: 2, width: 1, height: 1)]
        return made[choice]
      }
      #expect(bytes.prefix(4) == [UInt8](repeating: UInt8(choice + 1), count: 4)[...])
      #expect(isSealed)
    }
  }

  @Test func `A canceled decode leaves no pixels behind`() throws {
    let (_, bytes, _) = try pixels(2) { _ throws(CodecError) in
      _ = try picture(of: 7, width: 2, height: 1)
      return try PictureMemory(PictureFacts(width: 1, height: 1))
    }
    #expect(bytes.prefix(4) == [0, 0, 0, 0])
  }

  @Test func `A picture larger than the shared memory is too large, however it is made`() throws {
    let (answer, _, isSealed) = try pixels(5) { _ throws(CodecError) in
      try picture(of: 9, width: 3, height: 2)
    }
    #expect(answer.contains("tooLarge"))
    #expect(isSealed)
  }
}

import CDescriptorPassing
import Fixtures
import Testing

@testable import CodecProtocol

#if canImport(Glibc)
  import Glibc
#endif

/// The helper's side without its libraries.
@Suite struct CodecServerTests {
  /// A video of two frames, which notes when it is asked for one.
  private final class Frames: FrameSequence {
    private let note: (String) -> Void
    private var left = 2
    let playCount: UInt32 = 1

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

  @Test func `The alarm is set before each frame is looked for, and off when it is there`() throws {
    var sockets: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0 else {
      throw FixtureError("no sockets")
    }
    defer { close(sockets[1]) }
    let requests: [CodecRequest] = [
      .frames(FramesRequest(targetWidth: 1, targetHeight: 1), FrameTimes(), seconds: 7, number: 1),
      .nextFrame(FrameTimes(), seconds: 8, number: 2), .nextFrame(FrameTimes(), seconds: 0, number: 3),
    ]
    let message = requests.flatMap { request in WireWriter.frame { request.write(to: &$0) } }
    let file = open("/dev/null", O_RDONLY)
    _ = descriptors_send(sockets[0], message, message.count, [file], 1)
    close(file)
    // The server reads what was sent, and ends.
    shutdown(sockets[0], Int32(SHUT_WR))
    var notes: [String] = []
    var server = CodecServer(socket: sockets[1])
    server.run(
      facts: { _ throws(CodecError) in throw .died }, picture: { _, _, _ throws(CodecError) in throw .died },
      frames: { _, _ throws(CodecError) in Frames { notes.append($0) } },
      giveUpAfter: { notes.append("\($0)") })
    close(sockets[0])
    #expect(
      notes == ["7", "0", "7", "frame", "0", "8", "frame", "0", "1", "frame", "0"])
  }
}

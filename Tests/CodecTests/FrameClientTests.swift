import CodecProtocol
import Fixtures
import Testing

/// Requests for frames to a stand-in that does what a file's words tell it to do.
@Suite struct FrameClientTests {
  private let helper = CodecHelper(program: Program.standIn)
  private static let small = FramesRequest(targetWidth: 8, targetHeight: 4)

  private func withFrames(of words: String, _ body: (HelperFrames) throws -> Void) throws {
    let file = NamelessFile(words)
    defer { withExtendedLifetime(file) {} }
    try body(helper.frames(of: file.descriptor, Self.small))
  }

  @Test func `A helper that dies in the middle has said how often all is shown`() throws {
    try withFrames(of: "die later") { frames in
      for index in 0..<2 {
        let frame = try frames.next(FrameTimes())
        #expect(frame?.start == Int64(index) * 100_000)
      }
      #expect(throws: CodecError.died) { _ = try frames.next(FrameTimes()) }
      #expect(frames.playCount == nil)
      // Another one begins anew.
      let first = try frames.next(FrameTimes())
      #expect(first?.start == 0)
    }
  }
}

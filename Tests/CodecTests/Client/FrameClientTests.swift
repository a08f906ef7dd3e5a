import CodecProtocol
import Fixtures
import TestScheduling
import Testing
import Glibc

/// Frame requests to a stand-in helper that executes the command in a file.
@Suite(.onOwnThreads) struct FrameClientTests {
  private let helper = CodecClient(program: Program.standIn)
  private static let small = FramesRequest(targetWidth: 8, targetHeight: 4)

  private func withFrames(of words: String, _ body: (HelperFrames) throws -> Void) throws {
    try NamelessFile(words).withDescriptor { try body(helper.frames(of: $0, Self.small)) }
  }

  /// The process that makes the first frame of a file.
  private func process(for words: String) throws -> String? {
    var note: String?
    try withFrames(of: words) { note = try $0.next(FrameTimes())?.picture.note }
    return note
  }

  @Test func `The next file is played by the same helper, which has closed the previous one`() throws {
    let first = try #require(try process(for: "a"))
    for _ in 0..<3 { #expect(try process(for: "b") == first) }
    #expect(openFiles(of: first) <= 1)
  }

  /// The number of these tests' files that a process has open.
  private func openFiles(of process: String) -> Int {
    (0..<64).count { descriptor in
      var room = [UInt8](repeating: 0, count: 64)
      let count = readlink("/proc/\(process)/fd/\(descriptor)", &room, room.count)
      return count > 0 && String(decoding: room[..<count], as: UTF8.self).contains("tpick-codec.")
    }
  }

  @Test func `The file is closed when playback ends or fails`() throws {
    let first = try #require(try process(for: "a"))
    #expect(eventually { openFiles(of: first) == 0 })
    #expect(throws: CodecError.unreadable("as told")) { _ = try process(for: "unreadable") }
    #expect(eventually { openFiles(of: first) == 0 })
  }

  @Test func `Rewinding restarts at the first frame`() throws {
    try withFrames(of: "a") { frames in
      var starts: [Int64?] = []
      for _ in 0..<2 { starts.append(try frames.next(FrameTimes())?.start) }
      frames.seek(to: 0)
      starts.append(try frames.next(FrameTimes())?.start)
      #expect(starts == [0, 100_000, 0])
    }
  }

  @Test func `A seek requests frames until the one that is shown at the time, or the last`() throws {
    // The stand-in skips nothing, as a helper that has skipped as many as a request may.
    try withFrames(of: "a") { frames in
      for (time, start) in [(150_000, 100_000), (250_000, 200_000), (9_000_000, 200_000), (0, 0)] {
        frames.seek(to: Int64(time))
        let found = try frames.next(FrameTimes())?.start
        #expect(found == Int64(start))
      }
      let next = try frames.next(FrameTimes())?.start
      #expect(next == 100_000)
    }
  }

  @Test func `A failed file leaves the helper for the next, a crash does not`() throws {
    let first = try #require(try process(for: "a"))
    #expect(throws: CodecError.unreadable("as told")) { _ = try process(for: "unreadable") }
    #expect(try process(for: "a") == first)
    #expect(throws: CodecError.died) { _ = try process(for: "die") }
    #expect(try process(for: "a") != first)
  }

  @Test func `A helper that died between playbacks is replaced`() throws {
    let first = try #require(try process(for: "a"))
    kill(try #require(pid_t(first)), SIGKILL)
    let second = try process(for: "a")
    #expect(second != nil && second != first)
  }

  @Test func `A closed descriptor does not cost a helper`() throws {
    let first = try #require(try process(for: "a"))
    do {
      let frames = helper.frames(of: 100_000, Self.small)
      for _ in 0..<2 {
        #expect(throws: CodecError.unreadable("Bad file descriptor")) { _ = try frames.next(FrameTimes()) }
      }
    }
    #expect(try process(for: "a") == first)
  }

  @Test func `Canceling ends the helper as well`() throws {
    let first = try process(for: "a")
    try withFrames(of: "hang") { frames in
      let frame = try frames.next(FrameTimes(), isCancelled: { true })
      #expect(frame == nil)
    }
    #expect(try process(for: "a") != first)
  }

  @Test func `A helper that crashes in the middle has reported the loop count`() throws {
    try withFrames(of: "die later") { frames in
      for index in 0..<2 {
        let frame = try frames.next(FrameTimes())
        #expect(frame?.start == Int64(index) * 100_000)
      }
      #expect(throws: CodecError.died) { _ = try frames.next(FrameTimes()) }
      #expect(frames.playCount == nil)
      // Another one starts from the beginning.
      let first = try frames.next(FrameTimes())
      #expect(first?.start == 0)
    }
  }
}

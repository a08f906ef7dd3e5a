import AssetLibrary
import CPlatform
import Fixtures
import Glibc
import Metadata
import TestScheduling
import Testing

@testable import Conversion

/// Programs run by the codec helper, with a shell in place of FFmpeg.
@Suite(.onOwnThreads, .timeLimit(.minutes(120))) struct ConfinedProgramTests {
  /// The result of a script: its output, or why it failed.
  private func run(
    _ script: String, input: [UInt8] = [], cancellation: Cancellation = Cancellation(),
    line: (String) -> Void = { _ in }
  ) throws -> (said: [String], written: [UInt8]) {
    let source = try TemporaryFile(of: input, name: "a")
    lseek(source.descriptor, 0, SEEK_SET)
    let target = try TemporaryFile(of: [], name: "b")
    var said: [String] = []
    try ConfinedProgram("sh").run(
      ["-c", script], input: source.descriptor, output: target.descriptor, cancellation: cancellation
    ) {
      said.append($0)
      line($0)
    }
    var written = [UInt8](repeating: 0, count: Int(lseek(target.descriptor, 0, SEEK_END)))
    _ = pread(target.descriptor, &written, written.count, 0)
    return (said, written)
  }

  private func failure(_ script: String) throws -> ConfinedProgram.Failure? {
    let source = try TemporaryFile(of: [], name: "a")
    do throws(ConfinedProgram.Failure) {
      try ConfinedProgram("sh").run(
        ["-c", script], input: source.descriptor, output: nil, cancellation: Cancellation()
      ) { _ in }
      return nil
    } catch {
      return error
    }
  }

  @Test func `A program reads one file and writes another, and each line of its output is received`() throws {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let (said, written) = try run("cat <&3 >&4; echo one; echo; printf three", input: bytes)
    #expect(said == ["one", "", "three"] && written == bytes)
  }

  @Test func `A program that exits with an error has failed, and a missing one is reported as such`() throws {
    for script in ["exit 1", "echo word; exit 255", "kill -9 $$"] {
      guard case .failed("")? = try failure(script) else {
        Issue.record("\(script): \(String(describing: try failure(script)))")
        continue
      }
    }
    guard case .missing("sh")? = try failure("exit 127") else {
      Issue.record("status 127 means that there was no program")
      return
    }
    #expect(try failure("exit 0") == nil)
    do throws(ConfinedProgram.Failure) {
      _ = try ConfinedProgram("tpick-no-such-program")
      Issue.record("there is no such program")
    } catch {
      if case .missing("tpick-no-such-program") = error { return }
      Issue.record("\(error)")
    }
  }

  @Test func `A program that closes its output and continues is waited for`() throws {
    let script = "exec >&- 2>&-; i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; echo done >&4"
    #expect(try run(script).written == Array("done\n".utf8))
  }

  @Test func `Processes started by a program end with it`() throws {
    // Its own child holds the other end of the pipe: the shell ends, and the sleeper with it.
    let pipe = try TemporaryFolder()
    let path = "\(pipe.path)/alive"
    try #require(mkfifo(path, 0o600) == 0)
    let reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reading) }
    let writing = open(path, O_WRONLY | O_CLOEXEC)
    let source = try TemporaryFile(of: [], name: "a")
    try ConfinedProgram("sh").run(
      ["-c", "sleep 3600 >&4 2>&1 & exit 0"], input: source.descriptor,
      output: writing, cancellation: Cancellation()
    ) { _ in }
    close(writing)
    // The pipe is closed once the sleeper has ended.
    var place = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    #expect(poll(&place, 1, 60_000) == 1 && Int32(place.revents) & POLLHUP != 0)
  }

  @Test func `A canceled program is killed, whatever it does`() throws {
    for script in ["echo ready; sleep 3600", "echo ready; exec >&- 2>&-; sleep 3600"] {
      let cancellation = Cancellation()
      do {
        _ = try run(script, cancellation: cancellation) { if $0 == "ready" { cancellation.cancel() } }
        Issue.record("it goes on for an hour")
      } catch ConfinedProgram.Failure.cancelled {
        continue
      }
    }
  }

  @Test func `A resource is copied completely, at any length`() throws {
    let bytes = [UInt8](repeating: 5, count: 1 << 20) + (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
    let copy = try TemporaryFile(of: MemoryReader(bytes), name: "a")
    var written = [UInt8](repeating: 0, count: bytes.count + 1)
    #expect(pread(copy.descriptor, &written, written.count, 0) == bytes.count)
    #expect(written.dropLast().elementsEqual(bytes))
  }
}

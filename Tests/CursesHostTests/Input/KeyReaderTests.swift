import Glibc
import PickerRuntime
import PickerUI
import Testing

@testable import CursesHost

/// Keys from a socket in place of a terminal.
@Suite(.timeLimit(.minutes(120))) struct KeyReaderTests {
  @Test
  func `Earlier input comes first, a lone escape is a key, readers can pause, and the end is reported`()
    async throws
  {
    var ends: [Int32] = [-1, -1]
    // A child process of another test would keep an end of a pipe open.
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    let (events, news) = AsyncStream<TerminalEvent>.makeStream()
    let reader = try KeyReader(
      on: reading, after: Array("j".utf8), deliver: { news.yield($0) }, ended: { news.finish() })
    var heard = events.makeAsyncIterator()
    #expect(await heard.next() == .key(.character("j")))
    #expect(write(writing, "k\u{1B}[A", 4) == 4)
    #expect(await heard.next() == .key(.character("k")))
    #expect(await heard.next() == .key(.up))
    #expect(write(writing, "\u{1B}", 1) == 1)
    #expect(await heard.next() == .key(.escape))
    // Another reader gets the input meanwhile.
    reader.pause()
    #expect(write(writing, "xy", 2) == 2)
    var byte: UInt8 = 0
    #expect(read(reading, &byte, 1) == 1 && byte == UInt8(ascii: "x"))
    reader.resume()
    #expect(await heard.next() == .key(.character("y")))
    // A child process of another test holds this end as well until it calls exec.
    shutdown(writing, Int32(SHUT_RDWR))
    close(writing)
    #expect(await heard.next() == nil)
    close(reading)
    // No reader is left to wait for.
    reader.pause()
    reader.resume()
  }

  @Test func `A reader that was stopped leaves the input to others`() async throws {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    let (events, news) = AsyncStream<TerminalEvent>.makeStream()
    let reader = try KeyReader(
      on: reading, after: [], deliver: { news.yield($0) }, ended: { news.finish() })
    var heard = events.makeAsyncIterator()
    #expect(write(writing, "j", 1) == 1)
    #expect(await heard.next() == .key(.character("j")))
    reader.stop()
    #expect(write(writing, "x", 1) == 1)
    var byte: UInt8 = 0
    #expect(read(reading, &byte, 1) == 1 && byte == UInt8(ascii: "x"))
    #expect(await heard.next() == nil)
    reader.stop()
    close(reading)
    close(writing)
  }
}

import CPlatform
import Dispatch
import Fixtures
import Foundation
import Synchronization
import TestScheduling
import Testing

@testable import CodecProtocol
import Glibc

/// Pictures and files that can't be sent because too many files are open.
@Suite(.onOwnThreads) struct DescriptorShortageTests {
  /// Descriptors that occupy every free slot.
  private final class Ballast {
    private var descriptors: [Int32] = []

    init() {
      while true {
        let next = dup(0)
        guard next >= 0 else { return }
        descriptors.append(next)
      }
    }

    func drop() {
      for descriptor in descriptors { close(descriptor) }
      descriptors = []
    }

    deinit {
      drop()
    }
  }

  /// Runs `body` on a thread with its own descriptor table, so that other tests keep theirs (unshare(2)).
  ///
  /// A thread that such a thread starts shares its table, and the continuation after a suspension may be started by the
  /// resuming thread: another thread does that.
  private func withOwnDescriptors<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        let outcome = Outcome<Value>()
        Thread.detachNewThread {
          outcome.set(
            Result {
              typealias Unshare = @convention(c) (Int32) -> Int32
              let unshare = dlsym(nil, "unshare").map { unsafeBitCast($0, to: Unshare.self) }
              guard unshare?(0x400 /* CLONE_FILES */) == 0 else {
                throw FixtureError("no descriptors of one's own")
              }
              return try body()
            })
        }
        continuation.resume(with: outcome.wait())
      }
    }
  }

  /// The outcome of a thread.
  private final class Outcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    func set(_ value: Result<Value, any Error>) {
      result.withLock { $0 = value }
      isDone.signal()
    }

    func wait() -> Result<Value, any Error> {
      isDone.wait()
      return result.withLock { $0 } ?? .failure(FixtureError("no result"))
    }
  }

  @Test func `A picture without a free descriptor is a shortage, and the helper stays`() async throws {
    let helper = CodecClient(program: Program.standIn, decoders: 1)
    let request = DecodeRequest(targetWidth: 8, targetHeight: 4)
    // Helpers are started from a thread that shares the descriptors of all others.
    let first = try NamelessFile("a").withDescriptor { try helper.decode($0, request)?.note }
    let (errors, last) = try await withOwnDescriptors {
      try NamelessFile("a").withDescriptor { file in
        let ballast = Ballast()
        var errors: [CodecError] = []
        for _ in 1...3 {
          do throws(CodecError) { _ = try helper.decode(file, request) } catch { errors.append(error) }
        }
        ballast.drop()
        return (errors, try helper.decode(file, request)?.note)
      }
    }
    #expect(errors == Array(repeating: .noDescriptors, count: 3))
    #expect(first != nil && first == last)
    #expect(CodecError.noDescriptors.isTransient && !CodecError.noDescriptors.isStall)
  }

  @Test func `A helper without a free slot for a file says so, and continues with the next`() async throws {
    let (asked, answers) = try await withOwnDescriptors {
      var sockets: [Int32] = [-1, -1]
      let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      guard socketpair(AF_UNIX, type, 0, &sockets) == 0 else {
        throw FixtureError("no sockets")
      }
      defer { close(sockets[1]) }
      let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
      let messages = ([[1, 2], [3]] as [[UInt32]]).map { numbers in
        numbers.flatMap { number in
          let request = CodecRequest.reports(
            [ReportRequest(.medium, byteCount: 0)], seconds: 60, number: number)
          return WireWriter.frame { request.write(to: &$0) }
        }
      }
      _ = descriptors_send(sockets[0], messages[0], messages[0].count, [file, file], 2)
      _ = descriptors_send(sockets[0], messages[1], messages[1].count, [file], 1)
      shutdown(sockets[0], Int32(SHUT_WR))
      let ballast = Ballast()
      var asked = 0
      var server = CodecServer(socket: sockets[1], confinement: .claimed)
      // The only free slot is taken by the first descriptor: the second in the same message has none.
      close(file)
      server.run(
        ClosureService(report: { asked += 1 }))
      ballast.drop()
      let inbox = HelperInbox(socket: sockets[0])
      defer { close(sockets[0]) }
      return (asked, (0..<4).map { _ in "\(inbox.receive(within: .seconds(60)))" })
    }
    var report = ReportsAnswer()
    report.append { _ in }
    #expect(asked == 1)
    #expect(
      answers == [
        "\(HelperInbox.Arrival.answer(.ready(version: CodecAnswer.version, .claimed)))",
        "\(HelperInbox.Arrival.answer(.failure(.noDescriptors, number: 1)))",
        "\(HelperInbox.Arrival.answer(.failure(.noDescriptors, number: 2)))",
        "\(HelperInbox.Arrival.answer(.reports(report, number: 3)))",
      ])
  }
}

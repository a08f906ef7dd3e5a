import Fixtures
import Foundation
import Synchronization
import TestScheduling
import Testing

@testable import Rclone
import Glibc

/// The real rclone as a process.
@Suite(.onOwnThreads, .enabled(if: RcloneProgram.find() != nil, "rclone is not installed"))
struct RcloneDaemonTests {
  private let folder: RemoteFolder
  private let remote: RcloneRemote

  init() throws {
    folder = try RemoteFolder()
    remote = RcloneRemote(folder.specification, settings: RemoteFolder.settings)
  }

  /// The child processes of this one that were started for this folder.
  private func daemons() throws -> [pid_t] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }.filter { process in
      let environment = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/environ"))
      return environment?.range(of: Data("REMOTE=\(folder.specification)".utf8)) != nil
    }
  }

  @Test func `It is started with the first request, and exposes no secret`() throws {
    #expect(try daemons().isEmpty)
    _ = try remote.list("", wantsHashes: false, isCancelled: { false })
    let process = try #require(try daemons().first)
    let words = String(
      decoding: try Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/cmdline")), as: UTF8.self)
    let password = try remote.keeper.daemon(isCancelled: { false }).password
    #expect(password.count == 32)
    #expect(words.contains("127.0.0.1:0") && !words.contains(password) && !words.contains(folder.folder.path))
    #expect(!words.contains("check-certificate"))
    // It has no descriptors of this process except its output pipe.
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)")
    }
    #expect(open.filter { $0.hasPrefix("/") && $0 != "/dev/null" } == [])
    #expect(open.count { $0.hasPrefix("pipe:") } <= 3)
  }

  @Test func `Requests without its password are refused`() throws {
    let daemon = try remote.keeper.daemon(isCancelled: { false })
    let session = try #require(HTTPSession())
    for (user, password) in [("", ""), (RcloneDaemon.user, "x"), ("x", daemon.password)] {
      let request = HTTPRequest(
        url: "\(daemon.address)/core/version", user: user, password: password, body: Array("{}".utf8),
        idleTimeout: .seconds(60))
      let result = session.perform(request, isCancelled: { false }, take: { _, _ in true })
      #expect(result.ending == .answered && result.head.status == 401)
    }
  }

  @Test func `A dead daemon is restarted with the next request`() throws {
    try folder.write([1], to: "x.jpg")
    _ = try remote.list("", wantsHashes: false, isCancelled: { false })
    let first = try #require(try daemons().first)
    kill(first, SIGKILL)
    #expect(try remote.list("", wantsHashes: false, isCancelled: { false }).map(\.name) == ["x.jpg"])
    let second = try #require(try daemons().first { $0 != first })
    #expect(second != first)
  }

  @Test func `It ends when it is stopped or released`() throws {
    _ = try remote.list("", wantsHashes: false, isCancelled: { false })
    remote.stop()
    #expect(try eventually { try daemons().isEmpty })
    let error = #expect(throws: RcloneError.self) { try remote.entry(at: "") }
    #expect(error?.kind == .cancelled)
    do {
      let other = RcloneRemote(folder.specification, settings: RemoteFolder.settings)
      _ = try other.entry(at: "")
      #expect(try daemons().count == 1)
    }
    #expect(try eventually { try daemons().isEmpty })
  }

  @Test(arguments: [
    "\"$rclone\" \"$@\" & wait", "setsid -w \"$rclone\" \"$@\"",
    "(\"$rclone\" \"$@\" &) ; sleep 1000",
  ])
  func `A script in place of rclone leaves nothing behind`(_ line: String) throws {
    let rclone = try #require(RcloneProgram.find())
    let script = "\(folder.folder.path)/wrapper"
    try folder.write(Array("#!/bin/sh\nrclone='\(rclone)'\n\(line)\n".utf8), to: "wrapper")
    try folder.folder.setPermissions(0o700, of: "wrapper")
    var settings = RemoteFolder.settings
    settings.program = script
    do {
      let wrapped = RcloneRemote(folder.specification, settings: settings)
      _ = try wrapped.entry(at: "")
      #expect(try daemons().count > 1)
    }
    #expect(try eventually { try daemons().isEmpty })
    // If only the script is killed, its child processes end with it.
    let wrapped = RcloneRemote(folder.specification, settings: settings)
    _ = try wrapped.entry(at: "")
    let first = try #require(try daemons().min())
    let before = try daemons()
    kill(first, SIGKILL)
    #expect(try eventually { try Set(daemons()).isDisjoint(with: before) })
  }

  @Test func `Many threads share one daemon`() throws {
    let bytes = RemoteFolder.bytes(10_000)
    try folder.write(bytes, to: "x.jpg")
    let right = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 40) { index in
      let start = Int64(index * 100)
      let found = try? remote.bytes("x.jpg", start..<start + 200, of: 10_000)
      if found == Array(bytes[Int(start)..<Int(start) + 200]) { right.add(1, ordering: .relaxed) }
    }
    #expect(right.load(ordering: .relaxed) == 40)
    #expect(try daemons().count == 1)
  }

  @Test func `A program that is missing, or is another one, is reported`() throws {
    func kind(_ program: String) -> RcloneError.Kind? {
      let remote = RcloneRemote(
        "nas:", settings: RcloneSettings(program: program, retries: RetryPolicy(tries: 1)))
      do { _ = try remote.entry(at: "") } catch { return error.kind }
      return nil
    }
    #expect(kind("/nonexistent/rclone") == .failed)
    #expect(kind("/bin/true") == .failed)
  }
}

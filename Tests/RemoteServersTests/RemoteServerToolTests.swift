import Fixtures
import Foundation
import RemoteServers
import TestScheduling
import Testing

/// The tool that serves a folder for benchmarks.
@Suite(.onOwnThreads) struct RemoteServerToolTests {
  private let folder: TemporaryFolder
  private let home: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    home = try TemporaryFolder()
    try folder.write([UInt8](repeating: 7, count: 100_000), to: "a.jpg")
  }

  private func start(_ words: String...) throws -> ServerProcess {
    try ServerProcess([Program.remoteServer] + words, home: home) { $0.hasSuffix("\n") }
  }

  @Test(arguments: [RemoteServer.Kind.alias, .webdav, .sftp])
  func `The remote that it prints has the folder's files`(kind: RemoteServer.Kind) throws {
    let tool = try start(kind.rawValue, folder.path, "--delay-ms", "10", "--megabits", "8", "--name", "nas")
    #expect(tool.log.hasSuffix("/rclone.conf  nas:\n"))
    let words = tool.log.dropLast().split(separator: " ")
    let answer = try ServerProcess.output(
      of: ["env", String(words[0]), "rclone", "lsf", "--format", "ps", String(words[1])], home: home)
    #expect(answer == "a.jpg;100000\n")
  }

  @Test func `An unreliable server gives some wrong answers`() throws {
    let tool = try start("webdav", folder.path, "--faults", "3")
    let words = tool.log.dropLast().split(separator: " ")
    for _ in 0..<20 {
      _ = try ServerProcess.run(
        ["env", String(words[0]), "rclone", "lsf", "--retries", "1", "--timeout", "1s", String(words[1])],
        home: home)
    }
    kill(try #require(tool.identifier), SIGTERM)
    #expect(tool.ends())
    let counts = tool.log.split(separator: "\n").last?.split(separator: " ") ?? []
    #expect(counts.last == "faults" && (counts.dropLast().last.flatMap { Int($0) } ?? 0) > 0)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `After a signal nothing of it remains`(signal: Int32) throws {
    let tool = try start("webdav", folder.path)
    let files = try FileManager.default.contentsOfDirectory(atPath: home.path)
    #expect(!files.isEmpty)
    let process = try #require(tool.identifier)
    let servers = children(of: process)
    #expect(servers.count == 1)
    kill(process, signal)
    #expect(tool.ends())
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
    for server in servers { #expect(kill(server, 0) != 0) }
  }

  @Test func `Its server ends with it, however it ends`() throws {
    let tool = try start("webdav", folder.path)
    let process = try #require(tool.identifier)
    let servers = children(of: process)
    #expect(servers.count == 1)
    tool.end()
    // It is no child of this process.
    for server in servers { #expect(eventually { kill(server, 0) != 0 || isZombie(server) }) }
  }

  @Test func `Invalid arguments are reported`() throws {
    for words in [
      ["ftp", folder.path], ["webdav"], ["webdav", folder.path, "--slow"],
      ["webdav", folder.path, "--faults", "some"],
    ] {
      let (status, output) = try ServerProcess.run([Program.remoteServer] + words, home: home)
      #expect(status == 64)
      #expect(output.hasPrefix("usage: remote-server KIND FOLDER"))
    }
  }

  /// The running child processes of this one.
  private func children(of process: pid_t) -> [pid_t] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    return tasks.flatMap { task in
      ((try? String(contentsOfFile: "/proc/\(process)/task/\(task)/children", encoding: .utf8)) ?? "")
        .split(separator: " ").compactMap { pid_t($0) }
    }
  }

  /// Whether a process has ended and waits to be reaped by init.
  private func isZombie(_ process: pid_t) -> Bool {
    (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?.contains(") Z ") ?? true
  }
}

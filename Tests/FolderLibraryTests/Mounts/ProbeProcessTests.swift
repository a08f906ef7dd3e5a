import Fixtures
import Glibc
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

/// The child process that probes paths for this one.
@Suite(.onOwnThreads) struct ProbeProcessTests {
  @Test func `It answers for every kind of path`() throws {
    let folder = try TemporaryFolder()
    try folder.writePhoto("a.jpg")
    mkfifo("\(folder.path)/pipe", 0o600)
    let probe = try #require(ProbeProcess())
    for name in ["", "/a.jpg", "/gone", "/pipe"] {
      for question in [ProbeQuestion.status, .content] {
        #expect(probe.ask(question, about: FilePath(folder.path + name)))
        #expect(probe.wait(for: .seconds(600)) == .answered)
      }
    }
  }

  @Test func `A stuck probe process is abandoned, and reused once it answers`() throws {
    let probe = try #require(ProbeProcess())
    kill(probe.identifier, SIGSTOP)
    #expect(probe.ask(.status, about: "/"))
    #expect(probe.wait(for: .zero) == .silent)
    kill(probe.identifier, SIGCONT)
    #expect(probe.wait(for: .seconds(600)) == .answered)
  }

  @Test func `A killed probe process is reported`() throws {
    let probe = try #require(ProbeProcess())
    kill(probe.identifier, SIGKILL)
    _ = probe.ask(.status, about: "/")
    #expect(probe.wait(for: .seconds(600)) == .gone)
  }

  @Test func `It has only its socket open, leads its own session, and exits with its owner`() throws {
    var probe = ProbeProcess()
    let process = try #require(probe?.identifier)
    #expect(probe?.ask(.status, about: "/") == true && probe?.wait(for: .seconds(600)) == .answered)
    let folder = try #require(opendir("/proc/\(process)/fd"))
    var open: [String] = []
    while let entry = readdir(folder) {
      withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { open.append(String(cString: $0)) }
      }
    }
    closedir(folder)
    #expect(open.filter { !$0.hasPrefix(".") } == ["0"])
    #expect(getsid(process) == process)
    probe = nil
    #expect(eventually { waitpid(process, nil, WNOHANG) != 0 })
  }
}

import Fixtures
import Foundation
import TestScheduling
import Testing
import Glibc

/// A compromised helper that tries everything, confined by the same call as the real ones.
@Suite(.onOwnThreads, .timeLimit(.minutes(120))) struct HostileHelperTests {
  /// The results of the attempts, by name.
  private struct Report {
    var worked: [String] = []
    var refused: [String] = []
    /// Whether the last attempt was reached.
    var isWhole = false

    init(_ text: String) {
      for line in text.split(separator: "\n") {
        let words = line.split(separator: "\t")
        switch words.first {
        case "worked": worked.append(words[1...].joined(separator: ": "))
        case "refused": refused.append(words[1...].joined(separator: ": "))
        default: isWhole = line == "end"
        }
      }
    }

    var count: Int { worked.count + refused.count }
  }

  /// Makes a helper of one kind try everything, with a file and memory sent to it.
  private func report(of kind: String) throws -> Report {
    let folder = try TemporaryFolder()
    try folder.link(kind, to: Program.hostile)
    let helper = try RawHelper("\(folder.path)/\(kind)")
    let memory = try LentPicture()
    let text = NamelessFile("a").withDescriptor { file in
      // As tpick opens files: read-only.
      let input = open("/proc/self/fd/\(file)", O_RDONLY | O_CLOEXEC)
      defer { close(input) }
      helper.send([0], [input, memory.descriptor])
      return helper.receiveAll()
    }
    return Report(text)
  }

  @Test(
    .disabled(if: Sanitizer.isThere, "a sanitizer needs a wider filter"), arguments: ["single", "threads"])
  func `No attempt of a compromised helper succeeds`(kind: String) throws {
    let report = try report(of: kind)
    #expect(report.worked == [])
    #expect(report.refused.count >= 100)
    #expect(report.isWhole)
  }

  @Test func `Without the confinement most attempts succeed`() throws {
    let report = try report(of: "unconfined")
    #expect(report.worked.count * 3 > report.count * 2, "refused: \(report.refused)")
    #expect(report.isWhole)
  }

  @Test func `The helper ends with its parent although its socket stays open`() throws {
    let folder = try TemporaryFolder()
    try folder.link("parent", to: Program.hostile)
    try folder.link("child", to: Program.helper)
    let parent = try RawHelper("\(folder.path)/parent")
    let processes = parent.receiveLine().split(separator: " ").compactMap { pid_t($0) }
    try #require(processes.count == 2)
    defer { kill(processes[1], SIGKILL) }
    #expect(kill(processes[0], 0) == 0)
    kill(parent.process, SIGKILL)
    _ = parent.waitForEnd()
    #expect(ends(processes[0]))
    #expect(kill(processes[1], 0) == 0)
  }

  /// Waits until a process that is no child of this one has ended, whether its parent has reaped it or not.
  private func ends(_ process: pid_t) -> Bool {
    eventually {
      let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      return status?.split(separator: ")").last?.hasPrefix(" Z") ?? true
    }
  }

  @Test(.enabled(if: getuid() == 0, "only root can inspect a non-dumpable process"))
  func `The helper has three descriptors and no environment`() throws {
    let helper = try RawHelper(Program.helper)
    helper.waitForGreeting()
    let folder = "/proc/\(helper.process)"
    let environment = FileManager.default.contents(atPath: "\(folder)/environ") ?? Data("unreadable".utf8)
    let inherited = ["ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS", "TPICK_MUTATION"]
    let own = environment.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      .filter { variable in !inherited.contains { variable.hasPrefix("\($0)=") } }
    #expect(own == [])
    let open = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd")
    #expect(open.sorted() == ["0", "1", "2"])
    for descriptor in [1, 2] {
      let target = try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/fd/\(descriptor)")
      #expect(target == "/dev/null")
    }
  }
}

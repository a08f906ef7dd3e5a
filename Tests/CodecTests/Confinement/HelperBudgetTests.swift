import CodecProtocol
import Fixtures
import Foundation
import Metadata
import TestScheduling
import Testing
import Glibc

/// The memory of helpers, individually and in total.
@Suite(.onOwnThreads, .timeLimit(.minutes(120))) struct HelperBudgetTests {
  private static let small = DecodeRequest(targetWidth: 8, targetHeight: 4)

  private func helper(_ byteCount: Int) -> CodecClient {
    CodecClient(program: Program.standIn, budget: HelperBudget(byteCount: byteCount))
  }

  /// The process that made the picture of a file.
  private func process(_ helper: CodecClient, _ words: String) throws -> pid_t {
    let picture = try NamelessFile(words).withDescriptor { (file) throws(CodecError) in
      try helper.decode(file, Self.small)
    }
    return try #require(picture?.note.flatMap { pid_t($0) })
  }

  @Test func `A helper that exceeds the total memory is killed, and the next file is read`() throws {
    let helper = helper(400 << 20)
    #expect(throws: CodecError.noMemory) { try process(helper, "grow") }
    #expect(throws: Never.self) { try process(helper, "a") }
    let answers = ["a", "grow", "b"].map { NamelessFile($0) }.withDescriptors(helper.facts)
    #expect(answers.map { (try? $0.get())?.title } == ["a", nil, "b"])
    #expect(answers[1] == .failure(.noMemory))
  }

  @Test func `Of several helpers the largest is killed`() async throws {
    let helper = helper(600 << 20)
    let first = try process(helper, "a")
    let growing = Task { try process(helper, "grow") }
    // It counts toward the total, and is not the largest.
    let small = try helper.facts(ofBytes: Array("a".utf8)).make
    await #expect(throws: CodecError.noMemory) { try await growing.value }
    #expect(try helper.facts(ofBytes: Array("a".utf8)).make == small)
    #expect(try process(helper, "a") != first)
  }

  @Test func `A helper that retains much memory is not kept`() throws {
    let helper = helper(4 << 30)
    let first = try process(helper, "a")
    #expect(try process(helper, "keep much") == first)
    #expect(try process(helper, "a") != first)
  }

  @Test(.disabled(if: Sanitizer.isThere, "address space is not limited"))
  func `An idle helper can't grow`() throws {
    let folder = try TemporaryFolder()
    // A name that no other helper of this process has.
    try folder.link("idle-helper", to: Program.helper)
    let helper = CodecClient(program: "\(folder.path)/idle-helper")
    for _ in 0..<2 {
      // Its limit is restored before it works again.
      #expect(throws: CodecError.unreadable("an unknown format")) { try helper.facts(ofBytes: [1]) }
      let limits = try Self.addressLimits(ofChildrenCalled: "idle-helper")
      #expect(limits.count == 1 && limits.allSatisfy { $0.now < $0.most && $0.most == 4 << 30 })
    }
  }

  /// The limits of the address space, in bytes.
  ///
  /// Another run of the tests may have such helpers at the same time.
  private static func addressLimits(ofChildrenCalled name: String) throws -> [(now: Int, most: Int)] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { pid_t($0) != nil }
      .compactMap { process in
        guard
          let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
          stat.contains("(\(name))"), stat.split(separator: " ").dropFirst(3).first == "\(getpid())",
          let limits = try? String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8),
          let line = limits.split(separator: "\n").first(where: { $0.hasPrefix("Max address space") })
        else { return nil }
        let numbers = line.split(separator: " ").compactMap { Int($0) }
        return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
      }
  }
}

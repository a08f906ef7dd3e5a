import CodecProtocol
import Fixtures
import Foundation
import Metadata
import TestScheduling
import Testing
import Glibc

/// The client with a stand-in helper that executes the command in a file.
@Suite(.onOwnThreads) struct CodecClientTests {
  private func standIn(processes: Int = 1, deadline: Duration = .seconds(60)) -> CodecClient {
    CodecClient(program: Program.standIn, processes: processes, deadline: deadline)
  }

  /// The answers to files with these commands: the command again, or the error.
  private func answers(_ helper: CodecClient, to words: [String]) -> [String] {
    words.map { NamelessFile($0) }.withDescriptors(helper.facts).map { result in
      switch result {
      case .success(let facts): facts.title ?? "no words"
      case .failure(let error): "\(error)"
      }
    }
  }

  private func process(of helper: CodecClient) throws -> pid_t {
    let tag = try helper.facts(ofBytes: Array("a".utf8)).make
    return try #require(tag.flatMap { pid_t($0) })
  }

  @Test func `Every file gets its own answer, in order`() {
    let words = (0..<100).map { "file \($0)" }
    #expect(answers(standIn(), to: words) == words)
    #expect(answers(standIn(), to: []) == [])
  }

  @Test func `The helper beside the program is found`() {
    #expect(throws: CodecError.unreadable("an unknown format")) { try CodecClient().facts(ofBytes: [1]) }
  }

  @Test func `Many threads may send requests at once`() async {
    let helper = standIn(processes: 2)
    await withTaskGroup(of: Bool.self) { group in
      for thread in 0..<8 {
        group.addTask {
          let words = (0..<20).map { "thread \(thread), file \($0)" }
          return answers(helper, to: words) == words
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test func `One helper serves many files in turn`() throws {
    let helper = standIn()
    #expect(try process(of: helper) == process(of: helper))
  }

  @Test func `An unreadable file is reported with its reason`() {
    #expect(throws: CodecError.unreadable("as told")) {
      try standIn().facts(ofBytes: Array("unreadable".utf8))
    }
  }

  @Test(arguments: ["die", "exit", "nonsense", "endless", "twice"])
  func `Only the file that crashes the helper or makes it send garbage is lost`(word: String) {
    let words = ["a", "b", word, "c", word] + (0..<40).map { "\($0)" }
    let expected = words.map { $0 == word ? "died" : $0 }
    #expect(answers(standIn(), to: words) == expected)
    #expect(answers(standIn(), to: [word]) == ["died"])
  }

  @Test func `A helper that sends unrequested descriptors is abandoned`() {
    // As the first request: descriptors may arrive together with the answer before them.
    #expect(answers(standIn(), to: ["two descriptors", "a", "b"]) == ["died", "a", "b"])
  }

  @Test func `A program that fails to start three times is not started again`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array("#!/bin/sh\necho started >> '\(folder.path)/starts'\n".utf8), to: "program")
    try folder.setPermissions(0o700, of: "program")
    let helper = CodecClient(program: "\(folder.path)/program")
    for _ in 1...6 { #expect(answers(helper, to: ["a"]) == [missing]) }
    let starts = try String(contentsOfFile: "\(folder.path)/starts", encoding: .utf8)
    #expect(starts == "started\nstarted\nstarted\n")
  }

  @Test func `A file on which the helper hangs is abandoned, and the next ones are read`() {
    var deadline = Duration.seconds(2)
    var found = answers(standIn(deadline: deadline), to: ["a", "hang", "b"])
    // On a busy machine a file without a fault may take as long.
    while found != ["a", "hung", "b"], deadline < .seconds(100) {
      deadline *= 4
      found = answers(standIn(deadline: deadline), to: ["a", "hang", "b"])
    }
    #expect(found == ["a", "hung", "b"])
  }

  @Test func `Lack of memory is reported as such`() {
    #expect(throws: CodecError.noMemory) { try standIn().facts(ofBytes: Array("out of memory".utf8)) }
    #expect(CodecError.noMemory.isStall && CodecError.died.isStall && CodecError.hung.isStall)
    for error in [CodecError.missing(.codecs), .nothingEmbedded, .unreadable(""), .tooLarge("")] {
      #expect(!error.isStall)
    }
  }

  @Test func `A hanging helper is killed when it is abandoned`() throws {
    var deadline = Duration.seconds(1)
    var helper = standIn(deadline: deadline)
    var first = try? process(of: helper)
    // On a busy machine a file without a fault may take as long.
    while first == nil, deadline < .seconds(100) {
      deadline *= 4
      helper = standIn(deadline: deadline)
      first = try? process(of: helper)
    }
    let process = try #require(first)
    #expect(answers(helper, to: ["hang"]) == ["hung"])
    #expect(isGone(process))
  }

  @Test func `A killed helper is restarted`() throws {
    let helper = standIn()
    let first = try process(of: helper)
    kill(first, SIGKILL)
    let second = try process(of: helper)
    #expect(first != second)
  }

  @Test func `A dead helper leaves no zombie`() throws {
    let helper = standIn()
    let first = try process(of: helper)
    #expect(answers(helper, to: ["die"]) == ["died"])
    // A process that was waited for no longer exists; a zombie still accepts signals.
    #expect(isGone(first))
  }

  @Test func `The helper ends with the last reference`() throws {
    var helper: CodecClient? = standIn()
    let process = try process(of: #require(helper))
    helper = nil
    #expect(isGone(process))
  }

  @Test func `A closed descriptor affects no other`() {
    let results = ["a", "b"].map { NamelessFile($0) }.withDescriptors { files in
      standIn().facts(of: [files[0], 100_000, files[1]])
    }
    #expect(results.map { (try? $0.get())?.title } == ["a", nil, "b"])
    #expect(results[1] == .failure(.unreadable("Bad file descriptor")))
  }

  @Test func `The helper inherits only the socket and the file, and leads its own session`() throws {
    let facts = try standIn().facts(ofBytes: Array("a".utf8))
    #expect(facts.keywords == ["0", "1", "2", "3"])
    #expect(facts.model == facts.make)
  }

  @Test func `The file's position stays unchanged`() throws {
    NamelessFile("abc").withDescriptor { file in
      lseek(file, 2, SEEK_SET)
      let request = ReportedFile(file, ReportRequest(.foreign, byteCount: 3))
      let reports = standIn().metadata.reports(on: [request]) { _, wire throws(WireError) in
        try MediaReport(from: &wire, byteCount: 3)
      }
      #expect(throws: Never.self) { try reports[0].get() }
      #expect(lseek(file, 0, SEEK_CUR) == 2)
    }
  }

  @Test(arguments: ["/nowhere/tpick-codecs", "/bin/true", "/bin/false", "/dev/null", "/bin/cat"])
  func `A program that can't be executed, or is another one, is missing for all files`(program: String) {
    let helper = CodecClient(program: program, startDeadline: .milliseconds(200))
    for _ in 0..<5 { #expect(answers(helper, to: ["a", "b"]) == [missing, missing]) }
  }

  /// A helper whose parent is gone exits: here the parent's end of the socket is closed explicitly.
  @Test(arguments: [Program.helper, Program.standIn])
  func `A helper exits when its socket closes`(program: String) throws {
    let helper = try RawHelper(program)
    helper.hangUp()
    #expect(helper.waitForEnd() == 0)
  }

  @Test(
    arguments: [
      [9, 0, 0, 0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 9], [0, 0, 0, 0], [255, 255, 255, 255],
      [5, 0, 0, 0, 1, 0, 0, 0, 0],
    ] as [[UInt8]])
  func `A helper exits when it receives garbage`(message: [UInt8]) throws {
    let helper = try RawHelper(Program.helper)
    // A connection that is closed earlier is not read.
    helper.waitForGreeting()
    helper.send(message)
    helper.hangUp()
    #expect(helper.waitForEnd() == 0)
  }

  @Test func `The helper drops its privileges before it reads a file`() throws {
    let helper = try RawHelper(Program.helper)
    helper.waitForGreeting()
    let status = try String(contentsOfFile: "/proc/\(helper.process)/status", encoding: .utf8)
    #expect(status.contains("NoNewPrivs:\t1"))
    // A filter, as opposed to none and to strict mode.
    #expect(status.contains("Seccomp:\t2"))
    let limits = try String(contentsOfFile: "/proc/\(helper.process)/limits", encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(limits.contains("Max core file size 0 0 bytes"))
    #expect(limits.contains("Max file size 0 0 bytes"))
    // A sanitizer reserves more address space than any limit allows.
    let addresses = Sanitizer.isThere ? "unlimited unlimited" : "\(4 << 30) \(4 << 30)"
    #expect(limits.contains("Max address space \(addresses) bytes"))
    #expect(limits.contains("Max open files 96 96 files"))
    #expect(Sanitizer.isThere || limits.contains("Max cpu time 3600 3600 seconds"))
  }

  @Test func `An unconfined helper gets no file`() throws {
    // Its answer would be another error.
    let script = try HelperScript(Program.helper, arguments: "--unconfined")
    let helper = CodecClient(program: script.path)
    for _ in 0..<5 {
      #expect(throws: CodecError.unconfined) { try helper.facts(ofBytes: [1]) }
      #expect(throws: CodecError.unconfined) {
        try NamelessFile("a").withDescriptor { (file) throws(CodecError) in
          _ = try helper.decode(file, DecodeRequest())
        }
      }
    }
    #expect(helper.confinement() == HelperConfinement(hasFilter: false, landlock: 0))
    #expect(CodecError.unconfined.isTransient && CodecError.unconfined.isHelperUnavailable)
    #expect(CodecError.unconfined.reason.contains("unconfined-decoding = true"))
  }

  @Test func `The helper reports how it is confined`() throws {
    let confinement = try #require(CodecClient(program: Program.helper).confinement())
    #expect(confinement.isConfined)
    #expect(confinement.words.hasPrefix("seccomp, "))
    #expect(CodecClient(program: "/bin/true", startDeadline: .seconds(1)).confinement() == nil)
  }

  @Test func `With Landlock and seccomp in the kernel no path can be opened`() throws {
    let error = #expect(throws: CodecError.self) { try standIn().facts(ofBytes: Array("confine".utf8)) }
    #expect([.unreadable("closed"), .unreadable("none here")].contains(error))
  }
}

/// The text of a missing helper's error.
private let missing = "\(CodecError.missing(.codecs))"

import CodecProtocol
import Fixtures
import Metadata
import Synchronization
import TestScheduling
import Testing
import Glibc

/// Reports on many files in one conversation, with a stand-in helper that executes the command in a file.
@Suite(.onOwnThreads) struct MetadataClientTests {
  private func standIn(deadline: Duration = .seconds(60)) -> MetadataClient {
    MetadataClient(program: Program.standIn, processes: 1, deadline: deadline)
  }

  /// The metadata of a report; other reports are errors.
  private func facts(_ wire: inout WireReader) throws(WireError) -> MediaFacts {
    guard case .medium(.media(_, let facts?)) = try MediaReport(from: &wire, byteCount: 1000) else {
      throw WireError()
    }
    return facts
  }

  private func ask(
    _ helper: MetadataClient, about files: [NamelessFile], isCancelled: @escaping () -> Bool = { false }
  ) -> [Result<MediaFacts, CodecError>] {
    files.withDescriptors { descriptors in
      helper.reports(
        on: descriptors.map { ReportedFile($0, ReportRequest(.medium, byteCount: 1000)) },
        isCancelled: isCancelled
      ) { _, wire throws(WireError) in try facts(&wire) }
    }
  }

  /// The answers to files with these commands: the command again, or the error.
  private func answers(_ helper: MetadataClient, to words: [String]) -> [String] {
    ask(helper, about: words.map { NamelessFile($0) }).map { result in
      switch result {
      case .success(let facts): facts.title ?? "no words"
      case .failure(let error): "\(error)"
      }
    }
  }

  @Test func `Every file gets its own answer, in order`() {
    let words = (0..<MetadataClient.mostFiles).map { "file \($0)" }
    let helper = standIn()
    for _ in 0..<3 { #expect(answers(helper, to: words) == words) }
    #expect(answers(helper, to: []) == [])
  }

  @Test(arguments: [
    "die", "exit", "nonsense", "endless", "no report", "nothing at all", "another question's answer",
    "a range beyond the file",
  ])
  func `Only the file that crashes the helper or makes it send garbage is lost`(word: String) {
    let words = ["a", "b", word, "c", word] + (0..<20).map { "\($0)" }
    #expect(answers(standIn(), to: words) == words.map { $0 == word ? "died" : $0 })
    #expect(answers(standIn(), to: [word]) == ["died"])
  }

  @Test func `A helper that sends more than requested is abandoned`() {
    let helper = standIn()
    #expect(answers(helper, to: ["reports without end"]).count == 1)
    #expect(answers(helper, to: ["a", "b"]) == ["a", "b"])
  }

  @Test func `A file on which the helper hangs is abandoned, and the others are read`() {
    var deadline = Duration.seconds(2)
    var found = answers(standIn(deadline: deadline), to: ["a", "hang", "b"])
    // On a busy machine a file without a fault may take as long.
    while found != ["a", "hung", "b"], deadline < .seconds(100) {
      deadline *= 4
      found = answers(standIn(deadline: deadline), to: ["a", "hang", "b"])
    }
    #expect(found == ["a", "hung", "b"])
  }

  @Test func `A late answer is waited for`() async {
    let file = NamelessFile("late")
    async let found = Task.detached { ask(standIn(), about: [NamelessFile("a"), file, NamelessFile("b")]) }
      .value
    file.withDescriptor { _ = pwrite($0, "late now", 8, 0) }
    #expect(await found.map { try? $0.get().title?.prefix(4) } == ["a", "late", "b"])
  }

  @Test func `A canceled request returns the answers so far, and the helper is not used again`() throws {
    let helper = standIn()
    let first = try ask(helper, about: [NamelessFile("a")])[0].get().make
    let asked = Atomic(0)
    let answers = ask(helper, about: [NamelessFile("hang")]) {
      asked.add(1, ordering: .relaxed).newValue > 3
    }
    #expect(answers.isEmpty)
    // It was killed in the middle.
    #expect(try ask(helper, about: [NamelessFile("a")])[0].get().make != first)
  }

  @Test func `Without a program every file gets that error`() {
    let helper = MetadataClient(program: "/gone/tpick-reader")
    #expect(answers(helper, to: ["a", "b"]) == [missing, missing])
  }

  @Test func `A closed descriptor affects no other`() {
    let results = [NamelessFile("a"), NamelessFile("b")].withDescriptors { files in
      standIn().reports(
        on: [files[0], 100_000, files[1]].map { ReportedFile($0, ReportRequest(.medium, byteCount: 1000)) }
      ) { _, wire throws(WireError) in try facts(&wire).title }
    }
    #expect(results == [.success("a"), .failure(.unreadable("Bad file descriptor")), .success("b")])
  }

  @Test func `The program beside this one reads a photograph, and reports why it can't read a file`() throws {
    let photo = try TestPhoto(width: 16, height: 12).bytes()
    let folder = open("/", O_RDONLY | O_CLOEXEC)
    defer { close(folder) }
    let reports = [NamelessFile(photo), NamelessFile("nothing")].withDescriptors { files in
      MetadataClient.standard.reports(
        on: (files + [folder]).map { ReportedFile($0, ReportRequest(.medium, byteCount: photo.count)) }
      ) { _, wire throws(WireError) in try MediaReport(from: &wire, byteCount: photo.count) }
    }
    let expected = MediaReader.read(from: MemoryByteSource(photo), byteCount: photo.count)
    #expect(
      reports == [
        .success(.medium(expected)), .success(.medium(.nothing)), .success(.failed("Is a directory")),
      ])
  }
}

/// The text of a missing helper's error.
private let missing = "\(CodecError.missing(.reader))"

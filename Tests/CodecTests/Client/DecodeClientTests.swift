import CodecProtocol
import Fixtures
import Foundation
import Metadata
import TestScheduling
import Testing
import Glibc

/// Picture requests to a stand-in helper that executes the command in a file.
@Suite(.onOwnThreads) struct DecodeClientTests {
  private let small = DecodeRequest(targetWidth: 8, targetHeight: 4)
  /// A picture whose memory has sizes that no picture of another test has: 61 pages of 4 KiB, and some pixels more
  /// before it is mapped.
  private static let counted = DecodeRequest(targetWidth: 1024, targetHeight: 61, maxPixels: 1024 * 61 + 7)

  private func standIn(decoders: Int = 1, deadline: Duration = .seconds(60)) -> CodecClient {
    CodecClient(program: Program.standIn, decoders: decoders, decodeDeadline: deadline)
  }

  private func decode(
    _ helper: CodecClient, _ words: String, _ request: DecodeRequest? = nil,
    isCancelled: () -> Bool = { false }
  ) throws(CodecError) -> DecodedPicture? {
    try NamelessFile(words).withDescriptor { (file) throws(CodecError) in
      try helper.decode(file, request ?? small, isCancelled: isCancelled)
    }
  }

  @Test func `A picture arrives with its size, its metadata and its pixels`() throws {
    let helper = standIn()
    _ = try decode(helper, "a")
    let picture = try #require(try decode(helper, "b"))
    #expect(picture.width == 8)
    #expect(picture.height == 4)
    #expect(picture.sourceWidth == 8)
    #expect(picture.isOpaque)
    #expect(picture.withUnsafeBytes { Array($0) } == [UInt8](repeating: 1, count: 8 * 4 * 4))
  }

  @Test func `A picture outlives the helper`() throws {
    let picture = try #require(try decode(standIn(), "a"))
    #expect(picture.withUnsafeBytes { $0.allSatisfy { $0 == 0 } })
  }

  @Test(
    arguments: [
      ("unreadable", .unreadable("as told")), ("too large", .tooLarge("as told")),
      ("nothing embedded", .nothingEmbedded),
    ] as [(String, CodecError)])
  func `An error is passed on, and the helper stays`(words: String, error: CodecError) throws {
    let helper = standIn()
    let first = try decode(helper, "a")?.note
    #expect(throws: error) { _ = try decode(helper, words) }
    #expect(try decode(helper, "a")?.note == first)
  }

  @Test(
    arguments: [
      "die", "exit", "nonsense", "endless", "twice", "a picture with a descriptor", "mapped still",
      "no width",
      "absurd width", "facts instead",
    ])
  func `A helper that crashes or cheats is abandoned, and the next picture comes from another`(
    words: String
  ) throws {
    let helper = standIn()
    let first = try #require(try decode(helper, "a")?.note)
    #expect(throws: CodecError.died) { try decode(helper, words) }
    let second = try #require(try decode(helper, "a")?.note)
    #expect(first != second)
  }

  @Test func `A picture that was lost through no fault of its own is requested again`() throws {
    let helper = standIn()
    _ = try decode(helper, "a")
    #expect(try decode(helper, "die unless new") != nil)
  }

  @Test func `A picture on which the helper hangs is abandoned after its deadline`() throws {
    let helper = standIn(deadline: .milliseconds(300))
    #expect(throws: CodecError.hung) { try decode(helper, "hang") }
    // A busy machine may exceed that for the next one as well.
    #expect(eventually { (try? decode(helper, "a")) != nil })
  }

  @Test func `A picture that does not fit into the shared memory is too large`() throws {
    let helper = standIn()
    let first = try decode(helper, "a")?.note
    let request = DecodeRequest(targetWidth: 100, targetHeight: 100, maxPixels: 9999)
    #expect(throws: CodecError.tooLarge(width: 100, height: 100)) { try decode(helper, "a", request) }
    let reduced = DecodeRequest(targetWidth: 100, targetHeight: 100, maxDecodedPixels: 9999)
    #expect(throws: CodecError.tooLarge(width: 100, height: 100)) { try decode(helper, "a", reduced) }
    let fitting = DecodeRequest(targetWidth: 100, targetHeight: 100, maxDecodedPixels: 10_000)
    #expect(try decode(helper, "a", fitting)?.note == first)
  }

  @Test func `A helper that reports more pixels than fit into the memory is abandoned`() {
    let request = DecodeRequest(targetWidth: 100, targetHeight: 100, maxPixels: 10_000)
    #expect(throws: CodecError.died) { try decode(standIn(), "one row more", request) }
  }

  @Test func `A helper that keeps the memory can no longer change the picture`() throws {
    let helper = standIn()
    let picture = try #require(try decode(helper, "kept"))
    let state = try decode(helper, "what of it")?.note
    #expect(state == "sealed fixed 1")
    #expect(picture.withUnsafeBytes { $0.allSatisfy { $0 == 0 } })
  }

  @Test func `Memory that a helper writes beyond its picture is returned to the system`() throws {
    let helper = standIn()
    _ = try decode(helper, "filled and kept")
    // One page for the picture, of the mebibyte that was written.
    #expect(try decode(helper, "what of it")?.note == "sealed fixed 1")
  }

  @Test func `Canceling ends the wait, and kills a helper that hangs`() throws {
    let helper = standIn()
    var asked = 0
    let picture = try decode(helper, "hang") {
      asked += 1
      return asked > 3
    }
    #expect(picture == nil)
    #expect(try decode(helper, "a") != nil)
  }

  @Test func `A helper that finishes soon after a cancellation is kept`() throws {
    let helper = standIn()
    var notes = [try #require(try decode(helper, "a")?.note)]
    for _ in 0..<30 {
      // The stand-in answers once the file has grown, which is after the cancellation.
      let picture = try NamelessFile("late").withDescriptor { (file) throws(CodecError) in
        try helper.decode(file, Self.counted) { ftruncate(file, 5) == 0 }
      }
      #expect(picture == nil)
      notes.append(try #require(try decode(helper, "a", Self.counted)?.note))
    }
    // Each helper names itself. On a busy machine an answer may come too late, but not every one.
    #expect(Set(notes).count < notes.count)
    #expect(try Self.countedMemories() < 20)
  }

  @Test func `A request that waits for its turn can be canceled`() async throws {
    let helper = standIn()
    let (busy, business) = AsyncStream.makeStream(of: Void.self)
    let isDone = Flag()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        // It ends because the other one was canceled, not because of its deadline.
        let picture = try decode(helper, "hang") {
          business.yield()
          return isDone.isRaised
        }
        return picture == nil
      }
      group.addTask {
        for await _ in busy { break }
        let picture = try decode(helper, "a") { true }
        isDone.raise()
        return picture == nil
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  @Test func `Metadata requests do not wait behind a picture`() async throws {
    let helper = standIn(decoders: 2)
    let isRead = Flag()
    async let picture = decode(helper, "hang") { isRead.isRaised }
    let facts = try helper.facts(ofBytes: Array("a".utf8))
    isRead.raise()
    #expect(facts.title == "a")
    #expect(try await picture == nil)
  }

  @Test func `Two helpers decode two pictures at once`() async throws {
    let helper = standIn(decoders: 2)
    let isDone = Flag()
    async let first = decode(helper, "hang") { isDone.isRaised }
    let second = try decode(helper, "a")
    isDone.raise()
    #expect(second != nil)
    #expect(try await first == nil)
  }

  @Test func `A closed descriptor has an error of its own`() throws {
    let helper = standIn()
    #expect(throws: CodecError.unreadable("Bad file descriptor")) { try helper.decode(100_000, small) }
  }

  @Test func `A program that can't be executed is missing`() {
    let helper = CodecClient(program: "/bin/true")
    for _ in 0..<5 { #expect(throws: CodecError.missing(.codecs)) { try decode(helper, "a") } }
  }

  @Test func `No descriptor and no memory is leaked`() throws {
    let helper = standIn()
    let file = NamelessFile("a")
    func once() throws { _ = try file.withDescriptor { try helper.decode($0, Self.counted) } }
    try once()
    // Other tests open and close descriptors meanwhile, so the memory of pictures is counted.
    for _ in 0..<200 { try once() }
    for word in ["mapped still", "no width", "unreadable", "die"] {
      _ = try? decode(helper, word, Self.counted)
    }
    for _ in 0..<10 { _ = try? decode(helper, "a picture with a descriptor", Self.counted) }
    #expect(try Self.countedMemories() < 10)
  }

  /// Open descriptors and mappings in this process for the picture that only these tests have.
  ///
  /// Other tests have some at the same time as well, the more the more processors there are.
  private static func countedMemories() throws -> Int {
    let page = Int(getpagesize())
    let pages = (counted.targetWidth * counted.targetHeight * 4 + page - 1) / page
    let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    let mapped = maps.split(separator: "\n").count { line in
      let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { Int($0, radix: 16) }
      return line.contains("memfd:tpick-picture") && ends.count == 2 && ends[1] - ends[0] == pages * page
    }
    let open = (0..<1024).count { (descriptor: Int32) in
      var name = [UInt8](repeating: 0, count: 64)
      let count = readlink("/proc/self/fd/\(descriptor)", &name, name.count)
      var facts = stat()
      return count > 0 && String(decoding: name[..<count], as: UTF8.self).contains("memfd:tpick-picture")
        && fstat(descriptor, &facts) == 0 && Int(facts.st_size) == counted.maxPixels * 4
    }
    return mapped + open
  }
}

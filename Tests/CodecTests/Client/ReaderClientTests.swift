import CodecProtocol
import Fixtures
import Foundation
import TestScheduling
import Testing
import Glibc
import Pixels

/// Requests for display-ready pictures and thumbnails to a stand-in helper that executes the command in a file.
@Suite(.onOwnThreads) struct ReaderClientTests {
  private func standIn(
    deadline: Duration = .seconds(60), longGrace: Duration = .seconds(600)
  ) -> ReaderClient {
    ReaderClient(program: Program.standIn, processes: 1, deadline: deadline, longGrace: longGrace)
  }

  private static let small = {
    var request = RenderingRequest()
    (request.targetWidth, request.targetHeight) = (8, 4)
    return request
  }()

  private func picture(
    _ helper: ReaderClient, _ words: String, _ request: RenderingRequest = Self.small,
    isCancelled: () -> Bool = { false }
  ) throws(CodecError) -> Rendering? {
    try NamelessFile(words).withDescriptor { (file) throws(CodecError) in
      try helper.rendering(of: file, request, isCancelled: isCancelled)
    }
  }

  /// The process that makes a picture.
  private func process(_ helper: ReaderClient) throws -> String {
    try #require(try picture(helper, "a")?.note)
  }

  private func thumbnail(
    _ helper: ReaderClient, _ words: String, wantsPicture: Bool = true
  ) throws(CodecError) -> (words: [String: String], picture: DecodedPicture?) {
    try NamelessFile(words).withDescriptor { (file) throws(CodecError) in
      try helper.thumbnail(
        of: file, ThumbnailRequest(longestSide: 16, longestFile: 1000, wantsPicture: wantsPicture))
    }
  }

  @Test func `A picture and its thumbnail arrive with their pixels`() throws {
    let helper = standIn()
    _ = try picture(helper, "a")
    var request = Self.small
    request.keptSide = 5
    let rendered = try #require(try picture(helper, "b", request))
    #expect(rendered.pixels.withUnsafeBytes { Array($0) } == [UInt8](repeating: 1, count: 8 * 4 * 4))
    let thumbnail = try #require(rendered.thumbnail)
    #expect((thumbnail.width, thumbnail.height) == (5, 1))
    // The stand-in has not written there: the shared memory is zeroed.
    #expect(thumbnail.withUnsafeBytes { $0.allSatisfy { $0 == 0 } })
  }

  @Test(
    arguments: [
      ("unreadable", .unreadable("as told")), ("unknown", .unknownFormat), ("out of memory", .noMemory),
    ] as [(String, CodecError)])
  func `An error is passed on, and the helper stays`(words: String, error: CodecError) throws {
    let helper = standIn()
    let first = try process(helper)
    #expect(throws: error) { _ = try picture(helper, words) }
    #expect(try process(helper) == first)
  }

  @Test(
    arguments: [
      "die", "exit", "nonsense", "endless", "flood", "twice", "two answers", "another's answer",
      "mapped still",
      "no width", "one row more", "absurd width", "absurd thumbnail", "an unrequested thumbnail",
      "facts instead",
    ])
  func `A helper that crashes, floods or lies is abandoned, and the next picture comes from another`(
    words: String
  ) throws {
    let helper = standIn()
    let first = try process(helper)
    #expect(throws: CodecError.died) { try picture(helper, words) }
    #expect(try process(helper) != first)
  }

  @Test(
    arguments: [
      "die", "exit", "nonsense", "endless", "flood", "two answers", "mapped still", "absurd width",
      "one row more", "facts instead",
    ])
  func `The same applies while making a thumbnail`(words: String) throws {
    let helper = standIn()
    let first = try process(helper)
    #expect(throws: CodecError.died) { _ = try thumbnail(helper, words) }
    #expect(try process(helper) != first)
  }

  @Test(arguments: [
    "one row more", "one column more", "a thumbnail that is too large", "a thumbnail instead",
  ])
  func `A picture that would exceed its slot is rejected, even if the memory is large enough`(
    words: String
  ) throws {
    let helper = standIn()
    let first = try process(helper)
    var request = Self.small
    request.keptSide = 16
    #expect(throws: CodecError.died) { try picture(helper, words, request) }
    #expect(try process(helper) != first)
  }

  @Test func `A file that crashes one helper but not another is requested again`() throws {
    let helper = standIn()
    _ = try process(helper)
    #expect(try picture(helper, "die unless new") != nil)
    #expect(try thumbnail(helper, "die unless new").picture != nil)
  }

  @Test func `A file on which the helper hangs is abandoned after its deadline`() throws {
    let helper = standIn(deadline: .milliseconds(300))
    #expect(throws: CodecError.hung) { try picture(helper, "hang") }
    #expect(throws: CodecError.hung) { _ = try thumbnail(helper, "hang") }
    // A busy machine may exceed that for the next one as well.
    #expect(eventually { (try? picture(helper, "a")) != nil })
  }

  @Test func `A helper's text is shortened to fit a screen`() throws {
    let rendered = try #require(try picture(standIn(), "long words"))
    #expect(try #require(rendered.note).utf8.count <= 1000)
  }

  @Test func `A helper cancels a picture on request, and stays`() throws {
    let helper = standIn()
    let first = try process(helper)
    for _ in 0..<10 { #expect(try picture(helper, "cancelled") { true } == nil) }
    #expect(try process(helper) == first)
  }

  @Test func `One that ignores the request is killed`() throws {
    let helper = standIn(longGrace: .milliseconds(200))
    let first = try process(helper)
    #expect(try picture(helper, "hang") { true } == nil)
    #expect(try process(helper) != first)
  }

  @Test func `A program that can't be executed is missing`() {
    let helper = ReaderClient(program: "/bin/true", processes: 1)
    for _ in 0..<4 { #expect(throws: CodecError.missing(.reader)) { try picture(helper, "a") } }
    #expect(throws: CodecError.missing(.reader)) { _ = try thumbnail(helper, "a") }
  }

  @Test func `Helpers started in advance serve the requests`() throws {
    let helper = standIn()
    helper.start()
    let first = try process(helper)
    #expect(try process(helper) == first)
  }
}

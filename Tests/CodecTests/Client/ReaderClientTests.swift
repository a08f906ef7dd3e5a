import CodecProtocol
import Fixtures
import Foundation
import TestScheduling
import Testing
import Glibc
import Pixels

/// Requests for pictures in the shape in which they are shown, and for thumbnails, to a stand-in that does what a file's
/// words tell it to do.
@Suite(.onOwnThreads) struct ReaderClientTests {
  private func standIn(deadline: Duration = .seconds(60)) -> ReaderClient {
    ReaderClient(program: Program.standIn, processes: 1, deadline: deadline)
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

  /// Which process makes a picture.
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

  @Test func `A picture and the thumbnail beside it arrive with their pixels`() throws {
    let helper = standIn()
    _ = try picture(helper, "a")
    var request = Self.small
    request.keptSide = 5
    let rendered = try #require(try picture(helper, "b", request))
    #expect(rendered.pixels.withUnsafeBytes { Array($0) } == [UInt8](repeating: 1, count: 8 * 4 * 4))
    let thumbnail = try #require(rendered.thumbnail)
    #expect((thumbnail.width, thumbnail.height) == (5, 1))
    // The stand-in has not written there: what tpick lends is empty.
    #expect(thumbnail.withUnsafeBytes { $0.allSatisfy { $0 == 0 } })
  }

  @Test(
    arguments: [
      ("unreadable", .unreadable("as told")), ("unknown", .unknownFormat), ("out of memory", .noMemory),
    ] as [(String, CodecError)])
  func `An error comes as it is, and the helper stays`(words: String, error: CodecError) throws {
    let helper = standIn()
    let first = try process(helper)
    #expect(throws: error) { _ = try picture(helper, words) }
    #expect(try process(helper) == first)
  }

  @Test(
    arguments: [
      "die", "exit", "nonsense", "endless", "flood", "twice", "two answers", "another's answer",
      "mapped still",
      "no width", "one row more", "absurd width", "absurd thumbnail", "a thumbnail that nobody asked for",
      "facts instead",
    ])
  func `A helper that dies, floods or lies is given up, and the next picture comes from another`(
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
  func `So is one that does so on a thumbnail`(words: String) throws {
    let helper = standIn()
    let first = try process(helper)
    #expect(throws: CodecError.died) { _ = try thumbnail(helper, words) }
    #expect(try process(helper) != first)
  }

  @Test(arguments: [
    "one row more", "one column more", "a thumbnail that is too large", "a thumbnail instead",
  ])
  func `A picture that would reach beyond its place is not believed, though there is room for it`(
    words: String
  ) throws {
    let helper = standIn()
    let first = try process(helper)
    var request = Self.small
    request.keptSide = 16
    #expect(throws: CodecError.died) { try picture(helper, words, request) }
    #expect(try process(helper) != first)
  }

  @Test func `A file that kills one helper and not another one is asked for again`() throws {
    let helper = standIn()
    _ = try process(helper)
    #expect(try picture(helper, "die unless new") != nil)
    #expect(try thumbnail(helper, "die unless new").picture != nil)
  }

  @Test func `A file on which the helper hangs is given up after its time`() throws {
    let helper = standIn(deadline: .milliseconds(300))
    #expect(throws: CodecError.hung) { try picture(helper, "hang") }
    #expect(throws: CodecError.hung) { _ = try thumbnail(helper, "hang") }
    // A machine that is busy may take longer than that for the next one as well.
    #expect(eventually { (try? picture(helper, "a")) != nil })
  }

  @Test func `What a helper says is cut to what has room on a screen`() throws {
    let rendered = try #require(try picture(standIn(), "long words"))
    #expect(try #require(rendered.note).utf8.count <= 1000)
  }

  @Test func `A helper that is told so gives up a picture that nobody waits for, and stays`() throws {
    let helper = standIn()
    let first = try process(helper)
    for _ in 0..<10 { #expect(try picture(helper, "cancelled") { true } == nil) }
    #expect(try process(helper) == first)
  }

  @Test func `One that does not listen is killed`() throws {
    let helper = standIn()
    let first = try process(helper)
    #expect(try picture(helper, "hang") { true } == nil)
    #expect(try process(helper) != first)
  }

  @Test func `A program that is none is missing`() {
    let helper = ReaderClient(program: "/bin/true", processes: 1)
    for _ in 0..<4 { #expect(throws: CodecError.missing(.reader)) { try picture(helper, "a") } }
    #expect(throws: CodecError.missing(.reader)) { _ = try thumbnail(helper, "a") }
  }

  @Test func `Helpers that are started ahead are those that are asked`() throws {
    let helper = standIn()
    helper.start()
    let first = try process(helper)
    #expect(try process(helper) == first)
  }
}

import CodecProtocol
import Fixtures
import Metadata
import Testing

/// Boxes with unusual or invalid lengths in a movie that the real helper reads.
@Suite struct BoxReaderTests {
  private let helper = CodecClient(program: Program.helper)
  private static let stereo = HandmadeMovie(extensions: Boxes.box("lhvC", Boxes.zeros(6))).bytes

  /// Whether a movie is reported as stereo, which the boxes after its last one declare.
  private func isStereo(_ bytes: [UInt8]) throws -> Bool {
    try helper.facts(ofBytes: bytes).hints.contains(.stereo)
  }

  /// The movie with another header for the box with its tracks, which is the last.
  private func movie(_ header: (_ length: Int) -> [UInt8]) throws -> [UInt8] {
    let bytes = Self.stereo
    let start = try #require(bytes.firstRange(of: Array("moov".utf8))).lowerBound - 4
    return Array(bytes[..<start]) + header(bytes.count - start - 8) + bytes[(start + 8)...]
  }

  @Test func `A box of length 0 extends to the end`() throws {
    #expect(try isStereo(movie { _ in Boxes.zeros(4) + Array("moov".utf8) }))
  }

  @Test func `A 64-bit length follows the type`() throws {
    #expect(
      try isStereo(
        movie { Boxes.number(UInt32(1)) + Array("moov".utf8) + Boxes.number(UInt64($0 + 16)) }))
  }

  @Test func `A box may consist of only its header`() throws {
    #expect(try isStereo(HandmadeMovie(extensions: Boxes.box("lhvC")).bytes))
  }

  @Test(arguments: [4, 7])
  func `A box shorter than its header ends the list`(length: UInt32) throws {
    let short = Boxes.number(length) + Array("lhvC".utf8)
    #expect(try !isStereo(HandmadeMovie(extensions: short + Boxes.box("lhvC")).bytes))
  }

  @Test(arguments: [8, 15])
  func `A box with a 64-bit length shorter than its header ends the list`(length: UInt64) throws {
    let short = Boxes.number(UInt32(1)) + Array("lhvC".utf8) + Boxes.number(length)
    #expect(try !isStereo(HandmadeMovie(extensions: short + Boxes.box("lhvC")).bytes))
  }

  @Test(arguments: 0..<8)
  func `A file that ends within a 64-bit length is read up to there`(count: Int) throws {
    let cut = Boxes.number(UInt32(1)) + Array("free".utf8) + Boxes.zeros(count)
    #expect(try isStereo(Self.stereo + cut))
  }
}

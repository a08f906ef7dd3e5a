import CodecProtocol
import Fixtures
import Metadata
import Testing

/// Boxes whose lengths take an unusual form, or none at all, in a movie that the real helper reads.
@Suite struct BoxReaderTests {
  private let helper = CodecClient(program: Program.helper)
  private static let stereo = HandmadeMovie(extensions: Boxes.box("lhvC", Boxes.zeros(6))).bytes

  /// Whether a movie is told to have two views, which the boxes below its last one say.
  private func isStereo(_ bytes: [UInt8]) throws -> Bool {
    try helper.facts(ofBytes: bytes).hints.contains(.stereo)
  }

  /// The movie with another header of the box that holds its tracks, which is the last.
  private func movie(_ header: (_ length: Int) -> [UInt8]) throws -> [UInt8] {
    let bytes = Self.stereo
    let start = try #require(bytes.firstRange(of: Array("moov".utf8))).lowerBound - 4
    return Array(bytes[..<start]) + header(bytes.count - start - 8) + bytes[(start + 8)...]
  }

  @Test func `A box of length 0 goes on to the end`() throws {
    #expect(try isStereo(movie { _ in Boxes.zeros(4) + Array("moov".utf8) }))
  }

  @Test func `A length of 64 bits stands behind the type`() throws {
    #expect(
      try isStereo(
        movie { Boxes.number(UInt32(1)) + Array("moov".utf8) + Boxes.number(UInt64($0 + 16)) }))
  }

  @Test func `A box may be nothing but its header`() throws {
    #expect(try isStereo(HandmadeMovie(extensions: Boxes.box("lhvC")).bytes))
  }

  @Test(arguments: [4, 7])
  func `A box that is shorter than its header ends the list`(length: UInt32) throws {
    let short = Boxes.number(length) + Array("lhvC".utf8)
    #expect(try !isStereo(HandmadeMovie(extensions: short + Boxes.box("lhvC")).bytes))
  }

  @Test(arguments: [8, 15])
  func `A box of a 64-bit length that is shorter than its header ends the list`(length: UInt64) throws {
    let short = Boxes.number(UInt32(1)) + Array("lhvC".utf8) + Boxes.number(length)
    #expect(try !isStereo(HandmadeMovie(extensions: short + Boxes.box("lhvC")).bytes))
  }

  @Test(arguments: 0..<8)
  func `A file that ends within a length of 64 bits is read up to there`(count: Int) throws {
    let cut = Boxes.number(UInt32(1)) + Array("free".utf8) + Boxes.zeros(count)
    #expect(try isStereo(Self.stereo + cut))
  }
}

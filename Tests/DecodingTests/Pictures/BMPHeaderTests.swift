import Fixtures
import Testing

@testable import Decoding

/// The contents of a bitmap's header of 40 bytes.
@Suite struct BMPHeaderTests {
  private func header(
    width: Int = 5, height: Int = 4, depth: Int, compression: Int = 0, colours: Int = 0
  ) throws(DecodeStop) -> BMPHeader {
    try BMPHeader(
      Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + MediaBytes.little(40, 4)
        + MediaBytes.little(width, 4) + MediaBytes.little(height, 4) + MediaBytes.little(1, 2)
        + MediaBytes.little(depth, 2) + MediaBytes.little(compression, 4) + [UInt8](repeating: 0, count: 12)
        + MediaBytes.little(colours, 4) + [UInt8](repeating: 0, count: 20))
  }

  private func isKnown(height: Int, depth: Int, compression: Int) -> Bool {
    (try? header(height: height, depth: depth, compression: compression)) != nil
  }

  @Test(arguments: [(1, 8), (2, 4)])
  func `Run-length coding has its own depth, and begins at the bottom`(compression: Int, depth: Int) {
    #expect(isKnown(height: 4, depth: depth, compression: compression))
    #expect(!isKnown(height: -4, depth: depth, compression: compression))
    for other in [1, 4, 8, 16, 24, 32] where other != depth {
      #expect(!isKnown(height: 4, depth: other, compression: compression))
    }
    #expect(isKnown(height: -4, depth: depth, compression: 0))
  }

  @Test(arguments: [(1, 0, 2), (4, 0, 16), (8, 0, 256), (8, 5, 5), (8, 300, 256), (4, 17, 16), (24, 0, 0)])
  func `The number of colors is as in the header, limited by the depth`(
    depth: Int, named: Int, count: Int
  ) throws {
    #expect(try header(depth: depth, colours: named).paletteCount == count)
  }

  @Test(arguments: [
    (1, 1, 4), (32, 1, 4), (33, 1, 8), (5, 8, 8), (4, 8, 4), (3, 24, 12), (5, 24, 16), (2, 16, 4),
  ])
  func `A row is padded to multiples of four bytes`(width: Int, depth: Int, bytes: Int) throws {
    #expect(try header(width: width, depth: depth).rowBytes == bytes)
  }
}

import Pixels
import Testing

@testable import TerminalGraphics

@Suite struct IndexedPNGTests {
  /// The contents of a file's chunks, in order; nil if a length is wrong.
  private static func chunks(_ file: [UInt8]) -> [(type: String, data: [UInt8])]? {
    var chunks: [(String, [UInt8])] = []
    var rest = file.dropFirst(8)
    while rest.count >= 12 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard rest.count >= length + 12 else { return nil }
      chunks.append(
        (
          String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self),
          Array(rest.dropFirst(8).prefix(length))
        ))
      rest = rest.dropFirst(length + 12)
    }
    return rest.isEmpty ? chunks : nil
  }

  @Test func `A file has its size, its colors and the end chunk`() throws {
    var picture = PixelBuffer(size: PixelSize(width: 300, height: 2), filledWith: .white)
    picture[299, 1] = .black
    let file = try #require(IndexedPNG.encode(picture, colors: 4))
    #expect(file.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let chunks = try #require(Self.chunks(file))
    #expect(chunks.map(\.type) == ["IHDR", "PLTE", "IDAT", "IEND"])
    #expect(chunks[0].data == [0, 0, 1, 44, 0, 0, 0, 2, 8, 3, 0, 0, 0])
    #expect(
      Set([chunks[1].data.prefix(3), chunks[1].data.suffix(3)].map(Array.init)) == [
        [0, 0, 0], [255, 255, 255],
      ])
    // The checksum of the last chunk is the same in every file.
    #expect(file.suffix(4) == [0xAE, 0x42, 0x60, 0x82])
  }
}

import AssetLibrary
import Fixtures
import Testing

@testable import Decoding

@Suite struct PartReaderTests {
  private static let whole: [UInt8] = Array(0..<100)
  private static let parts: [PartReader.Part] = [
    .bytes([200, 201]), .range(10..<14), .bytes([]), .range(50..<50), .bytes([202]), .range(90..<100),
  ]
  private static let expected: [UInt8] = [200, 201] + Array(10..<14) + [202] + Array(90..<100)

  @Test func `Parts follow each other from any starting offset`() throws {
    let reader = PartReader(MemoryReader(Self.whole), Self.parts)
    #expect(reader.count == Self.expected.count)
    for start in 0..<Self.expected.count {
      for end in start...Self.expected.count {
        #expect(try reader.bytes(in: start..<end) == Array(Self.expected[start..<end]))
      }
    }
    for offset in [-1, Self.expected.count, .max] {
      var room: [UInt8] = [0]
      #expect(try room.withUnsafeMutableBytes { try reader.read(at: offset, into: $0) } == 0)
    }
  }

  @Test func `A file that became shorter ends the data`() throws {
    let reader = PartReader(MemoryReader(Self.whole[..<12]), Self.parts)
    #expect(try reader.bytes(in: 0..<reader.count) == Array(Self.expected[..<4]))
  }
}

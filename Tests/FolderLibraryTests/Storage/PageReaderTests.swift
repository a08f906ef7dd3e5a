import Testing

@testable import FolderLibrary

/// Parses numbers and rows from bytes that may end anywhere.
@Suite struct PageReaderTests {
  private func bytes(_ number: UInt64) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

  @Test(arguments: 0...8)
  func `Truncated bytes contain no number`(count: Int) {
    var reader = PageReader(Array(bytes(7).prefix(count)))
    #expect(reader.number() == (count == 8 ? 7 : nil))
    #expect(reader.number() == nil)
  }

  @Test(arguments: [0, 1, 2, 3])
  func `Truncated bytes contain no rows, not even partial ones`(count: Int) {
    var reader = PageReader(bytes(1) + bytes(2))
    let rows: [UInt64]? = reader.rows(count)
    #expect(rows == (count <= 2 ? Array([1, 2].prefix(count)) : nil))
    #expect(reader.rest.count == (count <= 2 ? 16 - 8 * count : 16))
    #expect(reader.bytes(reader.rest.count + 1) == nil)
    #expect(reader.bytes(reader.rest.count)?.count == (count <= 2 ? 16 - 8 * count : 16))
  }

  @Test(arguments: [(24, 24), (25, nil), (.max, nil)] as [(UInt64, Int?)])
  func `A count larger than the number of bytes is rejected`(number: UInt64, count: Int?) {
    var reader = PageReader(bytes(number) + bytes(0) + bytes(0))
    #expect(reader.count() == count)
  }

  @Test(arguments: 0..<19)
  func `Every byte affects the checksum`(place: Int) {
    let page = [UInt8](repeating: 3, count: 19)
    var other = page
    other[place] = 4
    #expect(PageReader.checksum(of: page[...]) != PageReader.checksum(of: other[...]))
    #expect(PageReader.checksum(of: page[..<place]) != PageReader.checksum(of: page[...]))
  }
}

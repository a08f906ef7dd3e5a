import Fixtures
import Testing

@testable import Metadata

/// The only reader of boxes, with wrong lengths.
@Suite struct BoxTests {
  /// A header, and what it says about a box at 100 within data that ends at 200.
  struct Header: Sendable, CustomTestStringConvertible {
    var stated: UInt32
    var long: UInt64?
    var content: Range<Int>?
    var isOpenEnded = false

    init(_ stated: UInt32, long: UInt64? = nil, _ content: Range<Int>?, isOpenEnded: Bool = false) {
      (self.stated, self.long, self.content, self.isOpenEnded) = (stated, long, content, isOpenEnded)
    }

    var bytes: [UInt8] {
      Boxes.number(stated) + Array("abcd".utf8) + Boxes.number(long ?? 0x4142_4344_4546_4748)
    }

    var testDescription: String { "\(stated)\(long.map { ", \($0)" } ?? "")" }
  }

  static let headers = [
    // To the end of the enclosing data.
    Header(0, 108..<200, isOpenEnded: true),
    // With 64 bits: shorter than the header, exactly the header, exact, too long, longer than any file, negative.
    Header(1, long: 0, nil), Header(1, long: 1, nil), Header(1, long: 15, nil),
    Header(1, long: 16, 116..<116),
    Header(1, long: 100, 116..<200), Header(1, long: 101, 116..<201),
    Header(1, long: 1 << 56, 116..<100 + 1 << 56), Header(1, long: 1 << 56 + 1, nil),
    Header(1, long: 1 << 63 - 1, nil), Header(1, long: 1 << 63, nil), Header(1, long: .max, nil),
    // With 32 bits: the same.
    Header(2, nil), Header(7, nil), Header(8, 108..<108), Header(100, 108..<200), Header(101, 108..<201),
    Header(1 << 31, 108..<100 + 1 << 31), Header(.max, 108..<100 + Int(UInt32.max)),
  ]

  @Test(arguments: headers)
  func `A box has the length that it states, or is rejected`(header: Header) throws {
    let box = Box(header.bytes[...], at: 100, end: 200)
    #expect(box?.content == header.content)
    #expect(box?.isOpenEnded ?? header.isOpenEnded == header.isOpenEnded)
    #expect(box == nil || box?.type == "abcd")
  }

  @Test(arguments: headers)
  func `A list contains no box that extends beyond its container, and none after it`(header: Header) {
    let before = Boxes.box("frst", Boxes.zeros(92))
    let file = before + header.bytes + Boxes.zeros(84) + Boxes.box("last")
    #expect(before.count == 100 && file.count == 208)
    let found = BoxReader(file).boxes(in: 0..<200)
    let fits = header.content.map { $0.upperBound <= 200 } ?? false
    // The zeros after the shortest one are a box that extends to the end.
    let behind = header.content == 116..<116
    #expect(found.map(\.type) == ["frst"] + (fits ? ["abcd"] : []) + (behind ? [Self.nulls] : []))
    #expect(found.allSatisfy { $0.content.upperBound <= 200 })
    // The rest of a truncated file is read by a reader of a single box.
    #expect(BoxReader(file).box(at: 100, end: 200)?.content == header.content)
    var window = ByteWindow(Array(file[..<200]))
    #expect(window.box(at: 100)?.content == header.content)
  }

  private static let nulls = "\0\0\0\0"

  @Test(arguments: 0...16)
  func `A truncated header is no box`(count: Int) {
    let short = Array((Boxes.number(UInt32(8)) + Array("abcd".utf8) + Boxes.zeros(8))[..<count])
    let long = Array((Boxes.number(UInt32(1)) + Array("abcd".utf8) + Boxes.number(UInt64(16)))[..<count])
    #expect((Box(short[...], at: 0, end: count) != nil) == (count >= 8))
    #expect((Box(long[...], at: 0, end: count) != nil) == (count == 16))
    for bytes in [short, long] {
      var window = ByteWindow(bytes)
      #expect(window.box(at: 0) == BoxReader(bytes).box(at: 0, end: count))
    }
  }

  @Test func `A list with any number of boxes is read as far as its reader requests`() {
    let file = [[UInt8]](repeating: Boxes.box("free"), count: 600).flatMap { $0 }
    #expect(BoxReader(file).topLevel.count == 512)
    #expect(BoxReader(file).boxes(in: 0..<file.count, most: .max).count == 600)
  }

  @Test func `A path of boxes leads to the first of each type`() throws {
    let file = Boxes.box("free") + Boxes.box("a   ", Boxes.box("b   "), Boxes.box("b   ", Boxes.box("c   ")))
    let reader = BoxReader(file + Boxes.box("a   ", Boxes.number(UInt32(7)), Boxes.box("d   ", [1, 2])))
    let boxes = reader.topLevel
    #expect(boxes.map(\.type) == ["free", "a   ", "a   "])
    #expect(reader.first("b   ", in: boxes[1])?.content.isEmpty == true)
    #expect(reader.first("b   ", "c   ", in: boxes[1]) == nil)
    #expect(reader.children(of: boxes[2], skipping: 4).map(\.type) == ["d   "])
    #expect(reader.children(of: boxes[2], skipping: 15).isEmpty)
    #expect(reader.integer(of: boxes[2], at: 0) == 7)
    #expect(reader.integer(of: boxes[2], at: 11) == nil)
    #expect(reader.bytes(of: boxes[2], at: 12, count: 9) == [1, 2])
  }
}

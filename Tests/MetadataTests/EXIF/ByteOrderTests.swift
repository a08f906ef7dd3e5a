import Metadata
import Pixels
import Testing

/// EXIF put together by hand, byte by byte, in both byte orders.
@Suite struct ByteOrderTests {
  private func facts(_ tiff: [UInt8]) -> MediaFacts? {
    JPEGFacts.read(from: MemoryByteSource(HandmadeEXIF.file(tiff)))
  }

  @Test func `Big-endian EXIF is read, as Nikon writes it`() {
    let tiff: [UInt8] =
      [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]  // MM, 42, the directory at 8
      + [0, 3]
      + [0x01, 0x0F, 0, 2, 0, 0, 0, 4] + Array("Nik\0".utf8)  // Make, in its own four bytes
      + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]  // Orientation 6
      + [0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 50]  // the photo directory at 50
      + [0, 0, 0, 0]
      + [0, 3]
      + [0x82, 0x9A, 0, 5, 0, 0, 0, 1, 0, 0, 0, 92]  // ExposureTime at 92
      + [0x88, 0x27, 0, 3, 0, 0, 0, 1, 0x01, 0x90, 0, 0]  // ISO 400
      + [0x90, 0x03, 0, 2, 0, 0, 0, 20, 0, 0, 0, 100]  // DateTimeOriginal at 100
      + [0, 0, 0, 0]
      + [0, 0, 0, 1, 0, 0, 0, 250]
      + Array("2024:05:02 14:10:09\0".utf8)
    let facts = facts(tiff)
    #expect(facts?.make == "Nik")
    #expect(facts?.orientation == .rightTop)
    #expect(facts?.exposureTime == 1.0 / 250)
    #expect(facts?.isoSpeed == 400)
    #expect(facts?.captureTime == CivilTime(year: 2024, month: 5, day: 2, hour: 14, minute: 10, second: 9))
  }

  @Test func `Little-endian EXIF is read, as Canon writes it`() {
    let tiff: [UInt8] =
      [0x49, 0x49, 42, 0, 8, 0, 0, 0]
      + [3, 0]
      + [0x0F, 0x01, 2, 0, 6, 0, 0, 0, 50, 0, 0, 0]  // Make at 50
      + [0x12, 0x01, 3, 0, 1, 0, 0, 0, 8, 0, 0, 0]  // Orientation 8
      + [0x32, 0x01, 2, 0, 20, 0, 0, 0, 56, 0, 0, 0]  // ModifyDate at 56, as a fallback
      + [0, 0, 0, 0]
      + Array("Canon\0".utf8) + Array("2001:02:03 04:05:06\0".utf8)
    let facts = facts(tiff)
    #expect(facts?.make == "Canon")
    #expect(facts?.orientation == .leftBottom)
    #expect(facts?.captureTime == CivilTime(year: 2001, month: 2, day: 3, hour: 4, minute: 5, second: 6))
  }

  /// A directory of one entry, in either byte order.
  private func tiff(big: Bool, tag: [UInt8], type: UInt8, count: UInt8, value: [UInt8]) -> [UInt8] {
    big
      ? [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1] + tag + [0, type, 0, 0, 0, count] + value + [0, 0, 0, 0]
      : [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0] + tag.reversed() + [type, 0, count, 0, 0, 0] + value
        + [0, 0, 0, 0]
  }

  @Test(arguments: [0, 9, 255] as [UInt8], [false, true])
  func `An invalid orientation is ignored`(value: UInt8, big: Bool) {
    let bytes = big ? [0, value, 0, 0] : [value, 0, 0, 0]
    let tiff = tiff(big: big, tag: [0x01, 0x12], type: 3, count: 1, value: bytes)
    #expect(facts(tiff)?.orientation == .topLeft)
  }

  @Test(arguments: [false, true])
  func `A text may consist of one letter or of blanks`(big: Bool) {
    let letter = tiff(big: big, tag: [0x01, 0x0F], type: 2, count: 2, value: [0x41, 0, 0, 0])
    #expect(facts(letter)?.make == "A")
    let blanks = tiff(big: big, tag: [0x01, 0x0F], type: 2, count: 4, value: [0x20, 0x20, 0x20, 0])
    #expect(facts(blanks)?.make == nil)
    let number = tiff(big: big, tag: [0x01, 0x0F], type: 3, count: 1, value: [0x41, 0, 0, 0])
    #expect(facts(number)?.make == nil)
  }

  @Test(arguments: [[0x4D, 0x49, 0, 42, 0, 0, 0, 8], [0x4D, 0x4D, 42, 0, 0, 0, 0, 8], [0x4D, 0x4D, 0]])
  func `A block without a TIFF header is ignored`(head: [UInt8]) {
    #expect(facts(head + [0, 0, 0, 0, 0, 0])?.orientation == .topLeft)
  }
}

/// A JPEG that consists of an EXIF segment and a frame of 64×48 pixels.
enum HandmadeEXIF {
  static func file(_ tiff: [UInt8]) -> [UInt8] {
    let segment = Array("Exif\0\0".utf8) + tiff
    let length = segment.count + 2
    return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + segment
      + [0xFF, 0xC0, 0, 11, 8, 0, 48, 0, 64, 1, 1, 0x11, 0] + [0xFF, 0xD9]
  }
}

import Fixtures
import MediaFormats
import Testing

@testable import Metadata

/// The part of a file that is read.
@Suite struct ByteWindowTests {
  private func window(_ bytes: [UInt8], byteCount: Int) -> ByteWindow {
    ByteWindow(byteCount: byteCount) { offset, buffer in
      let source = MemoryByteSource(bytes)
      return source.read(at: offset, into: buffer)
    }
  }

  @Test func `Bytes in memory are read up to their end`() {
    let source = MemoryByteSource([1, 2, 3])
    for (offset, count, bytes) in [(0, 2, [1, 2]), (1, 9, [2, 3]), (2, 1, [3]), (3, 1, []), (9, 4, [])] {
      #expect(source.read(at: offset, count: count) == bytes.map { UInt8($0) })
    }
  }

  @Test(arguments: [41, 100, 4096, 5000, .max])
  func `A file shorter than announced ends where its bytes end`(byteCount: Int) {
    var window = window([UInt8](0..<40), byteCount: byteCount)
    #expect(window.byte(at: 39) == 39)
    #expect(window.end == 40)
    #expect(!window.wasCut)
    #expect(window.bigEndian16(at: 39) == nil)
    #expect(window.wasCut)
  }

  @Test func `A video at the end of a file of unknown length is found`() {
    let packet = MetadataSegments.xmp(
      attributes: "Camera:MotionPhoto=\"1\" Camera:MicroVideoOffset=\"\(MetadataSegments.video.count)\"")
    let bytes = MetadataSegments.jpeg(MetadataSegments.xmpSegment(packet)) + MetadataSegments.video
    let video = bytes.count - MetadataSegments.video.count..<bytes.count
    for byteCount in [bytes.count, bytes.count + 1000, .max] {
      let reading = MediaReader.read(from: MemoryByteSource(bytes), byteCount: byteCount)
      guard case .media(.jpeg, let facts?) = reading else {
        Issue.record("no picture in a file of \(byteCount) bytes")
        continue
      }
      #expect(facts.motionVideo == video)
    }
  }

  /// A window onto a file of the numbers 0 to 99,999, as bytes, of which only a part is available; the rest reads as
  /// zeros.
  private func window(_ present: Range<Int>, _ reads: Reads = Reads()) -> ByteWindow {
    let available: ByteWindow.Available = { offset, count in
      present.contains(offset) ? min(count, present.upperBound - offset) : 0
    }
    return ByteWindow(byteCount: 100_000, available: available) { offset, buffer in
      reads.ranges.append(offset..<offset + buffer.count)
      for place in buffer.indices { buffer[place] = UInt8(truncatingIfNeeded: offset + place) }
      return buffer.count
    }
  }

  private final class Reads {
    var ranges: [Range<Int>] = []
  }

  @Test func `Nothing beyond the available part is read, and its end is not the file's end`() {
    let reads = Reads()
    var window = window(0..<100, reads)
    #expect(window.bigEndian16(at: 98) == 98 << 8 | 99)
    #expect(reads.ranges == [0..<100])
    #expect(window.missing == nil && window.end == 100_000 && !window.wasCut)
    #expect(window.bigEndian16(at: 99) == nil)
    #expect(window.missing == 99..<101 || window.missing == 100..<101)
    #expect(window.end == 100_000 && reads.ranges == [0..<100])
  }

  @Test func `Bytes between two positions are not needed`() {
    let reads = Reads()
    var window = window(50_000..<50_010, reads)
    #expect(window.byte(at: 0) == nil)
    #expect(window.missing == 0..<1)
    #expect(window.byte(at: 50_009) == UInt8(50_009 % 256))
    #expect(reads.ranges == [50_009..<50_010])
  }

  @Test(
    arguments: [
      { window in window.byte(at: 500).map { _ in } },
      { window in window.copy(500..<520).first.map { _ in } },
      { window in window.copy(500..<9000).first.map { _ in } },
      { window in window.peek(500..<520).first.map { _ in } },
      { window in window.has("abc", at: 500) ? () : nil },
    ] as [@Sendable (inout ByteWindow) -> Void?])
  func `The first missing range is known`(read: @Sendable (inout ByteWindow) -> Void?) {
    var window = window(0..<100)
    #expect(read(&window) == nil)
    let first = window.missing
    #expect(first?.lowerBound == 500)
    #expect(window.byte(at: 700) == nil)
    #expect(window.missing == first)
  }

  @Test func `Optional ranges are not missing`() {
    var window = window(0..<100)
    let seen = window.optional { window in
      _ = window.byte(at: 500)
      return window.missing
    }
    #expect(seen == 500..<501)
    #expect(window.missing == nil)
    _ = window.byte(at: 600)
    window.optional { #expect($0.missing == nil) }
    #expect(window.missing == 600..<601)
  }
}

import Fixtures
import MediaFormats
import Testing

@testable import Metadata

/// The part of a file that is looked at.
@Suite struct ByteWindowTests {
  private func window(_ bytes: [UInt8], byteCount: Int) -> ByteWindow {
    ByteWindow(byteCount: byteCount) { offset, buffer in
      let source = MemoryByteSource(bytes)
      return source.read(at: offset, into: buffer)
    }
  }

  @Test(arguments: [41, 100, 4096, 5000, .max])
  func `A file that is shorter than it was said to be ends where its bytes end`(byteCount: Int) {
    var window = window([UInt8](0..<40), byteCount: byteCount)
    #expect(window.byte(at: 39) == 39)
    #expect(window.end == 40)
    #expect(!window.wasCut)
    #expect(window.bigEndian16(at: 39) == nil)
    #expect(window.wasCut)
  }

  @Test func `A video at the end of a file is found when nobody knows how long the file is`() {
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
}
